/* The door between the host and mGBA: one machine, integers in and out.
 *
 * Pointers returned by region() and state_ptr() are offsets into the module's
 * memory. They hold until the next call of reset, load, save or alloc. */

#include <mgba/core/config.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/serialize.h>
#include <mgba/gba/core.h>
#include <mgba/internal/gba/gba.h>
#include <mgba-util/vfs.h>

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), visibility("default")))

/* ABI counts changes of this interface; FORMAT counts changes of what a save
 * means or of what the machine does with equal inputs. */
#define ABI 1
#define FORMAT 1

enum { OK = 0, NOTHING_LOADED = 1, CYCLE_LIMIT = 2, BAD_STATE = 3, NO_MEMORY = 4 };

enum { WIDTH = 240, HEIGHT = 160 };

/* A frame ends after 280,896 cycles at the latest; four times that means the
 * machine will never end it. */
#define LIMIT (VIDEO_TOTAL_LENGTH * 4)

/* The clock chip counts from 2001-01-01T00:00:00Z plus emulated frames. */
#define EPOCH_MS 978307200000LL

/* Room for the largest battery memory and the clock that mGBA appends to it,
 * so that appending never moves the memory under the machine. */
#define BATTERY_ROOM (SIZE_CART_FLASH1M + 0x100)

static struct mCore* core;
static struct GBA* gba;
static bool ready; /* a ROM is loaded and the machine was reset */
static bool have_rom;
static color_t picture[WIDTH * HEIGHT];

static uint8_t* scratch;
static size_t scratch_size;

static uint8_t* first_battery; /* the battery memory the machine was given */
static size_t first_battery_size;

static struct VFile* state_vf;

static void ignore_log(struct mLogger* logger, int category, enum mLogLevel level, const char* format, va_list args) {
	UNUSED(logger);
	UNUSED(category);
	UNUSED(level);
	UNUSED(format);
	UNUSED(args);
}

static struct mLogger silent = { .log = ignore_log };

static void fix_clock(void) {
	core->rtc.override = RTC_FAKE_EPOCH;
	core->rtc.value = EPOCH_MS;
}

static bool create(void) {
	if (core) {
		return true;
	}
	mLogSetDefaultLogger(&silent);
	struct mCore* c = GBACoreCreate();
	if (!c) {
		return false;
	}
	memset(&c->opts, 0, sizeof(c->opts));
	if (!c->init(c)) {
		return false;
	}
	mCoreInitConfig(c, NULL);
	c->opts.skipBios = true;
	c->setVideoBuffer(c, picture, WIDTH);
	core = c;
	gba = c->board;
	fix_clock();
	return true;
}

/* Puts a battery of n bytes into the machine, or none for n == 0. Whatever
 * kind the old one had is forgotten; reset and load find the kind again. Init
 * closes the old battery's file. */
static bool put_battery(const void* bytes, size_t n) {
	struct VFile* vf = NULL;
	if (n) {
		vf = VFileMemChunk(NULL, BATTERY_ROOM);
		if (!vf) {
			return false;
		}
		vf->truncate(vf, n);
		vf->write(vf, bytes, n);
	}
	GBASavedataDeinit(&gba->memory.savedata);
	GBASavedataInit(&gba->memory.savedata, vf);
	return true;
}

EXPORT(abi) int32_t shim_abi(void) {
	return ABI << 16 | FORMAT;
}

/* Returns a buffer of n bytes to hand to rom, battery or load, or 0. It is
 * the same buffer each time. */
EXPORT(alloc) void* shim_alloc(uint32_t n) {
	if (n > scratch_size) {
		free(scratch);
		scratch = malloc(n);
		scratch_size = scratch ? n : 0;
	}
	return scratch;
}

/* Takes the cartridge image of n bytes in the buffer from alloc, for good. */
EXPORT(rom) int32_t shim_rom(uint8_t* image, uint32_t n) {
	if (have_rom || image != scratch || n > scratch_size || !n) {
		return NOTHING_LOADED;
	}
	if (!create()) {
		return NO_MEMORY;
	}
	struct VFile* vf = VFileFromConstMemory(image, n);
	if (!vf) {
		return NO_MEMORY;
	}
	scratch = NULL;
	scratch_size = 0;
	if (!core->loadROM(core, vf) || !gba->memory.rom) {
		return NOTHING_LOADED;
	}
	have_rom = true;
	return OK;
}

/* Gives the machine battery memory to start with; before reset. */
EXPORT(battery) int32_t shim_battery(const uint8_t* bytes, uint32_t n) {
	if (!have_rom || n > SIZE_CART_FLASH1M + 16) {
		return NOTHING_LOADED;
	}
	free(first_battery);
	first_battery = NULL;
	first_battery_size = 0;
	if (n) {
		first_battery = malloc(n);
		if (!first_battery) {
			return NO_MEMORY;
		}
		memcpy(first_battery, bytes, n);
		first_battery_size = n;
	}
	return put_battery(first_battery, first_battery_size) ? OK : NO_MEMORY;
}

EXPORT(reset) int32_t shim_reset(void) {
	if (!have_rom) {
		return NOTHING_LOADED;
	}
	core->reset(core);
	fix_clock();
	ready = true;
	return OK;
}

/* Runs one frame with the given keys held. The work is bounded here: a host
 * that interrupts from outside pays for it in every frame. */
EXPORT(frame) int32_t shim_frame(uint32_t keys) {
	if (!ready) {
		return NOTHING_LOADED;
	}
	core->setKeys(core, keys & 0x3FF);
	uint32_t before = gba->video.frameCounter;
	uint32_t start = mTimingCurrentTime(&gba->timing);
	while (gba->video.frameCounter == before) {
		if ((uint32_t) mTimingCurrentTime(&gba->timing) - start > LIMIT) {
			return CYCLE_LIMIT;
		}
		if (gba->cpu->nextEvent > LIMIT) {
			gba->cpu->nextEvent = LIMIT;
		}
		core->runLoop(core);
	}
	return OK;
}

static void drop_state(void) {
	if (state_vf) {
		state_vf->close(state_vf);
		state_vf = NULL;
	}
}

/* Serializes the machine; state_ptr and state_len say where. A new file each
 * time: a reused one keeps old bytes in fields that are not always written. */
EXPORT(save) int32_t shim_save(void) {
	if (!ready) {
		return NOTHING_LOADED;
	}
	drop_state();
	state_vf = VFileMemChunk(NULL, 0);
	if (!state_vf) {
		return NO_MEMORY;
	}
	if (!mCoreSaveStateNamed(core, state_vf, SAVESTATE_SAVEDATA | SAVESTATE_RTC)) {
		drop_state();
		return NO_MEMORY;
	}
	return OK;
}

EXPORT(state_len) uint32_t shim_state_len(void) {
	return state_vf ? state_vf->size(state_vf) : 0;
}

EXPORT(state_ptr) void* shim_state_ptr(void) {
	return state_vf ? state_vf->map(state_vf, state_vf->size(state_vf), MAP_READ) : NULL;
}

/* Replaces the battery by the one in the state, or by the first one when the
 * state carries none: what a load leaves depends on the state and on what the
 * machine was started with, on nothing in between. */
static int32_t load_battery(struct VFile* vf) {
	struct mStateExtdata extra;
	mStateExtdataInit(&extra);
	if (!mCoreExtractExtdata(core, vf, &extra)) {
		mStateExtdataDeinit(&extra);
		return BAD_STATE;
	}
	struct mStateExtdataItem item = { .size = 0, .data = NULL };
	mStateExtdataGet(&extra, EXTDATA_SAVEDATA, &item);
	int32_t result = OK;
	if (item.size > BATTERY_ROOM) {
		result = BAD_STATE;
	} else if (item.data) {
		result = put_battery(item.data, item.size) ? OK : NO_MEMORY;
	} else {
		result = put_battery(first_battery, first_battery_size) ? OK : NO_MEMORY;
	}
	mStateExtdataDeinit(&extra);
	return result;
}

/* Replaces the machine by the state. Always resets first, which makes the
 * machine's inner leftovers the same after every load. After a failure the
 * machine is only good for another load. */
EXPORT(load) int32_t shim_load(const uint8_t* bytes, uint32_t n) {
	if (!ready) {
		return NOTHING_LOADED;
	}
	if (n < core->stateSize(core)) {
		return BAD_STATE;
	}
	struct VFile* vf = VFileFromConstMemory(bytes, n);
	if (!vf) {
		return NO_MEMORY;
	}
	int32_t result = load_battery(vf);
	if (result == OK) {
		core->setKeys(core, 0);
		core->reset(core);
		if (!mCoreLoadStateNamed(core, vf, SAVESTATE_SAVEDATA)) {
			result = BAD_STATE;
		}
		fix_clock();
	}
	vf->close(vf);
	return result;
}

struct region {
	const void* bytes;
	uint32_t size;
};

/* The battery is not among them: it is read from a saved state. */
static struct region find_region(uint32_t id) {
	struct region none = { NULL, 0 };
	if (!ready) {
		return none;
	}
	switch (id) {
	case 0:
		return (struct region) { gba->memory.wram, SIZE_WORKING_RAM };
	case 1:
		return (struct region) { gba->memory.iwram, SIZE_WORKING_IRAM };
	case 2:
		return (struct region) { gba->memory.rom, gba->memory.romSize };
	case 3:
		return (struct region) { gba->video.vram, SIZE_VRAM };
	case 4:
		return (struct region) { gba->video.palette, SIZE_PALETTE_RAM };
	case 5:
		return (struct region) { gba->video.oam.raw, SIZE_OAM };
	case 6:
		return (struct region) { gba->memory.io, SIZE_IO };
	case 7:
		return (struct region) { picture, sizeof(picture) };
	}
	return none;
}

EXPORT(region) const void* shim_region(uint32_t id) {
	return find_region(id).bytes;
}

EXPORT(region_len) uint32_t shim_region_len(uint32_t id) {
	return find_region(id).size;
}

/* The machine's own frame counter; a load sets it to the state's. */
EXPORT(frames) uint32_t shim_frames(void) {
	return ready ? gba->video.frameCounter : 0;
}

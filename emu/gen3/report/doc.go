// Package report makes what clankie decode prints of a savestate: one stable
// object with everything that the memory of a third-generation game decodes
// to. A part that is not live, or does not decode, is null, and the reason
// stands in undecoded. Names come from the cartridge; without it they are null.
//
//	container  kind (png, raw, libretro), gameCode, romCrc32
//	game       firered, leafgreen, emerald, ruby, sapphire, bramble or screen
//	build      the game and its revision, for example ruby_rev2
//	scene      mode, inputReady, waitingForDialogAdvance, and screen: title,
//	           main_menu, overworld, dialog, battle, start_menu, bag, ...
//	map        group, number, name, width, height, player {x, y}, without the
//	           border; collisionSha256 over one byte per cell, row by row
//	overworld  the overworld observation; its coordinates count the border
//	trainer    name, gender, publicId, secretId, money, coins, badges, playTime,
//	           dex {owned, seen}, rivalName
//	party      of each slot: species, nickname, level, experience, hp, maxHp,
//	           stats, nature, abilitySlot, heldItem, moves [{id, pp, name}], ivs,
//	           evs, friendship, egg, badEgg, shiny, personality, otId, otSecretId
//	bag        items, keyItems, pokeBalls, tmHm, berries: [{id, count, name}]
//	storage    count, badChecksums
//	dialog     open, waiting, lines
//	battle     kind, outcome, trainers [{id, name}], prompt by battler, battlers
//	           [{index, side, slot, species, level, hp, maxHp, moves, statStages,
//	           status, types}]
//	undecoded  the reasons, by part; tables names what a cartridge has elsewhere
//
// It adds nothing to what [gen3] reads, opens no file and prints nothing but
// through [Report.Print]. Start reading at [Make].
package report

package mgba

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"clankie/emu"
)

// shimFS holds what is compiled besides mGBA's own source.
//
//go:embed shim/*.c shim/*.h
var shimFS embed.FS

// The source: Debian's package of mGBA 0.10.5, under the MPL-2.0.
const (
	sourcePackage = "mgba"
	sourceVersion = "0.10.5+dfsg-1"
	sourceSuite   = "trixie"
	sourceFile    = "mgba_0.10.5+dfsg.orig.tar.xz"

	sourceSHA256 emu.Digest = "8aee6705d2dd0fa1cbfdba2c2c475f630001d855b384849a1a6288e9aa376680"
)

// sources lists what is compiled, as patterns within the source tree: the
// machine, the named savestates and what they need, no front end and no
// other console.
var sources = []string{
	"src/arm/{arm,decoder-arm,decoder,decoder-thumb,isa-arm,isa-thumb}.c",
	"src/core/{bitmap-cache,cache-set,cheats,config,core,directories,input,interface,log,map-cache,mem-search,serialize,sync,tile-cache,timing}.c",
	"src/gba/*.c",
	"src/gba/cart/*.c",
	"src/gba/cheats/*.c",
	"src/gba/renderers/{cache-set,common,software-bg,software-mode0,software-obj,video-software}.c",
	"src/gba/sio/{gbp,joybus}.c",
	"src/gb/audio.c",
	"src/util/{circle-buffer,configuration,crc32,formatting,gbk-table,hash,string,table,vfs,memory,patch,patch-fast,patch-ips,patch-ups,elf-read,text-codec,convolve,export}.c",
	"src/util/vfs/{vfs-mem,vfs-fifo}.c",
	"src/third-party/blip_buf/blip_buf.c",
	shimDir + "/*.c",
}

// shimDir is where the shim is laid into the source tree.
const shimDir = "clankie"

// iniHeader is where mGBA includes libinih from.
const iniHeader = shimDir + "/third-party/inih/ini.h"

// compileFlags are the same for every file. Paths are relative to the source
// tree, so that no machine's path gets into the module. HAVE_LOCALE keeps
// formatting.h from defining locale_t a second time. Newer compilers make
// errors of three warnings that this source predates.
var compileFlags = []string{
	"--target=wasm32-wasi", "-std=gnu11", "-O3", "-w",
	"-Wno-error=implicit-function-declaration",
	"-Wno-error=incompatible-function-pointer-types",
	"-Wno-error=int-conversion",
	"-ffunction-sections", "-fdata-sections",
	"-Iinclude", "-Isrc", "-I" + shimDir,
	"-DM_CORE_GBA", "-DDISABLE_THREADING", "-DMINIMAL_CORE=2",
	"-DCOLOR_16_BIT", "-DCOLOR_5_6_5",
	"-DHAVE_STRNDUP", "-DHAVE_STRDUP", "-DHAVE_STRLCPY",
	"-DHAVE_LOCALTIME_R", "-DHAVE_LOCALE", "-DIOAPI_NO_64", "-DNDEBUG",
}

// linkFlags go to wasm-ld itself: clang's driver would run wasm-opt when it
// finds one, and the module would depend on that. The stack lies first, so
// that overflowing it traps instead of reaching into data.
var linkFlags = []string{
	"-m", "wasm32", "--entry", "_initialize",
	"--gc-sections", "--strip-all", "--stack-first", "-z", "stack-size=1048576",
}

// RecipeSHA256 identifies what is built and how: the source's digest, the
// files, the flags and the shim. It does not depend on the machine; which
// compiler was found is recorded with the module.
func RecipeSHA256() emu.Digest {
	h := sha256.New()
	fmt.Fprintln(h, "clankie core recipe 1", sourceSHA256, ABI, StateFormat)
	for _, list := range [][]string{sources, compileFlags, linkFlags} {
		fmt.Fprintln(h, strings.Join(list, "\n"))
	}
	entries, err := shimFS.ReadDir("shim")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, e := range entries {
		b, err := shimFS.ReadFile("shim/" + e.Name())
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(h, e.Name(), emu.DigestOf(b))
	}
	return emu.Digest(hex.EncodeToString(h.Sum(nil)))
}

// sourceFiles lists the files to compile within tree, in the order in which
// they are linked.
func sourceFiles(tree fs.FS) ([]string, error) {
	var files []string
	for _, pattern := range sources {
		for _, p := range expandBraces(pattern) {
			found, err := fs.Glob(tree, p)
			if err != nil {
				return nil, fmt.Errorf("list %s: %w", p, err)
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("the source has no %s: it is not mGBA 0.10.5", p)
			}
			files = append(files, found...)
		}
	}
	slices.Sort(files)
	return files, nil
}

// expandBraces expands the one {a,b,c} that a pattern may have.
func expandBraces(pattern string) []string {
	head, rest, ok := strings.Cut(pattern, "{")
	if !ok {
		return []string{pattern}
	}
	list, tail, _ := strings.Cut(rest, "}")
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		out = append(out, head+name+tail)
	}
	return out
}

// layShim writes the embedded files into a source tree.
func layShim(tree string) error {
	for from, to := range map[string]string{
		"shim/shim.c":    shimDir + "/shim.c",
		"shim/version.c": shimDir + "/version.c",
		"shim/ini.h":     iniHeader,
	} {
		b, err := shimFS.ReadFile(from)
		if err != nil {
			return err
		}
		if err := writeNew(filepath.Join(tree, filepath.FromSlash(to)), b); err != nil {
			return err
		}
	}
	return nil
}

package mgba

import (
	"context"
	"path/filepath"
	"testing"

	"clankie/emu"
)

func benchCore(b *testing.B) *Core {
	b.Helper()
	m, err := Build(context.Background(), BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	c, err := Boot(context.Background(), m, BootOptions{ROM: SelfTestROM()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	if _, err := c.Run(context.Background(), 60, 0); err != nil {
		b.Fatal(err)
	}
	return c
}

func reportFPS(b *testing.B, frames int) {
	b.ReportMetric(float64(b.N*frames)/b.Elapsed().Seconds(), "fps")
}

// BenchmarkFrameBare calls the exported function and nothing else: what the
// module itself costs.
func BenchmarkFrameBare(b *testing.B) {
	c := benchCore(b)
	stack := make([]uint64, 2)
	for b.Loop() {
		stack[0] = 0
		if err := c.m.frameFn.CallWithStack(c.m.ctx, stack); err != nil || stack[0] != resultOK {
			b.Fatal(err, stack[0])
		}
	}
	reportFPS(b, 1)
}

// BenchmarkFrameSeam runs one frame a call through Core.Run and takes the
// picture and the memory views each time.
func BenchmarkFrameSeam(b *testing.B) {
	c := benchCore(b)
	var seen int
	for b.Loop() {
		if _, err := c.Run(context.Background(), 1, 0); err != nil {
			b.Fatal(err)
		}
		seen += len(c.Picture().Pix) + len(c.Memory().EWRAM)
	}
	reportFPS(b, 1)
}

// BenchmarkFrameSeam60 runs sixty frames a call.
func BenchmarkFrameSeam60(b *testing.B) {
	c := benchCore(b)
	for b.Loop() {
		if _, err := c.Run(context.Background(), 60, 0); err != nil {
			b.Fatal(err)
		}
	}
	reportFPS(b, 60)
}

func BenchmarkSave(b *testing.B) {
	c := benchCore(b)
	for b.Loop() {
		if _, err := c.Save(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	c := benchCore(b)
	state, err := c.Save(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := c.Load(context.Background(), state); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDigests is what evidence costs: a RAM and a picture digest.
func BenchmarkDigests(b *testing.B) {
	c := benchCore(b)
	for b.Loop() {
		c.Memory().RAMDigest()
		c.Picture().Digest()
	}
}

// firstFrame goes from the module's bytes to the first frame.
func firstFrame(b *testing.B, wasm []byte, compiled string) {
	m, err := OpenModule(context.Background(), wasm, compiled)
	if err != nil {
		b.Fatal(err)
	}
	c, err := Boot(context.Background(), m, BootOptions{ROM: SelfTestROM()})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.Run(context.Background(), 1, emu.KeyA); err != nil {
		b.Fatal(err)
	}
	c.Close()
	m.engine.runtime.Close(context.Background())
}

// BenchmarkColdStart compiles the module anew, as after an update.
func BenchmarkColdStart(b *testing.B) {
	wasm, dir := builtWasm(b), b.TempDir()
	for i := 0; b.Loop(); i++ {
		firstFrame(b, wasm, filepath.Join(dir, string(rune('a'+i%26)), string(rune('a'+i/26))))
	}
}

// BenchmarkWarmStart finds the compiled code on disk, as every later start.
func BenchmarkWarmStart(b *testing.B) {
	wasm, dir := builtWasm(b), b.TempDir()
	firstFrame(b, wasm, dir)
	for b.Loop() {
		firstFrame(b, wasm, dir)
	}
}

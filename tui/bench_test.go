package tui

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"clankie/emu"
	"clankie/play"
)

// terminalCost draws views as Bubble Tea's renderer does and counts what goes
// to the terminal.
type terminalCost struct {
	buf bytes.Buffer
	scr *uv.TerminalRenderer
	cel uv.ScreenBuffer
	old string
}

func newTerminalCost(w, h int) *terminalCost {
	c := &terminalCost{cel: uv.NewScreenBuffer(w, h)}
	c.scr = uv.NewTerminalRenderer(&c.buf, []string{"TERM=xterm-256color"})
	c.scr.SetColorProfile(colorprofile.TrueColor)
	c.scr.SetFullscreen(true)
	c.scr.SetRelativeCursor(false)
	return c
}

func (c *terminalCost) draw(content string) int {
	if content == c.old {
		return 0 // as the renderer does
	}
	c.old = content
	c.cel.Clear()
	uv.NewStyledString(content).Draw(c.cel, c.cel.Bounds())
	c.scr.Render(c.cel.RenderBuffer)
	_ = c.scr.Flush()
	n := c.buf.Len()
	c.buf.Reset()
	return n
}

func BenchmarkFrame(b *testing.B) {
	still := fakePicture(60, 1)
	pictures := map[string]func(i int) []byte{
		"still":  func(int) []byte { return still },
		"sprite": func(i int) []byte { return fakePicture(i%200, 1) },
		"scroll": func(i int) []byte { return shift(still, i*2) },
		"noise":  noise,
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {164, 50}} {
		for _, name := range []string{"still", "sprite", "scroll", "noise"} {
			b.Run(name+"/"+sizeName(size), func(b *testing.B) { benchFrames(b, size, pictures[name]) })
		}
	}
}

func sizeName(s [2]int) string {
	return map[[2]int]string{{80, 24}: "80x24", {120, 40}: "120x40", {164, 50}: "164x50"}[s]
}

func noise(i int) []byte {
	pix := make([]byte, emu.PictureBytes)
	r := rand.New(rand.NewPCG(uint64(i), 1))
	for j := range pix {
		pix[j] = byte(r.Uint32())
	}
	return pix
}

// benchFrames measures a snapshot from its arrival to the terminal's bytes.
// The pictures are made beforehand.
func benchFrames(b *testing.B, size [2]int, picture func(int) []byte) {
	d := newDriver(b, Options{})
	d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
	snaps := make([]*play.Snapshot, 64)
	for i := range snaps {
		snaps[i] = fakeSnapshot(3)
		snaps[i].Picture = emu.Picture{Pix: picture(i)}
	}
	term := newTerminalCost(size[0], size[1])
	term.draw(d.m.View().Content)
	total, i := 0, 0
	for b.Loop() {
		d.m.Update(newsMsg{update: play.Update{Snapshot: snaps[i%len(snaps)]}})
		total += term.draw(d.m.View().Content)
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/frame")
	b.ReportMetric(float64(total)/float64(b.N), "bytes/frame")
}

// BenchmarkDetails takes a snapshot in which nothing changed while a page of
// details is open.
func BenchmarkDetails(b *testing.B) {
	for n := range pages {
		b.Run(pages[n].command, func(b *testing.B) {
			d := newDriver(b, Options{})
			d.sitting.boxes = fakeBoxes(3)
			snaps := make([]*play.Snapshot, 64)
			for i := range snaps {
				snaps[i] = doubleBattle()
				if n == pageMap {
					snaps[i] = fakeSnapshot(3)
				}
			}
			d.show(snaps[0])
			d.typedLine("/" + pages[n].command)
			term := newTerminalCost(120, 40)
			term.draw(d.m.View().Content)
			total, i := 0, 0
			for b.Loop() {
				d.m.Update(newsMsg{update: play.Update{Snapshot: snaps[i%len(snaps)]}})
				total += term.draw(d.m.View().Content)
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/frame")
			b.ReportMetric(float64(total)/float64(b.N), "bytes/frame")
		})
	}
}

// BenchmarkFeed draws a frame while the feed has had a hundred thousand lines
// and takes one more each time.
func BenchmarkFeed(b *testing.B) {
	d := newDriver(b, Options{})
	for i := range 100_000 {
		d.m.feed.add([]play.Event{fakeTurn(i)})
	}
	snap := fakeSnapshot(3)
	term := newTerminalCost(120, 40)
	term.draw(d.m.View().Content)
	total, i := 0, 0
	for b.Loop() {
		d.m.Update(newsMsg{update: play.Update{Snapshot: snap, Events: []play.Event{fakeTurn(i)}}})
		total += term.draw(d.m.View().Content)
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/frame")
	b.ReportMetric(float64(total)/float64(b.N), "bytes/frame")
}

// BenchmarkIdle is a message that changes nothing on screen.
func BenchmarkIdle(b *testing.B) {
	d := newDriver(b, Options{})
	for b.Loop() {
		d.m.Update(struct{}{})
		_, _ = io.WriteString(io.Discard, d.m.View().Content)
	}
}

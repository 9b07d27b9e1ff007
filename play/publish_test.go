package play

import (
	"context"
	"testing"
	"time"

	"clankie/emu"
)

// still is a body and a mind that do nothing.
type still struct{ emu.Body }

func (still) Info() emu.BodyInfo { return emu.BodyInfo{} }

func (still) Name() string { return "still" }

func (still) Decide(context.Context, View) (Decision, error) { return Decision{}, nil }

// paced is a clock that goes on by so much each time it is read.
type paced struct {
	at time.Time
	by time.Duration
}

func (c *paced) Now() time.Time {
	c.at = c.at.Add(c.by)
	return c.at
}

// TestTheClockCountsNoTiles slides over a tile in each frame, slowly, so that
// watchers see every frame, and so fast that they see none.
func TestTheClockCountsNoTiles(t *testing.T) {
	for _, by := range []time.Duration{time.Nanosecond, time.Second} {
		s := &Sitting{o: Options{Clock: &paced{by: by}, PicturesPerSecond: 30}, body: still{}, mind: still{}, board: newBoard(), progress: newProgress()}
		for frame := range uint64(10 * tileFrames) {
			s.frameRan(frame, func() emu.Observed {
				return standing(func(s *emu.State) { s.Overworld.Position.X = int(frame) })
			})
		}
		if n := len(s.progress.tiles); n != 10 {
			t.Errorf("a clock that goes on by %s counts %d tiles", by, n)
		}
	}
}

// TestPicturesNobodySawAreCounted shows six, of which a watcher takes the third
// and the last.
func TestPicturesNobodySawAreCounted(t *testing.T) {
	s := &Sitting{o: Options{Clock: &paced{by: time.Second}, PicturesPerSecond: 30}, body: still{}, mind: still{}, board: newBoard(), progress: newProgress()}
	w := s.Watch()
	defer w.Close()
	for frame := range uint64(6) {
		s.frameRan(frame, func() emu.Observed { return emu.Observed{Frame: frame} })
		s.publish() // with the same picture
		if frame == 2 || frame == 5 {
			if u, err := w.Next(t.Context()); err != nil || u.Snapshot.Frame != frame {
				t.Fatalf("%+v, %v", u.Snapshot, err)
			}
		}
	}
	if line := s.summary(Result{}); line.FramesPublished != 6 || line.FramesDropped != 4 {
		t.Errorf("%d were shown and %d dropped", line.FramesPublished, line.FramesDropped)
	}
}

package model

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"clankie/emu"
)

func TestWhichPictureIsAttached(t *testing.T) {
	s := newStub(t, ProviderAnthropic, says(good))
	mind := s.mind(t)
	size := func(change func(v *emu.Observed)) image.Rectangle {
		v := sampleView()
		change(&v.Observed)
		q := mind.question(v)
		if q.picture == nil {
			return image.Rectangle{}
		}
		img, err := png.Decode(bytes.NewReader(q.picture))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := img.(*image.Paletted); !ok {
			t.Errorf("%T, want a paletted picture", img)
		}
		return img.Bounds()
	}
	ruled, plain, none := image.Rect(0, 0, 753, 513), image.Rect(0, 0, 720, 480), image.Rectangle{}
	tests := []struct {
		name   string
		change func(o *emu.Observed)
		want   image.Rectangle
	}{
		{"field", func(*emu.Observed) {}, ruled},
		{"text in the field", func(o *emu.Observed) { o.State.Scene.Mode = emu.ModeDialog }, ruled},
		{"menu", func(o *emu.Observed) { o.State.Scene.Mode = emu.ModeMenu }, plain},
		{"battle", func(o *emu.Observed) { o.State.Battle = &emu.Battle{} }, plain},
		{"no map", func(o *emu.Observed) { o.State.Overworld.Minimap = nil }, plain},
		{"nothing decoded", func(o *emu.Observed) { o.State = emu.State{} }, plain},
		{"from before a load", func(o *emu.Observed) { o.Picture.Stale = true }, none},
		{"none", func(o *emu.Observed) { o.Picture = emu.Picture{} }, none},
	}
	for _, test := range tests {
		if got := size(test.change); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

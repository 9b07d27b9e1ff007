package model

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"

	"clankie/emu"
)

func decodePNG(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// pictureOf paints every pixel by its number.
func pictureOf(colour func(i int) uint16) emu.Picture {
	pix := make([]byte, emu.PictureBytes)
	for i := range len(pix) / 2 {
		binary.LittleEndian.PutUint16(pix[2*i:], colour(i))
	}
	return emu.Picture{Pix: pix}
}

func TestPlainPicture(t *testing.T) {
	p := pictureOf(func(i int) uint16 {
		if i == 0 {
			return 0xF800
		}
		return 0x07E0
	})
	data, err := encodePicture(p, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	img := decodePNG(t, data)
	if img.Bounds().Dx() != 720 || img.Bounds().Dy() != 480 {
		t.Errorf("size %v", img.Bounds())
	}
	if _, ok := img.(*image.Paletted); !ok {
		t.Errorf("%T, want a paletted picture", img)
	}
	for at, want := range map[image.Point]color.RGBA{
		{X: 2, Y: 2}: {0xFF, 0, 0, 0xFF}, {X: 3, Y: 2}: {0, 0xFF, 0, 0xFF}, {X: 719, Y: 479}: {0, 0xFF, 0, 0xFF},
	} {
		if got := color.RGBAModel.Convert(img.At(at.X, at.Y)); got != want {
			t.Errorf("pixel %v is %v, want %v", at, got, want)
		}
	}
}

func TestPictureOfManyColours(t *testing.T) {
	p := pictureOf(func(i int) uint16 { return uint16(i) })
	for _, at := range []*emu.Position{nil, {X: 10, Y: 9}} {
		data, err := encodePicture(p, at, 1)
		if err != nil {
			t.Fatal(err)
		}
		img, margin := decodePNG(t, data), 0
		if at != nil {
			margin = rulerMargin
		}
		// The last pixels of the first line and of the second.
		for _, x := range []int{5, 239} {
			want := widen(uint16(emu.ScreenWidth + x))
			if got := color.RGBAModel.Convert(img.At(x+margin, 1+margin)); got != want {
				t.Errorf("pixel %d is %v, want %v", x, got, want)
			}
		}
	}
}

// TestRuledPicture finds the player's tile between red lines where the screen
// shows him: from pixel 112, 72 to 127, 87.
func TestRuledPicture(t *testing.T) {
	const scale = 2
	data, err := encodePicture(pictureOf(func(int) uint16 { return 0x001F }), &emu.Position{X: 10, Y: 9}, scale)
	if err != nil {
		t.Fatal(err)
	}
	img := decodePNG(t, data)
	at := func(x, y int) color.Color { // by pixels of the screen
		return color.RGBAModel.Convert(img.At((x+rulerMargin)*scale, (y+rulerMargin)*scale))
	}
	blue := color.RGBA{0, 0, 0xFF, 0xFF}
	tests := []struct {
		x, y int
		want color.Color
	}{
		{112, 80, playerColour},
		{128, 80, playerColour},
		{120, 72, playerColour},
		{120, 88, playerColour},
		{120, 80, blue},
		{127, 87, blue},
		{113, 73, blue},
		{96, 72, playerColour},
		{96, 80, ruleColour},
		{96, 82, ruleColour},
		{144, 82, ruleColour},
		{120, 56, ruleColour},
		{120, 8, ruleColour},
		{100, 100, blue},
	}
	for _, test := range tests {
		if got := at(test.x, test.y); got != test.want {
			t.Errorf("(%d,%d) is %v, want %v", test.x, test.y, got, test.want)
		}
	}
	labelled := false
	for x := 0; x < rulerMargin*scale; x++ {
		labelled = labelled || color.RGBAModel.Convert(img.At(x, (rulerMargin+72+3)*scale)) == labelColour
	}
	if !labelled {
		t.Error("the player's row has no number")
	}
}

func TestPictureOfTheWrongSize(t *testing.T) {
	if _, err := encodePicture(emu.Picture{Pix: make([]byte, 7)}, nil, 1); err == nil {
		t.Error("a picture of seven bytes was encoded")
	}
}

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
		return decodePNG(t, q.picture).Bounds()
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

func BenchmarkPicture(b *testing.B) {
	p := pictureOf(func(i int) uint16 { return uint16(i / 300) })
	size := 0
	for b.Loop() {
		data, err := encodePicture(p, &emu.Position{X: 10, Y: 9}, DefaultPictureScale)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}

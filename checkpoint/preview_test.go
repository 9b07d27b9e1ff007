package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"clankie/emu"
)

func TestEveryColourSurvives(t *testing.T) {
	for c := range 1 << 16 {
		if got := narrow(widen(uint16(c))); got != uint16(c) {
			t.Fatalf("colour %#04x comes back as %#04x", c, got)
		}
	}
}

func TestPreviewIsPalettedUpTo256Colours(t *testing.T) {
	for _, colours := range []int{1, 256, 257, 1000} {
		pix := testPicture(colours).Pix
		data, err := encodePreview(pix)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, paletted := img.(*image.Paletted); paletted != (colours <= 256) {
			t.Errorf("%d colours: paletted is %v", colours, paletted)
		}
		back, err := decodePreview(data)
		if err != nil || !bytes.Equal(back, pix) {
			t.Errorf("%d colours do not come back: %v", colours, err)
		}
	}
}

func TestPreviewThatIsNoneIsLeftOut(t *testing.T) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 24, 16))); err != nil {
		t.Fatal(err)
	}
	good, err := encodePreview(testPicture(16).Pix)
	if err != nil {
		t.Fatal(err)
	}
	// A header that promises 2^31-1 by 2^31-1 pixels.
	bomb := bytes.Clone(good)
	binary.BigEndian.PutUint32(bomb[16:], 1<<31-1)
	binary.BigEndian.PutUint32(bomb[20:], 1<<31-1)
	for name, data := range map[string][]byte{
		"empty": {}, "text": []byte("no picture"), "another size": small.Bytes(),
		"torn": good[:len(good)/2], "bomb": bomb, "long": make([]byte, maxPreviewBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			write(t, s, id, previewName, string(data))
			loaded, err := s.Read(context.Background(), id, testIdentity)
			if err != nil {
				t.Fatalf("the picture keeps the save from loading: %v", err)
			}
			if loaded.Picture != nil {
				t.Error("a picture was made of it")
			}
		})
	}
}

func TestStaleOrAbsentPictureIsNotKept(t *testing.T) {
	s := openTest(t)
	stale := mint(t, s, "stale", func(r *MintRequest) { r.Picture.Stale = true })
	absent := mint(t, s, "absent", func(r *MintRequest) { r.Picture = emu.Picture{} })
	for _, id := range []string{stale, absent} {
		if _, err := os.Stat(filepath.Join(s.Root(), id, previewName)); !os.IsNotExist(err) {
			t.Errorf("%s has a picture: %v", id, err)
		}
		if _, err := s.Read(context.Background(), id, testIdentity); err != nil {
			t.Error(err)
		}
	}
}

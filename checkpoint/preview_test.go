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
	"clankie/emu/picture"
)

func TestPreviewThatIsNoneIsLeftOut(t *testing.T) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 24, 16))); err != nil {
		t.Fatal(err)
	}
	good, err := picture.PNG(testPicture(16), 1)
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

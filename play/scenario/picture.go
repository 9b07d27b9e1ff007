package scenario

import (
	"fmt"

	"clankie/emu"
	"clankie/emu/picture"
)

// encodePicture writes a frame as PNG.
func encodePicture(pix []byte) ([]byte, error) {
	data, err := picture.PNG(emu.Picture{Pix: pix}, 1)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return data, nil
}

// pictureDigest is the digest of the frame that a PNG shows.
func pictureDigest(data []byte) (emu.Digest, error) {
	pix, err := picture.Parse(data)
	if err != nil {
		return "", err
	}
	return emu.DigestOf(pix), nil
}

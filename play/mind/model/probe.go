package model

import (
	"context"
	"fmt"

	"clankie/emu"
	"clankie/emu/picture"
	"clankie/play"
)

// Probe asks the endpoint for one small decision and says in one line that it
// answers as it must. The error, of one line too, says what is wrong. It goes
// through the meter like every call and is not retried.
func (m *Mind) Probe(ctx context.Context) (line string, err error) {
	defer m.recovered(&err)
	q := question{
		system: m.system,
		text:   "This only tests the line. Decide to wait one frame: frame_advance with frames 1.",
	}
	if m.settings.pictures() {
		blank := emu.Picture{Pix: make([]byte, emu.PictureBytes)}
		if q.picture, err = picture.PNG(blank, 1); err != nil {
			return "", err
		}
	}
	before := m.meter.Spent().Usage.Total()
	text, err := m.ask(ctx, q, 0)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m, err)
	}
	d, err := decode(text, m.key)
	if err != nil {
		return "", fmt.Errorf("%s answers, but %w", m, err)
	}
	return fmt.Sprintf("%s answers: %s (%s)", m, play.DescribeAction(d.Action), emu.Count(m.meter.Spent().Usage.Total()-before, "token")), nil
}

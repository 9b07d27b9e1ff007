package tui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// gauge draws a bar of w cells for have of most. A creature that stands shows
// at least a sliver, and a full bar means full.
func (p *palette) gauge(have, most, w int) string {
	if w <= 0 {
		return ""
	}
	if most <= 0 {
		return p.faint.Render(strings.Repeat("·", w))
	}
	have = min(max(have, 0), most)
	n := have * w * 8 / most
	if have > 0 && n == 0 {
		n = 1
	}
	bar := strings.Repeat("█", n/8) + eighths[n%8]
	used := n / 8
	if n%8 > 0 {
		used++
	}
	return p.healthInk(have, most).Render(bar) + p.faint.Render(strings.Repeat("·", w-used))
}

func (p *palette) healthInk(have, most int) lipgloss.Style {
	switch {
	case have*2 > most:
		return p.good
	case have*5 > most:
		return p.warn
	}
	return p.bad
}

// hp is a bar and its numbers in exactly w cells; the bar gives way first.
func (p *palette) hp(have, most, w int) string {
	nums := fmt.Sprintf("%d/%d", have, most)
	pad := max(7-len(nums), 0)
	bar := w - len(nums) - pad - 1
	if p.spoken || bar < 3 {
		return fit(p.healthInk(have, most).Render(nums), w)
	}
	return p.gauge(have, most, bar) + " " + blanks(pad) + p.healthInk(have, most).Render(nums)
}

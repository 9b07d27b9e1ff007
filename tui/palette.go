package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette holds the styles of the program. There are two, for dark and for
// light backgrounds; the background itself is always the terminal's own.
type palette struct {
	dark   bool
	spoken bool // for lines that are read out: nothing is drawn

	text   lipgloss.Style
	strong lipgloss.Style
	muted  lipgloss.Style
	faint  lipgloss.Style // rules, borders, blocked tiles
	accent lipgloss.Style // names of panes, what has the focus
	quote  lipgloss.Style // what a mind thinks
	good   lipgloss.Style
	warn   lipgloss.Style
	bad    lipgloss.Style
	chosen lipgloss.Style // the row or button that Enter acts on
	danger lipgloss.Style // a chosen button that destroys
	key    lipgloss.Style // a key in a hint
	badge  lipgloss.Style // the program's name
	alert  lipgloss.Style // paused, by hand
}

func newPalette(dark bool) *palette {
	pick := lipgloss.LightDark(dark)
	c := func(light, darkHex string) color.Color {
		return pick(lipgloss.Color(light), lipgloss.Color(darkHex))
	}
	fg := func(light, darkHex string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(c(light, darkHex)).Inline(true)
	}
	on := func(light, darkHex, bgLight, bgDark string) lipgloss.Style {
		return fg(light, darkHex).Background(c(bgLight, bgDark))
	}
	return &palette{
		dark:   dark,
		text:   fg("#2B3440", "#D5DCE6"),
		strong: fg("#111827", "#F2F5F9").Bold(true),
		muted:  fg("#5B6675", "#8A97A8"),
		faint:  fg("#B6BFCA", "#505D6E"),
		accent: fg("#0B6E75", "#7FC8C2"),
		quote:  fg("#4A5568", "#AEB9C8").Italic(true),
		good:   fg("#2F7A3B", "#98C98A"),
		warn:   fg("#8F5E00", "#E6C170"),
		bad:    fg("#B3261E", "#E58A83"),
		chosen: on("#FFFFFF", "#0F1A1F", "#0B6E75", "#7FC8C2").Bold(true),
		danger: on("#FFFFFF", "#1F0F0F", "#B3261E", "#E58A83").Bold(true),
		key:    fg("#0B6E75", "#9AD6CF").Bold(true),
		badge:  on("#FFFFFF", "#0F1A1F", "#0B6E75", "#7FC8C2").Bold(true),
		alert:  on("#FFFFFF", "#211A08", "#8F5E00", "#E6C170").Bold(true),
	}
}

// typeInk colours the name of a type. The name itself is always there.
func (p *palette) typeInk(name string) lipgloss.Style {
	hex, ok := typeColours[name]
	if !ok {
		return p.muted
	}
	if p.dark {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(hex[1])).Inline(true)
	}
	return lipgloss.NewStyle().Foreground(lipgloss.Color(hex[0])).Inline(true)
}

// typeColours holds a light-background and a dark-background ink per type.
var typeColours = map[string][2]string{
	"normal":   {"#5F6368", "#B8BEC8"},
	"fire":     {"#B5451B", "#EE9A72"},
	"water":    {"#1F5FA8", "#7FB2EA"},
	"grass":    {"#2F7A3B", "#8FCB86"},
	"electric": {"#8A6A00", "#EBD06C"},
	"ice":      {"#0F7285", "#95DCE6"},
	"fighting": {"#9B2C2C", "#DD8B80"},
	"poison":   {"#7A3A91", "#C59AD8"},
	"ground":   {"#80591F", "#D6B37A"},
	"flying":   {"#4A57A8", "#A9B5F0"},
	"psychic":  {"#A82F6B", "#EE9AC0"},
	"bug":      {"#5F7A12", "#BFD06B"},
	"rock":     {"#6E5F34", "#C9BA88"},
	"ghost":    {"#594A8C", "#B0A2DC"},
	"dragon":   {"#4838B0", "#A99BF5"},
	"dark":     {"#4B4038", "#B5A79B"},
	"steel":    {"#4D6070", "#AFC1CE"},
}

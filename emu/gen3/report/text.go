package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"clankie/emu"
)

// Print writes the report for people to read: one line or a few for each part,
// and why the others are not there.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("container", "%s of %s, ROM CRC-32 %s", r.Container.Kind, r.Container.GameCode, r.Container.ROMCRC32)
	line("build", "%s", r.Build)
	line("scene", "%s (%s)", r.Scene.Screen, r.Scene.Mode)
	if m := r.Map; m != nil {
		line("map", "%d.%d%s, %d×%d, the player at (%d, %d)",
			m.Group, m.Number, parenthesis(m.Name), m.Width, m.Height, m.Player.X, m.Player.Y)
	}
	if t := r.Trainer; t != nil {
		line("trainer", "%s, id %05d, money %d, badges %d, seen %d, owned %d, played %d:%02d:%02d",
			t.Name, t.PublicID, t.Money, t.badges(), t.Dex.Seen, t.Dex.Owned, t.PlayTime.Hours, t.PlayTime.Minutes, t.PlayTime.Seconds)
	}
	if r.Party != nil {
		for i := range *r.Party {
			line("party", "%s", &(*r.Party)[i])
		}
	}
	if g := r.Bag; g != nil {
		line("bag", "%s, %s, %s, %s, %s", emu.Count(len(g.Items), "item"), emu.Count(len(g.KeyItems), "key item"),
			emu.Count(len(g.PokeBalls), "ball"), emu.Count(len(g.TMHM), "machine"), emu.CountOf(len(g.Berries), "berry", "berries"))
	}
	if s := r.Storage; s != nil {
		line("storage", "%s, %d damaged", emu.Count(s.Count, "creature"), s.BadChecksums)
	}
	if r.Dialog != nil && r.Dialog.Open {
		line("dialog", "%s", strings.Join(r.Dialog.Lines, " / "))
	}
	if r.Battle != nil {
		for _, t := range r.Battle.Trainers {
			line("battle", "against trainer %d%s", t.ID, parenthesis(t.Name))
		}
		for _, f := range r.Battle.Battlers {
			line("battle", "%s: %s level %d, HP %d of %d", f.Side, f.Nickname, f.Level, f.HP, f.MaxHP)
		}
	}
	for _, part := range slices.Sorted(maps.Keys(r.Undecoded)) {
		line("not read", "%s: %s", part, r.Undecoded[part])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Trainer) badges() (n int) {
	for _, won := range t.Badges {
		n += won
	}
	return n
}

// String is a party member in one line.
func (m *Member) String() string {
	if m.Egg || m.BadEgg {
		return m.Nickname
	}
	return fmt.Sprintf("%s%s level %d, HP %d of %d", m.Nickname, parenthesis(m.SpeciesName), *m.Level, *m.HP, *m.MaxHP)
}

// parenthesis puts a name that was read in parentheses.
func parenthesis(name *string) string {
	if name == nil {
		return ""
	}
	return " (" + *name + ")"
}

package play_test

import (
	"testing"

	"clankie/checkpoint"
	"clankie/play"
)

// TestADamagedLineageIsTold: the save loads, and whoever looks at it learns
// what is wrong with it.
func TestADamagedLineageIsTold(t *testing.T) {
	for _, c := range []struct {
		entry checkpoint.Entry
		want  string
	}{
		{checkpoint.Entry{Health: checkpoint.HealthValid}, ""},
		{
			checkpoint.Entry{Health: checkpoint.HealthValid, LineageProblem: checkpoint.CodeLineageUnreadable + ": the lineage of cp-1 is\x1b damaged"},
			"the lineage of cp-1 is  damaged",
		},
		{
			checkpoint.Entry{Health: checkpoint.HealthDamaged, Reason: "its state is empty", LineageProblem: "damaged too"},
			"its state is empty",
		},
	} {
		if got := play.SaveEntryOf(c.entry); got.HealthNote != c.want || got.Loadable() != (c.entry.Health == checkpoint.HealthValid) {
			t.Errorf("%+v is shown with the note %q, want %q", c.entry, got.HealthNote, c.want)
		}
	}
}

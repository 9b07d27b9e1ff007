package journal

import (
	"encoding/hex"
	"strings"
	"time"

	"clankie/emu"
)

// RunIDRandom is how many random bytes tell runs apart that begin in the same
// millisecond.
const RunIDRandom = 4

// journeyMark is how many digits of the journey's digest a run's id has.
const journeyMark = 4

// NewRunID names a run of a journey by its start. Its last digits are a mark of
// the journey and random, so that the name of the run's file says of most
// journeys that it is not of them: to look for a journey among ten thousand
// runs of others then takes no look into their files. A name never changes, and
// neither does what it says.
func NewRunID(start time.Time, journey string, random [RunIDRandom]byte) string {
	return fileStamp(emu.Moment(start)) + "-" + markOf(journey) + hex.EncodeToString(random[:])
}

func markOf(journey string) string { return string(emu.DigestOf([]byte(journey))[:journeyMark]) }

// fileStamp is a moment as it stands in names.
func fileStamp(moment string) string { return strings.NewReplacer(":", "-", ".", "-").Replace(moment) }

// markedName is what names of files look like whose runs NewRunID named: 0 is
// any digit, x any of a digest's.
const markedName = "0000-00-00T00-00-00-000Z-0000-00-00T00-00-00-000Z-xxxxxxxxxxxx" + Extension

// markAt is where the mark stands in such names.
const markAt = len("0000-00-00T00-00-00-000Z-0000-00-00T00-00-00-000Z-")

// ofAnother reports whether a file's name says that its run is not of the
// journey with that mark. Names of other writers say nothing.
func ofAnother(name, mark string) bool {
	if len(name) != len(markedName) {
		return false
	}
	for i := range len(name) {
		digit := name[i] >= '0' && name[i] <= '9'
		switch c := markedName[i]; {
		case c == '0' && !digit,
			c == 'x' && !digit && (name[i] < 'a' || name[i] > 'f'),
			c != '0' && c != 'x' && name[i] != c:
			return false
		}
	}
	return name[markAt:markAt+journeyMark] != mark
}

// namesOf are the names of the files in dir that may be journals of the
// journey, or with "" of any.
func namesOf(dir, journey string) ([]string, error) {
	names, err := journalNames(dir)
	if err != nil || journey == "" {
		return names, err
	}
	mark := markOf(journey)
	kept := names[:0]
	for _, name := range names {
		if !ofAnother(name, mark) {
			kept = append(kept, name)
		}
	}
	return kept, nil
}

package journal

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"clankie/emu"
)

// DefaultProfile is the play profile of those who name none.
const DefaultProfile = "main"

// LocalJourneyID names the adventure that a profile has in an environment.
// profile "" is DefaultProfile.
func LocalJourneyID(environmentID, profile string) string {
	if profile == "" {
		profile = DefaultProfile
	}
	return "local:" + environmentID + ":profile:" + encodeURIComponent(profile)
}

// LocalProfile is the profile whose local adventure a journey is, "" where it is
// none.
func LocalProfile(journeyID string) string {
	local, ok := strings.CutPrefix(journeyID, "local:")
	if !ok {
		return ""
	}
	_, profile, _ := strings.Cut(local, ":profile:")
	if plain, err := url.PathUnescape(profile); err == nil {
		profile = plain
	}
	return profile
}

// Named is a game's name with what tells the journey from others in the same
// game: the profile, which for a pinned game is its id. The profile of those
// who name none is not said.
func Named(game, journeyID string) string {
	if profile := LocalProfile(journeyID); profile != "" && profile != DefaultProfile {
		return game + " (" + emu.Clean(profile) + ")"
	}
	return game
}

// HostedJourneyID names the adventure that a player has in a hosted world.
// Both are what the world said when the player joined, never a mind's words.
func HostedJourneyID(worldID, playerID string) string {
	return "world:" + encodeURIComponent(worldID) + ":player:" + encodeURIComponent(playerID)
}

// encodeURIComponent escapes as ECMAScript's function of that name does,
// which net/url has no like of.
func encodeURIComponent(s string) string {
	const (
		unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"
		digits     = "0123456789ABCDEF"
	)
	var out strings.Builder
	for _, c := range []byte(strings.ToValidUTF8(s, string(utf8.RuneError))) {
		if strings.IndexByte(unreserved, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&0xF])
	}
	return out.String()
}

package journal

import "strings"

// What became of what a mind wanted to say.
const (
	NarrationNoAttempt  Verdict = "no_attempt"
	NarrationNoReceipt  Verdict = "attempted_no_receipt"
	NarrationSuppressed Verdict = "suppressed"
	NarrationSilent     Verdict = "model_silent"
	NarrationPlayed     Verdict = "played"
	NarrationUnspoken   Verdict = "unspoken"
	NarrationFailed     Verdict = "failed"
	NarrationRefused    Verdict = "refused"
)

// narrationWeight decides when several receipts tell of one delivery: what was
// heard was heard, and a reason says more than silence.
var narrationWeight = map[Verdict]int{
	NarrationSilent: 1, NarrationUnspoken: 2, NarrationSuppressed: 3, NarrationRefused: 4, NarrationFailed: 5, NarrationPlayed: 6,
}

const voiceReceipts = "discord.voice."

// readReceipts reads what became of each delivery in the trail at path.
func readReceipts(path string) (map[string]Verdict, error) {
	known := map[string]Verdict{}
	err := eachEntry(path, voiceReceipts, func(e entry) {
		id, verdict := e.text("speechDeliveryId", "deliveryId"), e.narration()
		if id != "" && narrationWeight[verdict] > narrationWeight[known[id]] {
			known[id] = verdict
		}
	})
	return known, err
}

// narration is what a receipt tells, or "". Receipts of rooms that are older
// than play say possessor where later ones say play.
func (e entry) narration() Verdict {
	kind, ok := strings.CutPrefix(e.typ(), voiceReceipts)
	if !ok {
		return ""
	}
	state := e.text("outcome", "status", "phase", "result")
	switch strings.Replace(kind, "possessor_", "play_", 1) {
	case "play_narration_suppressed":
		return NarrationSuppressed
	case "play_refusal":
		return NarrationRefused
	case "model_response":
		return modelNarration(state)
	case "response":
		return spokenNarration(state, e.denies("spoken", "played", "audible"))
	}
	return ""
}

// modelNarration is what the model's answer alone tells: one that came and was
// never followed by a response said nothing.
func modelNarration(state string) Verdict {
	switch state {
	case "completed":
		return NarrationSilent
	case "failed":
		return NarrationFailed
	}
	return ""
}

func spokenNarration(state string, denied bool) Verdict {
	switch {
	case state == "failed" || state == "error":
		return NarrationFailed
	case denied || state == "unspoken":
		return NarrationUnspoken
	case state == "silent" || state == "model_silent":
		return NarrationSilent
	}
	return NarrationPlayed
}

// narration is what became of the turn's wish to speak.
func narration(l TurnLine, receipts map[string]Verdict) Verdict {
	if verdict, ok := receipts[l.SpeechDeliveryID]; ok && l.SpeechDeliveryID != "" {
		return verdict
	}
	switch {
	case l.SpeechDeliveryID != "":
		return NarrationNoReceipt
	case l.Turn.SpeakSuppressed:
		return NarrationSuppressed
	case l.Turn.SpeakWanted || !blank(l.Turn.Speak):
		return NarrationNoReceipt
	}
	return NarrationNoAttempt
}

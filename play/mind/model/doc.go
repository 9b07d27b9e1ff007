// Package model is the mind that a language model decides for. It renders a
// [play.View] as a short text and a picture, asks Anthropic's API or any
// OpenAI-compatible one, hosted or local, and reads one [play.Decision] out
// of whatever comes back.
//
// Three things hold for every call. It goes through one [Meter], retries
// included, so that caps on tokens and money cannot be passed. It ends with
// its context or its deadline, whichever comes first. And the key is never
// part of an error, a log line or a value that prints itself.
//
// What a model does wrong ends as a [ReplyError] that says what was wrong and
// what is legal; what an endpoint does wrong as a [CallError]. The mind asks
// once per Decide: asking again is the loop's to decide, and since each
// question stands on its own, an entry in the view's history with what was
// wrong is all that it takes.
//
// What never lives here: playing, files other than the key and the character,
// and prices, which change. Start reading at [Mind.Decide].
package model

package model

import (
	"context"
	"net/http"
	"strings"

	"clankie/emu"
)

// question is one request, the same for both protocols.
type question struct {
	system  string
	text    string
	picture []byte // PNG, nil for none
}

// Parts of a request that neither text nor picture accounts for, in tokens:
// roles, the schema as the endpoint words it, and separators.
const overheadTokens = 4096

// screenTokens is what one unscaled screen can cost at most, ruler included:
// no endpoint is known to bill a picture by squares of less than 14 pixels.
const screenTokens = (emu.ScreenWidth + 16) * (emu.ScreenHeight + 16) / (14 * 14)

// most is the most tokens that the request can be billed: no token is shorter
// than a byte, and a picture costs by its size.
func (q question) most(scale, output int) Usage {
	in := int64(len(q.system) + len(q.text) + overheadTokens)
	if q.picture != nil {
		in += int64(screenTokens*scale*scale) + overheadTokens
	}
	return Usage{Input: in, Output: int64(output)}
}

// reply is what came back.
type reply struct {
	text    strings.Builder
	unseen  int // bytes of thought that came beside it
	usage   Usage
	counted bool // the endpoint said what was used in all
	whole   bool // it ended in order
	cut     bool // it ran out of tokens
	refused bool // the model or a filter declined to answer
}

// add takes a piece of the text; it reports false once there is too much.
func (r *reply) add(piece string) bool {
	r.text.WriteString(piece)
	return r.text.Len() <= maxReplyText
}

// count takes the usage for the bill when its output is said. There is no
// question without a token of input: where none is said, half the bill is
// missing.
func (r *reply) count(output bool) {
	r.counted = output && r.usage.Input+r.usage.CacheRead+r.usage.CacheWrite > 0
}

// endpoint speaks one protocol. ask streams one reply and returns what came
// of it even when it fails half way.
type endpoint interface {
	ask(ctx context.Context, q question) (*reply, error)
}

// newEndpoint returns the endpoint that the settings name.
func newEndpoint(s Settings, key Key, base http.RoundTripper) endpoint {
	client := &http.Client{
		Transport:     transport{base, wireBase + wirePerToken*s.outputTokens()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	provider, name := s.split()
	if provider == ProviderAnthropic {
		return newAnthropic(s, name, key, client)
	}
	return newOpenAI(s, name, key, client)
}

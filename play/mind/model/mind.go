package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"clankie/emu"
	"clankie/emu/picture"
	"clankie/play"
)

// Name is the mind's wire name.
const Name = "model"

// Options are what a mind is made of. Settings, Meter and Character are
// required.
type Options struct {
	Settings  Settings
	Key       Key // empty for endpoints that take none
	Character string
	Meter     *Meter
	Timeout   time.Duration // 0 is DefaultTimeout

	// Transport and Sleep are for tests; nil is the real thing.
	Transport http.RoundTripper
	Sleep     func(ctx context.Context, d time.Duration) error
}

// Mind asks a language model for each decision. It keeps nothing between two
// of them: all that there is to know is in the view.
type Mind struct {
	settings Settings
	key      Key
	system   string
	meter    *Meter
	timeout  time.Duration
	endpoint endpoint
	sleep    func(ctx context.Context, d time.Duration) error
}

var _ play.Mind = (*Mind)(nil)

// New checks the settings and returns a mind. It makes no call.
func New(o Options) (*Mind, error) {
	if err := o.Settings.Check(); err != nil {
		return nil, err
	}
	if o.Meter == nil {
		return nil, errors.New("a model needs a meter")
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Mind{
		settings: o.Settings, key: o.Key, system: System(o.Character), meter: o.Meter, timeout: o.Timeout,
		endpoint: newEndpoint(o.Settings, o.Key, o.Transport), sleep: o.Sleep,
	}, nil
}

// Name implements play.Mind.
func (m *Mind) Name() string { return Name }

// String names what is asked, for people.
func (m *Mind) String() string { return m.settings.Name }

// Timeout is the most that Decide takes.
func (m *Mind) Timeout() time.Duration { return m.timeout }

// Meter is the meter that the mind's calls go through.
func (m *Mind) Meter() *Meter { return m.meter }

// Decide asks the model once and reads its decision. The error is a
// *ReplyError when the answer is at fault, a *CallError when none came, a
// *CapError when it was not asked, or the context's.
func (m *Mind) Decide(ctx context.Context, v play.View) (d play.Decision, err error) {
	defer m.recovered(&err)
	text, err := m.ask(ctx, m.question(v), m.settings.retries())
	if err != nil {
		return play.Decision{}, err
	}
	return decode(text, m.key)
}

// recovered turns a panic into a turn that failed. What was panicked with is
// not shown whole: it may hold the request.
func (m *Mind) recovered(err *error) {
	if p := recover(); p != nil {
		*err = &CallError{Code: CodePanicked, Message: m.clean(fmt.Sprint(p))}
	}
}

// clean makes a text from outside fit for an error: without the key, on one
// line, and short. The key goes first: half of it is still one.
func (m *Mind) clean(s string) string { return emu.Clip(emu.Clean(m.key.scrub(s)), maxErrorText/2) }

// question puts the request for a view together. A picture that cannot be
// made, or shows another frame, is left out: the decoded state remains.
func (m *Mind) question(v play.View) question {
	q := question{system: m.system, text: Prompt(v)}
	if !m.settings.pictures() {
		return q
	}
	var err error
	if at := ruledAt(v.Observed.State); at != nil {
		q.picture, err = picture.Ruled(v.Observed.Picture, emu.Point{X: at.X, Y: at.Y}, m.settings.scale())
	} else {
		q.picture, err = picture.PNG(v.Observed.Picture, m.settings.scale())
	}
	if err != nil {
		q.picture = nil
	}
	return q
}

// ruledAt is where he stands when the picture shows the field around him: in
// a battle, or with a screen over the field, rules would mean nothing.
func ruledAt(s emu.State) *emu.Position {
	o := s.Overworld
	if o == nil || o.Minimap == nil || s.Battle != nil || s.Naming != nil {
		return nil
	}
	if s.Scene.Mode != emu.ModeOverworld && s.Scene.Mode != emu.ModeDialog {
		return nil
	}
	return &o.Position
}

func (m *Mind) most(q question) Usage {
	return q.most(m.settings.scale(), m.settings.outputTokens())
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

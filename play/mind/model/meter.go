package model

import (
	"fmt"
	"math"
	"sync"

	"clankie/emu"
)

// Money is an amount in billionths of the currency in which prices are given.
type Money int64

const unit Money = 1_000_000_000

// Amount makes Money from a number as people write it. It rounds up: a price
// must not come out lower than it is. What binary fractions add does not count.
func Amount(v float64) Money { return Money(math.Ceil(v*float64(unit) - 1e-6)) }

// String writes the amount with four decimals.
func (m Money) String() string { return fmt.Sprintf("%.4f", float64(m)/float64(unit)) }

// Usage counts tokens by how they are billed.
type Usage struct {
	Input      int64 // read afresh
	CacheRead  int64
	CacheWrite int64
	Output     int64
}

// Total is every token of u.
func (u Usage) Total() int64 { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// maxReported is the most tokens that an endpoint is believed to have used in
// one call: a nonsensical number must not make the sums overflow.
const maxReported = 100_000_000

func (u Usage) believable() Usage {
	clamp := func(n int64) int64 { return min(max(n, 0), maxReported) }
	return Usage{clamp(u.Input), clamp(u.CacheRead), clamp(u.CacheWrite), clamp(u.Output)}
}

func (u Usage) plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.CacheRead + o.CacheRead, u.CacheWrite + o.CacheWrite, u.Output + o.Output}
}

// atLeast is u, or o where that is more, all input taken for read afresh.
func (u Usage) atLeast(o Usage) Usage {
	in := func(u Usage) int64 { return u.Input + u.CacheRead + u.CacheWrite }
	return Usage{Input: max(in(u), in(o)), Output: max(u.Output, o.Output)}
}

// Prices are amounts per token.
type Prices struct{ Input, CacheRead, CacheWrite, Output Money }

func (p Prices) of(u Usage) Money {
	return p.Input*Money(u.Input) + p.CacheRead*Money(u.CacheRead) +
		p.CacheWrite*Money(u.CacheWrite) + p.Output*Money(u.Output)
}

// dearest is the price of u if every input token were billed the dearest way.
func (p Prices) dearest(u Usage) Money {
	in := max(p.Input, p.CacheRead, p.CacheWrite)
	return in*Money(u.Input+u.CacheRead+u.CacheWrite) + p.Output*Money(u.Output)
}

// Caps bound what may be spent; 0 is no bound.
type Caps struct {
	Tokens int64
	Money  Money
}

// Spent is what a meter has counted.
type Spent struct {
	Calls  int // let through, retries included
	Failed int // of those, without a whole reply
	Usage  Usage
	Cost   Money
	// Estimated is true when some call ended without saying what it used; it
	// then counts as the most that it could have.
	Estimated bool
}

// Meter counts what every call uses and lets none through that could pass a
// cap. One meter serves all minds of a program. It is safe for concurrent
// use.
type Meter struct {
	caps   Caps
	prices Prices

	mu       sync.Mutex
	spent    Spent
	reserved Usage
	held     Money
	refused  *CapError // the last call that was not let through
}

// NewMeter returns a meter at zero.
func NewMeter(caps Caps, prices Prices) *Meter { return &Meter{caps: caps, prices: prices} }

// Spent returns what was counted so far.
func (m *Meter) Spent() Spent {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// String is the count in one line for people.
func (m *Meter) String() string {
	s := m.Spent()
	text := emu.Count(s.Calls, "call") + ", " + emu.Count(s.Usage.Total(), "token")
	if m.prices != (Prices{}) {
		text += ", cost " + s.Cost.String()
	}
	if s.Estimated {
		text += " at most"
	}
	return text
}

// Exhausted returns a *CapError once a call was not let through or a cap is
// wholly spent; nil before. A call under way does not count.
func (m *Meter) Exhausted() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refused != nil {
		return m.refused
	}
	if err := m.exceeded(m.spent.Usage.Total()+1, m.spent.Cost+1); err != nil {
		return err
	}
	return nil
}

// reserve sets aside the most that a call can use, or refuses the call.
func (m *Meter) reserve(most Usage) (*hold, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := &hold{meter: m, most: most, cost: m.prices.dearest(most)}
	tokens := m.spent.Usage.Total() + m.reserved.Total() + most.Total()
	if err := m.exceeded(tokens, m.spent.Cost+m.held+h.cost); err != nil {
		m.refused = err
		return nil, err
	}
	m.reserved = m.reserved.plus(most)
	m.held += h.cost
	return h, nil
}

// exceeded says which cap so many tokens or so much money would pass.
func (m *Meter) exceeded(tokens int64, cost Money) *CapError {
	switch {
	case m.caps.Tokens > 0 && tokens > m.caps.Tokens:
		return &CapError{"tokens", fmt.Sprint(m.spent.Usage.Total()), fmt.Sprint(m.caps.Tokens)}
	case m.caps.Money > 0 && cost > m.caps.Money:
		return &CapError{"money", m.spent.Cost.String(), m.caps.Money.String()}
	}
	return nil
}

// hold is what was set aside for one call under way.
type hold struct {
	meter *Meter
	most  Usage
	cost  Money
}

// outcome is how a call ended, for the bill.
type outcome int

const (
	notBilled outcome = iota // it never arrived, or was answered with an error
	unknown                  // it broke off: it counts as the most it can have used
	counted                  // the endpoint said what it used
)

// settle ends the hold and counts what the call used: where that is unknown, the
// most that was set aside, or more where more is known to have come. ok is
// whether a whole reply came.
func (h *hold) settle(how outcome, used Usage, ok bool) {
	m := h.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved = m.reserved.plus(Usage{-h.most.Input, -h.most.CacheRead, -h.most.CacheWrite, -h.most.Output})
	m.held -= h.cost
	m.spent.Calls++
	if !ok {
		m.spent.Failed++
	}
	used = used.believable()
	switch how {
	case unknown:
		most := h.most.atLeast(used)
		m.spent.Estimated = true
		m.spent.Usage = m.spent.Usage.plus(most)
		m.spent.Cost += m.prices.dearest(most)
	case counted:
		m.spent.Usage = m.spent.Usage.plus(used)
		m.spent.Cost += m.prices.of(used)
	}
}

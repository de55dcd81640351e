package pipeline

import (
	"sync"
	"time"

	"showhow/capture"
	"showhow/capture/scope"
)

// State says whether observations are kept.
type State string

const (
	Off       State = "off"
	Capturing State = "capturing"
	Paused    State = "paused"
)

// timeline knows which state held when an observation occurred (decisions A12), however late it arrives.
type timeline struct {
	mu     sync.RWMutex
	states []stateAt
	scopes []scopeAt
	values []valuesAt
}

type stateAt struct {
	at    time.Time
	state State
}

type scopeAt struct {
	at    time.Time
	scope capture.Scope
}

type valuesAt struct {
	at     time.Time
	values capture.ValuePolicy
}

// policy is the value policy at a time.
func (t *timeline) policy(when time.Time) capture.ValuePolicy {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i := len(t.values) - 1; i > 0; i-- {
		if !when.Before(t.values[i].at) {
			return t.values[i].values
		}
	}
	return t.values[0].values
}

func (t *timeline) at(when time.Time) (State, capture.Scope) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	state := Off
	for i := len(t.states) - 1; i >= 0; i-- {
		if !when.Before(t.states[i].at) {
			state = t.states[i].state
			break
		}
	}
	scope := t.scopes[0].scope
	for i := len(t.scopes) - 1; i > 0; i-- {
		if !when.Before(t.scopes[i].at) {
			scope = t.scopes[i].scope
			break
		}
	}
	return state, scope
}

// Switch sets the state from the time at on (zero: now). A time before the last switch counts as that one. Times have
// microseconds like observations, and the microsecond of the switch counts as a whole: nothing that occurs after a
// pause is kept.
func (p *Pipeline) Switch(to State, at time.Time) {
	t := &p.time
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.IsZero() {
		at = p.cfg.Now()
	}
	at = at.Round(0).UTC().Truncate(time.Microsecond)
	if n := len(t.states); n > 0 && at.Before(t.states[n-1].at) {
		at = t.states[n-1].at
	}
	t.states = append(t.states, stateAt{at, to})
}

// Start accepts what occurs from now on.
func (p *Pipeline) Start() { p.Switch(Capturing, time.Time{}) }

// Pause rejects what occurs from now on; what occurred before and is still on its way is kept.
func (p *Pipeline) Pause() { p.Switch(Paused, time.Time{}) }

// Resume is Start after a Pause.
func (p *Pipeline) Resume() { p.Switch(Capturing, time.Time{}) }

// Stop rejects what occurs from now on. Flush or Close afterwards.
func (p *Pipeline) Stop() { p.Switch(Off, time.Time{}) }

// State is the current state.
func (p *Pipeline) State() State {
	p.time.mu.RLock()
	defer p.time.mu.RUnlock()
	if n := len(p.time.states); n > 0 {
		return p.time.states[n-1].state
	}
	return Off
}

// Scope is the current scope, in its normal form.
func (p *Pipeline) Scope() capture.Scope {
	p.time.mu.RLock()
	defer p.time.mu.RUnlock()
	return p.time.scopes[len(p.time.scopes)-1].scope
}

// Rescope replaces the scope for what occurs from now on.
func (p *Pipeline) Rescope(s capture.Scope) error {
	n, err := scope.Normalise(s)
	if err != nil {
		return err
	}
	p.time.mu.Lock()
	defer p.time.mu.Unlock()
	at := p.cfg.Now().Round(0).UTC().Truncate(time.Microsecond)
	if last := p.time.scopes[len(p.time.scopes)-1].at; at.Before(last) {
		at = last
	}
	p.time.scopes = append(p.time.scopes, scopeAt{at, n})
	return nil
}

// SetValues replaces the value policy for what occurs from now on: what a person entered before keeps the policy of
// that time.
func (p *Pipeline) SetValues(v capture.ValuePolicy) {
	p.time.mu.Lock()
	defer p.time.mu.Unlock()
	at := p.cfg.Now().Round(0).UTC().Truncate(time.Microsecond)
	if last := p.time.values[len(p.time.values)-1].at; at.Before(last) {
		at = last
	}
	p.time.values = append(p.time.values, valuesAt{at, v})
}

package session

import (
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/capture/scope"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// admits reports whether an observation mode allows an adapter kind (decisions A4).
func admits(mode state.ObservationMode, k capture.Kind) bool {
	switch mode {
	case state.ObserveInside:
		return k.Inside()
	case state.ObserveOutside:
		return !k.Inside()
	case state.ObserveMixed:
		return true
	}
	return false
}

// chooseAdapters takes the adapters that the caller requires, or else those that the scope suggests and this machine offers.
func (s *Service) chooseAdapters(ctx context.Context, sess *state.Session, wanted []capture.Kind) error {
	if len(wanted) > 0 {
		sess.Adapters = slices.Compact(slices.Clone(wanted))
		return s.d.Capturer.Check(ctx, sess.Adapters)
	}
	sess.Adapters = []capture.Kind{}
	for _, k := range suggestedKinds(sess.ObservationMode, sess.Scope) {
		if s.d.Capturer.Check(ctx, []capture.Kind{k}) == nil {
			sess.Adapters = append(sess.Adapters, k)
		}
	}
	return nil
}

// addAdapters adds the adapters that a widened scope suggests; those that observe already continue.
func (s *Service) addAdapters(ctx context.Context, sess *state.Session) {
	for _, k := range suggestedKinds(sess.ObservationMode, sess.Scope) {
		if !slices.Contains(sess.Adapters, k) && s.d.Capturer.Check(ctx, []capture.Kind{k}) == nil {
			sess.Adapters = append(sess.Adapters, k)
		}
	}
}

var (
	browserApps = []string{"chromium", "chrome", "google-chrome", "brave", "edge", "microsoft-edge", "firefox", "browser"}
	shellApps   = []string{"bash", "zsh", "fish", "sh", "terminal", "shell"}
)

// suggestedKinds lists the adapter kinds that could see something inside the scope.
func suggestedKinds(mode state.ObservationMode, sc capture.Scope) []capture.Kind {
	var out []capture.Kind
	add := func(k capture.Kind, when bool) {
		if when && admits(mode, k) {
			out = append(out, k)
		}
	}
	named := func(list []string) bool {
		return slices.ContainsFunc(sc.Apps, func(a string) bool { return slices.Contains(list, a) })
	}
	other := slices.ContainsFunc(sc.Apps, func(a string) bool { return !slices.Contains(browserApps, a) && !slices.Contains(shellApps, a) })
	add(capture.BrowserDOM, len(sc.Sites) > 0 || named(browserApps))
	add(capture.BrowserSnapshot, len(sc.Sites) > 0 || named(browserApps))
	add(capture.TerminalCommand, len(sc.Shells) > 0 || named(shellApps))
	add(capture.ProcessLaunch, other) // files in named folders are evidence and need no adapter
	add(capture.MIDI, len(sc.Devices) > 0)
	add(capture.MCPReceipt, true)
	add(capture.WrapperReceipt, true)
	return out
}

// literal returns the apps whose values are kept readable and the policy for that: naming an app turns it on
// (decisions B2).
func literal(policy string, apps []string) (capture.Policy, []string, error) {
	out := []string{}
	for _, a := range apps {
		if a = strings.ToLower(strings.TrimSpace(a)); a != "" && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	var v state.Violations
	v.Lengths("literal_apps", out, 160)
	p := policyOf(policy)
	switch {
	case p == capture.Literal && len(out) == 0:
		v.Add("literal_apps", "must name the apps whose values may be kept readable")
	case p == capture.Omitted && len(out) > 0:
		v.Add("literal_apps", "does not go with value_policy omitted")
	case len(out) > 0:
		p = capture.Literal
	}
	return p, out, v.Err()
}

// SetScope replaces what a session may watch. Only the person may, and it leaves a receipt (decisions A4).
func (s *Service) SetScope(ctx context.Context, m state.Meta, id string, r wire.ScopeRequest) (state.Session, error) {
	if m.Principal != state.PrincipalUser {
		return state.Session{}, fault.New(fault.Forbidden, "only a person may change what is watched")
	}
	sc, err := scope.Normalise(r.Scope)
	if err != nil {
		return state.Session{}, err
	}
	policy, apps, err := literal(r.ValuePolicy, r.LiteralApps)
	if err != nil {
		return state.Session{}, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return state.Session{}, err
	}
	defer release()
	var changed state.Session
	out, err := s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		if !slices.Contains([]state.State{state.Idle, state.Armed, state.Capturing, state.Paused}, sess.State) {
			return state.NotAllowedWhile(sess.State, "the scope cannot be changed")
		}
		sess.Scope = sc
		if r.ValuePolicy != "" || len(apps) > 0 {
			sess.ValuePolicy, sess.LiteralApps = policy, apps
		}
		if sess.State == state.Armed {
			if err := s.chooseAdapters(ctx, sess, nil); err != nil {
				return err
			}
		} else {
			s.addAdapters(ctx, sess)
		}
		changed = *sess
		return set.Record(journal.ScopeChanged, sess, "", map[string]any{"apps": len(sc.Apps), "sites": len(sc.Sites), "folders": len(sc.Folders),
			"shells": len(sc.Shells), "devices": len(sc.Devices), "value_policy": string(sess.ValuePolicy)})
	})
	if _, on := s.d.Live.Get(id); err == nil && on {
		s.d.Capturer.Rescope(ctx, changed)
	}
	return out, err
}

// SetRetain decides whether raw observations are kept past their retention time (decisions A10).
func (s *Service) SetRetain(ctx context.Context, m state.Meta, id string, retain bool) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	return s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		sess.Retain = retain
		return nil
	})
}

// SetTestPolicy sets what rehearsals of this session's draft may do (DOC3 0C.14).
func (s *Service) SetTestPolicy(ctx context.Context, m state.Meta, id string, p rehearse.TestPolicy) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	if p.PolicyID == "" {
		p.PolicyID = s.d.NewID()
	}
	p.SchemaVersion = 1
	return s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		if sess.State == state.Rejected || sess.State == state.Cancelled {
			return state.NotAllowedWhile(sess.State, "there is nothing left to rehearse")
		}
		sess.TestPolicy, sess.TestPolicyRef = &p, p.PolicyID
		return set.Record(journal.TestPolicySet, sess, "", map[string]any{"policy_id": p.PolicyID, "mode": string(p.Mode)})
	})
}

package credential_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"showhow/daemon/credential"
	"showhow/internal/fault"
	"showhow/store"
)

// chain is a keychain in memory that can be locked.
type chain struct {
	m      map[string]string
	locked bool
}

func (c *chain) Get(_ context.Context, name string) (string, error) {
	v, ok := c.m[name]
	switch {
	case c.locked:
		return "", fault.Wrap(errors.New("locked"), fault.AdapterUnavailable, "the keychain cannot be asked")
	case !ok:
		return "", fault.New(fault.NotFound, "none")
	}
	return v, nil
}

func (c *chain) Set(_ context.Context, name, value string) error { c.m[name] = value; return nil }

func (c *chain) Delete(ctx context.Context, name string) error {
	_, err := c.Get(ctx, name)
	delete(c.m, name)
	return err
}

func service(t *testing.T) (*credential.Service, *chain) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := &chain{m: map[string]string{"there_before": "x"}}
	used := map[string][]string{"there_before": {"mail"}, "asked_for": {"mail", "notes"}}
	return credential.New(credential.Options{Store: s.Credentials(), Keychain: c, UsedBy: func(context.Context) (map[string][]string, error) {
		return used, nil
	}}), c
}

func TestVariable(t *testing.T) {
	for in, want := range map[string]string{"agentmail_api_key": "AGENTMAIL_API_KEY", "a.b-c": "A_B_C", "path": "", "ld_preload": "",
		"showhow_goal": "", "1a": "", "a b": "", "http_proxy": ""} {
		if got := credential.Variable(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestNamesAndStates(t *testing.T) {
	s, chain := service(t)
	states := func() (out []string) {
		l, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range l {
			out = append(out, c.Name+" "+c.State)
		}
		return out
	}
	if _, err := s.Set(t.Context(), "mine", "v1", nil); err != nil {
		t.Fatal(err)
	}
	if got := states(); !slices.Equal(got, []string{"asked_for missing", "mine stored", "there_before stored"}) {
		t.Errorf("%v", got)
	}
	c, err := s.Set(t.Context(), "mine", "v2", new(1))
	if err != nil || c.Revision != 2 || chain.m["mine"] != "v2" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := s.Set(t.Context(), "mine", "v3", new(1)); !fault.Is(err, fault.RevisionConflict) || chain.m["mine"] != "v2" {
		t.Errorf("%v", err)
	}
	delete(chain.m, "mine") // by another program
	if got := states(); got[1] != "mine missing" {
		t.Errorf("%v", got)
	}
	for _, name := range []string{"mine", "there_before"} { // what is left of one, and one that was not stored here
		if err := s.Remove(t.Context(), name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Remove(t.Context(), "mine", nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	chain.locked = true
	if got := states(); !slices.Equal(got, []string{"asked_for unknown", "there_before unknown"}) {
		t.Errorf("%v", got)
	}
	for _, bad := range [][2]string{{"path", "v"}, {"a b", "v"}, {"ok", ""}, {"ok", "a\x00b"}} {
		if _, err := s.Set(t.Context(), bad[0], bad[1], nil); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestNoKeychain(t *testing.T) {
	s, _ := service(t)
	none := credential.New(credential.Options{Store: nil})
	if none.Available() || !s.Available() {
		t.Error("wrong")
	}
	if _, err := none.Get(t.Context(), "x"); !fault.Is(err, fault.AdapterUnavailable) {
		t.Error(err)
	}
	if _, err := none.Set(t.Context(), "x", "y", nil); !fault.Is(err, fault.AdapterUnavailable) {
		t.Error(err)
	}
}

// An erasure takes what agents' runs obtained and nobody accepted; what the keychain does not give up is named.
func TestDropAll(t *testing.T) {
	s, chain := service(t)
	for _, x := range [][2]string{{"mail", "one"}, {"notes", "two"}} {
		if err := s.Pend(t.Context(), x[0], x[1], "value of "+x[1]); err != nil {
			t.Fatal(err)
		}
	}
	chain.locked = true
	if left, err := s.DropAll(t.Context()); err != nil || len(left) != 2 {
		t.Fatalf("%v %v", left, err)
	}
	chain.locked = false
	chain.m["pending/mail/one"], chain.m["pending/notes/two"] = "value of one", "value of two" // a locked keychain keeps them
	if left, err := s.DropAll(t.Context()); err != nil || len(left) != 0 {
		t.Fatalf("%v %v", left, err)
	}
	if len(chain.m) != 1 || chain.m["there_before"] == "" {
		t.Errorf("%d values are there, want the person's own", len(chain.m))
	}
}

// What waits for a skill that is gone, because its removal was cut short, goes at the next start; what waits for another stays.
func TestSweep(t *testing.T) {
	s, chain := service(t)
	for _, x := range [][2]string{{"mail", "one"}, {"gone", "two"}} {
		if err := s.Pend(t.Context(), x[0], x[1], "value of "+x[1]); err != nil {
			t.Fatal(err)
		}
	}
	there := func(owner string) bool { return owner == "mail" }
	chain.locked = true
	if left, err := s.Sweep(t.Context(), there); err != nil || len(left) != 1 || left[0] != "pending/gone/two" {
		t.Fatalf("%v %v", left, err)
	}
	chain.locked = false
	if left, err := s.Sweep(t.Context(), there); err != nil || len(left) != 0 {
		t.Fatalf("%v %v", left, err)
	}
	if waiting, err := s.Pending(t.Context(), "mail"); err != nil || len(waiting) != 1 || chain.m["pending/mail/one"] == "" {
		t.Errorf("%v %v", waiting, err)
	}
	if waiting, err := s.Pending(t.Context(), "gone"); err != nil || len(waiting) != 0 || chain.m["pending/gone/two"] != "" {
		t.Errorf("%v %v", waiting, err)
	}
}

package remote_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
)

// Policies are made for names: nobody inherits those of one that is out, whatever it calls itself, and however long ago.
func TestANameIsNeverGivenTwice(t *testing.T) {
	x := begin(t)
	add := func(name string) wire.RemoteMachine {
		t.Helper()
		q := wire.RemoteMachineAdd{Name: name, Scopes: []string{"showhow"}}
		said, at, err := x.s.Called(t.Context(), "", wire.RemoteDecision{}, &q)
		if err != nil {
			t.Fatal(err)
		}
		m, err := x.s.AddMachine(t.Context(), q)
		if err != nil || said != m.Name || at != "/contract" {
			t.Fatalf("said %s at %s, %+v %v", said, at, m, err)
		}
		return m
	}
	out := func(id string) {
		t.Helper()
		if _, err := x.s.Revoke(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	out(add("weigher").CallerID)
	m := add("weigher")
	if m.Name != "remote/weigher-2" {
		t.Error(m.Name)
	}
	out(m.CallerID)
	for i := range 205 { // until the records of the first are gone
		out(add(fmt.Sprint("other", i)).CallerID)
	}
	if st, _ := x.s.Status(t.Context()); strings.Contains(fmt.Sprint(st.Callers), "weigher") {
		t.Fatal("the records are still there")
	}
	_, code := x.ask(x.request(x.client(), "showhow.mcp"))
	d := wire.RemoteDecision{Allow: true, Code: code, Name: "weigher"}
	name, at, err := x.s.Called(t.Context(), remote.AnyRequest, d, nil)
	if err != nil || name != "remote/weigher-3" || at != "/mcp" {
		t.Errorf("%s %s %v", name, at, err)
	}
	st, err := x.s.Decide(t.Context(), remote.AnyRequest, d)
	if err != nil || st.Callers[len(st.Callers)-1].Name != name {
		t.Errorf("%+v %v", st.Callers, err)
	}
}

// The same program, still let in, signs in again: it is the same caller to every policy.
func TestAProgramThatSignsInAgainKeepsItsName(t *testing.T) {
	x := begin(t)
	client, _, _ := x.signIn("showhow")
	x.allow(x.request(client, "showhow"))
	st, _ := x.s.Status(t.Context())
	if n := len(st.Callers); n != 2 || st.Callers[1].Name != "remote/far-agent" || st.Callers[0].RevokedAt == nil {
		t.Errorf("%+v", st.Callers)
	}
}

// However turning on and off meet, what is stored is what listens.
func TestTurningOnAndOffAtOnce(t *testing.T) {
	x := begin(t)
	for range 20 {
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				if i%2 == 0 {
					_, _ = x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}}) // each answer is right; together they must fit
				} else {
					_, _ = x.s.Off(t.Context())
				}
			})
		}
		all.Wait()
		if st, err := x.s.Status(t.Context()); err != nil || st.On != x.s.Listening() {
			t.Fatalf("stored %v, listens %v: %v", st.On, x.s.Listening(), err)
		}
	}
}

// Off closes, also when it cannot be written down.
func TestOffClosesWhateverHappens(t *testing.T) {
	x := begin(t)
	x.st.Close()
	if _, err := x.s.Off(t.Context()); err == nil {
		t.Error("nobody is told that it was not written down")
	}
	if _, err := http.Get(x.url + "/health"); err == nil || x.s.Listening() {
		t.Error("it still listens")
	}
}

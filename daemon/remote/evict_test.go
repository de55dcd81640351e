package remote_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/await"
)

// What a caller does behind the addresses ends with its access: shut out, its own revocation, another sign-in of the same
// program, or off for all.
func TestWhatACallerDoesEndsWithItsAccess(t *testing.T) {
	x := begin(t)
	client, _, refreshToken := x.signIn("showhow.mcp")
	x.signIn("showhow.mcp")
	x.signIn("showhow.mcp")
	x.signIn("showhow.mcp")
	st, err := x.s.Status(t.Context())
	if err != nil || len(st.Callers) != 4 || len(x.gone()) != 0 {
		t.Fatalf("%+v %v", st, err)
	}
	name := func(i int) string { return st.Callers[i].CallerID + " " + st.Callers[i].Name }
	want := func(what string, all ...string) {
		t.Helper()
		if got := x.gone(); !slices.Equal(got, all) {
			t.Errorf("%s: %v ended, want %v", what, got, all)
		}
	}
	if _, err := x.s.Revoke(t.Context(), st.Callers[1].CallerID); err != nil {
		t.Fatal(err)
	}
	want("shut out", name(1))
	if got := x.forgotten; !slices.Equal(got, []string{st.Callers[1].Name}) {
		t.Errorf("closed to %v", got)
	}
	if _, err := x.s.Revoke(t.Context(), st.Callers[1].CallerID); err != nil || len(x.forgotten) != 1 {
		t.Errorf("closed a second time: %v %v", x.forgotten, err)
	}
	want("shut out already", name(1))
	x.form("/oauth/revoke", url.Values{"token": {refreshToken}, "client_id": {client}})
	want("its own revocation", name(0))
	x.form("/oauth/revoke", url.Values{"token": {"rt_none"}, "client_id": {client}})
	want("a token that there is not")
	x.form("/oauth/token", exchange(client, x.allow(x.request(client, "showhow.mcp")).Get("code")))
	want("another sign-in", name(0))
	if st, err = x.s.Status(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := x.s.Off(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("off", name(2), name(3), name(4))
	if len(x.forgotten) != 1 {
		t.Errorf("closed to %v, who were not shut out", x.forgotten)
	}
	if _, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}}); err != nil {
		t.Fatal(err)
	}
	want("on after off")
	if _, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}}); err != nil {
		t.Fatal(err)
	}
	want("on at another address", name(2), name(3), name(4))
}

// What a caller does ends when its token expires, its requests and the rest; a later token that it has shown keeps the rest.
func TestWhatACallerDoesEndsWithItsToken(t *testing.T) {
	x := begin(t)
	client, access, refreshToken := x.signIn("showhow.mcp")
	hang := func(token string) chan struct{} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", x.url+"/mcp?hang=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := direct.Do(r)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			defer res.Body.Close()
			_, _ = res.Body.Read(make([]byte, 1))
		}()
		return over
	}
	x.pass(24*time.Hour - 300*time.Millisecond)
	first := hang(access)
	next := x.form("/oauth/token", refresh(client, refreshToken)).json(t)["access_token"].(string)
	second := hang(next)
	select {
	case <-first:
	case <-time.After(10 * time.Second):
		t.Fatal("a request outlives its token")
	}
	select {
	case <-second:
		t.Error("a request ended before its token")
	default:
	}
	if got := x.gone(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	x.pass(24*time.Hour - 100*time.Millisecond)
	third := hang(next)
	<-third
	if !await.Within(10*time.Second, func() bool { return len(x.gone()) == 1 }) {
		t.Error("what it does goes on")
	}
}

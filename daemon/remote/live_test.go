package remote_test

import (
	"testing"

	"showhow/internal/fault"
)

// A caller is live until it is shut out, or all are.
func TestWhoIsLive(t *testing.T) {
	x := begin(t)
	_, _, _ = x.signIn("showhow.mcp")
	_, _, _ = x.signIn("showhow.mcp")
	st, err := x.s.Status(t.Context())
	if err != nil || len(st.Callers) != 2 {
		t.Fatalf("%+v %v", st, err)
	}
	one, two := st.Callers[0].CallerID, st.Callers[1].CallerID
	live := func(id string, want bool) {
		t.Helper()
		if err := x.s.Live(t.Context(), id); (err == nil) != want || err != nil && !fault.Is(err, fault.Forbidden) {
			t.Errorf("%v", err)
		}
	}
	live(one, true)
	if _, err := x.s.Revoke(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	live(one, false)
	live(two, true)
	if _, err := x.s.Off(t.Context()); err != nil {
		t.Fatal(err)
	}
	live(two, false)
	live("nobody", false)
}

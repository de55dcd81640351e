package custody

import (
	"testing"

	"showhow/daemon/wire"
)

// What is in the keychain goes with the recordings and stays with them; what the keychain does not let go is told.
func TestStays(t *testing.T) {
	refused := map[string]string{"tokens" + "mail": "locked", "signing_key": "locked"}
	for _, c := range []struct {
		x       wire.Outside
		destroy bool
		why     map[string]string
		stays   bool
	}{
		{wire.Outside{Kind: "keys"}, false, nil, true},
		{wire.Outside{Kind: "keys"}, true, nil, false},
		{wire.Outside{Kind: "tokens", For: "mail"}, false, nil, true},
		{wire.Outside{Kind: "tokens", For: "mail"}, true, nil, false},
		{wire.Outside{Kind: "tokens", For: "mail"}, true, refused, true},
		{wire.Outside{Kind: "tokens", For: "files"}, true, refused, false},
		{wire.Outside{Kind: "tokens", For: "files"}, true, map[string]string{"tokens": "the store cannot be read"}, true},
		{wire.Outside{Kind: "signing_key"}, false, nil, true},
		{wire.Outside{Kind: "signing_key"}, true, nil, false},
		{wire.Outside{Kind: "signing_key"}, true, refused, true},
	} {
		if got := new(Custody).stays(c.x, wire.LeaveRequest{DestroyKeys: c.destroy}, c.why); (got != "") != c.stays {
			t.Errorf("%+v, destroyed %v, refused %v: %q", c.x, c.destroy, c.why, got)
		}
	}
}

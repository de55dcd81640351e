package sandbox

import "testing"

func TestAllowHosts(t *testing.T) {
	for _, c := range []struct {
		pattern, target string
		want            bool
	}{
		{"shop.example", "shop.example:443", true}, {"shop.example", "shop.example:80", true}, {"shop.example", "shop.example:22", false},
		{"Shop.Example", "shop.example:443", true}, {"shop.example:8443", "shop.example:8443", true},
		{"shop.example:8443", "shop.example:443", false},
		{"shop.example", "evil-shop.example:443", false}, {"shop.example", "a.shop.example:443", false},
		{"*.shop.example", "a.shop.example:443", true}, {"*.shop.example", "a.b.shop.example:443", true},
		{"*.shop.example", "shop.example:443", false}, {"*.shop.example", "evilshop.example:443", false}, {"*.", "a.b:443", false},
		{"*", "a:443", false}, {"", ":443", false},
		{"[::1]:80", "[::1]:80", true}, {"127.0.0.1:8080", "127.0.0.1:8080", true}, {"*.shop.example:8443", "a.shop.example:8443", true},
		{"*.shop.example:8443", "a.shop.example:443", false},
	} {
		if got := AllowHosts([]string{c.pattern})(c.target); got != c.want {
			t.Errorf("%q for %q: %v", c.pattern, c.target, got)
		}
	}
}

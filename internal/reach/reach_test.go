package reach

import (
	"net/netip"
	"testing"
)

func TestForbidden(t *testing.T) {
	for _, s := range []string{"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "169.254.169.254", "fe80::1", "fe80::1%eth0",
		"0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "64:ff9b::7f00:1",
		"64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a9fe:a9fe::1"} {
		if !Forbidden(netip.MustParseAddr(s)) {
			t.Errorf("a foreign name may lead to %s", s)
		}
	}
	for _, s := range []string{"10.1.2.3", "192.168.1.1", "93.184.216.34", "2606:2800:220:1::1", "fd12::1", "64:ff9b::5db8:d822"} {
		if Forbidden(netip.MustParseAddr(s)) {
			t.Errorf("%s is refused", s)
		}
	}
}

func TestLocalHost(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "LocalHost": true, "127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"localhost.example.com": false, "10.0.0.1": false, "": false} {
		if LocalHost(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

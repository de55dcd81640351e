// Package reach says which addresses a name from elsewhere may lead to: never to this machine, to its local link or to
// a cloud's metadata service.
//
// It decides about addresses only; who may be asked at all, and whether in the clear, is the caller's decision. To test
// against it: it holds no state.
package reach

import (
	"net/netip"
	"net/url"
	"strings"
)

// Local reports whether an address names this computer.
func Local(u *url.URL) bool { return LocalHost(u.Hostname()) }

// LocalHost reports whether a host, without its port, is this computer.
func LocalHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// metadata are cloud metadata addresses in addition to the link-local ones.
var metadata = []netip.Addr{netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("192.0.0.192"),
	netip.MustParseAddr("168.63.129.16"), netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd00:ec2::23"),
	netip.MustParseAddr("fd20:ce::254")}

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
	sixTo4  = netip.MustParsePrefix("2002::/16")
	thisNet = netip.MustParsePrefix("0.0.0.0/8")
)

// embedded is the IPv4 address that an IPv6 address stands for (mapped, NAT64, 6to4), or the address itself.
func embedded(ip netip.Addr) netip.Addr {
	ip = ip.Unmap().WithZone("")
	if !ip.Is6() {
		return ip
	}
	b := ip.As16()
	switch {
	case nat64.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixTo4.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return ip
}

// Forbidden reports whether a foreign name must not resolve to an address.
func Forbidden(ip netip.Addr) bool {
	ip = embedded(ip)
	if ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast() || ip.IsMulticast() || ip.IsUnspecified() ||
		thisNet.Contains(ip) {
		return true
	}
	for _, m := range metadata {
		if m == ip {
			return true
		}
	}
	return false
}

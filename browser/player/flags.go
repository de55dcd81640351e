package player

import (
	"slices"
	"strings"

	"showhow/browser"
)

// Flags are the command-line flags for a browser to be played in (browser.Options.ExtraArgs). With
// them Chromium preopens no connections, sends no reports or pings, and resolves only the names of
// hosts: "example.org", "*.example.org", with or without a port; nil resolves all. Loopback
// addresses are not names. Flags configures no proxy: see ProxyFlags.
func Flags(hosts []string) []string {
	flags := []string{
		"--no-pings", "--dns-prefetch-disable", "--no-prerender", "--disable-quic",
		// as newer and older versions call it
		"--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-client-side-phishing-detection", "--disable-component-extensions-with-background-pages", "--disable-default-apps",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-features=" + strings.Join(slices.Concat(browser.Disabled, disabled), ","),
	}
	if hosts == nil {
		return flags
	}
	rules := []string{"MAP * ~NOTFOUND", "EXCLUDE localhost", "EXCLUDE *.localhost", "EXCLUDE 127.0.0.1", "EXCLUDE [::1]"}
	for _, h := range hosts {
		if i := strings.LastIndexByte(h, ':'); i > strings.LastIndexByte(h, ']') {
			h = h[:i]
		}
		if strings.HasPrefix(h, "*.") {
			rules = append(rules, "EXCLUDE "+h[2:])
		}
		rules = append(rules, "EXCLUDE "+h)
	}
	return append(flags, "--host-resolver-rules="+strings.Join(rules, ","))
}

// ProxyFlags returns the flags that send all traffic, to this machine included, through the HTTP proxy
// at an address and nowhere else. Connections without a page request behind them (sockets,
// preopened connections, WebRTC) use the proxy as well.
func ProxyFlags(proxy string) []string {
	return []string{"--proxy-server=http://" + proxy, "--proxy-bypass-list=<-loopback>"}
}

// disabled are further features, beyond those that browser.Launch disables. A page that was left is not kept: while requests go through a
// guard, those that it has open would stay open, and a browser opens only six connections to a site.
var disabled = []string{
	"BackForwardCache",
	"Reporting", "NetworkErrorLogging", "DocumentReporting", "NetworkTimeServiceQuerying", "CertificateTransparencyComponentUpdater",
	"LoadingPredictorUseOptimizationGuide", "NavigationPredictor", "SpeculativePreconnect", "PreconnectToSearch", "NoStatePrefetchHoldback",
	"DnsOverHttps", "AsyncDns", "HttpsUpgrades", "HttpsFirstBalancedMode", "HttpsFirstBalancedModeAutoEnable",
}

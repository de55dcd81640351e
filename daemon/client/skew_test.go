package client

import (
	"testing"

	"showhow/internal/version"
)

func TestSkew(t *testing.T) {
	for _, c := range []struct {
		ours, theirs version.Info
		want         Skew
	}{
		{version.Info{Version: "v1.2.3", API: 1}, version.Info{Version: "v1.2.3", API: 1}, Same},
		{version.Info{Version: "v1.2.4", API: 1}, version.Info{Version: "v1.2.3", API: 1}, ClientNewer},
		{version.Info{Version: "v1.2.3", API: 1}, version.Info{Version: "v1.10.0", API: 1}, ClientOlder},
		{version.Info{Version: "v1.2.3-4-gabc1234", API: 1}, version.Info{Version: "v1.2.3", API: 1}, ClientNewer},
		{version.Info{Version: "v1.2.3-4-gabc1234", API: 1}, version.Info{Version: "v1.2.3-12-gabc1234-dirty", API: 1}, ClientOlder},
		{version.Info{Version: "dev", API: 1}, version.Info{Version: "v1.2.3", API: 1}, Same},
		{version.Info{Version: "dev", API: 2}, version.Info{Version: "v9.9.9", API: 1}, ClientNewer},
		{version.Info{Version: "v9.9.9", API: 1}, version.Info{Version: "dev", API: 2}, ClientOlder},
	} {
		if got := skew(c.ours, c.theirs); got != c.want {
			t.Errorf("%v and %v: %d, want %d", c.ours, c.theirs, got, c.want)
		}
	}
}

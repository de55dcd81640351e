package remote_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"showhow/daemon/wire"
)

// A machine's token is for the resource that it was granted: one that names another is not given it as if it had asked for this.
func TestAMachineNamesItsResource(t *testing.T) {
	x := begin(t)
	m, err := x.s.AddMachine(t.Context(), wire.RemoteMachineAdd{Name: "nightly", Scopes: []string{"showhow"}, Resource: "contract"})
	if err != nil {
		t.Fatal(err)
	}
	for resource, good := range map[string]bool{"": true, x.url: true, x.url + "/contract": true, x.url + "/mcp": false,
		"https://elsewhere.example/contract": false, "contract": false, x.url + "/contract/": false} {
		b, _ := json.Marshal(map[string]string{"grant_type": "client_credentials", "client_id": m.ClientID, "client_secret": m.ClientSecret,
			"resource": resource})
		form := url.Values{"grant_type": {"client_credentials"}, "client_id": {m.ClientID}, "client_secret": {m.ClientSecret}}
		if resource != "" {
			form.Set("resource", resource)
		}
		for path, a := range map[string]answer{
			"/auth/machine/token": x.do("POST", "/auth/machine/token", "application/json", string(b)),
			"/oauth/token":        x.do("POST", "/oauth/token", "application/x-www-form-urlencoded", form.Encode()),
		} {
			out := a.json(t)
			if good != (a.status == http.StatusOK) || !good && (a.status != http.StatusBadRequest || out["error"] != "invalid_target") {
				t.Errorf("%s %q: %d %v", path, resource, a.status, out)
			}
		}
	}
}

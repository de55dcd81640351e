package m365_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/m365"
	"showhow/internal/fault"
)

// DOC3 0.2E, the required validator: each rule by itself, and all at once.
func TestValidator(t *testing.T) {
	everything := m365.ScopesOf(families())
	good := m365.Registration{Families: families(), InteractionMode: m365.Interactive, Scopes: everything, RedirectURI: "http://localhost:1/"}
	for _, x := range []struct {
		name, mode string
		change     func(*m365.Registration)
		profile    []string
		want       []string
	}{
		{"omitted mode", "", nil, nil, nil},
		{"delegated", "oauth2_delegated", nil, nil, nil},
		{"R11.2-39 api_key", "api_key", nil, nil, []string{"M365_FORBIDDEN_AUTH_MODE"}},
		{"none", "none", nil, nil, []string{"M365_FORBIDDEN_AUTH_MODE"}},
		{"client credentials", "oauth2_client_credentials", nil, nil, []string{"M365_FORBIDDEN_AUTH_MODE"}},
		{"on behalf of", "oauth2_on_behalf_of", nil, nil, []string{"M365_OBO_CHAIN_UNVERIFIED"}},
		{"verified", "oauth2_on_behalf_of", func(r *m365.Registration) { r.VerifiedOBO = true }, nil, nil},
		{"no redirect", "", func(r *m365.Registration) { r.RedirectURI = "" }, nil, []string{"M365_INTERACTIVE_REDIRECT_URI_REQUIRED"}},
		{"scope", "", func(r *m365.Registration) { r.Scopes = m365.Missing(everything, []string{"Mail.Read"}) }, nil,
			[]string{"M365_SCOPE_MISSING:Mail.Read"}},
		{"scope of the profile", "", func(r *m365.Registration) { r.Scopes = nil }, everything, nil},
		{"background posts", "oauth2_client_credentials", func(r *m365.Registration) {
			r.InteractionMode, r.AllowBackground, r.RedirectURI = m365.Background, true, ""
		}, nil, []string{"M365_DELEGATED_ONLY_OPERATION:teams_post_message"}},
		{"background not allowed", "oauth2_client_credentials", func(r *m365.Registration) {
			r.InteractionMode, r.Families = m365.Background, []string{m365.ListDocuments}
		}, nil, []string{"M365_FORBIDDEN_AUTH_MODE"}},
		{"background allowed", "oauth2_client_credentials", func(r *m365.Registration) {
			r.InteractionMode, r.AllowBackground, r.Families = m365.Background, true, []string{m365.ListDocuments}
		}, nil, nil},
		{"all at once", "none", func(r *m365.Registration) { *r = m365.Registration{Families: []string{m365.GetThread}} }, nil,
			[]string{"M365_FORBIDDEN_AUTH_MODE", "M365_INTERACTIVE_REDIRECT_URI_REQUIRED", "M365_SCOPE_MISSING:Mail.Read"}},
	} {
		r := good
		if x.change != nil {
			x.change(&r)
		}
		got := m365.Validate(r, x.mode, x.profile)
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
		err := m365.Refusal(got)
		if (err == nil) != (len(x.want) == 0) || err != nil && !strings.HasPrefix(x.want[0], string(fault.CodeOf(err))) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// DOC3 0.2E: where a Graph's accounts sign in. No other address is taken for Graph.
func TestAuthority(t *testing.T) {
	for endpoint, want := range map[string]string{m365.GlobalEndpoint: "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/",
		"https://graph.microsoft.us/v1.0": "https://login.microsoftonline.us/contoso.com/oauth2/v2.0/",
		"http://127.0.0.1:9/v1.0":         "http://127.0.0.1:9/contoso.com/oauth2/v2.0/"} {
		a, b, err := m365.Authority(endpoint, "contoso.com")
		if err != nil || a != want+"authorize" || b != want+"token" {
			t.Errorf("%s: %s %s %v", endpoint, a, b, err)
		}
	}
	for _, endpoint := range []string{"https://graph.microsoft.com.evil.example/v1.0", "https://graph.microsoft.com/beta",
		"https://example.com/v1.0", "https://graph.microsoft.com/v1.0?x"} {
		if _, _, err := m365.Authority(endpoint, ""); !fault.Is(err, fault.ConnectorAddress) {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	for _, tenant := range []string{"../x", "a/b", "a?b", "-"} {
		if _, _, err := m365.Authority(m365.GlobalEndpoint, tenant); err == nil {
			t.Errorf("tenant %s", tenant)
		}
	}
}

// The fourteen operations are the specification's, in its order, and each has a schema that a tool can have.
func TestOperations(t *testing.T) {
	want := strings.Fields(`
		search sharepoint_list_documents onedrive_fetch_file project_get_latest_document outlook_mail_search
		outlook_get_thread outlook_draft_reply calendar_check_availability calendar_create_event calendar_update_event
		word_fetch_content word_fetch_comments teams_post_message teams_get_channel_context`)
	same(t, "operations", families(), want)
	tools := m365.Tools(want)
	for i, x := range tools {
		b, err := json.Marshal(x)
		if err != nil || x.Name != want[i] || len(b) > 8<<10 || x.Annotations.ReadOnlyHint != (m365.ClassOf(x.Name) == "read") {
			t.Errorf("%s: %v, %d bytes", x.Name, err, len(b))
		}
	}
	if b, err := os.ReadFile(filepath.Join("m365test", "graph.json")); err != nil || len(b) > 300_000 {
		t.Error(err, len(b))
	}
}

package m365

import (
	"net/url"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/reach"
)

// Registration is what the rules of a registration look at.
type Registration struct {
	Families        []string
	InteractionMode string
	Scopes          []string // that are requested
	RedirectURI     string
	VerifiedOBO     bool
	AllowBackground bool
}

// Validate is the specification's validator (DOC3 0.2E): every rule that a registration with an auth profile breaks, each
// as CODE or CODE:subject.
func Validate(r Registration, mode string, profileScopes []string) []string {
	errs := []string{}
	if mode == "" {
		mode = "oauth2_delegated"
	}
	for _, o := range operations() {
		if r.InteractionMode == Background && o.DelegatedOnly && contains(r.Families, o.OperationFamily) {
			errs = append(errs, string(fault.M365DelegatedOnly)+":"+o.OperationFamily)
		}
	}
	switch {
	case r.InteractionMode != Background:
		if mode == "oauth2_client_credentials" || mode == "api_key" || mode == "none" {
			errs = append(errs, string(fault.M365ForbiddenAuthMode))
		}
		if r.RedirectURI == "" && len(r.Families) > 0 {
			errs = append(errs, string(fault.M365RedirectRequired))
		}
		if mode == "oauth2_on_behalf_of" && !r.VerifiedOBO {
			errs = append(errs, string(fault.M365OBOUnverified))
		}
	case mode == "oauth2_client_credentials" && !r.AllowBackground, mode == "api_key", mode == "none":
		errs = append(errs, string(fault.M365ForbiddenAuthMode))
	}
	for _, s := range Missing(ScopesOf(r.Families), append(append([]string{}, r.Scopes...), profileScopes...)) {
		errs = append(errs, string(fault.M365ScopeMissing)+":"+s)
	}
	return errs
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Refusal is the first broken rule as an error, with all of them in its details; nil for none.
func Refusal(broken []string) error {
	if len(broken) == 0 {
		return nil
	}
	code, _, _ := strings.Cut(broken[0], ":")
	missing := []string{}
	for _, b := range broken {
		if s, ok := strings.CutPrefix(b, string(fault.M365ScopeMissing)+":"); ok {
			missing = append(missing, s)
		}
	}
	said := sayings[fault.Code(code)]
	f := fault.New(fault.Code(code), said[0]).WithHint(said[1]).WithDetail("broken_rules", broken)
	if len(missing) > 0 {
		f = f.WithDetail("missing_scopes", missing)
		if code == string(fault.M365ScopeMissing) {
			f = f.WithHint("ask for them, too: " + strings.Join(missing, " "))
		}
	}
	return f
}

var sayings = map[fault.Code][2]string{
	fault.M365ForbiddenAuthMode: {"this auth mode does not fit how the Microsoft 365 connector is used",
		"a person signs in with oauth2_delegated; oauth2_client_credentials is for background_service with allow_background_service_ops"},
	fault.M365ScopeMissing:     {"the operations need more scopes than are requested", "`showhow m365 operations` lists what each needs"},
	fault.M365OBOUnverified:    {"an on-behalf-of profile needs a verified chain", "use oauth2_delegated"},
	fault.M365RedirectRequired: {"the sign-in needs an address of this computer to come back to", "redirect_uri, as registered at Microsoft"},
	fault.M365DelegatedOnly:    {"only a signed-in person can post in Teams", "leave teams_post_message out, or use interactive_user"},
}

// GlobalEndpoint is Microsoft Graph of Microsoft's public cloud.
const GlobalEndpoint = "https://graph.microsoft.com/v1.0"

// clouds maps a Graph to where its accounts sign in.
var clouds = map[string]string{
	"graph.microsoft.com":             "https://login.microsoftonline.com",
	"graph.microsoft.us":              "https://login.microsoftonline.us",
	"dod-graph.microsoft.us":          "https://login.microsoftonline.us",
	"microsoftgraph.chinacloudapi.cn": "https://login.chinacloudapi.cn",
}

var tenantForm = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9.-]{0,118}$`)

// Authority is where a person, or an application, signs in for a Graph: of Microsoft's clouds only their own, of a Graph
// on this computer the same origin.
func Authority(endpoint, tenant string) (authorize, token string, err error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", "", notGraph()
	}
	base := clouds[strings.ToLower(u.Host)]
	if reach.Local(u) {
		base = u.Scheme + "://" + u.Host
	}
	if base == "" || strings.Trim(u.Path, "/") != "v1.0" || u.RawQuery != "" {
		return "", "", notGraph()
	}
	if tenant == "" {
		tenant = "organizations"
	}
	if !tenantForm.MatchString(tenant) {
		return "", "", fault.New(fault.InvalidRequest, "the tenant is neither an id nor a domain").WithHint("leave it out for any organisation")
	}
	base += "/" + tenant + "/oauth2/v2.0/"
	return base + "authorize", base + "token", nil
}

func notGraph() error {
	return fault.New(fault.ConnectorAddress, "this is no address of Microsoft Graph").WithDetail("reason", "not_graph").
		WithHint("leave endpoint_url out for " + GlobalEndpoint)
}

// Allowed refuses a call of an operation before anything is sent.
func Allowed(e wire.MCPServerRegistryEntry, p wire.MCPAuthProfile, family, mode string, needed []string) error {
	o, ok := find(family)
	if !ok || e.M365 == nil || !contains(e.M365.OperationFamilies, family) {
		return fault.New(fault.InvalidRequest, "the connector does not have this operation").
			WithHint("its tools are those that it was registered with")
	}
	if mode == "" {
		mode = e.InteractionMode
	}
	app := p.AuthMode == "oauth2_client_credentials"
	switch {
	case mode == Background && o.DelegatedOnly:
		return fault.New(fault.M365DelegatedOnly, "only a signed-in person can do this").WithHint("it cannot be done in the background")
	case app && o.me:
		return fault.New(fault.M365DelegatedOnly, "this is about a person's own mailbox, calendar or chats, and an application is signed in").
			WithHint("a connector that a person signs in to can do it")
	case mode != Background && e.InteractionMode == Background:
		return fault.New(fault.M365BackgroundOnly, "the connector runs in the background, where nobody is signed in").
			WithHint("call it with interaction_mode background_service, or use a connector that a person signs in to")
	case mode == Background && e.InteractionMode != Background && !e.M365.AllowBackgroundServiceOps:
		return fault.New(fault.M365ForbiddenAuthMode, "the connector is for a person's own calls, not for the background").
			WithHint("register one with allow_background_service_ops")
	}
	if app {
		return nil // what an application may do is granted at Microsoft, and named nowhere here
	}
	if missing := Missing(needed, p.Scopes); len(missing) > 0 {
		return fault.New(fault.M365ScopeMissing, "the sign-in does not cover this operation").WithDetail("missing_scopes", missing).
			WithHint("ask the person to sign in again for " + strings.Join(missing, " ") + ": showhow connector login " + e.ServerID)
	}
	return nil
}

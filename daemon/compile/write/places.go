package write

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
)

// Places are where the work happens: sites with the names by which people know them, programs, folders.
type Places struct {
	Sites    []string          // host:port, in order of first use
	names    map[string]string // site -> "Order Desk"
	starts   map[string]string // site -> address at which the work begins
	Commands []string          // programs that must be installed
	folder   string            // template of the folder in which commands ran
	devices  []string          // MIDI devices that were played on
	// Connectors are the ids of connectors whose tools were called through Showhow's door.
	Connectors []string
	surfaces   []string // surfaces of the graph, in order of first use
	signedIn   []string
}

func findPlaces(steps []*flow.Step, traces []trace.Trace, n *flow.Names) Places {
	p := Places{names: map[string]string{}, starts: map[string]string{}}
	titles := map[string][]string{}
	for _, st := range steps {
		if !slices.Contains(p.surfaces, st.Surface) {
			p.surfaces = append(p.surfaces, st.Surface)
		}
		p.page(st, titles)
		p.shell(st)
		if st.Device != "" && !slices.Contains(p.devices, st.Device) {
			p.devices = append(p.devices, st.Device)
		}
		if st.Connector != "" && !slices.Contains(p.Connectors, st.Connector) {
			p.Connectors = append(p.Connectors, st.Connector)
		}
	}
	for site, ts := range titles {
		p.names[site] = siteName(ts)
	}
	for _, t := range traces {
		for _, s := range t.SignedIn {
			if !slices.Contains(p.signedIn, s) {
				p.signedIn = append(p.signedIn, s)
			}
		}
	}
	return p
}

func (p *Places) page(st *flow.Step, titles map[string][]string) {
	site := trace.SiteOf(st.Act.Act)
	if site == "" && st.Act.After != nil {
		site = page.HostOf(st.Act.After.URL)
	}
	if site == "" || st.Surface != workflow.OnBrowser {
		return
	}
	if !slices.Contains(p.Sites, site) {
		p.Sites = append(p.Sites, site)
		p.starts[site] = startOf(st)
	}
	for _, s := range []*capture.State{st.Before, st.After} {
		if s != nil && s.Title != "" && !slices.Contains(titles[site], s.Title) {
			titles[site] = append(titles[site], s.Title)
		}
	}
	if st.Page != nil && st.Page.Title != "" && !slices.Contains(titles[site], st.Page.Title) {
		titles[site] = append(titles[site], st.Page.Title)
	}
}

// startOf returns the address at which the work on a site began, without the parts that vary.
func startOf(st *flow.Step) string {
	address := ""
	if st.Page != nil {
		address = st.Page.URL
	}
	if (st.Verb == capture.Navigate || st.Verb == capture.NewTab) && st.After != nil && st.After.URL != "" {
		address = st.After.URL
	}
	u, err := url.Parse(strings.NewReplacer("{*}", "_", "{", "", "}", "").Replace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	path := page.PathOf(address)
	if strings.Contains(path, "{") {
		path = "/"
	}
	return u.Scheme + "://" + u.Host + path
}

func (p *Places) shell(st *flow.Step) {
	if st.Act.Command == nil {
		return
	}
	for _, prog := range st.Runs {
		if !shell.Builtins[prog] && !slices.Contains(p.Commands, prog) && !strings.HasSuffix(prog, ".sh") {
			p.Commands = append(p.Commands, prog)
		}
	}
	if p.folder == "" {
		p.folder = st.Dir
	}
}

// siteName returns what most titles of a site's pages have in common: "Order Desk" in "Orders - Order Desk".
func siteName(titles []string) string {
	best, most := "", 0
	for _, sep := range []string{" - ", " | ", " · ", " – ", " — ", " :: ", ": "} {
		for _, last := range []bool{true, false} {
			count := map[string]int{}
			for _, t := range titles {
				parts := strings.Split(t, sep)
				part := parts[0]
				if last {
					part = parts[len(parts)-1]
				}
				if part = strings.TrimSpace(part); part == "" || strings.Contains(part, "{") {
					continue
				}
				count[part]++
			}
			for _, part := range slices.Sorted(maps.Keys(count)) {
				n := count[part]
				if n > most && (n >= 2 || len(titles) == 1 && last && strings.Contains(titles[0], sep)) && 2*n >= len(titles) &&
					utf8.RuneCountInString(part) <= 40 {
					best, most = part, n
				}
			}
		}
	}
	if best == "" && len(titles) == 1 && !strings.Contains(titles[0], "{") && utf8.RuneCountInString(titles[0]) <= 40 {
		return titles[0]
	}
	return best
}

// plainSite returns a name for a site whose pages do not say its name.
func plainSite(host string) string {
	name, _, hasPort := strings.Cut(host, ":")
	if name == "localhost" || net.ParseIP(strings.Trim(name, "[]")) != nil {
		return "the site at " + host
	}
	if hasPort {
		return name
	}
	return host
}

// app returns the name of the application: that of the first site, else of the first program, device or connector.
func (p Places) app() string {
	if len(p.Sites) > 0 {
		return cmp.Or(p.names[p.Sites[0]], plainSite(p.Sites[0]))
	}
	if len(p.Commands) > 0 {
		return p.Commands[0]
	}
	if len(p.devices) > 0 {
		return p.devices[0]
	}
	if len(p.Connectors) > 0 {
		return p.Connectors[0]
	}
	return ""
}

// Family returns the app family: the first site's host, else the first program, device or connector.
func (p Places) Family() string {
	if len(p.Sites) > 0 {
		host, _, _ := strings.Cut(p.Sites[0], ":")
		return page.Cut(host, 80)
	}
	if len(p.Commands) > 0 {
		return page.Cut(p.Commands[0], 80)
	}
	if len(p.devices) > 0 {
		return page.Cut(p.devices[0], 80)
	}
	if len(p.Connectors) > 0 {
		return page.Cut(p.Connectors[0], 80)
	}
	return "general"
}

// where returns the places in words: "on Order Desk and in the terminal".
func (p Places) where() string {
	var out []string
	if len(p.Sites) > 0 {
		out = append(out, "on "+intent.AndList(p.siteNames()))
	}
	if slices.Contains(p.surfaces, workflow.OnShell) {
		out = append(out, "in the terminal")
	}
	if len(p.devices) > 0 {
		out = append(out, "with "+intent.AndList(p.devices))
	}
	if len(p.Connectors) > 0 {
		out = append(out, "through the "+plural("connector", len(p.Connectors))+" "+intent.AndList(p.Connectors))
	}
	return intent.AndList(out)
}

func (p Places) siteNames() []string {
	var out []string
	for _, s := range p.Sites {
		out = append(out, cmp.Or(p.names[s], plainSite(s)))
	}
	return out
}

// Adapters returns the adapters of Showhow that a machine needs for the work. A terminal is everywhere, and an agent
// brings its own tools.
func (p Places) Adapters() []string {
	var out []string
	for _, s := range p.surfaces {
		if s == workflow.OnBrowser || s == workflow.OnMIDI {
			out = append(out, s)
		}
	}
	return out
}

// plural returns the noun in the form for n.
func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// surfaceOrder returns the control surfaces in the specification's terms, the most semantic first: a connector's tool
// before everything that is operated.
func (p Places) surfaceOrder() []string {
	var out []string
	if len(p.Connectors) > 0 {
		out = append(out, "mcp_connector")
	}
	for _, s := range p.surfaces {
		switch s {
		case workflow.OnBrowser:
			out = append(out, "native_openclaw_browser", "page_knowledge_ui")
		case workflow.OnShell:
			out = append(out, "native_openclaw_tool") // a written skill contains no script of its own
		case workflow.OnProgram:
			out = append(out, "raw_ui")
		case workflow.OnMIDI:
			out = append(out, "midi_binding")
		case workflow.OnAgent:
			out = append(out, "mcp_server")
		}
	}
	if len(out) == 0 {
		out = []string{"raw_ui"}
	}
	return out
}

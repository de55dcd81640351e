package find

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
)

// candidate is an operable element, as the page script describes it (script/95-scan.js), with its
// score.
type candidate struct {
	I           int                `json:"i"`
	Within      *int               `json:"within"` // the candidate around it
	Role        string             `json:"role"`
	Tag         string             `json:"tag"`
	Name        string             `json:"name"`
	Label       string             `json:"label"`
	Placeholder string             `json:"placeholder"`
	Text        string             `json:"text"`
	Title       string             `json:"title"`
	Alt         string             `json:"alt"`
	Type        string             `json:"type"`
	Options     []string           `json:"options"`
	Href        string             `json:"href"`
	TestID      string             `json:"testid"`
	Near        *capture.Landmark  `json:"near"`
	Places      []capture.Landmark `json:"places"`
	Heading     string             `json:"heading"`
	Item        string             `json:"item"`  // the key of its row
	Row         int                `json:"row"`   // how well its row matches the wanted one: 1 to 4, 0 not, -1 another one does
	CSS         int                `json:"css"`   // how many elements the recorded path finds, when it is one of them
	IDs         int                `json:"ids"`   // likewise the test id
	Told        bool               `json:"told"`  // a row, one of whose cells names it so
	Sent        string             `json:"sent"`  // whether its form sends it under the recorded name: "same", "other", or unknown
	Sends       string             `json:"sends"` // what the browser sends when it is pressed, if only the page determines that
	Disabled    bool               `json:"disabled"`
	Focused     bool               `json:"focused"`
	Blocked     bool               `json:"blocked"`      // a modal dialog is in front of it
	Drawn       string             `json:"drawn"`        // how it is drawn, where it says nothing
	Spot        string             `json:"spot"`         // its place among the icons of its row
	Beside      string             `json:"beside"`       // the field that it stands with, where another control has its name
	Over        bool               `json:"over"`         // it is in a popup, such as a menu
	InItemText  bool               `json:"in_item_text"` // it stands where one of several items had its text
	Several     bool               `json:"several"`      // it is not a control but a list of separately clickable things

	doc     *document
	words   grade
	entry   bool // of a list: it says the wanted value among other words
	place   placeFit
	byID    bool // it has the id that was written for the target
	score   int
	backing int          // how much of the score is evidence beside words and role
	apart   int          // ... and beside the place
	twins   []*candidate // others that are judged as well, which send the same
}

func (c *candidate) certainty() float64 { return min(1, float64(c.score)/100) }

// ask reduces a want to what the page script needs.
func ask(w Want) asked {
	t := w.Target
	a := asked{Role: t.Role, Tag: t.Tag, Verb: w.Verb, Locators: t.Locators, Deep: t.Role == "" || t.Role == "generic" || !operated[t.Role]}
	if key, ok := rowKey(t); ok && says(key) && pattern(key) == nil {
		a.Key, a.Core = key, core(key)
	}
	if _, in := rowKey(t); t.Role == "row" && !in || t.Role == "button" && t.Given {
		a.Called = t.Name
	}
	return a
}

// core returns the words of a row's key without the verbs; nil if that removes nothing or leaves
// too little to tell rows apart.
func core(key string) []string {
	all := strings.Fields(plain(key))
	var out []string
	for _, u := range words().units(plain(key)) {
		if !slices.ContainsFunc(u.concepts, func(c int) bool { return words().concepts[c].deed }) {
			out = append(out, strings.Fields(u.text)...)
		}
	}
	if len(out) < 2 || len(out) == len(all) {
		return nil
	}
	return out
}

// rowKey returns the text of the row in which the target was recorded.
func rowKey(t capture.Target) (string, bool) {
	if t.Landmark == nil || !slices.Contains(rowRoles, t.Landmark.Role) {
		return "", false
	}
	return t.Landmark.Name, true
}

func ofRow(t capture.Target) bool {
	_, ok := rowKey(t)
	return ok
}

var rowRoles = []string{"row", "listitem", "option", "treeitem", "gridcell", "article"}

// operated are the roles of elements that a person operates.
var operated = map[string]bool{"button": true, "link": true, "textbox": true, "searchbox": true, "combobox": true, "listbox": true,
	"checkbox": true,
	"radio":    true, "switch": true, "slider": true, "spinbutton": true, "option": true, "tab": true, "menuitem": true,
	"menuitemcheckbox": true,
	"menuitemradio":    true, "treeitem": true}

// kin are groups of roles that one control may change between and remain the same control.
var kin = [][]string{
	{"button", "link", "menuitem", "tab"},
	{"button", "switch", "checkbox", "menuitemcheckbox"},
	{"radio", "menuitemradio", "option"},
	{"option", "menuitem", "listitem", "treeitem", "link"},
	{"textbox", "searchbox", "spinbutton"},
	{"textbox", "searchbox", "combobox"},
	{"combobox", "listbox"},
	{"columnheader", "button"},
}

// AnyField is the role of a target known to take a value, but not as which kind of field:
// recordings made elsewhere describe a list or a date like a text.
const AnyField = "field"

// roleFit compares roles: 2 the same, 1 related, 0 different.
func roleFit(want, have string) int {
	switch {
	case want == have, want == AnyField && fieldRoles[have]:
		return 2
	case want == AnyField:
		return 0
	case want == "" || (want == "generic" && !fieldRoles[have]), have == "generic" && !fieldRoles[want]:
		return 1
	}
	for _, k := range kin {
		if slices.Contains(k, want) && slices.Contains(k, have) {
			return 1
		}
	}
	return 0
}

var fieldRoles = setOf("textbox searchbox combobox listbox checkbox radio switch slider spinbutton")

// fit reports whether the action can be performed on the candidate, as far as its kind is known.
func (c *candidate) fit(w Want) bool {
	return w.Target.Role == AnyField && w.Verb == capture.Type && fieldRoles[c.Role] || c.takes(w.Verb)
}

// takes reports whether the action can be performed on the candidate.
func (c *candidate) takes(v capture.Verb) bool {
	toggle := c.Role == "checkbox" || c.Role == "radio" || c.Role == "switch" || c.Role == "menuitemcheckbox" || c.Role == "menuitemradio"
	switch v {
	case capture.Click, capture.DoubleClick, capture.RightClick:
		return !c.Several // pressed in its middle, which of them it would be is chance
	case capture.Type:
		return c.Tag != "select" && (fieldRoles[c.Role] && !toggle && c.Role != "listbox" || c.Tag == "textarea")
	case capture.Select:
		return !(c.Tag == "textarea" || c.Tag == "a" && c.Role == "link")
	case capture.Check, capture.Uncheck:
		return toggle || c.Role == "button" || c.Role == "option"
	case capture.Upload:
		return c.Type == "file" || c.Role == "button" || c.Tag == "input"
	}
	return true
}

// typeFit compares the types of two fields: 1 the same special type, 0 unknown, -1 incompatible.
func typeFit(want, have string) int {
	if want == "" || have == "" {
		return 0
	}
	if want == have {
		if plainTypes[want] {
			return 0
		}
		return 1
	}
	if setOf("password file checkbox radio range color")[want] || setOf("password file checkbox radio range color")[have] {
		return -1
	}
	if dateTypes[want] != dateTypes[have] && !(plainTypes[want] || plainTypes[have]) {
		return -1
	}
	return 0
}

var (
	plainTypes = setOf("text search submit button")
	dateTypes  = setOf("date datetime-local month week time")
)

// optionFit is the similarity of two lists of choices, from 0 to 1; -1 if either is empty.
func optionFit(want, have []string) float64 {
	if len(want) == 0 || len(have) == 0 {
		return -1
	}
	all := map[string]int{}
	for _, o := range want {
		all[plain(o)] |= 1
	}
	for _, o := range have {
		all[plain(o)] |= 2
	}
	both := 0
	for _, in := range all {
		if in == 3 {
			both++
		}
	}
	return float64(both) / float64(len(all))
}

// hrefFit compares link targets: 2 the same place, 1 the same shape, 0 unknown, -1 elsewhere. Hosts
// do not count: the same program may run on another one.
func hrefFit(want, have string) int {
	if want == "" || have == "" || nowhere(want) || nowhere(have) {
		return 0
	}
	a, errA := url.Parse(want)
	b, errB := url.Parse(have)
	if errA != nil || errB != nil || a.Path == "" || b.Path == "" {
		return 0
	}
	if a.Path == b.Path && a.RawQuery == b.RawQuery && a.Fragment == b.Fragment {
		return 2
	}
	if variable.ReplaceAllString(a.Path, "*") == variable.ReplaceAllString(b.Path, "*") && slices.Equal(keys(a), keys(b)) &&
		(a.Fragment == "") == (b.Fragment == "") {
		if a.Path != b.Path {
			return 1
		}
		return 0
	}
	return -1
}

// nowhere reports whether a link leads to no place of its own, because a script follows it.
func nowhere(href string) bool {
	return strings.HasSuffix(href, "#") || strings.HasSuffix(href, "#!") || strings.HasPrefix(href, "javascript:")
}

var variable = lazyre.New(`[^/]*[0-9][^/]*|[^/]*(?:%5B%5B|\[\[|\{)[^/]*`)

func keys(u *url.URL) []string {
	var out []string
	for k := range u.Query() {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// placeFit says how well a candidate's surroundings match those of the recorded target.
type placeFit int

const (
	noPlace   placeFit = iota // none was recorded
	elsewhere                 // another place of that kind, or none
	under                     // under that heading, with a lower one in between
	unheaded                  // it stood under another heading: sections move
	reheaded                  // under a heading that says more, or less
	free                      // in no place of a name, as it was shown
	renamed                   // in a place of that kind that says the same in other words
	around                    // in that place, not the nearest one any more
	inPlace
)

func (c *candidate) fitPlace(t capture.Target) placeFit {
	l := t.Landmark
	if l == nil && len(t.Locators) == 0 {
		return noPlace // asked for by name alone
	}
	if l == nil {
		switch {
		case c.Near == nil || c.Near.Role == "heading" || c.Near.Name == "":
			return free
		case uncounted(t):
			return noPlace
		}
		return elsewhere
	}
	if _, row := rowKey(t); row {
		return noPlace // judged by the key
	}
	if l.Role == "heading" {
		return c.fitHeading(l.Name)
	}
	if c.Near != nil && alikePlaces(l.Role, c.Near.Role) && compare(l.Name, c.Near.Name) >= same {
		return inPlace
	}
	fit := elsewhere
	for _, p := range c.Places {
		g := compare(l.Name, p.Name)
		switch {
		case g >= same && (alikePlaces(l.Role, p.Role) || l.Name != ""):
			fit = max(fit, around)
		case g >= synonym && alikePlaces(l.Role, p.Role):
			fit = max(fit, renamed)
		}
	}
	if fit == elsewhere && l.Name != "" && compare(l.Name, c.Heading) >= same {
		return around
	}
	return fit
}

// fitHeading compares places for a target that stood under a heading but in no named place.
func (c *candidate) fitHeading(name string) placeFit {
	direct := compare(name, c.Heading)
	best := direct
	if c.Near != nil {
		for _, p := range append([]capture.Landmark{*c.Near}, c.Places...) {
			if !alikePlaces("menu", p.Role) { // a menu's entry may be called like the page that it leads to
				best = max(best, compare(name, p.Name))
			}
		}
	}
	named := c.Near != nil && c.Near.Role != "heading" && c.Near.Name != ""
	switch {
	case best >= same && direct < same && !named && c.Heading != "":
		return under
	case best >= same:
		return inPlace
	case best >= synonym:
		return renamed
	case named:
		return elsewhere
	case best == partly || best == related:
		return reheaded
	}
	return unheaded
}

// alikePlaces reports whether two kinds of places are interchangeable.
func alikePlaces(a, b string) bool {
	if a == b {
		return true
	}
	for _, k := range [][]string{{"dialog", "alertdialog"}, {"form", "group", "region", "search", "radiogroup"},
		{"navigation", "menu", "toolbar"}, {"region", "tabpanel", "complementary"}} {
		if slices.Contains(k, a) && slices.Contains(k, b) {
			return true
		}
	}
	return false
}

// String describes the candidate as a person would point it out.
func (c *candidate) String() string {
	s := say(c.Role, cmp.Or(c.Name, c.Label, c.Text, c.Placeholder, c.Title))
	switch {
	case c.Item != "" && c.Item != c.Name:
		s += ` in the row of "` + c.Item + `"`
	case c.Near != nil && c.Near.Role == "heading":
		s += ` under "` + c.Near.Name + `"`
	case c.Near != nil:
		s += " in " + say(c.Near.Role, c.Near.Name)
	}
	return s
}

// describe words the target as a person would ask for it.
func describe(t capture.Target) string {
	s := say(cmp.Or(t.Role, t.Tag, "element"), cmp.Or(t.Name, t.Label, t.Text, t.Placeholder))
	switch key, row := rowKey(t); {
	case row && key != "":
		s += ` in the row of "` + key + `"`
	case t.Landmark == nil:
	case t.Landmark.Role == "heading":
		s += ` under "` + t.Landmark.Name + `"`
	default:
		s += " in " + say(t.Landmark.Role, t.Landmark.Name)
	}
	return s
}

func say(role, name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return role
	}
	return role + ` "` + name + `"`
}

// setOf builds a set from space-separated names of roles or types.
func setOf(names string) map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(names) {
		m[n] = true
	}
	return m
}

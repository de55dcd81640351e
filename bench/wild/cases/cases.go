// Package cases draws small web applications from a seed: what is on the page, in which words, order and style, the
// task and its values, and what the ledger must contain afterwards.
//
// A case follows from its seed and its library alone, and the content of a load from the case and the load's number:
// loads 0 and 1 are for demonstrations, from 2 on for rehearsals. Cases do not know how demonstrations are
// interpreted. Which of their parts are difficult is for the tally to say, not for the generator to avoid.
//
// bench/wild and its packages import it. It is tested without a browser: the same seed gives the same case, and a
// thousand seeds a thousand cases.
package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"showhow/bench/corpus/ledger"
)

// Kind is the kind of task.
type Kind string

// The kinds.
const (
	Form   Kind = "form"   // fill in fields and send them
	Table  Kind = "table"  // press something in one row
	Dialog Kind = "dialog" // fill in what a button opens
	Wizard Kind = "wizard" // the same in several steps
	Tree   Kind = "tree"   // open folders, choose a leaf
	Pager  Kind = "pager"  // a row that is on one of several pages
	Picker Kind = "picker" // choose one of several and apply it
	Menu   Kind = "menu"   // an entry of a row's menu
	Upload Kind = "upload" // a file
	Inline Kind = "inline" // a cell that is edited in place
	Drag   Kind = "drag"   // a card onto another list
)

// Kinds are all kinds.
var Kinds = []Kind{Form, Table, Dialog, Wizard, Tree, Pager, Picker, Menu, Upload, Inline, Drag}

// Type is how a field is entered.
type Type string

// The types of fields.
const (
	Text   Type = "text"
	Long   Type = "long"
	Number Type = "number"
	Date   Type = "date"
	Choice Type = "choice" // a list that opens
	Radio  Type = "radio"
	Yes    Type = "yes" // a box or a switch
)

// Field is one field of a form.
type Field struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	Type    Type     `json:"type"`
	Options []string `json:"options,omitempty"`
	Step    int      `json:"step"`
	Value   string   `json:"value,omitempty"` // its initial value
}

// Action is something that can be pressed in a row.
type Action struct {
	Key   string `json:"key"`
	Label string `json:"label"`
	Icon  string `json:"icon,omitempty"` // drawn instead of the label
	Named bool   `json:"named"`          // an icon with a title
}

// Node is an entry of a tree.
type Node struct {
	Label    string `json:"label"`
	Children []Node `json:"children,omitempty"`
}

// Style is how a page is written, apart from its library.
type Style struct {
	Labels  string `json:"labels"`  // how plain pages tie a label to its field: for, wrap, aria, placeholder, beside, cell
	Rows    string `json:"rows"`    // table, cards, boxes
	Nest    int    `json:"nest"`    // boxes around everything
	Ids     bool   `json:"ids"`     // whether controls have ids, other ones at each load
	Noise   int    `json:"noise"`   // how many things there are that nobody needs
	Clock   bool   `json:"clock"`   // whether something moves by itself
	Aside   bool   `json:"aside"`   // whether a column with links stands beside it
	Buttons string `json:"buttons"` // button, input, link, div
	Hue     int    `json:"hue"`
}

// Spec is the description of the page that the page script receives.
type Spec struct {
	Kind    Kind       `json:"kind"`
	Variant string     `json:"variant"`
	Library string     `json:"library"`
	Lang    string     `json:"lang"`
	Title   string     `json:"title"`
	Style   Style      `json:"style"`
	Slow    int        `json:"slow"`    // milliseconds that an answer takes
	Persist bool       `json:"persist"` // whether stored data can be seen again
	Message string     `json:"message"` // what the page says afterwards; "": nothing
	Classic bool       `json:"classic"` // forms are posted and the page loads anew
	Virtual bool       `json:"virtual"` // only the rows in sight are in the page
	Confirm bool       `json:"confirm"` // the deed is asked about
	PerPage int        `json:"per_page,omitempty"`
	Fields  []Field    `json:"fields,omitempty"`
	Actions []Action   `json:"actions,omitempty"`
	Columns []Field    `json:"columns,omitempty"` // the first one is what a row is called by
	Lists   []string   `json:"lists,omitempty"`   // of cards
	Tree    []Node     `json:"tree,omitempty"`
	Options []string   `json:"options,omitempty"` // of a picker
	Words   pageWords  `json:"words"`
	Noise   []string   `json:"noise,omitempty"`
	Rows    ledgerRows `json:"-"`
	Shift   bool       `json:"-"` // things have other names at every load
}

type ledgerRows []ledger.Row

// pageWords are the words of the page's own controls.
type pageWords struct {
	Submit  string `json:"submit"`
	Open    string `json:"open"`
	Next    string `json:"next"`
	Confirm string `json:"confirm"`
	Cancel  string `json:"cancel"`
	Sure    string `json:"sure"`
	Choose  string `json:"choose"`
	More    string `json:"more"`
	Edit    string `json:"edit"`
	Page    string `json:"page"`
	Picked  string `json:"picked"` // the label of a picker
	Home    string `json:"home"`
	Saying  string `json:"saying"`
	Search  string `json:"search"`
}

// Library is a component library that draws the pages.
type Library struct {
	Name  string
	Kinds []Kind // that its widgets are used for; none: all
	NPM   bool   // it has to be installed
}

// Case is one drawn application.
type Case struct {
	Seed    uint64
	Library string
	Spec    Spec
	Verb    string // of the effect
	Table   string // where it happens
	Target  string // field that the deed sets, where it is one
	Fixed   string // what it sets it to, where no value is asked for
}

// Values are the values of one run.
type Values map[string]string

// tableName is the only table, on which all tasks are done.
const tableName = "items"

// Draw returns the case of a seed.
func Draw(seed uint64, lib Library, only []Kind) *Case {
	r := rand.New(rand.NewPCG(seed, 0x77696c64)) // the second word only has to be fixed
	kinds := lib.Kinds
	if len(kinds) == 0 {
		kinds = Kinds
	}
	if len(only) > 0 {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool { return !slices.Contains(only, k) })
	}
	if len(kinds) == 0 {
		return nil
	}
	c := &Case{Seed: seed, Library: lib.Name, Table: tableName}
	lang := pick(r, Languages)
	w := wordsOf(lang, r)
	s := &c.Spec
	*s = Spec{Kind: pick(r, kinds), Library: lib.Name, Lang: lang, Persist: !chance(r, 15), Classic: chance(r, 25), Shift: chance(r, 35),
		Title: capital(pick(r, w.Nouns)) + " " + capital(invented(r)), Confirm: chance(r, 35),
		Style: Style{Labels: pick(r, []string{"for", "for", "wrap", "aria", "placeholder", "beside", "cell"}),
			Rows: pick(r, []string{"table", "table", "cards", "boxes"}), Nest: r.IntN(4), Ids: chance(r, 40), Noise: r.IntN(5),
			Clock: chance(r, 25), Aside: chance(r, 40), Buttons: pick(r, []string{"button", "button", "button", "input", "link", "div"}),
			Hue: r.IntN(360)},
		Words: pageWords{Next: w.Next, Confirm: w.Confirm, Cancel: w.Cancel, Sure: w.Sure, Choose: w.Choose, More: w.More, Edit: w.Edit,
			Page: w.Page, Home: w.Home, Saying: w.Saying, Search: w.Search}}
	if chance(r, 60) {
		s.Message = w.Saved
	}
	if chance(r, 30) {
		s.Slow = 100 + r.IntN(700)
	}
	for range s.Style.Noise {
		s.Noise = append(s.Noise, pick(r, []string{w.Help, w.Open, capital(pick(r, w.Items)), capital(invented(r))}))
	}
	c.fill(r, w)
	return c
}

// fill draws what belongs to the kind.
func (c *Case) fill(r *rand.Rand, w words) {
	s := &c.Spec
	switch s.Kind {
	case Form:
		s.Variant = pick(r, []string{"add", "add", "settings"})
		s.Fields = fields(r, w, 1+r.IntN(5), s.Variant == "settings")
		s.Words.Submit, c.Verb = pick(r, []string{w.Save, w.Add, w.Finish}), "add"
		if s.Variant == "settings" {
			s.Words.Submit, c.Verb = pick(r, []string{w.Save, w.Apply}), "set"
		}
	case Dialog:
		s.Fields, c.Verb = fields(r, w, 1+r.IntN(3), false), "add"
		s.Words.Open, s.Words.Submit = w.New, pick(r, []string{w.Save, w.Add})
	case Wizard:
		s.Fields, c.Verb = fields(r, w, 2+r.IntN(3), false), "add"
		for i := range s.Fields {
			s.Fields[i].Step = i * (2 + r.IntN(2)) / len(s.Fields)
			if i > 0 {
				s.Fields[i].Step = min(max(s.Fields[i].Step, s.Fields[i-1].Step), s.Fields[i-1].Step+1)
			}
		}
		s.Words.Submit = w.Finish
	case Upload:
		s.Fields = append(fields(r, w, r.IntN(2), false), Field{Key: "file", Label: w.File, Type: "file"})
		s.Words.Submit, c.Verb = w.Upload, "add"
	case Picker:
		s.Variant = pick(r, []string{"list", "choice", "radio", "buttons", "tabs", "rows"})
		s.Options = some(r, 4+r.IntN(4), w.Options)
		s.Words.Picked, s.Words.Submit = pick(r, w.Choice), pick(r, []string{w.Save, w.Apply})
		c.Verb, c.Target = "set", "picked"
	case Tree:
		s.Words.Submit, c.Verb, c.Target = pick(r, []string{w.Assign, w.Apply}), "set", "picked"
		s.Tree = tree(r, w)
	default:
		c.rows(r, w)
	}
}

// rows draws a task on a list of records.
func (c *Case) rows(r *rand.Rand, w words) {
	s := &c.Spec
	s.Columns = []Field{{Key: "name", Label: pick(r, w.Text), Type: Text}, {Key: "kind", Label: pick(r, w.Choice), Type: Choice,
		Options: some(r, 3+r.IntN(4), w.Options)}, {Key: "amount", Label: pick(r, w.Number), Type: Number}}[:2+r.IntN(2)]
	s.Virtual = s.Kind == Table && chance(r, 20)
	if s.Kind == Pager {
		s.PerPage = 5
	}
	actions := []Action{{Key: "delete", Label: w.Delete, Icon: "bin"}, {Key: "star", Label: w.Star, Icon: "star"},
		{Key: "approve", Label: w.Approve, Icon: "tick"}, {Key: "pin", Label: w.Pin, Icon: "pin"},
		{Key: "archive", Label: w.Archive, Icon: "box"}}
	s.Actions = some(r, 1+r.IntN(3), actions)
	icons, named := chance(r, 35), chance(r, 60)
	for i := range s.Actions {
		if s.Actions[i].Named = named; !icons {
			s.Actions[i].Icon = ""
		}
	}
	c.act(s.Actions[0].Key)
	r.Shuffle(len(s.Actions), func(i, j int) { s.Actions[i], s.Actions[j] = s.Actions[j], s.Actions[i] })
	switch s.Kind {
	case Menu:
		s.Variant = pick(r, []string{"action", "value"})
		if s.Variant == "value" {
			s.Actions = nil
			for i, o := range s.Columns[1].Options {
				s.Actions = append(s.Actions, Action{Key: fmt.Sprint("to", i), Label: o})
			}
			c.Verb, c.Target, c.Fixed, s.Confirm = "set", "kind", "", false
		}
	case Inline:
		s.Variant = pick(r, []string{"double", "pencil", "click"})
		s.Actions, s.Confirm, c.Verb, c.Target, c.Fixed = nil, false, "set", "note", ""
		s.Columns = append(s.Columns, Field{Key: "note", Label: pick(r, w.Long), Type: Text})
	case Drag:
		s.Actions, s.Confirm, c.Verb, c.Target, c.Fixed = nil, false, "set", "kind", ""
		s.Columns = s.Columns[:2]
		s.Lists = s.Columns[1].Options
	}
}

// act is the effect of an action in a row.
func (c *Case) act(key string) {
	if c.Verb, c.Target, c.Fixed = "set", "state", key; key == "delete" {
		c.Verb, c.Target, c.Fixed = "remove", "", ""
	}
}

// Action is the action of the task.
func (c *Case) Action() string {
	if c.Verb == "remove" {
		return "delete"
	}
	return c.Fixed
}

// fields draws the fields of a form. Fields to be changed have a value already.
func fields(r *rand.Rand, w words, n int, filled bool) (out []Field) {
	types := []Type{Text, Text, Text, Long, Number, Date, Choice, Choice, Radio, Yes}
	used := map[string]bool{}
	for i := range n {
		t := pick(r, types)
		list := map[Type][]string{Text: w.Text, Long: w.Long, Number: w.Number, Date: w.Date, Choice: w.Choice, Radio: w.Choice, Yes: w.Yes}[t]
		label := pick(r, list)
		if used[label] {
			continue
		}
		used[label] = true
		f := Field{Key: fmt.Sprint("f", i), Label: label, Type: t}
		if t == Choice || t == Radio {
			f.Options = some(r, 4+r.IntN(4), w.Options)
		}
		if filled && (t == Text || t == Long || t == Number || t == Date) {
			f.Value = valueOf(r, f, 9)
		}
		out = append(out, f)
	}
	if !slices.ContainsFunc(out, func(f Field) bool { return f.Type != Yes }) && n > 0 { // something has to differ from run to run
		out = append(out, Field{Key: "fx", Label: w.Text[0], Type: Text})
		if filled {
			out[len(out)-1].Value = valueOf(r, out[len(out)-1], 9)
		}
	}
	return out
}

// tree draws folders with leaves.
func tree(r *rand.Rand, w words) (out []Node) {
	names := some(r, len(w.Items), w.Items)
	for i, folder := range some(r, 3+r.IntN(2), w.Options) {
		n := Node{Label: folder}
		for _, leaf := range names[i*3 : min(len(names), i*3+3)] {
			n.Children = append(n.Children, Node{Label: leaf})
		}
		if len(n.Children) > 1 && chance(r, 35) {
			n.Children[0] = Node{Label: capital(invented(r)), Children: []Node{n.Children[0], {Label: invented(r)}}}
		}
		if len(n.Children) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// Leaves are the childless entries of a tree, each with its path.
func Leaves(nodes []Node, at []string) (out [][]string) {
	for _, n := range nodes {
		path := append(slices.Clone(at), n.Label)
		if len(n.Children) == 0 {
			out = append(out, path)
		} else {
			out = append(out, Leaves(n.Children, path)...)
		}
	}
	return out
}

// Fingerprint identifies what distinguishes this case from others apart from words.
func (c *Case) Fingerprint() string {
	s := c.Spec
	var parts []string
	for _, f := range slices.Concat(s.Fields, s.Columns) {
		parts = append(parts, fmt.Sprint(f.Type, f.Step, len(f.Options)))
	}
	for _, a := range s.Actions {
		parts = append(parts, a.Icon, fmt.Sprint(a.Named))
	}
	s.Style.Hue, s.Slow = 0, min(s.Slow, 1)
	b, _ := json.Marshal([]any{c.Library, s.Kind, s.Variant, s.Lang, s.Style, s.Slow, s.Persist, s.Message != "", s.Classic, s.Virtual,
		s.Confirm, s.Shift, len(s.Tree), len(s.Options), c.Verb, c.Fixed, parts}) // plain values: cannot fail
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Noun is what the goal calls a record.
func (c *Case) Noun() string { return strings.ToLower(strings.Fields(c.Spec.Title)[0]) }

// Goal is the task in the words of the person who demonstrates it.
func (c *Case) Goal() string {
	noun := c.Noun()
	switch c.Spec.Kind {
	case Form, Wizard, Dialog:
		if c.Verb == "set" {
			return "Change the settings of " + c.Spec.Title
		}
		return "Add a " + noun
	case Upload:
		return "Upload a file to " + c.Spec.Title
	case Picker, Tree:
		return "Choose something and press " + c.Spec.Words.Submit
	case Inline:
		return "Write a note on a " + noun
	case Drag:
		return "Move a card to another list"
	case Menu:
		if c.Spec.Variant == "value" {
			return "Give a " + noun + " another " + c.Spec.Columns[1].Label
		}
	}
	for _, a := range c.Spec.Actions {
		if a.Key == c.Action() {
			return fmt.Sprintf("Press %s at a %s", a.Label, noun)
		}
	}
	return "Work on a " + noun
}

// Grave reports whether the act cannot be undone: what is deleted is gone, and an approval reaches whoever waits for it.
func (c *Case) Grave() bool { return c.Verb == "remove" || c.Fixed == "approve" }

// String names the case in reports.
func (c *Case) String() string {
	v := string(c.Spec.Kind)
	if c.Spec.Variant != "" {
		v += "/" + c.Spec.Variant
	}
	return fmt.Sprintf("%d %s %s %s", c.Seed, c.Library, v, c.Spec.Lang)
}

// clone returns a copy whose tables can be changed.
func (rows ledgerRows) clone() (out []ledger.Row) {
	for _, r := range rows {
		out = append(out, maps.Clone(r))
	}
	return out
}

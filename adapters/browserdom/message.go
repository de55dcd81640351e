package browserdom

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"showhow/capture"
)

// message is one from the page half; see page/50-acts.js and page/90-main.js for which field belongs to which kind.
type message struct {
	Kind   string        `json:"k"`
	Doc    string        `json:"doc"`
	ID     string        `json:"id"`
	IDs    []string      `json:"ids"`
	Verb   capture.Verb  `json:"verb"`
	T      int64         `json:"t"` // microseconds of wall time
	Target *pageTarget   `json:"target"`
	Drop   *pageTarget   `json:"drop"`
	Value  *pageValue    `json:"value"`
	File   *capture.File `json:"file"`
	Keys   string        `json:"keys"`
	Before *stateRef     `json:"before"`
	After  *stateRef     `json:"after"`
	Page   *capture.Page `json:"page"`
	Site   string        `json:"site"`
	Top    bool          `json:"top"`
	Off    bool          `json:"off"`
	On     bool          `json:"on"`
	Epoch  int           `json:"epoch"`
	Reason string        `json:"r"`
	N      int64         `json:"n"`
	Names  []string      `json:"names"`
	Blots  []pageBlot    `json:"blots"`
	XY     *[2]float64   `json:"xy"`
	Whole  bool          `json:"whole"` // XY counts from the tab's corner, else from the frame's
	Counts []int         `json:"counts"`
	At     int64         `json:"counted_us"`
}

type pageTarget struct {
	capture.Target
	CountedUS int64 `json:"counted_us"`
	Opaque    bool  `json:"opaque"`
	Counting  bool  `json:"counting"` // its locators' matches follow
	EveryRow  bool  `json:"of_every_row"`
}

type pageValue struct {
	Kind         capture.ValueKind `json:"kind"`
	Text         string            `json:"text"`
	InputType    string            `json:"input_type"`
	Autocomplete string            `json:"autocomplete"`
	Field        string            `json:"field"`
	Chosen       bool              `json:"chosen"`
	Filled       bool              `json:"filled"` // a secret was entered; its text stayed in the page
}

// stateRef is a digest: whole the first time, by number later.
type stateRef struct {
	N     int        `json:"n"`
	Doc   string     `json:"doc"` // whose digest it is; "" for the document's own
	State *pageState `json:"state"`
}

type pageState struct {
	capture.State
	Fields  []pageField `json:"fields"`
	Details []pageField `json:"details"`
}

type pageField struct {
	Label string     `json:"label"`
	Role  string     `json:"role"`
	Raw   *pageValue `json:"raw"`
}

func raws(in []pageField) (out []capture.Field) {
	for _, f := range in {
		out = append(out, capture.Field{Label: f.Label, Role: f.Role, Raw: f.Raw.raw()})
	}
	return out
}

func (v *pageValue) raw() *capture.RawValue {
	if v == nil || v.Kind.Secret() && !v.Filled {
		return nil
	}
	r := &capture.RawValue{Text: v.Text, Kind: v.Kind, InputType: v.InputType, Autocomplete: v.Autocomplete, FieldName: v.Field, Chosen: v.Chosen}
	if v.Kind.Secret() {
		r.Text = "" // it never came; to be sure
	}
	return r
}

// state is the digest as capture knows it.
func (t *tab) state(p *pageState) *capture.State {
	s := p.State
	s.URL = t.cleanURL(s.URL)
	s.Fields, s.Details = raws(p.Fields), raws(p.Details)
	return &s
}

func (t *tab) target(p *pageTarget) *capture.Target {
	if p == nil {
		return nil
	}
	out := p.Target
	out.Href, out.OfEveryRow = t.cleanURL(out.Href), p.EveryRow
	if p.CountedUS > 0 {
		out.CountedAt = countedAt(p.CountedUS)
	}
	return &out
}

func countedAt(us int64) string { return moment(us).UTC().Format("2006-01-02T15:04:05.000000Z") }

// counted takes how many elements an act's locators found once the page had time to count.
func (l *line) counted(m *message) {
	w := l.find(m.ID)
	if w == nil {
		return
	}
	w.counting = false
	defer l.pump()
	if w.o.Target == nil || len(m.Counts) == 0 || len(m.Counts) > len(w.o.Target.Locators) {
		return
	}
	t := *w.o.Target
	t.Locators, t.CountedAt = slices.Clone(t.Locators), countedAt(m.At)
	first := len(t.Locators) - len(m.Counts) // what the accessibility tree added stands before
	for i, n := range m.Counts {
		t.Locators[first+i].Matches = n
	}
	w.o.Target = &t
}

// cleanURL drops user info and the values of fields that are known to be secret: a GET form writes a password into the
// address. The pipeline's redactor goes over it again.
func (t *tab) cleanURL(s string) string {
	if s == "" {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	u.User = nil
	if len(t.r.secrets) == 0 || u.RawQuery == "" {
		return u.String()
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, p := range parts {
		key, _, _ := strings.Cut(p, "=")
		if name, err := url.QueryUnescape(key); err == nil && slices.Contains(t.r.secrets, name) {
			parts[i] = key + "=" + url.QueryEscape("[[secret password]]")
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return u.String()
}

func moment(us int64) time.Time { return time.UnixMicro(us) }

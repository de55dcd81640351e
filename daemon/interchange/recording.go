package interchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Things that are left out in several places.
const (
	onlyPointed = "a pointer that was only moved over something: a menu that opens under it is not opened"
	otherButton = "a click with another button than the left or right one"
	nowhere     = "what was done where no web page was open"
)

// unknownKind names an unknown kind of step, if the file's word for it is a plain name.
func unknownKind(kind string) string {
	if kindName.MatchString(kind) {
		return "a step of a kind that is not known: " + kind
	}
	return "a step of a kind that is not known"
}

var kindName = lazyre.New(`^[A-Za-z][A-Za-z0-9]{0,30}$`)

const ()

// The formats.
const (
	DevTools   = "devtools"
	Playwright = "playwright"
)

// Bounds of a recording.
const (
	MaxBytes  = 900 << 10
	maxSteps  = 1000
	maxText   = 2000
	maxNotes  = 50
	stepEvery = time.Second // recordings have no clock
)

// Recording is a file's content as observations in order.
type Recording struct {
	Format       string
	Title        string
	Sites        []string // hosts that it works on
	Observations []capture.Observation
	LeftOut      []string // in words, and how often; of the file's own text no more than what it calls a kind of step
}

// Parse reads a recording, detecting its format. The observations end at now.
func Parse(content []byte, now time.Time) (Recording, error) {
	if len(content) > MaxBytes {
		return Recording{}, fault.Newf(fault.TooLarge, "the recording is larger than %d KB", MaxBytes>>10).
			WithHint("record a shorter piece, or take the pictures out of it")
	}
	if !utf8.Valid(content) {
		return Recording{}, unreadable("the file is no text")
	}
	text := strings.TrimPrefix(strings.TrimSpace(string(content)), "\ufeff")
	b := &builder{}
	var err error
	switch first, _, _ := strings.Cut(text, "\n"); {
	case !strings.HasPrefix(text, "{"):
		return Recording{}, unreadable("the file is neither a Chrome DevTools recording nor one of Playwright codegen as JSONL")
	case strings.Contains(first, `"browserName"`) || lines(text):
		b.Format = Playwright
		err = b.playwright(text)
	default:
		b.Format = DevTools
		err = b.devtools(text)
	}
	if err != nil {
		return Recording{}, err
	}
	b.counted()
	if len(b.Observations) == 0 && b.notes[nowhere] > 0 {
		return Recording{}, fault.New(fault.InsufficientTraces,
			"the recording does not say on which web page it was made").WithHint("let it begin with the page: a step \"navigate\" with its address")
	}
	if len(b.Observations) == 0 {
		return Recording{}, fault.New(fault.InsufficientTraces,
			"the recording holds nothing that a skill could be made of").WithHint("record at least one click or entry on a web page")
	}
	if noTitle.MatchString(b.Title) {
		b.Title = ""
	}
	if !strings.Contains(b.Title, " ") { // it is called as a file is: order_a-coffee
		b.Title = strings.Join(strings.FieldsFunc(b.Title, func(r rune) bool { return r == '_' || r == '-' }), " ")
	}
	b.keys()
	b.date(now)
	return b.Recording, nil
}

// noTitle matches Chrome's default titles.
var noTitle = lazyre.New(`^(?:New Recording|Recording \d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}.*)$`)

// lines reports whether the file seems to have one object per line, none of them with steps.
func lines(text string) bool {
	var o map[string]json.RawMessage
	first, rest, more := strings.Cut(text, "\n")
	if json.Unmarshal([]byte(first), &o) != nil || o["steps"] != nil {
		return false
	}
	return o["name"] != nil || more && strings.HasPrefix(strings.TrimSpace(rest), "{")
}

// broken explains what is wrong with a file that is not a Chrome recording.
func broken(err error) *fault.Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return unreadable("the file is no whole JSON: it is damaged, or breaks off")
	case errors.As(err, &kind) && strings.HasPrefix(kind.Field, "steps."):
		return unreadable("a step of the recording is not as Chrome writes it: its " + strings.TrimPrefix(kind.Field,
			"steps.") + " is of another kind")
	}
	return unreadable("the file is no Chrome DevTools recording: it has no list of steps")
}

func unreadable(message string) *fault.Error {
	return fault.New(fault.InvalidRequest,
		message).WithHint("export from Chrome's Recorder as JSON, or run `playwright codegen --target=jsonl`")
}

// builder converts a recording's steps.
type builder struct {
	Recording
	opener string       // the page of the tab before
	page   capture.Page // where the tab that is acted in is
	pages  map[string]string
	tabs   map[string]string
	notes  map[string]int
}

// leave records what is left out, counted by reason.
func (b *builder) leave(what string) {
	if b.notes == nil {
		b.notes = map[string]int{}
	}
	if b.notes[what] == 0 && len(b.LeftOut) >= maxNotes-1 {
		what = "more of still other kinds"
	}
	if b.notes[what]++; b.notes[what] == 1 {
		b.LeftOut = append(b.LeftOut, what)
	}
}

// counted adds the counts to the reasons.
func (b *builder) counted() {
	for i, what := range b.LeftOut {
		if n := b.notes[what]; n > 1 {
			b.LeftOut[i] = fmt.Sprintf("%s (%d times)", what, n)
		}
	}
}

// add adds one action on the current page.
func (b *builder) add(o capture.Observation) {
	if b.page.URL == "" && b.opener != "" { // a tab without an address in the recording: a page opened it
		b.page.URL = b.opener
		b.leave("the address of a tab that a page opened: it is taken to be on the same site")
	}
	page := b.page
	o.Key = fmt.Sprintf("import%d", len(b.Observations)+1)
	o.Kind, o.Surface, o.Page, o.Window = capture.BrowserDOM, capture.SurfacePage, &page, page.Title
	o.Origin = capture.Origin{App: "chromium", Site: siteOf(page.URL)}
	if o.Origin.Site == "" {
		b.leave(nowhere)
		return
	}
	if !slices.Contains(b.Sites, o.Origin.Site) {
		b.Sites = append(b.Sites, o.Origin.Site)
	}
	b.Observations = append(b.Observations, o)
}

// enter adds an entry; earlier clicks into its field are redundant.
func (b *builder) enter(o capture.Observation) {
	for p := b.last(); p != nil && (p.Verb == capture.Click || p.Verb == capture.DoubleClick) && p.After == nil &&
		p.Target.Name == o.Target.Name && (p.Target.Name != "" || lastLocator(p.Target) == lastLocator(o.Target)) &&
		(p.Target.Role == "" || p.Target.Role == o.Target.Role); p = b.last() {
		b.Observations = b.Observations[:len(b.Observations)-1]
	}
	if p := b.last(); p != nil && p.Verb == capture.Type && o.Verb == capture.Type && p.After == nil && sameTarget(p.Target, o.Target) {
		p.Value = o.Value // the recorder writes down each pause in one entry
		return
	}
	b.add(o)
}

// last is the previous observation, nil when there is none.
func (b *builder) last() *capture.Observation {
	if len(b.Observations) == 0 {
		return nil
	}
	return &b.Observations[len(b.Observations)-1]
}

// goTo adds an entered address.
func (b *builder) goTo(address, title string) {
	clean, ok := webAddress(address)
	if !ok {
		if address != "about:blank" && address != "" && address != "chrome://new-tab-page/" && address != "chrome://newtab/" {
			b.leave("an address that is no web page's")
		}
		if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "javascript:") { // that one does not leave the page
			b.page.URL, b.page.Title, b.opener = "", "", ""
		}
		return
	}
	b.page.URL, b.page.Title = clean, short(title)
	b.add(capture.Observation{Verb: capture.Navigate, After: &capture.State{URL: clean, Title: short(title)}, Changed: true})
}

// arrive records where the last action led, as the recording asserts.
func (b *builder) arrive(address, title string) {
	clean, ok := webAddress(address)
	if !ok {
		return
	}
	if o := b.last(); o != nil {
		o.Changed = o.Changed || clean != b.page.URL
		if o.Before == nil {
			o.Before = &capture.State{URL: b.page.URL, Title: b.page.Title}
		}
		if o.After == nil {
			o.After = &capture.State{}
		}
		o.After.URL, o.After.Title = clean, short(title)
	}
	b.page.URL, b.page.Title = clean, short(title)
}

// seen records what the recording asserts to be on the page: the last action's evidence.
func (b *builder) seen(t *capture.Target, text string) {
	o := b.last()
	if o == nil {
		return
	}
	if o.After == nil {
		o.After = &capture.State{URL: b.page.URL, Title: b.page.Title}
	}
	text = short(text)
	switch role := t.Role; {
	case role == "heading" && text != "":
		o.After.Headings = append(o.After.Headings, text)
	case role == "dialog" || role == "alertdialog":
		o.After.Dialogs = append(o.After.Dialogs, text)
	case (role == "alert" || role == "status") && text != "":
		o.After.Alerts = append(o.After.Alerts, text)
	default:
		b.leave("a check of something that is neither a heading, a dialog, a message nor a field")
		return
	}
	o.Changed = true
}

// keys removes from a whole row's text, by which codegen identifies it, the wording of the control in it, and keeps
// the words that the target page repeats: those identify the row's object.
func (b *builder) keys() {
	for i := range b.Observations {
		o := &b.Observations[i]
		t := o.Target
		if t == nil || t.Landmark == nil || t.Landmark.Role != "row" && t.Landmark.Role != "listitem" {
			continue
		}
		row := strings.TrimSpace(strings.TrimSuffix(t.Landmark.Name, " "+t.Name))
		if o.After != nil {
			said := " " + wordsOf(pathOf(o.After.URL)+" "+strings.Join(o.After.Headings, " ")+" "+o.After.Title) + " "
			before := " " + wordsOf(pathOf(b.Observations[i].Page.URL)) + " "
			words, best := strings.Fields(row), ""
			for from := range words {
				for to := from + 1; to <= len(words); to++ {
					run := strings.Join(words[from:to], " ")
					w := " " + wordsOf(run) + " "
					if len(run) > len(best) && len(run) > 2 && strings.Contains(said, w) && !strings.Contains(before, w) {
						best = run
					}
				}
			}
			if best != "" {
				row = best
			}
		}
		t.Landmark = &capture.Landmark{Role: t.Landmark.Role, Name: row}
	}
}

// wordsOf is a text's words without what separates them.
func wordsOf(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path + " " + u.RawQuery
}

// date gives the observations times, because recordings have none.
func (b *builder) date(now time.Time) {
	from := now.Add(-time.Duration(len(b.Observations)) * stepEvery)
	for i := range b.Observations {
		b.Observations[i].OccurredAt = from.Add(time.Duration(i) * stepEvery)
	}
}

// webAddress accepts only web pages, and removes credentials from the address.
func webAddress(s string) (string, bool) {
	if len(s) > maxText {
		return "", false
	}
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", false
	}
	u.User = nil
	return u.String(), true
}

func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	if p := u.Port(); p == "80" && u.Scheme == "http" || p == "443" && u.Scheme == "https" {
		host = strings.ToLower(u.Hostname())
	}
	return host
}

// short limits a text of the file like a page's text: one line, no control characters, bounded.
func short(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) // which would reverse the text that follows
	}), " ")
	return plain.CutBytes(s, 200)
}

// typed is an entered value: its field says whether it is secret.
func typed(text string, t *capture.Target) *capture.RawValue {
	return &capture.RawValue{Text: plain.CutBytes(text, maxText), InputType: t.InputType,
		FieldName: strings.TrimSpace(t.Label + " " + t.Name + " " + t.Placeholder + " " + lastLocator(t))}
}

// lastLocator is the structural locator of a field: its id or name may be the only hint at its purpose.
func lastLocator(t *capture.Target) string {
	for _, l := range slices.Backward(t.Locators) {
		if l.By == "css" || l.By == "testid" {
			return l.Value
		}
	}
	return ""
}

package compile

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/internal/plain"
)

// A word that somebody enters may stand on the page already and have nothing to do with it: the tag "new" on the page "A new dish" at
// /dishes/new. What stood there before the word was given, or stands there in another demonstration that gave another word, is the
// page's own text and stays as it is. A thing's name is another matter: it stands alone, as a heading or as what was clicked, before it
// is typed. One example is believed only about words that pages are made of: any other may be somebody's.

// wordsOfPages are words of pages and of their addresses that people enter as well.
var wordsOfPages = set("new edit create add all open closed close list view show more next previous back home start search find settings options profile " +
	"account admin detail details overview summary today week month year day draft drafts inbox sent archive archived active inactive done pending " +
	"status type name title date tag tags note notes item items order orders report reports help about public private default standard other page " +
	"pages main menu user users customer customers group groups project projects task tasks ticket tickets board boards file files document " +
	"documents message messages team teams event events calendar import export delete remove update change save copy move first last current recent " +
	"neu neue neuer alle offen heute bearbeiten nuevo nueva nouveau nouvelle tous todos nuovo nuova nieuw novo nova ny nytt")

// before is what a trace showed before its values were given, by place in the trace: twice the column, one more after its act.
type before struct {
	open   func(text string) string // a text with its masks opened
	stood  map[string]int           // text -> since when it is there
	given  map[string]int           // value -> when it was given first
	common map[string]bool          // texts that another demonstration, with other values, shows at the same step
}

// whenGiven tells every trace's generaliser what its pages showed when.
func (s *study) whenGiven() {
	for t, g := range s.gens {
		b := &before{open: s.openText, stood: map[string]int{}, given: map[string]int{}, common: map[string]bool{}}
		for i, c := range s.cols {
			if a := c.acts[t]; a != nil {
				b.takes(a, 2*i)
			}
			for _, r := range s.roundN[c] {
				if r.act != nil && r.trace == t {
					b.gives(s.open(r.act.value), 2*i)
				}
			}
			if a := c.acts[t]; a != nil && (a.supplies() || a.from != nil) {
				b.gives(s.open(a.value), 2*i)
			}
		}
		for _, c := range s.cols {
			for text, n := range s.alikeIn(c) {
				if n == len(s.in.Traces) && n > 1 {
					b.common[text] = true
				}
			}
		}
		g.before = b
	}
}

// alikeIn counts the demonstrations in which a step shows each text.
func (s *study) alikeIn(c *column) map[string]int {
	out := map[string]int{}
	for _, a := range c.acts {
		if a == nil {
			return nil
		}
		seen := map[string]bool{}
		for _, text := range append(ownTexts(a), append(stateTexts(a.stateBefore()), stateTexts(a.state())...)...) {
			if k := textKey(s.openText(text)); k != "" && !seen[k] {
				seen[k] = true
				out[k]++
			}
		}
	}
	return out
}

func (b *before) takes(a *act, at int) {
	see := func(texts []string, at int) {
		for _, text := range texts {
			k := textKey(b.open(text))
			if _, ok := b.stood[k]; !ok && k != "" {
				b.stood[k] = at
			}
		}
	}
	see(ownTexts(a), at)
	see(stateTexts(a.stateBefore()), at)
	see(stateTexts(a.state()), at+1)
}

func (b *before) gives(text string, at int) {
	text = strings.ToLower(plain.Squeeze(text))
	if _, ok := b.given[text]; !ok && text != "" {
		b.given[text] = at
	}
}

// ownTexts are the texts of a control and of its page that are not one thing among many.
func ownTexts(a *act) []string {
	var out []string
	if a.page != nil {
		out = append(out, a.page.URL, a.page.Title)
	}
	if t := a.target; t != nil {
		out = append(out, t.Href)
		if !dataLike(a) {
			out = append(out, t.Name, t.Label, t.Text)
			if t.Landmark != nil {
				out = append(out, t.Landmark.Name)
			}
		} else {
			out = append(out, targetName(t))
		}
	}
	return out
}

func stateTexts(s *capture.State) []string {
	return append(append([]string{s.URL, s.Title}, s.Headings...), s.Dialogs...)
}

func isAddress(s string) bool { return strings.HasPrefix(s, "/") || strings.Contains(s, "://") }

// textKey is a text for comparing; of an address its path.
func textKey(s string) string {
	if isAddress(s) {
		s = pathOf(s)
	}
	return strings.ToLower(plain.Squeeze(s))
}

// ownWord reports whether a value, found in a text, is there by chance: the text is as old as the page.
func (b *before) ownWord(value, text string) bool {
	value = strings.ToLower(plain.Squeeze(value))
	if plain.Digits(value) > 0 || len(plain.Words(value)) != 1 {
		return false
	}
	key := textKey(b.open(text))
	if key == value {
		return false
	}
	at, given := b.given[value]
	if !given { // but in another demonstration
		_, stood := b.stood[key]
		return stood && wordsOfPages[value]
	}
	if named, ok := b.stood[value]; ok && named <= at {
		return false // the name of a thing
	}
	since, stood := b.stood[key]
	return stood && since <= at && wordsOfPages[value] || b.common[key]
}

// plainAddresses are records in which an address is the one that it was before a word of pages that stands in it was entered: from then
// on it came masked, and would be another page's. Records are the caller's and stay as they are.
func plainAddresses(records []capture.Record, values map[string]string) []capture.Record {
	plain := map[string]bool{}
	masked := false
	for i := range records {
		for _, u := range addressesOf(&records[i]) {
			if maskForm.MatchString(*u) {
				masked = true
			} else {
				plain[pathOf(*u)] = true
			}
		}
	}
	if !masked {
		return records
	}
	out := slices.Clone(records)
	for i := range out {
		r := &out[i]
		if !slices.ContainsFunc(addressesOf(r), func(u *string) bool { return maskForm.MatchString(*u) }) {
			continue
		}
		r.Action.Page, r.Before, r.After = copied(r.Action.Page), copied(r.Before), copied(r.After)
		for _, u := range addressesOf(r) {
			path, rest, cut := strings.Cut(*u, "?")
			own := true
			open := maskForm.ReplaceAllStringFunc(path, func(m string) string {
				value := values[maskForm.FindStringSubmatch(m)[1]]
				own = own && wordsOfPages[strings.ToLower(value)]
				return value
			})
			if own && plain[pathOf(open)] {
				if *u = open; cut {
					*u += "?" + rest
				}
			}
		}
	}
	return out
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// addressesOf are the addresses of pages in a record.
func addressesOf(r *capture.Record) (out []*string) {
	if r.Action.Page != nil {
		out = append(out, &r.Action.Page.URL)
	}
	for _, s := range []*capture.State{r.Before, r.After} {
		if s != nil {
			out = append(out, &s.URL)
		}
	}
	return out
}

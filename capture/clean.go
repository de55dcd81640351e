package capture

import (
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"showhow/capture/lexical"
	"showhow/capture/redact"
)

// cleaner makes records out of observations. It belongs to the pipeline's one goroutine.
type cleaner struct {
	cfg    Config
	sealer *Sealer
	known  known
	rows   map[string]SealedRow // by link id
	found  memo[[]redact.Span]  // the redactor's answers on texts that come again and again
	linked memo[string]         // link ids
	chrome chrome               // what pages say by themselves
	named  memo[ValueKind]      // what fields declare
	looks  memo[ValueKind]      // what texts look like
}

func newCleaner(cfg Config, sealer *Sealer) *cleaner {
	c := &cleaner{cfg: cfg, sealer: sealer, rows: map[string]SealedRow{}}
	rand.Read(c.known.blots.salt[:]) // never fails: it ends the program instead
	return c
}

// learn makes the values of the target's earlier sessions known.
func (c *cleaner) learn(key []byte, rows []SealedRow) error {
	values, err := OpenSealed(key, rows)
	for _, row := range rows {
		v, ok := values[row.LinkID]
		if own := row.Kind != KindChoice && row.Kind != KindNumber || distinct(v); ok && own && row.Kind != KindBoolean { // a list's own option is known again once it is chosen
			c.known.add(v, knownValue{kind: row.Kind})
			c.addParts(&RawValue{}, v, row.Kind)
		}
	}
	return err
}

// job is the work on one observation: which links it mentions.
type job struct {
	*cleaner
	app   string
	links map[string]SealedRow
}

var errTooLong = errors.New("capture: an observation is too long")

// Bounds of details, in UTF-16 units and entries; the event's own are those of its schema.
const (
	maxRaw     = 32 << 10 // bytes of one raw text; a longer command is dropped, a longer text loses its end
	maxText    = 400
	maxLine    = 4096
	maxURL     = 2000
	maxList    = 12
	maxOptions = 50
	maxFields  = 40
	maxDetails = 20
	maxDetail  = 200 // characters: what is longer is a text, not a value
	maxTables  = 12
	maxFiles   = 50
)

// record makes the record of o. The person's own values come first, so that every text after them can be searched for them.
func (c *cleaner) record(o Observation, id string) (Record, error) {
	j := &job{cleaner: c, app: o.Origin.App, links: map[string]SealedRow{}}
	if o.Command != nil && len(o.Command.Line) > maxRaw {
		return Record{}, errTooLong
	}
	c.chrome.note(o.Target, o.Before)
	value, call := j.value(o.Value, true), j.call(o.Call)
	before, after := j.labelled(o.Before), j.labelled(o.After)

	rec := Record{TraceID: c.cfg.TraceID}
	a := &rec.Action
	a.Verb, a.Value = o.Verb, value
	a.OccurredAt = o.OccurredAt.Format(microseconds)
	a.Shell, a.Site, a.Keys = o.Origin.Shell, o.Origin.Site, j.keys(o.Keys)
	a.Device, a.PID = j.plain(o.Origin.Device, 160), o.Origin.PID
	a.MIDI = j.midi(o.MIDI)
	a.Target, a.Drop = j.target(o.Target), j.target(o.Drop)
	a.Call = call
	a.Page = j.page(o.Page)
	a.File = j.file(o.File)
	a.Dialog = j.dialog(o.Dialog)
	a.Command = j.command(o.Command)
	rec.Before, rec.After = j.state(o.Before, before), j.state(o.After, after)
	c.chrome.note(nil, o.After)
	rec.Event = j.event(o, &rec, id)
	for _, link := range slices.Sorted(maps.Keys(j.links)) {
		rec.Sealed = append(rec.Sealed, j.links[link])
	}
	return rec, nil
}

const microseconds = "2006-01-02T15:04:05.000000Z"

// seal puts a value into the vault and returns its masked form. Every record carries the rows of all links it mentions.
func (j *job) seal(kind ValueKind, text string) *Value {
	link := j.linked.get(text, j.sealer.LinkID)
	row, ok := j.rows[link]
	if !ok {
		row = j.sealer.Seal(j.cfg.SessionID, kind, text, j.cfg.Now())
		j.rows[link] = row
	}
	j.links[link] = row
	return &Value{Policy: Masked, Kind: kind, Length: utf8.RuneCountInString(lexical.Normal(text)), LinkID: link}
}

// text is the one way for any text into a record: home as ~, secrets out, known values masked.
func (j *job) text(s string, limit int) string {
	return redact.Cut(j.mask(j.redact(s)), limit)
}

// plain is text without the search for known values, for the page's own lists of options.
func (j *job) plain(s string, limit int) string { return redact.Cut(j.redact(s), limit) }

func (j *job) texts(in []string, entries int) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, 0, min(len(in), entries))
	for _, s := range in[:min(len(in), entries)] {
		out = append(out, j.text(s, maxText))
	}
	return out
}

// redact takes the secrets out of s. A personal identifier that the person typed keeps its link.
func (j *job) redact(s string) string {
	if s == "" {
		return ""
	}
	s = j.homeless(norm.NFC.String(redact.Clean(cutRaw(s))))
	s = j.knownSecrets(s)
	spans := j.secrets(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.Start])
		b.WriteString(j.token(s[sp.Start:sp.End], sp.Kind))
		at = sp.End
	}
	b.WriteString(s[at:])
	return b.String()
}

func (j *job) token(secret string, kind redact.Kind) string {
	if kind.Personal() {
		if v, ok := j.known.byText[lexical.Fold(lexical.Normal(secret))]; ok && v.secret == "" {
			return j.seal(v.kind, secret).Mask()
		}
	}
	return redact.Token(kind)
}

// secrets asks the redactor.
func (j *job) secrets(s string) []redact.Span { return j.found.get(s, j.cfg.Redactor.Find) }

// memo remembers answers about short texts: pages and fields come again and again.
type memo[T any] map[string]T

const (
	memoLength  = 512
	memoEntries = 4096
)

func (m *memo[T]) get(s string, ask func(string) T) T {
	if v, ok := (*m)[s]; ok {
		return v
	}
	v := ask(s)
	if len(s) <= memoLength {
		if *m == nil || len(*m) >= memoEntries {
			*m = memo[T]{}
		}
		(*m)[s] = v
	}
	return v
}

// knownSecrets replaces what the person entered into a secret field before, wherever it comes back.
func (j *job) knownSecrets(s string) string {
	return j.known.replace(s, func(m match, text string) (string, bool) {
		if m.value.secret == "" || m.value.secret == redact.Name {
			return "", false
		}
		return redact.Token(m.value.secret), true
	})
}

// mask replaces known values by their masks.
func (j *job) mask(s string) string {
	return j.known.replace(s, func(m match, text string) (string, bool) {
		if m.value.secret != "" {
			return redact.Token(m.value.secret), true
		}
		return j.seal(m.value.kind, text).Mask(), true
	})
}

// replace applies fn to the matches of every stretch of s that is no mask or token.
func (k *known) replace(s string, fn func(m match, text string) (string, bool)) string {
	if k.empty() {
		return s
	}
	var b strings.Builder
	at := 0
	for _, part := range redact.Readable(s) {
		for _, m := range k.find(s[part[0]:part[1]]) {
			start, end := part[0]+m.start, part[0]+m.end
			if out, ok := fn(m, s[start:end]); ok {
				b.WriteString(s[at:start])
				b.WriteString(out)
				at = end
			}
		}
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return b.String()
}

// homeless writes the person's home as ~.
func (j *job) homeless(s string) string {
	home := strings.TrimRight(j.cfg.Home, `/\`)
	if len(home) < 2 || !strings.Contains(s, home) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, home)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := i + len(home)
		whole := (end == len(s) || !lexical.IsWord(rune(s[end])) && s[end] != '-' && s[end] != '_' && s[end] != '.') && (i == 0 || !lexical.IsWord(rune(s[i-1])) && s[i-1] != '/')
		b.WriteString(s[:i])
		if whole {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		s = s[end:]
	}
}

// cutRaw bounds the work on one text; it cuts at white space so that no secret is halved into something unrecognisable.
func cutRaw(s string) string {
	if len(s) <= maxRaw {
		return s
	}
	s = s[:maxRaw]
	if i := strings.LastIndexAny(s, " \t\n"); i > 0 {
		return s[:i]
	}
	return ""
}

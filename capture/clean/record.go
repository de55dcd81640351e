package clean

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/seal"
	"showhow/capture/secret"
)

// Config is what a cleaner needs to know about its session.
type Config struct {
	SessionID string
	TraceID   string
	Home      string // shown as ~
	Values    capture.ValuePolicy
	Redactor  *redact.Redactor
	Now       func() time.Time
	Shown     func(text string) *capture.Shown // where a document that was read has a text; nil: none is read
}

// Cleaner turns observations into records. It belongs to the pipeline's goroutine.
type Cleaner struct {
	cfg    Config
	sealer *seal.Sealer
	known  recall.Values
	rows   map[string]capture.SealedRow    // by link id
	found  lexical.Memo[[]redact.Span]     // the redactor's answers on texts that come again and again
	linked lexical.Memo[string]            // link ids
	named  lexical.Memo[capture.ValueKind] // what fields declare
	looks  lexical.Memo[capture.ValueKind] // what texts look like
	items  []pickedItem                    // the last ones
}

func New(cfg Config, sealer *seal.Sealer) *Cleaner {
	c := &Cleaner{cfg: cfg, sealer: sealer, rows: map[string]capture.SealedRow{}}
	c.known.Init()
	return c
}

// Salt is the key under which adapters hash what must stay unreadable. Memory only.
func (c *Cleaner) Salt() capture.Salt { return c.known.Blots.Salt }

// Blot makes texts unreadable, given their hashes under Salt.
func (c *Cleaner) Blot(all []capture.Blot) { c.known.Blots.Add(all) }

// SetPolicy replaces the policy for the values of the next records.
func (c *Cleaner) SetPolicy(p capture.ValuePolicy) { c.cfg.Values = p }

// Learn makes the values of the target's earlier sessions known.
func (c *Cleaner) Learn(key []byte, rows []capture.SealedRow) error {
	values, err := seal.Open(key, rows)
	for _, row := range rows {
		v, ok := values[row.LinkID]
		if row.Kind == capture.KindPlace {
			continue // nobody entered it
		}
		// a list's own option becomes known again once it is chosen
		if own := row.Kind != capture.KindChoice && row.Kind != capture.KindNumber || distinct(v); ok && own && row.Kind != capture.KindBoolean {
			c.known.Add(v, recall.Value{Kind: row.Kind})
			c.known.AddNames(&capture.RawValue{}, v, row.Kind)
		}
	}
	return err
}

// The work on one observation is layered: texts, the values among them, addresses made of both, and the record (job).

// texts is the only way for a text into a record, and remembers which links it mentions.
type texts struct {
	*Cleaner
	links map[string]capture.SealedRow
}

// values applies the session's policy to the content of fields.
type values struct {
	*texts
	app string
}

// job makes the record of one observation.
type job struct{ addresses }

func (c *Cleaner) job(app string) *job {
	return &job{addresses{&values{texts: &texts{Cleaner: c, links: map[string]capture.SealedRow{}}, app: app}}}
}

var errTooLong = errors.New("capture: an observation is too long")

// Bounds of details, in UTF-16 units and entries; the event's own bounds are those of its schema.
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
	MaxFiles   = 50
)

// Record makes the record of o. The person's own values are processed first, so that every later text can be searched
// for them.
func (c *Cleaner) Record(o capture.Observation, id string) (capture.Record, error) {
	j := c.job(o.Origin.App)
	if o.Command != nil && len(o.Command.Line) > maxRaw {
		return capture.Record{}, errTooLong
	}
	c.known.Note(o.Target, o.Before)
	value, call := j.value(o.Value, true), j.call(o.Call)
	before, after := j.labelled(o.Before), j.labelled(o.After)

	rec := capture.Record{TraceID: c.cfg.TraceID}
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
	a.Mentions = j.mentions(o, id)
	c.known.Note(nil, o.After)
	rec.Event = j.event(o, &rec, id)
	for _, link := range slices.Sorted(maps.Keys(j.links)) {
		rec.Sealed = append(rec.Sealed, j.links[link])
	}
	return rec, nil
}

const microseconds = "2006-01-02T15:04:05.000000Z"

// seal puts a value into the vault and returns its masked form. Every record carries the rows of all links it
// mentions.
func (t *texts) seal(kind capture.ValueKind, text string) *capture.Value {
	link := t.linked.Get(text, t.sealer.LinkID)
	row, ok := t.rows[link]
	if !ok {
		row = t.sealer.Seal(t.cfg.SessionID, kind, text, t.cfg.Now())
		t.rows[link] = row
	}
	t.links[link] = row
	return &capture.Value{Policy: capture.Masked, Kind: kind, Length: utf8.RuneCountInString(lexical.Normal(text)), LinkID: link}
}

// text is the only way for a text into a record: home becomes ~, secrets are removed, known values masked.
func (t *texts) text(s string, limit int) string {
	return secret.Cut(t.mask(t.redact(s)), limit)
}

// plain is text without the search for known values, for the page's own lists of options.
func (t *texts) plain(s string, limit int) string { return secret.Cut(t.redact(s), limit) }

func (t *texts) textList(in []string, entries int) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, 0, min(len(in), entries))
	for _, s := range in[:min(len(in), entries)] {
		out = append(out, t.text(s, maxText))
	}
	return out
}

// redact removes the secrets from s. A personal identifier that the person typed keeps its link.
func (t *texts) redact(s string) string {
	if s == "" {
		return ""
	}
	s = t.homeless(norm.NFC.String(redact.Clean(cutRaw(s))))
	s = t.knownSecrets(s)
	spans := t.secrets(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.Start])
		b.WriteString(t.token(s[sp.Start:sp.End], sp.Kind))
		at = sp.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// token replaces a secret: a mask for a personal identifier that the person typed, else a token.
func (t *texts) token(found string, kind secret.Kind) string {
	if kind.Personal() {
		if v, ok := t.known.Of(found); ok && v.Secret == "" {
			return t.seal(v.Kind, found).Mask()
		}
	}
	return secret.Token(kind)
}

// secrets asks the redactor.
func (t *texts) secrets(s string) []redact.Span { return t.found.Get(s, t.cfg.Redactor.Find) }

// knownSecrets replaces what the person entered into a secret field earlier, wherever it occurs again.
func (t *texts) knownSecrets(s string) string {
	return t.known.Replace(s, func(m recall.Match, text string) (string, bool) {
		if m.Value.Secret == "" || m.Value.Secret == secret.Name {
			return "", false
		}
		return secret.Token(m.Value.Secret), true
	})
}

// mask replaces known values by their masks.
func (t *texts) mask(s string) string {
	return t.known.Replace(s, func(m recall.Match, text string) (string, bool) {
		if m.Value.Secret != "" {
			return secret.Token(m.Value.Secret), true
		}
		return t.seal(m.Value.Kind, text).Mask(), true
	})
}

// homeless writes the person's home as ~.
func (t *texts) homeless(s string) string {
	home := strings.TrimRight(t.cfg.Home, `/\`)
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
		whole := (end == len(s) || !lexical.IsWord(rune(s[end])) && s[end] != '-' && s[end] != '_' && s[end] != '.') &&
			(i == 0 || !lexical.IsWord(rune(s[i-1])) && s[i-1] != '/')
		b.WriteString(s[:i])
		if whole {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		s = s[end:]
	}
}

// cutRaw bounds the work on one text; it cuts at white space so that no secret is halved into something
// unrecognisable.
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

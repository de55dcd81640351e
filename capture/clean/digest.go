package clean

import (
	"path"
	"strings"
	"time"

	"showhow/capture"
	"showhow/capture/recall"
	"showhow/internal/lazyre"
)

// target keeps what is needed to find the target again by meaning. The content of a row, a cell or a list item is
// other people's data (decisions B3): it is sealed and replaced by a mask.
func (j *job) target(t *capture.Target) *capture.Target {
	if t == nil {
		return nil
	}
	out := *t
	data := !t.OfEveryRow && (capture.IsData(t.Role) || t.Landmark != nil && capture.IsRow(t.Landmark.Role) && t.Role == "link")
	if data {
		out.Name, out.Text = j.data(t.Name), j.data(t.Text)
	} else {
		out.Name, out.Text = j.text(t.Name, maxText), j.text(t.Text, maxText)
	}
	if t.Landmark != nil {
		l := capture.Landmark{Role: j.plain(t.Landmark.Role, 40), Name: j.text(t.Landmark.Name, maxText)}
		if capture.IsRow(t.Landmark.Role) {
			l.Name = j.data(t.Landmark.Name)
		}
		out.Landmark = &l
	}
	if t.Shows != capture.ShowsSection && t.Shows != capture.ShowsPage {
		out.Shows = ""
	}
	if t.Sends != capture.SendsForm {
		out.Sends = ""
	}
	if _, err := time.Parse(time.RFC3339, t.CountedAt); err != nil {
		out.CountedAt = ""
	}
	out.Role, out.Tag, out.InputType = j.plain(t.Role, 40), j.plain(t.Tag, 80), j.plain(t.InputType, 40)
	out.Label, out.Placeholder = j.text(t.Label, maxText), j.text(t.Placeholder, maxText)
	out.Options, out.ItemTexts = nil, nil
	for _, o := range t.Options[:min(len(t.Options), maxOptions)] {
		out.Options = append(out.Options, j.plain(o, maxText))
	}
	out.Href, _ = j.url(t.Href)
	if strings.Contains(t.Frame, "/") {
		out.Frame, _ = j.url(t.Frame)
	} else {
		out.Frame = j.text(t.Frame, maxText)
	}
	out.Locators = nil
	for _, l := range t.Locators[:min(len(t.Locators), maxList)] {
		l.Role = j.plain(l.Role, 40)
		if data && !bare[l.By] {
			l.Value = j.data(l.Value)
		} else {
			l.Value = j.text(l.Value, maxText)
		}
		out.Locators = append(out.Locators, l)
	}
	return &out
}

// bare are the locators that contain nothing of the target's text: a cell's placeholder is the name of its column.
var bare = map[string]bool{"css": true, "placeholder": true, "structure": true, "testid": true, "sent": true, "drawn": true, "spot": true,
	"over": true}

// data seals page content; content with a secret in it is not sealed. It becomes a known value, so that locators that
// repeat it are masked as well.
func (vals *values) data(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxRaw {
		return ""
	}
	out := vals.redact(s)
	if out != s && out != vals.homeless(s) {
		return vals.text(s, maxText)
	}
	kind := Infer(s)
	if v, ok := vals.known.Of(s); ok {
		if v.Secret != "" {
			return vals.text(s, maxText)
		}
		kind = v.Kind
	}
	if distinct(s) {
		vals.known.Add(s, recall.Value{Kind: kind})
	}
	return vals.seal(kind, s).Mask()
}

// distinct: a text that no label would share by chance.
func distinct(s string) bool { return strings.ContainsAny(s, " 0123456789@") }

func (j *job) page(p *capture.Page) *capture.Page {
	if p == nil {
		return nil
	}
	out := capture.Page{Title: j.text(p.Title, maxText), Tab: j.plain(p.Tab, 40)}
	out.URL, out.Pattern = j.url(p.URL)
	return &out
}

var hashRE = lazyre.New(`^[0-9a-f]{64}$`) // sha256

func (j *job) file(f *capture.File) *capture.File {
	if f == nil {
		return nil
	}
	out := *f
	out.Name = j.base(f.Name, maxText)
	if path.Base(slashes(f.Path)) == path.Base(slashes(f.Name)) {
		out.Name = j.base(f.Path, maxText)
	}
	out.Path, out.From, out.Folder = j.text(f.Path, maxText), j.text(f.From, maxText), j.text(f.Folder, maxText)
	out.Ext, out.Hash = j.plain(f.Ext, 20), ""
	if hashRE.MatchString(f.Hash) {
		out.Hash = f.Hash
	}
	return &out
}

// base is the last element of a path, "" if there is none. Secrets are removed first: what identifies one in the last
// element may precede it.
func (t *texts) base(whole string, limit int) string {
	if whole == "" {
		return ""
	}
	return t.text(path.Base(t.text(slashes(whole), maxRaw)), limit)
}

func slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func (j *job) dialog(d *capture.DialogInfo) *capture.DialogInfo {
	if d == nil {
		return nil
	}
	return &capture.DialogInfo{Type: j.plain(d.Type, 40), Message: j.text(d.Message, maxText), Accepted: d.Accepted}
}

// labelled are a digest's labelled values, with the policy applied.
type labelled struct{ fields, details []capture.Field }

// labelled applies the policy to a digest's values before any of its texts is processed. The details of a page are
// treated like the content of a field.
func (vals *values) labelled(s *capture.State) (out labelled) {
	if s == nil {
		return out
	}
	for _, f := range s.Fields[:min(len(s.Fields), maxFields)] {
		out.fields = append(out.fields, vals.field(f))
	}
	for _, f := range s.Details[:min(len(s.Details), maxDetails)] {
		if f.Raw != nil && len(f.Raw.Text) > 4*maxDetail {
			f.Raw = nil
		}
		out.details = append(out.details, vals.field(f))
	}
	return out
}

func (vals *values) field(f capture.Field) capture.Field {
	kept := capture.Field{Role: f.Role}
	if raw := f.Raw; raw != nil {
		with := *raw
		with.FieldName = strings.TrimSpace(with.FieldName + " " + f.Label)
		kept.Value = vals.value(&with, false)
	}
	return kept
}

func (j *job) state(s *capture.State, values labelled) *capture.State {
	if s == nil {
		return nil
	}
	out := &capture.State{
		Title: j.text(s.Title, maxText), Headings: j.textList(s.Headings, maxList), Dialogs: j.textList(s.Dialogs, maxList),
		Alerts: j.textList(s.Alerts, maxList), Invalid: j.textList(s.Invalid, maxFields), Focus: j.text(s.Focus, maxText),
		Cwd: j.text(s.Cwd, maxText),
	}
	out.URL, _ = j.url(s.URL)
	for _, t := range s.Tables[:min(len(s.Tables), maxTables)] {
		out.Tables = append(out.Tables, capture.Table{Name: j.text(t.Name, maxText), Columns: j.textList(t.Columns, maxFields), Rows: t.Rows,
			Total: t.Total})
	}
	for i, f := range values.fields {
		f.Label, f.Role = j.text(s.Fields[i].Label, maxText), j.plain(s.Fields[i].Role, 40)
		out.Fields = append(out.Fields, f)
	}
	for i, f := range values.details {
		f.Label, f.Role = j.text(s.Details[i].Label, maxText), j.plain(s.Details[i].Role, 40)
		out.Details = append(out.Details, f)
	}
	for i := range s.Files[:min(len(s.Files), MaxFiles)] {
		out.Files = append(out.Files, *j.file(&s.Files[i]))
	}
	return out
}

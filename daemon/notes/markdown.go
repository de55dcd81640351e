package notes

import (
	"bytes"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// The kinds of documents.
const (
	KindNote     = "note"
	KindTask     = "task"
	KindCaptured = "captured"
)

// prefixes and folders of the kinds.
var (
	prefixes = map[string]string{KindNote: "nte_", KindTask: "tsk_", KindCaptured: "inb_"}
	folders  = map[string]string{KindNote: "notes", KindTask: "tasks", KindCaptured: "captured"}
)

// Doc is what the head and the text of a file say.
type Doc struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	Title    string            `json:"title"`
	Tags     []string          `json:"tags,omitempty"`
	Links    []string          `json:"links,omitempty"`
	Sources  []wire.NoteSource `json:"sources,omitempty"`
	Status   string            `json:"status,omitempty"`
	Priority string            `json:"priority,omitempty"`
	Due      string            `json:"due,omitempty"`
	Project  string            `json:"project,omitempty"`
	Source   string            `json:"source,omitempty"`
	Cycle    string            `json:"cycle_id,omitempty"`
	Review   string            `json:"next_review_at,omitempty"`
	Blocker  string            `json:"blocked_by_task_id,omitempty"`
	Created  clock.Time        `json:"created_at"`
	Updated  clock.Time        `json:"updated_at"`
	By       string            `json:"by,omitempty"` // the agent that made it
	Excerpt  string            `json:"excerpt,omitempty"`
	Problem  string            `json:"problem,omitempty"`
	Format   int               `json:"format,omitempty"` // of the index, when it was indexed
	Masked   *beginning        `json:"masked,omitempty"` // without secrets, where that is something else
	Body     string            `json:"-"`
	whole    string            // the title, however long
}

// beginning is the title and the beginning of a text, each cut to the length that lists show.
type beginning struct {
	Title   string `json:"title"`
	Excerpt string `json:"excerpt"`
}

func begins(title, body string) beginning {
	return beginning{plain.Cut(title, 200), plain.Cut(strings.Join(strings.Fields(body), " "), excerptLength)}
}

// head is the front matter as it is read; what else a person writes into it stays.
type head struct {
	ID       string   `yaml:"id"`
	Title    string   `yaml:"title"`
	Tags     []string `yaml:"tags"`
	Links    []string `yaml:"links"`
	Sources  []source `yaml:"sources"`
	Status   string   `yaml:"status"`
	Priority string   `yaml:"priority"`
	Due      string   `yaml:"due"`
	Project  string   `yaml:"project"`
	Source   string   `yaml:"source"`
	Cycle    string   `yaml:"cycle_id"`
	Review   string   `yaml:"next_review_at"`
	Blocker  string   `yaml:"blocked_by_task_id"`
	Created  string   `yaml:"created_at"`
	Updated  string   `yaml:"updated_at"`
	By       string   `yaml:"created_by"`
}

type source struct {
	Type  string `yaml:"type"`
	Value string `yaml:"value"`
}

// maxHead is the longest front matter that is read.
const maxHead = 64 << 10

// page is a file taken apart.
type page struct {
	head *yaml.Node // a mapping
	body string
}

var errHead = fault.New(fault.NotesInvalid, "the head of the file cannot be read").
	WithHint("it is YAML between two lines of three dashes; mend it in the file")

// split takes a file apart. Without a head the whole is text.
func split(text string) (page, error) {
	p := page{head: &yaml.Node{Kind: yaml.MappingNode}}
	s := strings.TrimPrefix(text, "\ufeff")
	first, rest, ok := strings.Cut(s, "\n")
	if !ok || strings.TrimRight(first, "\r ") != "---" {
		p.body = s
		return p, nil
	}
	end := -1
	for at := 0; at < len(rest) && at <= maxHead; {
		line, _, more := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, "\r ") == "---" {
			end = at
			p.body = strings.TrimPrefix(rest[min(len(rest), at+len(line)+1):], "\n")
			break
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	if end < 0 {
		p.body = s
		return p, errHead
	}
	var doc yaml.Node
	if yaml.Unmarshal([]byte(rest[:end]), &doc) != nil || len(doc.Content) > 0 && doc.Content[0].Kind != yaml.MappingNode {
		return p, errHead
	}
	if len(doc.Content) > 0 {
		p.head = doc.Content[0]
	}
	return p, nil
}

// bytes puts a file together.
func (p page) bytes() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("---\n")
	if len(p.head.Content) > 0 {
		e := yaml.NewEncoder(&b)
		e.SetIndent(2)
		if err := e.Encode(p.head); err != nil {
			return nil, err
		}
		if err := e.Close(); err != nil {
			return nil, err
		}
	}
	b.WriteString("---\n\n" + p.body)
	if !strings.HasSuffix(p.body, "\n") && p.body != "" {
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// set writes a field of the head; nil removes it.
func (p page) set(key string, v any) error {
	var n *yaml.Node
	if v != nil {
		n = &yaml.Node{}
		if err := n.Encode(v); err != nil {
			return err
		}
		if s, ok := v.(string); ok { // a date is a text here
			n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
		}
	}
	c := p.head.Content
	for i := 0; i+1 < len(c); i += 2 {
		if c[i].Value != key {
			continue
		}
		if n == nil {
			p.head.Content = append(c[:i:i], c[i+2:]...)
		} else {
			n.LineComment = c[i+1].LineComment
			c[i+1] = n
		}
		return nil
	}
	if n != nil {
		p.head.Content = append(c, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, n)
	}
	return nil
}

var knownID = lazyre.New(`^(nte|tsk|inb)_[A-Za-z0-9]{1,80}$`)

// derivedID is the id of a file that has none of its own: it follows from the path.
func derivedID(name string) string {
	return prefixes[KindNote] + "f" + short(name, 13)
}

// excerptLength is how much of a text lists show.
const excerptLength = 280

// read makes a document of a file. It never fails: what cannot be read is said in Problem.
func read(name string, data []byte) Doc {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(data), "\uFFFD"), "\r\n", "\n")
	p, err := split(text)
	var h head
	d := Doc{Body: p.body}
	if err == nil {
		err = p.head.Decode(&h)
	}
	if err != nil {
		d.Problem = "head"
	}
	d.ID, d.Title = h.ID, strings.Join(strings.Fields(h.Title), " ")
	if !knownID.MatchString(d.ID) {
		d.ID = derivedID(name)
	}
	for k, prefix := range prefixes {
		if strings.HasPrefix(d.ID, prefix) {
			d.Kind = k
		}
	}
	d.Tags, d.Links, d.Status, d.Priority, d.Due, d.Project, d.Source = h.Tags, h.Links, h.Status, h.Priority, h.Due, h.Project, h.Source
	d.Cycle, d.Review, d.Blocker, d.By = h.Cycle, h.Review, h.Blocker, h.By
	for _, s := range h.Sources {
		d.Sources = append(d.Sources, wire.NoteSource{Type: s.Type, Value: s.Value})
	}
	d.Created, d.Updated = when(h.Created), when(h.Updated)
	if d.Updated.IsZero() {
		d.Updated = d.Created
	}
	if d.Title == "" {
		d.Title = titleOf(name, p.body)
	}
	d.whole = d.Title
	b := begins(d.whole, d.Body)
	d.Title, d.Excerpt = b.Title, b.Excerpt
	if d.Kind == KindTask {
		if !taskStatus[d.Status] {
			d.Status, d.Problem = "todo", or(d.Problem, "status")
		}
		if _, err := time.Parse(time.DateOnly, d.Due); d.Due != "" && err != nil {
			d.Due, d.Problem = "", or(d.Problem, "due")
		}
	}
	if d.Kind == KindCaptured && d.Status != "archived" {
		d.Status = "open"
	}
	return d
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var taskStatus = map[string]bool{"todo": true, "in_progress": true, "done": true, "cancelled": true}

// open reports whether a task is still to be done.
func (d Doc) open() bool { return d.Status == "todo" || d.Status == "in_progress" }

func when(s string) clock.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return clock.Time{}
	}
	return clock.At(t)
}

// titleOf is the title of a file without one: its first heading, else its name.
func titleOf(name, body string) string {
	for line := range strings.Lines(plain.Cut(body, 4000)) {
		if t, ok := strings.CutPrefix(line, "# "); ok && strings.TrimSpace(t) != "" {
			return strings.TrimSpace(t)
		}
	}
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// item is a document as lists show it.
func (r Row) item() wire.NoteItem {
	d := r.Doc
	return wire.NoteItem{ID: d.ID, Kind: d.Kind, Title: d.Title, Path: r.Path, Excerpt: d.Excerpt, Tags: d.Tags, Links: d.Links,
		Sources: d.Sources, Status: d.Status, Priority: d.Priority, Due: d.Due, Project: d.Project, Source: d.Source, CycleID: d.Cycle,
		NextReviewAt: d.Review, BlockedByTaskID: d.Blocker, CreatedBy: d.By, Problem: d.Problem,
		CreatedAt: d.Created, UpdatedAt: d.Updated}
}

// masked is an item as an agent gets it. What is cut was masked before: half a secret looks like none.
func (r Row) masked(i wire.NoteItem, redact func(string) string) wire.NoteItem {
	if m := r.Doc.Masked; m != nil {
		i.Title, i.Excerpt = m.Title, m.Excerpt
	}
	each := func(list []string) []string {
		out := make([]string, 0, len(list))
		for _, s := range list {
			out = append(out, redact(s))
		}
		return out
	}
	for _, s := range []*string{&i.Title, &i.Path, &i.Excerpt, &i.Body, &i.Project, &i.Source, &i.Status, &i.Priority, &i.Due, &i.CycleID,
		&i.NextReviewAt, &i.BlockedByTaskID, &i.CreatedBy} {
		*s = redact(*s)
	}
	i.Tags, i.Links = each(i.Tags), each(i.Links)
	var from []wire.NoteSource
	for _, s := range i.Sources {
		from = append(from, wire.NoteSource{Type: redact(s.Type), Value: redact(s.Value)})
	}
	i.Sources = from
	return i
}

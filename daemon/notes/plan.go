package notes

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/notes/folder"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// plan collects what a change set writes. Its actions see each other's effects.
type plan struct {
	s     *Service
	tx    Tx
	by    Actor
	at    clock.Time
	names map[string]bool // of files, without case
	Change
}

func (s *Service) newPlan(tx Tx, by Actor) *plan {
	p := &plan{s: s, tx: tx, by: by, at: s.o.Now(), names: map[string]bool{}}
	p.ChangeSet = wire.ChangeSet{ChangeSetID: s.id("chg_"), Actor: by.wire(), Status: "proposed", CreatedAt: p.at, Diff: []string{}}
	p.Writes = map[string]Content{}
	for name := range s.state.Files {
		p.names[strings.ToLower(name)] = true
	}
	for _, name := range s.state.Skipped {
		p.names[strings.ToLower(name)] = true
	}
	return p
}

// fresh is the path of a new document: no other file has it, whatever its case. It has no secret of the title, because
// names are listed, logged and copied more freely than texts.
func (p *plan) fresh(d Doc) string {
	tail := d.ID[strings.IndexByte(d.ID, '_')+1:]
	for n := 6; ; n++ {
		end := tail[max(0, len(tail)-n):]
		name := path.Join(folders[d.Kind], slug(p.s.redact(d.Title))+"-"+end+".md")
		if n >= len(tail) || !p.names[strings.ToLower(name)] {
			p.names[strings.ToLower(name)] = true
			return name
		}
	}
}

// entry is a field of a head.
type entry struct {
	key   string
	value any
}

// create adds a new file.
func (p *plan) create(d Doc, fields []entry) (Doc, error) {
	pg, err := split("")
	if err != nil {
		return d, err
	}
	d.ID, d.Created, d.Updated, d.By = p.s.id(prefixes[d.Kind]), p.at, p.at, p.by.Agent
	all := append([]entry{{"id", d.ID}, {"title", d.Title}}, fields...)
	all = append(all, entry{"created_at", p.at.String()}, entry{"updated_at", p.at.String()}, entry{"created_by", d.By})
	for _, e := range all {
		if v, ok := e.value.(string); ok && v == "" {
			continue
		}
		if err := pg.set(e.key, e.value); err != nil {
			return d, err
		}
	}
	pg.body = d.Body
	b, err := pg.bytes()
	if err != nil {
		return d, err
	}
	name := p.fresh(d)
	if err := readsBack(name, "", string(b), d.ID, all); err != nil {
		return d, err
	}
	p.put(name, Content{Text: string(b)}, "")
	p.Summary.Creates++
	return d, nil
}

func (p *plan) put(name string, c Content, was string) {
	p.Writes[name] = c
	p.Diff = append(p.Diff, diff(name, was, c.Text, c.Remove)...)
	if p.by.Agent != "" { // whole texts are masked, because a secret may have several lines
		p.Shown = append(p.Shown, diff(p.s.redact(name), p.s.redact(was), p.s.redact(c.Text), c.Remove)...)
	}
}

// find is a document by its id, as this change set leaves it.
func (p *plan) find(id string) (Row, string, error) {
	for name, c := range p.Writes {
		if d := read(name, []byte(c.Text)); d.ID == id {
			return Row{Path: name, Doc: d}, c.Text, nil
		}
	}
	r, ok, err := p.tx.NoteByID(id)
	if err != nil {
		return r, "", err
	}
	if !ok {
		return r, "", noSuchNote()
	}
	b, err := p.s.folder.Read(r.Hash)
	return r, string(b), err
}

// update changes fields of a file's head, and nothing else of it.
func (p *plan) update(r Row, text string, fields []entry) error {
	if !utf8.ValidString(text) { // a change set is JSON, which would replace what is not
		return fault.New(fault.NotesInvalid, "the file is not UTF-8 throughout, so it cannot be changed here").
			WithHint("save it as UTF-8 in your editor, then try again").WithDetail("id", r.Doc.ID)
	}
	pg, err := split(text)
	if err == nil {
		var h head
		err = pg.head.Decode(&h)
	}
	if err != nil {
		return errHead
	}
	fields = slices.Concat([]entry{{"id", r.Doc.ID}}, fields, []entry{{"updated_at", p.at.String()}})
	for _, e := range fields {
		if err := pg.set(e.key, e.value); err != nil {
			return err
		}
	}
	b, err := pg.bytes()
	if err != nil {
		return err
	}
	if err := readsBack(r.Path, text, string(b), r.Doc.ID, fields); err != nil {
		return err
	}
	c, planned := p.Writes[r.Path]
	if !planned {
		c.Base = r.Hash
	}
	c.Text = string(b)
	p.put(r.Path, c, text)
	if !planned {
		p.Summary.Updates++
	}
	return nil
}

// readsBack refuses a text that would not be read as it is meant: with this id, the fields as they are set, and all other
// fields as they were.
func readsBack(name, was, is, id string, set []entry) error {
	var before, after head
	old, err := split(was)
	if err == nil {
		err = old.head.Decode(&before)
	}
	if err != nil {
		return errHead
	}
	pg, err := split(strings.ReplaceAll(is, "\r\n", "\n"))
	if err != nil && strings.Index(is[min(len(is), 4):], "\n---\n") > maxHead {
		return fault.New(fault.NotesInvalid, "the head of the file would be longer than 64 KiB").
			WithHint("give fewer or shorter sources, tags and links; long texts belong into the body")
	}
	if err == nil {
		err = pg.head.Decode(&after)
	}
	d := read(name, []byte(is))
	if err == nil && d.ID == id && (d.Problem == "" || d.Problem == read(name, []byte(was)).Problem) && sameHead(before, after, set) {
		return nil
	}
	return fault.New(fault.NotesInvalid, "the file would not read back as it is meant").
		WithHint("its head must be plain YAML, without anchors (&name) and aliases (*name); mend it in the file").WithDetail("id", id)
}

// sameHead is whether after is before with the fields that are set.
func sameHead(before, after head, set []entry) bool {
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	for i := range a.NumField() {
		key := a.Type().Field(i).Tag.Get("yaml")
		want, got := a.Field(i), b.Field(i)
		for _, e := range set {
			if e.key == key && e.value != nil {
				want = reflect.ValueOf(e.value)
			} else if e.key == key {
				want = reflect.Zero(want.Type())
			}
		}
		if want.Len()+got.Len() > 0 && !reflect.DeepEqual(want.Interface(), got.Interface()) {
			return false
		}
	}
	return true
}

func (p *plan) createTask(t wire.TaskCreate) (Doc, error) {
	d := Doc{Kind: KindTask, Title: p.clean(t.Title), Status: t.Status, Priority: t.Priority, Due: t.Due, Project: p.clean(t.Project),
		Source: p.clean(t.Source), Cycle: t.CycleID, Review: t.NextReviewAt, Blocker: t.BlockedByTaskID}
	if err := p.blockable("", d.Blocker); err != nil {
		return d, err
	}
	if err := p.duplicates(d, func(o Doc) bool { return o.open() }); err != nil {
		return d, err
	}
	return p.create(d, []entry{{"status", d.Status}, {"priority", d.Priority}, {"due", d.Due}, {"project", d.Project}, {"source", d.Source},
		{"cycle_id", d.Cycle}, {"next_review_at", d.Review}, {"blocked_by_task_id", d.Blocker}})
}

func (p *plan) appendNote(n wire.NoteAppend) (Doc, error) {
	d := Doc{Kind: KindNote, Title: p.clean(n.Title), Body: p.clean(n.Body)}
	var from []source
	for _, s := range n.Sources {
		from = append(from, source{s.Type, p.clean(s.Value)})
	}
	var fields []entry
	if len(n.Tags) > 0 {
		for _, t := range n.Tags {
			d.Tags = append(d.Tags, p.clean(t))
		}
		fields = append(fields, entry{"tags", d.Tags})
	}
	if err := p.duplicates(d, func(Doc) bool { return true }); err != nil {
		return d, err
	}
	return p.create(d, append(fields, entry{"sources", from}))
}

func (p *plan) capture(c wire.NoteCapture) (Doc, error) {
	text := p.clean(c.Text)
	d := Doc{Kind: KindCaptured, Title: titleLine(p.s.redact(text)), Body: text, Status: "open", Source: p.clean(c.Source)}
	return p.create(d, []entry{{"status", d.Status}, {"source", d.Source}})
}

// titleLine is a title made of a text's first line. It is cut, so the text comes without secrets: half of one looks like none.
func titleLine(text string) string {
	for line := range strings.Lines(text) {
		if t := strings.Join(strings.Fields(line), " "); t != "" {
			if r := []rune(t); len(r) > 80 {
				return string(r[:79]) + "…"
			}
			return t
		}
	}
	return "Captured"
}

// clean masks the secrets in what an agent sends: what is committed stays in the history for good.
func (p *plan) clean(s string) string {
	if p.by.Agent == "" {
		return s
	}
	return p.s.redact(s)
}

// duplicates counts documents that look like d, and names them in the diff. Nothing is merged.
func (p *plan) duplicates(d Doc, counts func(Doc) bool) error {
	rows, err := p.tx.NoteRows(d.Kind)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if counts(r.Doc) && alike(r.Doc.Title, d.Title) {
			p.Summary.DuplicateCandidates++
			p.Diff = append(p.Diff, "? "+r.Doc.ID+" may be the same: "+r.Path)
			if p.by.Agent != "" {
				p.Shown = append(p.Shown, "? "+r.Doc.ID+" may be the same: "+p.s.redact(r.Path))
			}
		}
	}
	return nil
}

// blockable refuses a blocking task that does not exist, and tasks that block each other in a circle.
func (p *plan) blockable(id, blocker string) error {
	for at, n := blocker, 0; at != ""; n++ {
		if at == id || n > 100 {
			return invalid("blocked_by_task_id", "must not lead back to the task itself")
		}
		r, _, err := p.find(at)
		if err != nil {
			if at == blocker {
				return err
			}
			return nil // somebody deleted it by hand
		}
		if r.Doc.Kind != KindTask {
			return invalid("blocked_by_task_id", "must be the id of a task")
		}
		at = r.Doc.Blocker
	}
	return nil
}

// taskUpdate is the payload of update_task. What is left out stays.
type taskUpdate struct {
	TaskID          string  `json:"task_id" pattern:"^tsk_[A-Za-z0-9]+$" maxLength:"90"`
	Title           *string `json:"title"`
	Status          *string `json:"status"`
	Priority        *string `json:"priority"`
	Due             *string `json:"due"`
	Project         *string `json:"project"`
	Source          *string `json:"source"`
	CycleID         *string `json:"cycle_id"`
	NextReviewAt    *string `json:"next_review_at"`
	BlockedByTaskID *string `json:"blocked_by_task_id"`
}

// required are the fields of a task that cannot be cleared.
var required = []string{"title", "status", "source"}

func (p *plan) updateTask(payload map[string]any) error {
	u, err := decode[taskUpdate](payload)
	if err != nil {
		return err
	}
	r, text, err := p.find(u.TaskID)
	if err != nil {
		return err
	}
	// The whole task as it would be obeys the rules of a new one.
	whole := map[string]any{"title": r.Doc.Title, "status": r.Doc.Status, "source": or(r.Doc.Source, "file")}
	var fields []entry
	for _, f := range []struct {
		key string
		v   *string
	}{{"title", u.Title}, {"status", u.Status}, {"priority", u.Priority}, {"due", u.Due}, {"project", u.Project}, {"source", u.Source},
		{"cycle_id", u.CycleID}, {"next_review_at", u.NextReviewAt}, {"blocked_by_task_id", u.BlockedByTaskID}} {
		raw, given := payload[f.key]
		switch {
		case !given:
		case raw == nil && slices.Contains(required, f.key):
			return invalid(f.key, "cannot be cleared")
		case raw == nil:
			fields = append(fields, entry{f.key, nil})
		case *f.v == "":
			return invalid(f.key, "must not be empty; null clears it")
		default:
			v := p.clean(*f.v)
			whole[f.key] = v
			fields = append(fields, entry{f.key, v})
		}
	}
	if len(fields) == 0 {
		return invalid("payload", "must have a field to change")
	}
	t, err := decode[wire.TaskCreate](whole)
	if err != nil {
		return err
	}
	if u.BlockedByTaskID != nil {
		if err := p.blockable(u.TaskID, t.BlockedByTaskID); err != nil {
			return err
		}
	}
	return p.update(r, text, fields)
}

// linkPayload is the payload of link_entities.
type linkPayload struct {
	FromID string `json:"from_id" pattern:"^(nte|tsk|inb)_[A-Za-z0-9]+$" maxLength:"90"`
	ToID   string `json:"to_id" pattern:"^(nte|tsk|inb)_[A-Za-z0-9]+$" maxLength:"90"`
}

func (p *plan) link(payload map[string]any) error {
	l, err := decode[linkPayload](payload)
	if err != nil {
		return err
	}
	if l.FromID == l.ToID {
		return invalid("to_id", "must be another one than from_id")
	}
	from, text, err := p.find(l.FromID)
	if err != nil {
		return err
	}
	to, toText, err := p.find(l.ToID)
	if err != nil {
		return err
	}
	if from.Doc.Kind == KindTask && to.Doc.Kind != KindTask { // notes name their tasks
		from, text, to = to, toText, from
	}
	if slices.Contains(from.Doc.Links, to.Doc.ID) {
		return nil
	}
	return p.update(from, text, []entry{{"links", append(slices.Clone(from.Doc.Links), to.Doc.ID)}})
}

// maxChange is the longest text that a change set writes.
const maxChange = 2 << 20

// fits refuses what is too long as a whole, or one of its files.
func (p *plan) fits() error {
	total := 0
	for _, c := range p.Writes {
		total += len(c.Text)
		if len(c.Text) > folder.MaxFile {
			return invalid("actions", "must not make a file longer than 1 MiB")
		}
	}
	if total > maxChange {
		return invalid("actions", "must not write more than 2 MiB")
	}
	if len(p.Writes) == 0 {
		return invalid("actions", "must change something")
	}
	return nil
}

// diff shows the change of one file, line by line.
func diff(name, was, is string, remove bool) []string {
	a, b := lines(was), lines(is)
	mark := "~ "
	switch {
	case remove:
		mark, b = "- ", nil
	case was == "":
		mark = "+ "
	}
	out := []string{mark + visible(name)}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	for _, l := range a[i : len(a)-j] {
		out = append(out, "-"+visible(l))
	}
	for _, l := range b[i : len(b)-j] {
		out = append(out, "+"+visible(l))
	}
	return out
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

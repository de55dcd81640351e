package notes

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"showhow/daemon/wire"
)

// indexFormat counts up when the index holds something else of a file than before: rows of another format are made again.
const indexFormat = 2

// index brings the database to what the folder holds. s.mu is held.
func (s *Service) index(ctx context.Context) error {
	if s.known == nil {
		if err := s.o.Store.View(ctx, func(tx Tx) (err error) {
			s.known, err = tx.NoteHashes(indexFormat)
			return err
		}); err != nil {
			return err
		}
	}
	if maps.Equal(s.known, s.state.Files) {
		return nil
	}
	known := maps.Clone(s.known)
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		for name := range s.known {
			if s.state.Files[name] == "" {
				if err := tx.DropNoteRow(name); err != nil {
					return err
				}
				delete(known, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.state.Files)) {
			hash := s.state.Files[name]
			if known[name] == hash {
				continue
			}
			data, err := s.folder.Read(hash)
			if err != nil {
				return err
			}
			d := read(name, data)
			// A copy of a file has the other's id; it gets one of its own.
			if other, there, err := tx.NoteByID(d.ID); err != nil {
				return err
			} else if there && other.Path != name && s.state.Files[other.Path] != "" {
				d.ID, d.Problem = derivedID(name), or(d.Problem, "id")
				d.Kind = KindNote
			}
			d.Format = indexFormat
			if m := begins(s.redact(d.whole), s.redact(d.Body)); m != (beginning{d.Title, d.Excerpt}) {
				d.Masked = &m
			}
			words := d.whole
			for _, t := range d.Tags {
				words += "\n" + t
			}
			row := Row{Path: name, Hash: hash, Doc: d, Words: indexed(s.without(words)),
				Text: indexed(s.without(d.Body + "\n" + d.Project + "\n" + d.Source))}
			if err := tx.PutNoteRow(row); err != nil {
				return err
			}
			known[name] = hash
		}
		return nil
	})
	if err == nil {
		s.known = known
	}
	return err
}

// Search finds notes and captured items; without a query the newest first.
func (s *Service) Search(ctx context.Context, by Actor, q wire.NotesSearch) (wire.NotesPage, error) {
	if err := checkAll(q); err != nil {
		return wire.NotesPage{}, err
	}
	rows, err := s.rows(ctx, by, q.Query)
	if err != nil {
		return wire.NotesPage{}, err
	}
	var linked []string // by the task itself
	if q.LinkedTaskID != "" {
		for _, r := range rows {
			if r.Doc.ID == q.LinkedTaskID {
				linked = r.Doc.Links
			}
		}
	}
	keep := rows[:0:0]
	for _, r := range rows {
		archived := r.Doc.Kind == KindCaptured && r.Doc.Status == "archived"
		if r.Doc.Kind == KindTask || q.Kind != "" && r.Doc.Kind != q.Kind ||
			q.Status != "" && archived != (q.Status == "archived") || q.Tag != "" && !slices.Contains(r.Doc.Tags, q.Tag) ||
			q.LinkedTaskID != "" && !slices.Contains(r.Doc.Links, q.LinkedTaskID) && !slices.Contains(linked, r.Doc.ID) {
			continue
		}
		keep = append(keep, r)
	}
	return s.page(by, keep, nil, q.Page, q.PageSize), nil
}

// rows are the documents that a query finds, best first, or all, the newest change first.
func (s *Service) rows(ctx context.Context, by Actor, query string) (out []Row, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	everything := strings.TrimSpace(query) == ""
	if by.Agent != "" {
		query = s.without(query)
	}
	m := match(query)
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		switch {
		case m != "":
			out, err = tx.FindNotes(m)
		case everything:
			out, err = tx.NoteRows("")
		}
		return err
	})
	return out, err
}

func (s *Service) page(by Actor, rows []Row, blocked map[string]bool, page, size int) wire.NotesPage {
	page = max(page, 1)
	if size == 0 {
		size = 20
	}
	out := wire.NotesPage{Items: []wire.NoteItem{}, Page: page, PageSize: size, Total: len(rows)}
	for i := (page - 1) * size; i < len(rows) && i < page*size; i++ {
		item := rows[i].item()
		item.Blocked = blocked[item.ID]
		if by.Agent != "" {
			item = rows[i].masked(item, s.redact)
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// List lists tasks.
func (s *Service) List(ctx context.Context, by Actor, q wire.TasksList) (wire.NotesPage, error) {
	if err := checkAll(q); err != nil {
		return wire.NotesPage{}, err
	}
	rows, err := s.rows(ctx, by, q.Query)
	if err != nil {
		return wire.NotesPage{}, err
	}
	all := rows
	if q.Query != "" { // what blocks a task need not fit the query
		if all, err = s.rows(ctx, by, ""); err != nil {
			return wire.NotesPage{}, err
		}
	}
	open := map[string]bool{}
	for _, r := range all {
		open[r.Doc.ID] = r.Doc.Kind == KindTask && r.Doc.open()
	}
	blocked := map[string]bool{}
	keep := rows[:0:0]
	now := s.o.Now().Local()
	for _, r := range rows {
		if r.Doc.Kind != KindTask {
			continue
		}
		blocked[r.Doc.ID] = open[r.Doc.Blocker]
		if fits(r.Doc, q, blocked[r.Doc.ID], now) {
			keep = append(keep, r)
		}
	}
	if q.Query == "" {
		slices.SortStableFunc(keep, byUrgency)
	}
	return s.page(by, keep, blocked, q.Page, q.PageSize), nil
}

// byUrgency puts what is due first first, then by priority; rows come with the newest change first.
func byUrgency(a, b Row) int {
	late := func(s, none string) string { return or(s, none) }
	if x, y := late(a.Doc.Due, "9999"), late(b.Doc.Due, "9999"); x != y {
		if x < y {
			return -1
		}
		return 1
	}
	x, y := late(a.Doc.Priority, "P9"), late(b.Doc.Priority, "P9")
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// fits reports whether a task is one of those that are asked for. Days are those of this computer.
func fits(d Doc, q wire.TasksList, blocked bool, now time.Time) bool {
	today := now.Format(time.DateOnly)
	monday := now.AddDate(0, 0, -(int(now.Weekday())+6)%7)
	switch q.View {
	case "open":
		if !d.open() {
			return false
		}
	case "today":
		if !d.open() || d.Due != today {
			return false
		}
	case "overdue":
		if !d.open() || d.Due == "" || d.Due >= today {
			return false
		}
	case "this_week":
		if !d.open() || d.Due < monday.Format(time.DateOnly) || d.Due > monday.AddDate(0, 0, 6).Format(time.DateOnly) {
			return false
		}
	case "backlog":
		if d.Status != "todo" || d.Due != "" {
			return false
		}
	case "blocked":
		if !d.open() || !blocked {
			return false
		}
	case "done":
		if d.Status != "done" {
			return false
		}
	}
	if q.StaleDays > 0 && (!d.open() || now.Sub(d.Updated.Time) < time.Duration(q.StaleDays)*24*time.Hour) {
		return false
	}
	if q.UpdatedBefore != "" {
		if t, err := time.Parse(time.RFC3339Nano, q.UpdatedBefore); err != nil || !d.Updated.Before(t) {
			return false
		}
	}
	return (q.Status == "" || d.Status == q.Status) && (q.Priority == "" || d.Priority == q.Priority) &&
		(q.Project == "" || d.Project == q.Project) && (q.CycleID == "" || d.Cycle == q.CycleID) &&
		(q.Blocked == nil || *q.Blocked == blocked) && (q.DueBefore == "" || d.Due != "" && d.Due < q.DueBefore)
}

// Show is one document with its whole text.
func (s *Service) Show(ctx context.Context, by Actor, id string) (wire.NoteItem, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return wire.NoteItem{}, err
	}
	var r Row
	var ok bool
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		r, ok, err = tx.NoteByID(id)
		return err
	}); err != nil {
		return wire.NoteItem{}, err
	}
	if !ok {
		return wire.NoteItem{}, noSuchNote()
	}
	data, err := s.folder.Read(r.Hash)
	if err != nil {
		return wire.NoteItem{}, err
	}
	item := r.item()
	item.Body = read(r.Path, data).Body
	if by.Agent != "" {
		item = r.masked(item, s.redact)
	}
	return item, nil
}

// Status says where the notes are, and counts them.
func (s *Service) Status(ctx context.Context) (wire.NotesStatus, error) {
	rows, err := s.rows(ctx, Actor{}, "")
	if err != nil {
		return wire.NotesStatus{}, err
	}
	out := wire.NotesStatus{Folder: s.o.Dir, Skipped: append([]string{}, s.state.Skipped...),
		Problems: []wire.NoteProblem{}}
	for _, r := range rows {
		if r.Doc.Problem != "" && len(out.Problems) < 100 {
			out.Problems = append(out.Problems, wire.NoteProblem{Path: r.Path, Problem: r.Doc.Problem})
		}
		switch r.Doc.Kind {
		case KindTask:
			out.Tasks++
		case KindCaptured:
			out.Captured++
		default:
			out.Notes++
		}
	}
	waiting, err := s.Changes(ctx, Actor{}, "proposed")
	out.Waiting = len(waiting.ChangeSets)
	return out, err
}

package store

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"sync"
	"time"

	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// SingleWriter are the folders of canonical files that only Showhow writes (baseline 0.2G, 0.3, 1.1J): what something
// else writes there is put back.
var SingleWriter = []string{"system/skills/config", "system/capabilities", "system/abilities", "system/projects", "system/mcp"}

const (
	putBackAtOnce = 3                // times in a row; after that a file rests before it is put back again
	firstRest     = 10 * time.Second // doubled each time
	longestRest   = 10 * time.Minute
	smallFile     = 1 << 20 // up to this size contents are compared
	filesPerLook  = 1000    // whose contents one look compares
)

// putBacks remembers what was put back, so that another writer that insists is answered less and less often. Kept in
// memory.
type putBacks struct {
	mu     sync.Mutex // held while files are put back
	of     map[string]insisted
	looked string // the last file whose contents were compared
}

// insisted is a file that was put back: how often in a row, when last, and until when it rests.
type insisted struct {
	times       int
	last, until clock.Time
}

// PutBack compares the canonical JSON files below SingleWriter with the database, writes those again that something
// else changed or removed, with a receipt for each, and returns their paths. Files are compared by size and time; with
// contents also by content, the next part of them at each call. A file that is changed again and again rests before it
// is put back, and not every time leaves a receipt; again is when the next such file is due, 0 if none waits.
func (s *projection) PutBack(ctx context.Context, contents bool) (paths []string, again time.Duration, err error) {
	s.puts.mu.Lock()
	defer s.puts.mu.Unlock()
	strange, err := s.strange(ctx, contents)
	if err != nil {
		return nil, 0, err
	}
	now := s.opt.Now()
	paths, again = s.puts.due(strange, now)
	if len(paths) == 0 {
		return nil, again, nil
	}
	err = s.write(ctx, syncFull, func(tx *Tx) error {
		for _, p := range paths {
			if err := tx.putBack(p, s.puts.of[p].times+1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, again, s.asFault(err)
	}
	s.puts.note(paths, now)
	s.projectCommitted(ctx)
	return paths, again, nil
}

// putBack has a file written again, for the times-th time in a row.
func (tx *Tx) putBack(file string, times int) error {
	if _, err := tx.changed(file); err != nil {
		return err
	}
	// What has the recorded size and time is recognised by its content, too.
	if _, err := tx.exec(`UPDATE files SET disk_mtime=-1 WHERE path=?`, file); err != nil {
		return err
	}
	summary := "A file that only Showhow writes was changed by something else, and put back: " + file + "."
	switch {
	case times > putBackAtOnce && times&(times-1) != 0: // after the first few, each time that the number has doubled
		return nil
	case times > putBackAtOnce:
		summary += fmt.Sprintf(" That was %d times in a row; it is put back at longer and longer intervals.", times)
	case times > 1:
		summary += fmt.Sprintf(" That was %d times in a row.", times)
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: journal.DirectWriteReverted, Reason: "direct_write", Summary: summary}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: journal.DirectWriteReverted, Payload: map[string]any{"path": file}})
}

// due are the files that may be put back now; again is when the next of the others may. Files that have been left alone
// since they were put back are forgotten.
func (p *putBacks) due(strange []string, now clock.Time) (due []string, again time.Duration) {
	for file, x := range p.of {
		if now.Sub(x.last.Time) > 2*longestRest {
			delete(p.of, file)
		}
	}
	for _, file := range strange {
		wait := p.of[file].until.Sub(now.Time)
		switch {
		case wait <= 0 || wait > longestRest: // or the clock was set back
			due = append(due, file)
		case again == 0 || wait < again:
			again = wait
		}
	}
	return due, again
}

// note remembers that files were put back.
func (p *putBacks) note(files []string, now clock.Time) {
	if p.of == nil {
		p.of = map[string]insisted{}
	}
	for _, file := range files {
		x := p.of[file]
		x.times, x.last, x.until = x.times+1, now, now
		if n := x.times - putBackAtOnce; n >= 0 {
			x.until = now.Plus(min(firstRest<<min(n, 10), longestRest))
		}
		p.of[file] = x
	}
}

// part are the files whose contents are compared next, of all in the order of their paths.
func (p *putBacks) part(rows []fileRow) map[string]bool {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].path > p.looked })
	out := map[string]bool{}
	for n := range min(len(rows), filesPerLook) {
		f := rows[(i+n)%len(rows)]
		out[f.path], p.looked = f.disk.size <= smallFile, f.path
	}
	return out
}

// strange lists the files that are not as the projector left them. While it looks nothing is projected: a file whose
// change is committed and not yet written is as its old row says, and is left out.
func (s *projection) strange(ctx context.Context, contents bool) (out []string, err error) {
	select {
	case s.projector <- struct{}{}:
		defer func() { <-s.projector }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var rows []fileRow
	err = s.View(ctx, func(tx *Tx) (err error) {
		rows, err = tx.fileRows(`SELECT ` + fileColumns + `, 0 FROM files f WHERE gone=0 AND kind='json'
			AND NOT EXISTS(SELECT 1 FROM outbox o WHERE o.path=f.path) ORDER BY path`)
		return err
	})
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(f fileRow) bool { return !guarded(f.path) })
	var read map[string]bool
	if contents {
		read = s.puts.part(rows)
	}
	for _, f := range rows {
		if (read[f.path] || !s.untouched(f)) && s.equal(ctx, f) != nil {
			out = append(out, f.path)
		}
	}
	return out, nil
}

func guarded(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(SingleWriter, dir) {
			return true
		}
	}
	return false
}

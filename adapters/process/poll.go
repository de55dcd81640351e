package process

import (
	"context"
	"time"
)

// pollEvery is how often a poller looks: shorter-lived programs are missed, uncounted.
const pollEvery = 500 * time.Millisecond

// poller polls the process list. It learns no exit codes, and sees a program replace another only while both are new.
type poller struct {
	every time.Duration
	known map[int]string // by pid: what it ran when last looked at, "" once that is settled
}

func (p *poller) run(ctx context.Context, ready func(), changed func(change)) error {
	ids, err := pidsPortable(ctx)
	if err != nil {
		return err
	}
	p.known = map[int]string{}
	for _, pid := range ids {
		p.known[pid] = ""
	}
	ready()
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := p.round(ctx, changed); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (p *poller) round(ctx context.Context, changed func(change)) error {
	ids, err := pidsPortable(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	lives := make(map[int]bool, len(ids))
	for _, pid := range ids {
		lives[pid] = true
		was, known := p.known[pid]
		if known && was == "" {
			continue
		}
		p.one(pid, was, known, now, changed)
	}
	for pid := range p.known {
		if !lives[pid] {
			delete(p.known, pid)
			changed(change{what: ended, pid: pid, at: now, blind: true})
		}
	}
	return nil
}

// one looks at a new process, and once more the next time: between fork and exec it is still a copy of its parent.
func (p *poller) one(pid int, was string, known bool, now time.Time, changed func(change)) {
	i := look(pid)
	if p.known[pid] = ""; i == nil || !i.mine {
		return
	}
	at, runs := now, i.exe+"\x00"+i.comm
	if !i.born.IsZero() && i.born.Before(now) {
		at = i.born
	}
	if !known {
		changed(change{what: forked, pid: pid, parent: i.parent, at: at})
		p.known[pid] = runs
	}
	if !known || was != runs {
		changed(change{what: started, pid: pid, at: at, image: i})
	}
}

func (p *poller) close() {}

//go:build linux || darwin

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// watch ends the line when its time, disk or memory is used up, or when its context ends.
func (r *running) watch(ctx context.Context, done <-chan struct{}) {
	spec := r.box.spec
	began := time.Now()
	over := time.NewTimer(spec.Timeout)
	defer over.Stop()
	each := 100 * time.Millisecond
	if r.stdin != nil { // it may stay for hours
		each = time.Second
	}
	look := time.NewTicker(each)
	defer look.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			r.kill(KilledCancelled)
			return
		case <-over.C:
			if left := spec.Timeout + r.frozenFor() - time.Since(began); left > 0 {
				over.Reset(max(left, 10*time.Millisecond))
				continue
			}
			r.kill(KilledTimeout)
			return
		case <-look.C:
			switch {
			case used(spec.MaxBytes, spec.Dir, filepath.Join(r.box.side, "tmp")):
				r.kill(KilledDisk)
				return
			case r.memory() > spec.MaxMemory:
				r.kill(KilledMemory)
				return
			}
		}
	}
}

var errFull = errors.New("full")

// used reports whether the folders hold more than they may.
func used(limit int64, dirs ...string) bool {
	var bytes int64
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil {
				if st, ok := info.Sys().(*syscall.Stat_t); ok {
					bytes += st.Blocks * 512
				}
			}
			if files++; bytes > limit || files > maxFiles {
				return errFull
			}
			return nil
		})
		if errors.Is(err, errFull) {
			return true
		}
	}
	return false
}

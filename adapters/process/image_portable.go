package process

import (
	"context"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/process"
)

// lookPortable reads a process of this user by the operating system's own means; nil if it is gone or cannot be read.
func lookPortable(ctx context.Context, pid int) *image {
	p, err := process.NewProcessWithContext(ctx, int32(pid))
	if err != nil {
		return nil
	}
	if !ours(ctx, p) {
		return &image{}
	}
	i := &image{mine: true, live: true}
	i.argv, _ = p.CmdlineSliceWithContext(ctx)
	i.comm, _ = p.NameWithContext(ctx)
	if len(i.argv) == 0 && i.comm == "" {
		return nil
	}
	i.comm = cutComm(i.comm)
	i.exe, _ = p.ExeWithContext(ctx)
	i.exe = strings.TrimSuffix(i.exe, " (deleted)")
	i.cwd, _ = p.CwdWithContext(ctx)
	if ppid, err := p.PpidWithContext(ctx); err == nil {
		i.parent = int(ppid)
	}
	if tty, err := p.TerminalWithContext(ctx); err == nil {
		i.tty = strings.TrimPrefix(strings.TrimPrefix(tty, "/dev"), "/")
	}
	if ms, err := p.CreateTimeWithContext(ctx); err == nil {
		i.born = time.UnixMilli(ms)
	}
	return i
}

// ours reports whether a process runs as this user.
func ours(ctx context.Context, p *process.Process) bool {
	if uids, err := p.UidsWithContext(ctx); err == nil && len(uids) > 0 {
		effective := uids[0]
		if len(uids) > 1 {
			effective = uids[1]
		}
		return int(effective) == os.Geteuid()
	}
	me, err := user.Current()
	if err != nil {
		return false
	}
	name, err := p.UsernameWithContext(ctx)
	return err == nil && strings.EqualFold(name, me.Username)
}

// pidsPortable lists the processes that run.
func pidsPortable(ctx context.Context) ([]int, error) {
	ids, err := process.PidsWithContext(ctx)
	out := make([]int, len(ids))
	for n, id := range ids {
		out[n] = int(id)
	}
	return out, err
}

package api

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/internal/fault"
)

// maxSocketPath is the limit of macOS without the terminating zero; Linux allows four more bytes.
const maxSocketPath = 103

// ServeUnix answers on a Unix socket (0600) in a folder that only its owner may enter (0700), until ctx ends.
func (s *Server) ServeUnix(ctx context.Context, path string) error {
	l, err := listenUnix(path)
	if err != nil {
		return err
	}
	return s.serve(ctx, l, s.inspectUnix)
}

// inspectUnix examines the process behind a connection at once, while it exists.
func (s *Server) inspectUnix(c net.Conn) connInfo {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return connInfo{refused: true}
	}
	p, err := caller.PeerOf(u)
	if err != nil || p.UID != os.Geteuid() {
		return connInfo{refused: true}
	}
	defer p.Close()
	principal := s.ancestry.Principal(p)
	info := connInfo{principal: principal, window: s.isWindow(p.PID), pid: p.PID}
	if principal.Kind == access.Agent {
		info.families = s.ancestry.Families(p)
	}
	if t, ok := s.ancestry.TerminalOf(p); ok {
		info.tty = &t
	}
	return info
}

func listenUnix(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fault.Newf(fault.Usage, "the socket's path is %d bytes long; the system allows %d", len(path), maxSocketPath).
			WithHint("set XDG_RUNTIME_DIR to a shorter folder")
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the socket's folder could not be made")
	}
	if !private(dir) {
		return nil, fault.New(fault.DataDirForeign, "the socket's folder is not this user's alone").WithHint(
			"its mode must be 0700 and its owner the user who runs the daemon")
	}
	if err := clearStale(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the socket could not be made")
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fault.Wrap(err, fault.Internal, "the socket could not be protected")
	}
	return l, nil
}

// clearStale removes a socket that nobody answers on. An answered one, or a file that is no socket, stays.
func clearStale(path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || (st.Mode()&fs.ModeSocket == 0 && st.Mode()&fs.ModeIrregular == 0) {
		return fault.Wrap(err, fault.DataDirForeign, "a file that is no socket stands where the socket belongs")
	}
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		c.Close()
		return fault.New(fault.DataDirLocked, "another daemon answers on this socket").WithHint("`showhow status`, or `showhow daemon stop`")
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(err, fault.Internal, "the stale socket could not be removed")
	}
	return nil
}

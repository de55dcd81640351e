package sandbox

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

func isHelper(arg0 string) bool { return arg0 == helperPath }

// enter drops all rights, and starts the relays in the box to the outside.
func enter(o order) error {
	if o.UID != 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(o.UID), syscall.Setuid(o.UID)); err != nil {
			return err
		}
	}
	none := [2]unix.CapUserData{} // the call reads two of them
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return err
	}
	if o.Relay {
		if err := relay(); err != nil {
			return err
		}
	}
	if o.Serve != "" {
		return serve(o.Serve)
	}
	return nil
}

// relay relays connections to the proxy's address over the one socket that leads out.
func relay() error {
	ln, err := net.Listen("tcp", relayAddr)
	if err != nil {
		return err
	}
	carry(ln, socketPath)
	return nil
}

// serve listens on the service's socket where programs look for it, as their own user.
func serve(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	_ = os.Remove(path) // an earlier command's
	ln, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	carry(ln, servicePath)
	return nil
}

// carry relays connections on ln to a socket outside.
func carry(ln net.Listener, to string) {
	go func() { // it ends with the process, and the process with the line
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				out, err := net.Dial("unix", to)
				if err != nil {
					return
				}
				defer out.Close()
				both(in, in, out)
			}()
		}
	}()
}

// waitUntil runs cmd until the awaited programs run, or until it has ended without them. The names of those that ran
// follow the shell's farewell.
func waitUntil(cmd exec.Cmd, o order, state *os.File) (int, error) {
	setEnv(&cmd, o)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	over, result := make(chan struct{}), make(chan error, 1)
	go func() {
		err := cmd.Wait()
		result <- err
		close(over)
	}()
	ran := attend(o.Until, cmd.Process.Pid, over)
	waited := true
	select {
	case <-over:
		waited = false
	default:
	}
	endOthers()
	code, err := exitOf(<-result)
	if waited && len(ran) > 0 {
		code = 0 // it was ended because it ran as it should
	}
	for _, name := range ran {
		if _, err := state.WriteString(ranMark + name + "\x00"); err != nil {
			return code, err
		}
	}
	return code, err
}

//go:build linux || darwin

package client

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"showhow/internal/fault"
	"showhow/internal/ownsocket"
)

// A socket that another user put where the daemon's belongs hears nothing: no goal, no scope, no token.
func TestAnotherUsersSocketGetsNothing(t *testing.T) {
	dir, err := os.MkdirTemp("", "sh") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	own, err := dialOwn(t.Context(), socket)
	if err != nil {
		t.Fatalf("our own: %v", err)
	}
	own.Close()
	if c, err := l.Accept(); err != nil {
		t.Fatal(err)
	} else {
		c.Close()
	}

	stranger := newClient("http://showhow", &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := net.Dial("unix", socket)
		if err != nil {
			return nil, err
		}
		if err := ownsocket.Owned(c, os.Geteuid()+1); err != nil { // as somebody else would see this process
			c.Close()
			return nil, foreign(err)
		}
		return c, nil
	}}, nil)
	heard := make(chan int, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			heard <- -1
			return
		}
		defer c.Close()
		n, _ := c.Read(make([]byte, 1))
		heard <- n
	}()
	if _, err := stranger.CreateSession(t.Context(), CreateRequest{Goal: "a secret goal"}); !fault.Is(err, fault.DataDirForeign) {
		t.Errorf("got %v", err)
	}
	if n := <-heard; n != 0 {
		t.Errorf("%d bytes were sent", n)
	}
}

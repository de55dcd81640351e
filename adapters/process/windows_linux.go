package process

import (
	"context"
	"encoding/binary"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// windowsMissing says why window switches are not seen here; code is "" if they are.
func (a *Adapter) windowsMissing() (code, reason string) {
	wayland := os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("XDG_SESSION_TYPE") == "wayland"
	switch {
	case a.display == "" && wayland:
		return "no_windows", "programs can be watched here; which window is in front cannot: Wayland tells nobody"
	case a.display == "":
		return "no_windows", "programs can be watched here; which window is in front cannot: there is no X11 display"
	case wayland:
		return "some_windows", "programs can be watched here; which window is in front only among X11 programs: Wayland tells nobody"
	}
	return "", ""
}

// screen is a connection to the X server.
type screen struct {
	conn  *xgb.Conn
	root  xproto.Window
	atoms map[string]xproto.Atom
}

var quietOnce sync.Once

func openScreen(display string) (*screen, error) {
	quietOnce.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, err
	}
	s := &screen{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, atoms: map[string]xproto.Atom{}}
	for _, name := range []string{"_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "_NET_WM_PID"} {
		r, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			s.close()
			return nil, err
		}
		s.atoms[name] = r.Atom
	}
	if err := xproto.ChangeWindowAttributesChecked(conn, s.root, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange}).Check(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close ends the connection and waits for the library's goroutines.
func (s *screen) close() {
	s.conn.Close()
	for {
		if ev, err := s.conn.WaitForEvent(); ev == nil && err == nil {
			return
		}
	}
}

// windows follows the active window until ctx ends or the X server goes; without an X server it does nothing.
func (a *Adapter) windows(ctx context.Context, t *tracker) error {
	if a.display == "" {
		return nil
	}
	s, err := openScreen(a.display)
	if err != nil {
		t.condition.windowless("no_windows", "programs are watched; which window is in front is not: the X server does not answer")
		return nil
	}
	defer s.close()
	stop := context.AfterFunc(ctx, s.conn.Close)
	defer stop()
	front := s.active()
	for {
		ev, err := s.conn.WaitForEvent()
		if ev == nil && err == nil {
			if ctx.Err() == nil {
				t.condition.windowless("no_windows", "programs are watched; which window is in front no longer is: the X server has gone")
			}
			return nil
		}
		p, ok := ev.(xproto.PropertyNotifyEvent)
		if !ok || p.Atom != s.atoms["_NET_ACTIVE_WINDOW"] {
			continue
		}
		at, now := time.Now(), s.active()
		if now == front || now == 0 {
			continue
		}
		front = now
		t.activated(at, func() window { return s.describe(now) })
	}
}

// active is the active window, 0 if there is none.
func (s *screen) active() xproto.Window {
	return xproto.Window(s.number(s.root, s.atoms["_NET_ACTIVE_WINDOW"], xproto.AtomWindow))
}

func (s *screen) describe(w xproto.Window) window {
	out := window{pid: int(s.number(w, s.atoms["_NET_WM_PID"], xproto.AtomCardinal))}
	out.class = strings.FieldsFunc(s.text(w, xproto.AtomWmClass), func(r rune) bool { return r == 0 })
	if out.title = s.text(w, s.atoms["_NET_WM_NAME"]); out.title == "" {
		out.title = s.text(w, xproto.AtomWmName)
	}
	return out
}

// maxTitle is in units of four bytes.
const maxTitle = 256

func (s *screen) property(w xproto.Window, name, kind xproto.Atom) []byte {
	r, err := xproto.GetProperty(s.conn, false, w, name, kind, 0, maxTitle).Reply()
	if err != nil || r == nil {
		return nil
	}
	return r.Value
}

func (s *screen) text(w xproto.Window, name xproto.Atom) string {
	return string(s.property(w, name, xproto.GetPropertyTypeAny))
}

func (s *screen) number(w xproto.Window, name, kind xproto.Atom) uint32 {
	if b := s.property(w, name, kind); len(b) >= 4 {
		return binary.LittleEndian.Uint32(b) // the order the library asked the server for
	}
	return 0
}

// Package hotkey grabs one key combination on an X11 display, whichever window has the focus.
//
// A combination belongs to the first program that grabs it; the X server refuses others, and Taken tests for that
// without keeping the grab. Not guaranteed: what a window manager or an input method does with keys before it passes
// them on.
package hotkey

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strconv"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// ErrTaken: another program has grabbed the combination.
var ErrTaken = errors.New("another program has taken this key")

// Key is a combination, such as ctrl+alt+p.
type Key struct {
	name   string
	mods   uint16
	keysym xproto.Keysym
}

func (k Key) String() string { return k.name }

var modifiers = map[string]uint16{"shift": xproto.ModMaskShift, "ctrl": xproto.ModMaskControl, "alt": xproto.ModMask1,
	"super": xproto.ModMask4}

var named = map[string]xproto.Keysym{"pause": 0xff13, "space": 0x20, "insert": 0xff63, "home": 0xff50, "end": 0xff57}

// Parse parses modifiers and one key, joined by plus signs. A letter or digit needs ctrl, alt or super, or it could
// no longer be typed.
func Parse(text string) (Key, error) {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(text, " ", "")), "+")
	k := Key{name: strings.Join(parts, "+")}
	for _, m := range parts[:len(parts)-1] {
		bit, ok := modifiers[m]
		if !ok {
			return k, fmt.Errorf("%q is none of shift, ctrl, alt and super", m)
		}
		k.mods |= bit
	}
	last := parts[len(parts)-1]
	plain := len(last) == 1 && (last[0] >= 'a' && last[0] <= 'z' || last[0] >= '0' && last[0] <= '9')
	n, notNumber := strconv.Atoi(strings.TrimPrefix(last, "f"))
	switch {
	case plain:
		k.keysym = xproto.Keysym(last[0])
	case named[last] != 0:
		k.keysym = named[last]
	case strings.HasPrefix(last, "f") && notNumber == nil && n >= 1 && n <= 12:
		return Key{k.name, k.mods, xproto.Keysym(0xffbe + n - 1)}, nil
	default:
		return k, fmt.Errorf("%q is no key that can be taken: a letter, a digit, f1 to f12, pause, space, insert, home or end", last)
	}
	if last != "pause" && k.mods&^xproto.ModMaskShift == 0 {
		return k, fmt.Errorf("%q alone is needed for typing: add ctrl, alt or super", last)
	}
	return k, nil
}

// locks are the modifiers to ignore: caps lock and num lock.
var locks = []uint16{0, xproto.ModMaskLock, xproto.ModMask2, xproto.ModMaskLock | xproto.ModMask2}

// Grab grabs the combination for the connection; its KeyPress events go to root. It is released when the connection
// ends.
func (k Key) Grab(conn *xgb.Conn, root xproto.Window) error {
	codes, err := k.codes(conn)
	if err != nil {
		return err
	}
	for _, code := range codes {
		for _, lock := range locks {
			err := xproto.GrabKeyChecked(conn, false, root, k.mods|lock, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
			if denied := (xproto.AccessError{}); errors.As(err, &denied) {
				return ErrTaken
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// codes are the keycodes that produce the key's character on this keyboard.
func (k Key) codes(conn *xgb.Conn) (out []xproto.Keycode, err error) {
	setup := xproto.Setup(conn)
	n := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	m, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, n).Reply()
	if err != nil {
		return nil, err
	}
	for i := range int(n) {
		if m.Keysyms[i*int(m.KeysymsPerKeycode)] == k.keysym {
			out = append(out, setup.MinKeycode+xproto.Keycode(i))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("this keyboard has no such key")
	}
	return out, nil
}

var quietOnce sync.Once

// Taken reports whether another program has grabbed the combination on display.
func Taken(display string, k Key) (bool, error) {
	quietOnce.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	err = k.Grab(conn, xproto.Setup(conn).DefaultScreen(conn).Root)
	if errors.Is(err, ErrTaken) {
		return true, nil
	}
	return false, err
}

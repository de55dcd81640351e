package overlay

import (
	"encoding/binary"
	"errors"
	"image"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// title names the window for screen readers, window lists and tests.
const title = "Showhow"

// window is the overlay on the X server.
type window struct {
	conn   *xgb.Conn
	screen *xproto.ScreenInfo
	id     xproto.Window
	gc     xproto.Gcontext
	atoms  map[string]xproto.Atom
	scale  float64
	fonts  fonts

	mu        sync.Mutex
	everShown bool
	mapped    bool
	covered   bool
	place     image.Rectangle // on the screen, in pixels
	image     *image.RGBA     // what is to be seen
	grip      *image.Point    // where the pointer holds the window, while it is dragged
	dragged   bool            // a person has moved it
	dir       string          // where its place is remembered
}

var quietOnce sync.Once

// open creates the window without showing it.
func open(display, dir string) (*window, error) {
	quietOnce.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, err
	}
	w := &window{conn: conn, screen: xproto.Setup(conn).DefaultScreen(conn), atoms: map[string]xproto.Atom{}, dir: dir}
	if w.screen.RootDepth < 24 {
		conn.Close()
		return nil, errors.New("the display has fewer than 24 bits for colours")
	}
	if err := w.make(); err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

func (w *window) make() (err error) {
	w.scale = w.dots() / 96
	if w.fonts, err = newFonts(w.scale); err != nil {
		return err
	}
	size := image.Pt(w.px(width), w.px(height))
	// At the bottom right, where programs have no bars, or where the person moved it.
	screen := image.Pt(int(w.screen.WidthInPixels), int(w.screen.HeightInPixels))
	at := place(w.dir, screen.Sub(size).Sub(image.Pt(w.px(16), w.px(64))), screen, size)
	left, top := at.X, at.Y
	w.place = image.Rectangle{at, at.Add(size)}
	if w.id, err = xproto.NewWindowId(w.conn); err != nil {
		return err
	}
	err = xproto.CreateWindowChecked(w.conn, w.screen.RootDepth, w.id, w.screen.Root, int16(left), int16(top), uint16(size.X), uint16(size.Y),
		0,
		xproto.WindowClassInputOutput, w.screen.RootVisual, xproto.CwBackPixel|xproto.CwEventMask, []uint32{0x17282e,
			xproto.EventMaskExposure | xproto.EventMaskStructureNotify | xproto.EventMaskVisibilityChange | xproto.EventMaskButtonPress |
				xproto.EventMaskButtonRelease | xproto.EventMaskButtonMotion}).Check()
	if err != nil {
		return err
	}
	if w.gc, err = xproto.NewGcontextId(w.conn); err != nil {
		return err
	}
	if err := xproto.CreateGCChecked(w.conn, w.gc, xproto.Drawable(w.id), 0, nil).Check(); err != nil {
		return err
	}
	return w.describe()
}

// describe tells the window manager the kind of window: on top, on every desktop, without frame, focus or an entry in
// window lists.
func (w *window) describe() error {
	atoms := func(names ...string) (out []uint32, err error) {
		for _, n := range names {
			a, err := w.atom(n)
			if err != nil {
				return nil, err
			}
			out = append(out, uint32(a))
		}
		return out, nil
	}
	kinds, err := atoms("_NET_WM_WINDOW_TYPE_NOTIFICATION", "_NET_WM_WINDOW_TYPE_UTILITY")
	if err != nil {
		return err
	}
	states, err := atoms("_NET_WM_STATE_ABOVE", "_NET_WM_STATE_STICKY", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER")
	if err != nil {
		return err
	}
	x, y := uint32(w.place.Min.X), uint32(w.place.Min.Y)
	wide, high := uint32(w.place.Dx()), uint32(w.place.Dy())
	const (
		userPosition, programSize, minSize, maxSize = 1, 8, 16, 32
		inputHint                                   = 1
		decorationsHint                             = 2
	)
	for _, p := range []struct {
		name, kind string
		values     []uint32
	}{
		{"_NET_WM_WINDOW_TYPE", "ATOM", kinds},
		{"_NET_WM_STATE", "ATOM", states},
		{"_NET_WM_DESKTOP", "CARDINAL", []uint32{0xffffffff}},
		{"_NET_WM_PID", "CARDINAL", []uint32{uint32(os.Getpid())}},
		{"_NET_WM_USER_TIME", "CARDINAL", []uint32{0}}, // never to be focused when it appears
		{"_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", []uint32{decorationsHint, 0, 0, 0, 0}},
		{"WM_HINTS", "WM_HINTS", []uint32{inputHint, 0, 1, 0, 0, 0, 0, 0, 0}}, // takes no input focus
		{"WM_NORMAL_HINTS", "WM_SIZE_HINTS", []uint32{userPosition | programSize | minSize | maxSize, x, y, wide, high, wide, high, wide, high, 0,
			0, 0, 0, 0, 0, 0, 0, 0}},
	} {
		if err := w.property(p.name, p.kind, p.values); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"_NET_WM_NAME": title, "WM_NAME": title, "WM_CLASS": "showhow-overlay\x00Showhow\x00"} {
		kind := "STRING"
		if name == "_NET_WM_NAME" {
			kind = "UTF8_STRING"
		}
		if err := w.text(name, kind, text); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) atom(name string) (xproto.Atom, error) {
	if a, ok := w.atoms[name]; ok {
		return a, nil
	}
	r, err := xproto.InternAtom(w.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	w.atoms[name] = r.Atom
	return r.Atom, nil
}

func (w *window) property(name, kind string, values []uint32) error {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, v) // xgb asks the server for this order
	}
	return w.change(name, kind, 32, len(values), data)
}

func (w *window) text(name, kind, text string) error {
	return w.change(name, kind, 8, len(text), []byte(text))
}

func (w *window) change(name, kind string, format byte, n int, data []byte) error {
	p, err := w.atom(name)
	if err != nil {
		return err
	}
	k, err := w.atom(kind)
	if err != nil {
		return err
	}
	return xproto.ChangePropertyChecked(w.conn, xproto.PropModeReplace, w.id, p, k, format, uint32(n), data).Check()
}

// dots is the person's dots per inch (Xft.dpi), 96 by default.
func (w *window) dots() float64 {
	r, err := xproto.GetProperty(w.conn, false, w.screen.Root, xproto.AtomResourceManager, xproto.AtomString, 0, 1<<16).Reply()
	if err == nil {
		for line := range strings.Lines(string(r.Value)) {
			if v, ok := strings.CutPrefix(line, "Xft.dpi:"); ok {
				if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && n >= 48 && n <= 480 {
					return n
				}
			}
		}
	}
	return 96
}

func (w *window) px(n int) int    { return int(float64(n)*w.scale + 0.5) }
func (w *window) units(n int) int { return int(float64(n) / w.scale) }

// paint draws a view, and maps the window if necessary.
func (w *window) paint(v face) error {
	img := picture(v, w.fonts, w.scale)
	w.mu.Lock()
	w.image = img
	unseen := !w.mapped // also when the window manager was just starting, or has hidden it
	w.everShown = true
	w.mu.Unlock()
	if err := w.text("_NET_WM_NAME", "UTF8_STRING", title+": "+v.headline()); err != nil { // what a screen reader says
		return err
	}
	if unseen {
		return xproto.MapWindowChecked(w.conn, w.id).Check()
	}
	return w.put()
}

// rows is how many rows go into one request; servers accept at least 256 kB.
const rows = 32

// put sends the picture.
func (w *window) put() error {
	w.mu.Lock()
	img := w.image
	w.mu.Unlock()
	if img == nil {
		return nil
	}
	b := img.Bounds()
	for y := 0; y < b.Dy(); y += rows {
		n := min(rows, b.Dy()-y)
		part := img.Pix[y*img.Stride : (y+n)*img.Stride]
		data := make([]byte, len(part))
		for i := 0; i < len(part); i += 4 {
			data[i], data[i+1], data[i+2], data[i+3] = part[i+2], part[i+1], part[i], 0xff
		}
		err := xproto.PutImageChecked(w.conn, xproto.ImageFormatZPixmap, xproto.Drawable(w.id), w.gc, uint16(b.Dx()), uint16(n), 0, int16(y), 0,
			w.screen.RootDepth, data).Check()
		if err != nil {
			return err
		}
	}
	return nil
}

// shown reports whether the window was ever mapped.
func (w *window) shown() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.everShown
}

// inSight reports whether a person can see the window.
func (w *window) inSight() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	screen := image.Rect(0, 0, int(w.screen.WidthInPixels), int(w.screen.HeightInPixels))
	seen := w.place.Intersect(screen)
	return w.mapped && !w.covered && 2*seen.Dx() >= w.place.Dx() && 2*seen.Dy() >= w.place.Dy()
}

// events handles X events until the connection ends. changed is signalled when the window's visibility may have
// changed.
func (w *window) events(pressed func(button), changed func()) {
	for {
		e, err := w.conn.WaitForEvent()
		if e == nil && err == nil {
			return
		}
		switch e := e.(type) {
		case xproto.ExposeEvent:
			_ = w.put()
		case xproto.MapNotifyEvent:
			w.set(func() { w.mapped = true })
			changed()
		case xproto.UnmapNotifyEvent:
			w.set(func() { w.mapped = false })
			changed()
		case xproto.VisibilityNotifyEvent:
			w.set(func() { w.covered = e.State == xproto.VisibilityFullyObscured })
			changed()
		case xproto.ConfigureNotifyEvent:
			w.moved()
			w.settle()
			changed()
		case xproto.DestroyNotifyEvent:
			return
		case xproto.KeyPressEvent: // the pause key is the only one that comes here
			pressed(toggle)
		case xproto.ButtonPressEvent:
			if e.Detail != 1 {
				continue
			}
			if b := at(w.units(int(e.EventX)), w.units(int(e.EventY))); b != none {
				pressed(b)
				continue
			}
			w.set(func() { w.grip = &image.Point{int(e.EventX), int(e.EventY)} })
		case xproto.MotionNotifyEvent:
			w.drag(int(e.RootX), int(e.RootY))
		case xproto.ButtonReleaseEvent:
			w.set(func() { w.grip = nil })
			w.settle()
		}
	}
}

func (w *window) set(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// moved updates the window's position; a frame of the window manager may be its parent.
func (w *window) moved() {
	r, err := xproto.TranslateCoordinates(w.conn, w.id, w.screen.Root, 0, 0).Reply()
	if err != nil {
		return
	}
	w.set(func() {
		min := image.Pt(int(r.DstX), int(r.DstY))
		w.place = image.Rectangle{min, min.Add(w.place.Size())}
	})
}

func (w *window) drag(x, y int) {
	w.mu.Lock()
	grip := w.grip
	w.mu.Unlock()
	if grip == nil {
		return
	}
	w.set(func() { w.dragged = true })
	xproto.ConfigureWindow(w.conn, w.id, xproto.ConfigWindowX|xproto.ConfigWindowY,
		[]uint32{uint32(int32(x - grip.X)), uint32(int32(y - grip.Y))})
}

// settle saves the position at the end of a drag. The window manager may still move the window, and reports it.
func (w *window) settle() {
	w.mu.Lock()
	at, moved := w.place.Min, w.dragged && w.grip == nil
	w.mu.Unlock()
	if moved {
		remember(w.dir, at)
	}
}

// close closes the connection, which ends events.
func (w *window) close() { w.conn.Close() }

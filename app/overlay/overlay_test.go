//go:build linux

package overlay

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
	"go.uber.org/goleak"

	"showhow/app/apptest"
	"showhow/app/lamp"
	"showhow/browser/browsertest"
	"showhow/internal/hotkey"
)

var (
	until = apptest.Until
	must  = apptest.Must
)

func TestMain(m *testing.M) {
	os.Unsetenv("DBUS_SESSION_BUS_ADDRESS")
	goleak.VerifyTestMain(m)
}

const pauseKey = "ctrl+alt+p"

// eyes look at a display and click there.
type eyes struct {
	t    *testing.T
	conn *xgb.Conn
	root xproto.Window

	ended  chan error // the overlay's own end
	dir    string     // where it remembers its place
	opened chan bool  // somebody asked it to open Showhow
}

func look(t *testing.T) *eyes {
	t.Helper()
	conn, err := xgb.NewConnDisplay(os.Getenv("DISPLAY"))
	must(t, err)
	must(t, xtest.Init(conn))
	t.Cleanup(conn.Close)
	return &eyes{t: t, conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, dir: t.TempDir(), opened: make(chan bool, 1)}
}

// find is the overlay's window with its name, below any window manager frame; 0 if there is none on the screen.
func (e *eyes) find() (xproto.Window, string) {
	name, err := xproto.InternAtom(e.conn, false, uint16(len("_NET_WM_NAME")), "_NET_WM_NAME").Reply()
	must(e.t, err)
	var below func(w xproto.Window) (xproto.Window, string)
	below = func(w xproto.Window) (xproto.Window, string) {
		tree, err := xproto.QueryTree(e.conn, w).Reply()
		if err != nil {
			return 0, ""
		}
		for _, c := range tree.Children {
			p, err := xproto.GetProperty(e.conn, false, c, name.Atom, xproto.GetPropertyTypeAny, 0, 100).Reply()
			a, err2 := xproto.GetWindowAttributes(e.conn, c).Reply()
			if err == nil && err2 == nil && a.MapState == xproto.MapStateViewable && strings.HasPrefix(string(p.Value), title+": ") {
				return c, string(p.Value)
			}
			if f, n := below(c); f != 0 {
				return f, n
			}
		}
		return 0, ""
	}
	return below(e.root)
}

// says waits until the overlay is there and its name begins so.
func (e *eyes) says(text string) (w xproto.Window) {
	e.t.Helper()
	until(e.t, "the overlay that says "+text, func() bool {
		var name string
		select {
		case err := <-e.ended:
			e.ended <- err
			e.t.Fatalf("the overlay has ended: %v", err)
		default:
		}
		w, name = e.find()
		return w != 0 && strings.HasPrefix(name, title+": "+text)
	})
	return w
}

func (e *eyes) place(w xproto.Window) image.Rectangle {
	g, err := xproto.GetGeometry(e.conn, xproto.Drawable(w)).Reply()
	must(e.t, err)
	at, err := xproto.TranslateCoordinates(e.conn, w, e.root, 0, 0).Reply()
	must(e.t, err)
	return image.Rect(0, 0, int(g.Width), int(g.Height)).Add(image.Pt(int(at.DstX), int(at.DstY)))
}

// shot is a screenshot of a rectangle.
func (e *eyes) shot(r image.Rectangle) *image.RGBA {
	g, err := xproto.GetImage(e.conn, xproto.ImageFormatZPixmap, xproto.Drawable(e.root), int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()),
		uint16(r.Dy()), ^uint32(0)).Reply()
	must(e.t, err)
	img := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = g.Data[i+2], g.Data[i+1], g.Data[i], 0xff
	}
	return img
}

// colour counts the pixels of a colour.
func colour(img *image.RGBA, c color.RGBA) (n int) {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == c.R && img.Pix[i+1] == c.G && img.Pix[i+2] == c.B {
			n++
		}
	}
	return n
}

// keys presses keys together.
func (e *eyes) keys(syms ...xproto.Keysym) {
	setup := xproto.Setup(e.conn)
	m, err := xproto.GetKeyboardMapping(e.conn, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply()
	must(e.t, err)
	var codes []byte
	for _, s := range syms {
		i := slices.Index(m.Keysyms, s)
		codes = append(codes, byte(int(setup.MinKeycode)+i/int(m.KeysymsPerKeycode)))
	}
	for _, c := range codes {
		must(e.t, xtest.FakeInputChecked(e.conn, xproto.KeyPress, c, 0, e.root, 0, 0, 0).Check())
	}
	for _, c := range slices.Backward(codes) {
		must(e.t, xtest.FakeInputChecked(e.conn, xproto.KeyRelease, c, 0, e.root, 0, 0, 0).Check())
	}
}

// press clicks in the middle of a button.
func (e *eyes) press(b button) {
	w, _ := e.find()
	r := b.box().Add(e.place(w).Min)
	x, y := int16((r.Min.X+r.Max.X)/2), int16((r.Min.Y+r.Max.Y)/2)
	must(e.t, xtest.FakeInputChecked(e.conn, xproto.MotionNotify, 0, 0, e.root, x, y, 0).Check())
	must(e.t, xtest.FakeInputChecked(e.conn, xproto.ButtonPress, 1, 0, e.root, x, y, 0).Check())
	must(e.t, xtest.FakeInputChecked(e.conn, xproto.ButtonRelease, 1, 0, e.root, x, y, 0).Check())
}

// drag drags from a point by an offset.
func (e *eyes) drag(from, by image.Point) {
	for _, at := range []struct {
		kind byte
		p    image.Point
	}{{xproto.MotionNotify, from}, {xproto.ButtonPress, from}, {xproto.MotionNotify, from.Add(by.Div(2))}, {xproto.MotionNotify, from.Add(by)},
		{xproto.ButtonRelease, from.Add(by)}} {
		var detail byte
		if at.kind != xproto.MotionNotify {
			detail = 1
		}
		must(e.t, xtest.FakeInputChecked(e.conn, at.kind, detail, 0, e.root, int16(at.p.X), int16(at.p.Y), 0).Check())
	}
}

// overlays runs an overlay; ended is closed when it ends.
func (e *eyes) overlays(w *apptest.World) (ended chan error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended = make(chan error, 1)
	e.ended = ended
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended <- Run(ctx, Options{Client: w.Client, Display: os.Getenv("DISPLAY"), PauseKey: pauseKey, Dir: e.dir,
			Open: func(context.Context) error { e.opened <- true; return nil }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	}()
	w.T.Cleanup(func() { cancel(); <-done })
	return ended
}

// manage starts a window manager, if one is installed, and waits until it is ready.
func (e *eyes) manage() {
	path, err := exec.LookPath("openbox")
	if err != nil {
		return
	}
	cmd := exec.Command(path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(e.t, cmd.Start())
	e.t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	check, err := xproto.InternAtom(e.conn, false, uint16(len("_NET_SUPPORTING_WM_CHECK")), "_NET_SUPPORTING_WM_CHECK").Reply()
	must(e.t, err)
	until(e.t, "the window manager", func() bool {
		p, err := xproto.GetProperty(e.conn, false, e.root, check.Atom, xproto.GetPropertyTypeAny, 0, 1).Reply()
		return err == nil && len(p.Value) > 0
	})
}

func TestTheOverlayComesActsAndGoes(t *testing.T) {
	browsertest.Display(t)
	e := look(t)
	e.manage()
	w := apptest.Begin(t)
	focus, err := xproto.GetInputFocus(e.conn).Reply()
	must(t, err)
	ended := e.overlays(w)
	w.InATerminal()
	id := w.Watching("Change an order at the desk").LearnSessionID
	win := e.says("Watching since ")
	until(t, "the picture", func() bool { return colour(e.shot(e.place(win)), lamp.Red) > 100 })
	keep(t, "watching", e.shot(e.place(win)))
	if now, err := xproto.GetInputFocus(e.conn).Reply(); err != nil || now.Focus == win || now.Focus != focus.Focus && now.Focus == win {
		t.Error("it took the focus")
	}
	w.ShownBy(id, "overlay", "terminal")

	e.press(toggle)
	until(t, "the pause", func() bool { return w.Session(id).State == "paused" })
	win = e.says("Paused")
	until(t, "the picture", func() bool {
		img := e.shot(e.place(win))
		return colour(img, lamp.Amber) > 50 && colour(img, lamp.Red) == 0
	})
	keep(t, "paused", e.shot(e.place(win)))
	e.press(toggle)
	until(t, "going on", func() bool { return w.Session(id).State == "capturing" })
	e.says("Watching since ")

	// The pause key, from anywhere; another program learns meanwhile that it is taken.
	k, err := hotkey.Parse(pauseKey)
	must(t, err)
	if taken, err := hotkey.Taken(os.Getenv("DISPLAY"), k); err != nil || !taken {
		t.Errorf("the overlay's key is taken: %v, %v", taken, err)
	}
	e.keys(0xffe3, 0xffe9, 0x70) // control, alt, p
	until(t, "the pause by key", func() bool { return w.Session(id).State == "paused" })
	e.says("Paused")
	// It stays where it is dragged, also the next time.
	was := e.place(win)
	size := image.Pt(int(xproto.Setup(e.conn).DefaultScreen(e.conn).WidthInPixels),
		int(xproto.Setup(e.conn).DefaultScreen(e.conn).HeightInPixels))
	if was.Max.X < size.X-100 || was.Max.Y < size.Y-150 || !was.In(image.Rectangle{Max: size}) {
		t.Errorf("it begins at %v on a screen of %v, not at the bottom right", was, size)
	}
	e.drag(was.Min.Add(image.Pt(5, 5)), image.Pt(-200, -300))
	until(t, "the place", func() bool { return e.place(win).Min == was.Min.Add(image.Pt(-200, -300)) })
	until(t, "the memory of it", func() bool {
		return place(e.dir, image.Point{}, size, was.Size()) == was.Min.Add(image.Pt(-200, -300))
	})

	e.press(stop)
	until(t, "the stop", func() bool { return w.Session(id).State == "stopped" })
	win = e.says("The demonstration is over")
	keep(t, "over", e.shot(e.place(win)))
	e.press(stop) // which now opens Showhow
	<-e.opened
	must(t, <-ended)
	if taken, err := hotkey.Taken(os.Getenv("DISPLAY"), k); err != nil || taken {
		t.Errorf("the key is kept: %v, %v", taken, err)
	}
	if left, _ := e.find(); left != 0 {
		t.Error("it stays although nothing is watched")
	}
}

// An overlay that nobody can see holds no lease, nor does one whose display is gone; capture continues while another
// indicator shows it, and pauses if none does.
func TestAnOverlayOutOfSightIsNoIndicator(t *testing.T) {
	w := apptest.Begin(t)
	hidden := w.InATerminal()
	var ended chan error
	var id string
	t.Run("display", func(t *testing.T) { // its display ends with it
		browsertest.Display(t) // without a window manager: whoever comes last is on top
		e := look(t)
		ended = e.overlays(w)
		id = w.Watching("Covered").LearnSessionID
		win := e.says("Watching since ")
		hidden()
		w.ShownBy(id, "overlay")
		cover := e.cover(e.place(win))
		until(t, "the pause", func() bool { return w.Session(id).State == "paused" })
		if s := w.Session(id); s.PauseReason != "no_indicator" {
			t.Errorf("it paused because of %s", s.PauseReason)
		}
		must(t, xproto.DestroyWindowChecked(e.conn, cover).Check())
		hidden = w.InATerminal()
		_, err := w.Client.ResumeSession(t.Context(), id)
		must(t, err)
		w.ShownBy(id, "overlay", "terminal")
		e.conn.Close()
	})
	must(t, <-ended)
	w.ShownBy(id, "terminal")
	if s := w.Session(id); s.State != "capturing" {
		t.Fatalf("it is %s (%s) although a terminal shows it", s.State, s.PauseReason)
	}
}

// cover puts a window over a rectangle.
func (e *eyes) cover(r image.Rectangle) xproto.Window {
	over, err := xproto.NewWindowId(e.conn)
	must(e.t, err)
	must(e.t, xproto.CreateWindowChecked(e.conn, 24, over, e.root, int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()), 0,
		xproto.WindowClassInputOutput, xproto.WindowClassCopyFromParent, 0, nil).Check())
	must(e.t, xproto.MapWindowChecked(e.conn, over).Check())
	return over
}

// keep saves a picture for inspection to the folder in SHOWHOW_PICTURES.
func keep(t *testing.T, name string, img image.Image) {
	dir := os.Getenv("SHOWHOW_PICTURES")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, "overlay-"+name+".png"))
	must(t, err)
	defer f.Close()
	must(t, png.Encode(f, img))
}

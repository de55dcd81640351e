package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"showhow/app/follow"
	"showhow/app/lamp"
)

// button is one of the overlay's buttons.
type button int

const (
	none button = iota
	toggle
	stop
)

// Measures in units of a 96 dpi display.
const (
	width, height = 440, 58
	margin        = 14
	buttonWidth   = 76
	buttonHeight  = 34
)

// Colours, those of the pages' strip.
var (
	ground = color.RGBA{0x17, 0x28, 0x2e, 0xff}
	ink    = color.RGBA{0xf1, 0xf6, 0xf6, 0xff}
	faint  = color.RGBA{0xb3, 0xc5, 0xca, 0xff}
	rule   = color.RGBA{0x4d, 0x62, 0x69, 0xff}
)

// box is a button's rectangle, in units.
func (b button) box() image.Rectangle {
	right := width - margin
	if b == toggle {
		right -= buttonWidth + 8
	}
	top := (height - buttonHeight) / 2
	return image.Rect(right-buttonWidth, top, right, top+buttonHeight)
}

// at is the button at a point in units.
func at(x, y int) button {
	for _, b := range []button{toggle, stop} {
		if image.Pt(x, y).In(b.box()) {
			return b
		}
	}
	return none
}

// fonts are the Go fonts, which are part of the program, at a size in pixels.
type fonts struct{ bold, plain, small font.Face }

var parsed = sync.OnceValues(func() (*opentype.Font, *opentype.Font) {
	b, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // compiled in
	}
	p, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err)
	}
	return b, p
})

func newFonts(scale float64) (f fonts, err error) {
	bold, plain := parsed()
	face := func(of *opentype.Font, size float64) font.Face {
		x, e := opentype.NewFace(of, &opentype.FaceOptions{Size: size * scale, DPI: 72, Hinting: font.HintingFull})
		if e != nil {
			err = e
		}
		return x
	}
	f = fonts{bold: face(bold, 14), plain: face(plain, 14), small: face(plain, 12.5)}
	return f, err
}

// face is the content of the window.
type face struct {
	follow.View
	notice string
	next   bool // it was stopped here: what comes next is said instead
	opens  bool // Showhow can be opened from here
}

// headline is the first line, and the text for screen readers.
func (v face) headline() string {
	if v.next {
		return "The demonstration is over"
	}
	return v.Headline()
}

// picture draws the window's content.
func picture(v face, f fonts, scale float64) *image.RGBA {
	px := func(n int) int { return int(float64(n)*scale + 0.5) }
	img := image.NewRGBA(image.Rect(0, 0, px(width), px(height)))
	fill := func(r image.Rectangle, c color.Color) {
		draw.Draw(img, image.Rect(px(r.Min.X), px(r.Min.Y), px(r.Max.X), px(r.Max.Y)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(image.Rect(0, 0, width, height), rule)
	fill(image.Rect(1, 1, width-1, height-1), ground)
	mark := lamp.Draw(v.State, v.Waits(), px(24))
	draw.Draw(img, mark.Bounds().Add(image.Pt(px(margin), px((height-24)/2))), mark, image.Point{}, draw.Over)

	left, right := margin+24+12, width-margin
	buttons := map[button]string{}
	switch {
	case v.May("pause"):
		buttons[toggle] = "Pause"
	case v.May("resume"):
		buttons[toggle] = "Resume"
	}
	switch {
	case v.May("stop"):
		buttons[stop] = "Stop"
	case v.next && v.opens:
		buttons[stop] = "Open"
	}
	for b, label := range buttons {
		r := b.box()
		right = min(right, r.Min.X-10)
		edge, face, word := rule, ground, ink
		if b == stop { // as in the pages: the button that ends it stands out
			edge, face, word = ink, ink, ground
		}
		fill(r, edge)
		fill(r.Inset(1), face)
		w := font.MeasureString(f.plain, label).Ceil()
		write(img, f.plain, word, px(r.Min.X)+(px(buttonWidth)-w)/2, px(r.Min.Y+22), label)
	}
	room := px(right) - px(left)
	write(img, f.bold, ink, px(left), px(25), fit(f.bold, v.headline(), room))
	write(img, f.small, faint, px(left), px(44), fit(f.small, below(v), room))
	return img
}

// below is the second line.
func below(v face) string {
	switch {
	case v.notice != "":
		return v.notice
	case v.next:
		return "Open Showhow to see what was understood"
	case v.State == follow.Paused:
		return v.Why() + " · " + v.Count()
	case v.On():
		return v.Count() + " · " + v.Goal()
	}
	return ""
}

func write(img draw.Image, f font.Face, c color.Color, x, y int, text string) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: f, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// fit shortens a text to a width of room.
func fit(f font.Face, text string, room int) string {
	if font.MeasureString(f, text).Ceil() <= room {
		return text
	}
	for r := []rune(text); len(r) > 0; r = r[:len(r)-1] {
		if s := string(r) + "…"; font.MeasureString(f, s).Ceil() <= room {
			return s
		}
	}
	return ""
}

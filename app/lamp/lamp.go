// Package lamp draws the icon that tray and overlay share. It shows the state at a glance by shape as well as by
// colour, so that it can be recognised without colours, on light panels and on dark ones.
//
// A full disc means watching, two bars paused, a ring with a dot ready, an empty ring off, a struck-through ring that
// no daemon answers. A drop in the corner means that something waits for the person.
package lamp

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"

	"showhow/app/follow"
)

// Colours of the icon, the same as in the pages.
var (
	Red   = color.RGBA{0xf0, 0x76, 0x4f, 0xff}
	Amber = color.RGBA{0xe9, 0xb9, 0x5c, 0xff}
	Grey  = color.RGBA{0x9a, 0xa8, 0xac, 0xff}
	Blue  = color.RGBA{0x74, 0xcb, 0xd8, 0xff}
	edge  = color.RGBA{0x10, 0x1c, 0x20, 0xd0} // around everything, for light panels
)

// Draw returns the icon at a size in pixels.
func Draw(s follow.State, waits bool, size int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	p := pen{img: img, unit: float64(size) / 24}
	switch s {
	case follow.Watching:
		p.disc(12, 12, 9.5, edge)
		p.disc(12, 12, 8.5, Red)
	case follow.Paused:
		for _, x := range []float64{4.5, 13.5} {
			p.box(x-1, 3, 7.5, 18, edge)
			p.box(x, 4, 5.5, 16, Amber)
		}
	case follow.Armed:
		p.ring(12, 12, 9, 3, Amber)
		p.disc(12, 12, 4, edge)
		p.disc(12, 12, 3, Amber)
	case follow.Away:
		p.ring(12, 12, 9, 3, Grey)
		p.line(5, 19, 19, 5, 5, edge)
		p.line(5, 19, 19, 5, 3, Grey)
	default:
		p.ring(12, 12, 9, 3, Grey)
	}
	if waits {
		p.disc(18.5, 5.5, 5.5, edge)
		p.disc(18.5, 5.5, 4.5, Blue)
	}
	return img
}

// pen draws on a grid of 24 units.
type pen struct {
	img  *image.RGBA
	unit float64
}

func (p pen) fill(c color.Color, path func(r *vector.Rasterizer)) {
	b := p.img.Bounds()
	r := vector.NewRasterizer(b.Dx(), b.Dy())
	r.DrawOp = draw.Over
	path(r)
	r.Draw(p.img, b, image.NewUniform(c), image.Point{})
}

// circle adds a circle as four curves; back reverses the direction, which cuts a hole.
func (p pen) circle(r *vector.Rasterizer, x, y, radius float64, back bool) {
	const k = 0.5522847498 // a quarter of a circle as a cubic curve
	sign := 1.0
	if back {
		sign = -1
	}
	at := func(dx, dy float64) (float32, float32) {
		return float32((x + dx*radius) * p.unit), float32((y + dy*radius*sign) * p.unit)
	}
	r.MoveTo(at(1, 0))
	for _, q := range [][6]float64{{1, k, k, 1, 0, 1}, {-k, 1, -1, k, -1, 0}, {-1, -k, -k, -1, 0, -1}, {k, -1, 1, -k, 1, 0}} {
		ax, ay := at(q[0], q[1])
		bx, by := at(q[2], q[3])
		cx, cy := at(q[4], q[5])
		r.CubeTo(ax, ay, bx, by, cx, cy)
	}
	r.ClosePath()
}

func (p pen) disc(x, y, radius float64, c color.Color) {
	p.fill(c, func(r *vector.Rasterizer) { p.circle(r, x, y, radius, false) })
}

func (p pen) ring(x, y, radius, width float64, c color.Color) {
	hoop := func(outer, inner float64, c color.Color) {
		p.fill(c, func(r *vector.Rasterizer) {
			p.circle(r, x, y, outer, false)
			p.circle(r, x, y, inner, true)
		})
	}
	hoop(radius+0.8, radius-width-0.8, edge)
	hoop(radius, radius-width, c)
}

func (p pen) box(x, y, w, h float64, c color.Color) {
	p.polygon(c, x, y, x+w, y, x+w, y+h, x, y+h)
}

func (p pen) line(x1, y1, x2, y2, width float64, c color.Color) {
	l := math.Hypot(x2-x1, y2-y1)
	nx, ny := (y1-y2)/l*width/2, (x2-x1)/l*width/2
	p.polygon(c, x1+nx, y1+ny, x2+nx, y2+ny, x2-nx, y2-ny, x1-nx, y1-ny)
}

func (p pen) polygon(c color.Color, xy ...float64) {
	p.fill(c, func(r *vector.Rasterizer) {
		for i := 0; i < len(xy); i += 2 {
			x, y := float32(xy[i]*p.unit), float32(xy[i+1]*p.unit)
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	})
}

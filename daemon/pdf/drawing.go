package pdf

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"showhow/daemon/pdf/table"
)

// maxLines bounds the lines of a page.
const maxLines = 20_000

var errTooManyLines = errors.New("pdf: too many lines")

// drawn finds the horizontal and vertical lines in a page that poppler drew as SVG: strokes, and thin filled rectangles. Such
// a file has the outlines of letters in definitions of their own, and a matrix at each path.
func drawn(in io.Reader) (out []table.Rect, err error) {
	d := xml.NewDecoder(in)
	d.Strict = false
	for inside := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "defs", "symbol", "clipPath", "mask":
				inside++
			case "path":
				if inside == 0 {
					out = append(out, linesOf(e)...)
				}
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "defs", "symbol", "clipPath", "mask":
				inside--
			}
		}
		if len(out) > maxLines {
			return nil, errTooManyLines
		}
	}
}

func linesOf(e xml.StartElement) (out []table.Rect) {
	var path, style, matrix string
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "d":
			path = a.Value
		case "style":
			style = a.Value
		case "transform":
			matrix = a.Value
		}
	}
	put := placer(matrix)
	if put == nil {
		return nil
	}
	for _, points := range subpaths(path) {
		for i := range points {
			points[i] = put(points[i])
		}
		if strings.Contains(style, "stroke:none") {
			if r, ok := thin(points); ok {
				out = append(out, r)
			}
			continue
		}
		for i := 1; i < len(points); i++ {
			if r, ok := straight(points[i-1], points[i]); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

type point struct{ x, y float64 }

// placer applies a matrix(a,b,c,d,e,f); nil if it cannot be read.
func placer(matrix string) func(point) point {
	if matrix == "" {
		return func(p point) point { return p }
	}
	inner, ok := strings.CutPrefix(matrix, "matrix(")
	inner, closed := strings.CutSuffix(inner, ")")
	var m [6]float64
	f := strings.Split(inner, ",")
	if !ok || !closed || len(f) != 6 {
		return nil
	}
	for i := range m {
		var err error
		if m[i], err = number(f[i]); err != nil {
			return nil
		}
	}
	return func(p point) point { return point{m[0]*p.x + m[2]*p.y + m[4], m[1]*p.x + m[3]*p.y + m[5]} }
}

func number(s string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err == nil && (math.IsNaN(x) || math.Abs(x) > 1e7) {
		err = strconv.ErrRange
	}
	return x, err
}

// subpaths are the corners of a path's parts. One with a curve has none, because it is no line.
func subpaths(path string) (out [][]point) {
	var at []point
	end := func() {
		if len(at) > 1 {
			out = append(out, at)
		}
		at = nil
	}
	f := strings.Fields(path)
	for i := 0; i < len(f); i++ {
		switch f[i] {
		case "M", "L":
			if i+2 >= len(f) {
				return out
			}
			x, err := number(f[i+1])
			y, err2 := number(f[i+2])
			if err != nil || err2 != nil {
				return out
			}
			if f[i] == "M" {
				end()
			}
			at, i = append(at, point{x, y}), i+2
		case "Z":
			if len(at) > 0 {
				at = append(at, at[0])
			}
			end()
		default: // a curve
			at = nil
			for i+1 < len(f) && f[i+1] != "M" {
				i++
			}
		}
	}
	end()
	return out
}

// Lines are at least this long, and may be this thick and this far from straight, in points.
const (
	shortest = 4
	thickest = 2.5
	slant    = 0.5
)

func straight(a, b point) (table.Rect, bool) {
	r := table.Rect{X0: min(a.x, b.x), Y0: min(a.y, b.y), X1: max(a.x, b.x), Y1: max(a.y, b.y)}
	w, h := r.X1-r.X0, r.Y1-r.Y0
	return r, w >= shortest && h <= slant || h >= shortest && w <= slant
}

// thin is the line that a filled shape is: long, not thick, and most of the rectangle around it. Browsers draw the borders of a
// table's cells with slanted ends, where two borders meet.
func thin(points []point) (r table.Rect, ok bool) {
	if len(points) < 4 || len(points) > 6 {
		return r, false
	}
	r = table.Rect{X0: points[0].x, Y0: points[0].y, X1: points[0].x, Y1: points[0].y}
	twice := 0.0 // the shape's area
	for i, p := range points {
		next := points[(i+1)%len(points)]
		twice += p.x*next.y - next.x*p.y
		r = table.Rect{X0: min(r.X0, p.x), Y0: min(r.Y0, p.y), X1: max(r.X1, p.x), Y1: max(r.Y1, p.y)}
	}
	w, h := r.X1-r.X0, r.Y1-r.Y0
	return r, math.Abs(twice) >= w*h && (w >= shortest && h <= thickest || h >= shortest && w <= thickest)
}

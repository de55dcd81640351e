package player

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"showhow/capture"
)

const evidenceTime = 5 * time.Second

// testify delivers the evidence of a failure, even if the caller's context has expired.
func (p *Player) testify(ctx context.Context, why error) {
	if p.o.Evidence == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), evidenceTime)
	defer cancel()
	e := Evidence{Err: why}
	if s, err := p.State(ctx); err == nil {
		e.State = p.redacted(s)
	}
	if p.o.Pictures {
		e.PNG = p.picture(ctx, p.entered())
	}
	p.o.Evidence(e)
}

// Picture is a PNG screenshot of the tab in front, painted over wherever it could show data: as in
// Evidence, and where a text contains one of the words. It is nil if no picture can be taken.
func (p *Player) Picture(ctx context.Context, words []string) []byte {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), evidenceTime)
	defer cancel()
	return p.picture(ctx, append(p.entered(), words...))
}

// entered returns the values that acts entered, longest first.
func (p *Player) entered() (typed []string) {
	p.locked(func() { typed = slices.Clone(p.typed) })
	slices.SortFunc(typed, func(a, b string) int { return len(b) - len(a) })
	return typed
}

// redacted returns a state in the form in which it may be kept.
func (p *Player) redacted(s capture.State) capture.State {
	typed := p.entered()
	hide := func(text string) string {
		for _, v := range typed {
			text = strings.ReplaceAll(text, v, "[hidden]")
		}
		return text
	}
	all := func(in []string) (out []string) {
		for _, t := range in {
			out = append(out, hide(t))
		}
		return out
	}
	out := capture.State{URL: bareURL(s.URL), Title: hide(s.Title), Headings: all(s.Headings), Dialogs: all(s.Dialogs), Alerts: all(s.Alerts),
		Invalid: all(s.Invalid), Focus: hide(s.Focus)}
	for _, t := range s.Tables {
		t.Name, t.Columns = hide(t.Name), all(t.Columns)
		out.Tables = append(out.Tables, t)
	}
	for _, f := range s.Fields {
		out.Fields = append(out.Fields, capture.Field{Label: hide(f.Label), Role: f.Role})
	}
	return out
}

// bareURL strips from an address whatever forms and people put into it.
func bareURL(s string) string {
	at, _, _ := strings.Cut(s, "?")
	at, _, _ = strings.Cut(at, "#")
	return at
}

type veil struct {
	Width  float64      `json:"width"`
	Height float64      `json:"height"`
	Boxes  [][4]float64 `json:"boxes"`
}

// picture takes a screenshot of the tab and paints over everything that was sensitive just before
// or just after.
func (p *Player) picture(ctx context.Context, words []string) []byte {
	t := p.current()
	if t == nil || p.blockedBy(t) {
		return nil
	}
	before, ok := p.veil(ctx, t, words)
	if !ok {
		return nil
	}
	var shot page.CaptureScreenshotResult
	if p.send(ctx, t, t.s, page.CommandCaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng},
		&shot) != nil {
		return nil
	}
	after, ok := p.veil(ctx, t, words)
	if !ok || after.Width != before.Width || after.Height != before.Height {
		return nil
	}
	return paint(shot.Data, before, append(before.Boxes, after.Boxes...))
}

// veil asks the page what a picture of the tab must not show.
func (p *Player) veil(ctx context.Context, t *tab, words []string) (out veil, ok bool) {
	list, err := json.Marshal(append([]string{}, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) < 2 })...))
	if err != nil {
		return out, false
	}
	var unique string
	p.locked(func() {
		if v := p.views[t.s]; v != nil {
			unique = v.worlds[frameOf(v)]
		}
	})
	if unique == "" {
		return out, false
	}
	var res runtime.EvaluateResult
	params := runtime.EvaluateParams{Expression: "globalThis.showhow.hide(" + string(list) + ")", UniqueContextID: unique,
		ReturnByValue: new(true), Silent: new(true)}
	if p.send(ctx, t, t.s, runtime.CommandEvaluate, params, &res) != nil || res.Result == nil {
		return out, false
	}
	var text string
	if json.Unmarshal(res.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &out) != nil {
		return out, false
	}
	return out, out.Width > 0 && out.Height > 0
}

// paint covers boxes with a small margin.
func paint(data []byte, v veil, boxes [][4]float64) []byte {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	canvas := image.NewRGBA(img.Bounds())
	draw.Draw(canvas, canvas.Bounds(), img, img.Bounds().Min, draw.Src)
	scaleX, scaleY := float64(canvas.Bounds().Dx())/v.Width, float64(canvas.Bounds().Dy())/v.Height
	grey := image.NewUniform(color.RGBA{0x9a, 0x9a, 0xa2, 0xff})
	for _, b := range boxes {
		r := image.Rect(int(math.Floor((b[0]-2)*scaleX)), int(math.Floor((b[1]-2)*scaleY)), int(math.Ceil((b[0]+b[2]+2)*scaleX)),
			int(math.Ceil((b[1]+b[3]+2)*scaleY)))
		draw.Draw(canvas, r.Intersect(canvas.Bounds()), grey, image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	if png.Encode(&out, canvas) != nil {
		return nil
	}
	return out.Bytes()
}

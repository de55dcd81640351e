package player

import (
	"bytes"
	"image"
	"image/png"
	"testing"
	"time"
)

// points counts the red and the blue pixels of a picture.
func points(img image.Image) (red, blue int) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			switch r, g, b, _ := img.At(x, y).RGBA(); {
			case r > 0xf000 && g < 0x1000 && b < 0x1000:
				red++
			case b > 0xf000 && r < 0x1000 && g < 0x1000:
				blue++
			}
		}
	}
	return red, blue
}

// A page laid out by a table, a list or a frame remains visible: its headings, labels and controls
// are blue here and stay; the data it lists is red and is painted over.
func TestALaidOutPageCanBeSeen(t *testing.T) {
	const style = `<style>*{list-style:none;color:#f00;font:bold 20px sans-serif}h2,label,button{color:#00f;background:#fff;border:0}</style>`
	const records = `<table><tbody><tr><th>Ada Lovelace</th><td>London <button>Ada Lovelace</button></td></tr></tbody></table>`
	for name, body := range map[string]string{
		"a table":        `<table><tbody><tr><td><h2>Orders</h2>` + records + `</td></tr></tbody></table>`,
		"a form's table": `<form><table><tbody><tr><td><label for=a>Street</label></td><td><input id=a></td></tr></tbody></table></form>`,
		"a list": `<ul><li>Ada Lovelace <button>Open</button></li></ul>` +
			`<ul><li><button style="color:#f00">Ada Lovelace</button></li></ul>`,
		"a list of tabs": `<ul role=tablist><li><button role=tab>Details</button></li></ul>`,
		"a frame": `<iframe style="margin-top:40px;width:600px" srcdoc='` + style + `<h2>Orders</h2><p>Ada Lovelace</p>` +
			records + `'></iframe>`,
		"a short word":      `<h2>Options and decisions</h2>`,
		"a word that tells": `<h2 style="color:#f00">Turned on</h2><h2>Orders</h2>`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]any{"/": `<!doctype html><title>x</title>` + style + body})
			p := stage(t, Options{Patience: 200 * time.Millisecond, Pictures: true})
			open(t, p, s.URL+"/")
			img, err := png.Decode(bytes.NewReader(p.Picture(ctxOf(t), []string{"on"})))
			if err != nil {
				t.Fatal(err)
			}
			if red, blue := points(img); red > 0 || blue == 0 {
				t.Errorf("%d red points and %d blue ones", red, blue)
			}
		})
	}
}

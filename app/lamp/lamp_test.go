package lamp

import (
	"image"
	"image/color"
	"testing"

	"showhow/app/follow"
)

// The states can be recognised without colours and as a small icon on a panel of any brightness: in grey, on white
// and on black, no two icons are alike.
func TestStatesDifferWithoutColour(t *testing.T) {
	states := []follow.State{follow.Away, follow.Off, follow.Armed, follow.Watching, follow.Paused}
	const size = 16
	for _, ground := range []uint8{0, 255} {
		seen := map[string][]uint8{}
		for _, s := range states {
			for _, waits := range []bool{false, true} {
				seen[string(s)+map[bool]string{true: "+"}[waits]] = grey(Draw(s, waits, size), ground)
			}
		}
		for a, x := range seen {
			for b, y := range seen {
				if a < b && different(x, y) < 8 {
					t.Errorf("on %d: %s and %s differ in %d pixels of %d only", ground, a, b, different(x, y), size*size)
				}
			}
		}
	}
}

func grey(img *image.RGBA, ground uint8) (out []uint8) {
	for i := 0; i < len(img.Pix); i += 4 {
		left := uint32(255-img.Pix[i+3]) * uint32(ground) / 255 // what shines through
		g := color.GrayModel.Convert(color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}).(color.Gray)
		out = append(out, uint8(min(255, uint32(g.Y)+left)))
	}
	return out
}

func different(a, b []uint8) (n int) {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d > 40 || d < -40 {
			n++
		}
	}
	return n
}

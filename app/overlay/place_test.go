package overlay

import (
	"image"
	"os"
	"testing"
)

// A position outside a screen that is smaller now, or one that cannot be read, is ignored.
func TestTheWindowComesWhereItIsWhollySeen(t *testing.T) {
	begin, size := image.Pt(700, 500), image.Pt(440, 58)
	dir := t.TempDir()
	at := func(w, h int) image.Point { return place(dir, begin, image.Pt(w, h), size) }
	if got := at(1200, 800); got != begin {
		t.Errorf("before anybody moved it: %v", got)
	}
	remember(dir, image.Pt(900, 600))
	if got := at(1920, 1080); got != image.Pt(900, 600) {
		t.Errorf("where it was left: %v", got)
	}
	if got := at(1280, 720); got != begin {
		t.Errorf("half outside of a smaller screen: %v", got)
	}
	if err := os.WriteFile(placeFile(dir), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := at(1920, 1080); got != begin {
		t.Errorf("not readable: %v", got)
	}
}

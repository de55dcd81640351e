package overlay

import (
	"encoding/json"
	"image"
	"os"
	"path/filepath"

	"showhow/internal/kept"
)

func placeFile(dir string) string { return filepath.Join(dir, "overlay.json") }

// place is where the window was left, when that is still wholly on the screen; else where it begins.
func place(dir string, begin, screen, size image.Point) image.Point {
	if dir == "" {
		return begin
	}
	var at image.Point
	b, err := os.ReadFile(placeFile(dir))
	if err != nil || json.Unmarshal(b, &at) != nil || !(image.Rectangle{at, at.Add(size)}).In(image.Rectangle{Max: screen}) {
		return begin
	}
	return at
}

// remember keeps where the window was left. Where that cannot be, it comes back where it began.
func remember(dir string, at image.Point) {
	if dir != "" && os.MkdirAll(dir, 0o700) == nil {
		_ = kept.Save(placeFile(dir), at)
	}
}

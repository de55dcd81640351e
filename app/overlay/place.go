package overlay

import (
	"encoding/json"
	"image"
	"os"
	"path/filepath"

	"showhow/internal/kept"
)

func placeFile(dir string) string { return filepath.Join(dir, "overlay.json") }

// place is the window's saved position, if it is still completely on the screen; else the initial one.
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

// remember saves the window's position. If that fails, the window returns to its initial position.
func remember(dir string, at image.Point) {
	if dir != "" && os.MkdirAll(dir, 0o700) == nil {
		_ = kept.Save(placeFile(dir), at)
	}
}

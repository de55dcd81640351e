package desktop

import (
	"encoding/json"
	"os"
	"path/filepath"

	"showhow/internal/kept"
)

// The minimum size of the window: what the pages are made for, with room for a window frame on small screens.
const (
	minWidth, minHeight     = 400, 480
	firstWidth, firstHeight = 1180, 800
)

// State is the window's geometry when it was closed, in the system's logical pixels.
type State struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

func stateFile(dir string) string { return filepath.Join(dir, "window.json") }

// Load reads the saved geometry; unreadable state is ignored.
func Load(dir string) State {
	s := State{Width: firstWidth, Height: firstHeight}
	b, err := os.ReadFile(stateFile(dir))
	if err == nil && json.Unmarshal(b, &s) != nil {
		s = State{Width: firstWidth, Height: firstHeight}
	}
	s.Width, s.Height = max(s.Width, minWidth), max(s.Height, minHeight)
	return s
}

// Save saves the window's geometry.
func (s State) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return kept.Save(stateFile(dir), s)
}

// Within fits the state to a screen of this size: never larger, and with its title bar within reach.
func (s State) Within(width, height int) State {
	if width <= 0 || height <= 0 {
		return s
	}
	s.Width, s.Height = max(min(s.Width, width), minWidth), max(min(s.Height, height), minHeight)
	s.Placed = s.Placed && s.X > -s.Width/2 && s.X < width-minWidth/4 && s.Y >= 0 && s.Y < height-minHeight/4
	return s
}

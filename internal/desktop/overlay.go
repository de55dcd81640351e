package desktop

import (
	"showhow/internal/config"
	"showhow/internal/paths"
)

// Overlay is the display on which the small window above the others is to come by itself; "" when the person does not want it or
// this desktop cannot.
func Overlay(r paths.Roots, getenv func(string) string) string {
	cfg, err := config.Load(r)
	if err != nil || !cfg.Overlay.Show {
		return ""
	}
	display, _ := OnTop(getenv)
	return display
}

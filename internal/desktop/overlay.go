package desktop

import (
	"showhow/internal/config"
	"showhow/internal/paths"
)

// Overlay is the display on which the always-on-top window opens automatically; "" if the person does not want it or
// this desktop does not support it.
func Overlay(r paths.Roots, getenv func(string) string) string {
	cfg, err := config.Load(r)
	if err != nil || !cfg.Overlay.Show {
		return ""
	}
	display, _ := OnTop(getenv)
	return display
}

package checkup

import (
	"context"
	"os"

	"showhow/internal/desktop"
	"showhow/internal/hotkey"
	"showhow/internal/single"
)

// doctorIndicators lists what can show on this desktop that capture is on, besides a terminal and the pages: capture
// pauses when nothing does (decisions A8). It uses the daemon's own environment, which a service manager may keep
// minimal.
func (c *Checkup) doctorIndicators(ctx context.Context, add func(name, state, detail, fix string)) {
	panel := desktop.Panel(ctx, "")
	if panel {
		add("indicator tray", "ok", "this desktop's panel shows icons: `showhow tray` puts one there", "")
	} else {
		add("indicator tray", "unavailable", "no panel that shows icons can be reached from here",
			"GNOME needs its AppIndicator extension; elsewhere add the panel's status tray. Without one keep the window, a watched shell or "+
				"`learn start --foreground` in sight")
	}
	display, why := desktop.OnTop(os.Getenv)
	switch {
	case display != "" && c.o.Current().Overlay.Show:
		add("indicator overlay", "ok", "a small window stays above the others while something is watched", "")
	case display != "":
		add("indicator overlay", "ok", "a small window can stay above the others while something is watched; it is off",
			"show = true under [overlay] in config.toml, or `showhow overlay` for once")
	default:
		fix := "use the tray: showhow tray --background"
		if !panel {
			fix = "keep the window, a watched shell or `learn start --foreground` in sight"
		}
		add("indicator overlay", "unavailable", "no window can stay above others: "+why, fix)
	}
	if name := c.o.Current().Overlay.PauseKey; name != "" && display != "" {
		c.doctorPauseKey(display, name, add)
	}
}

// doctorPauseKey checks whether the pause key can be registered.
func (c *Checkup) doctorPauseKey(display, name string, add func(name, state, detail, fix string)) {
	const change = "change pause_key under [overlay] in config.toml"
	k, err := hotkey.Parse(name)
	if err != nil {
		add("pause key", "warning", err.Error(), change)
		return
	}
	if single.Holder(c.o.Roots.OverlayLock()) != 0 { // the overlay runs and has the key, or shows that it has not
		add("pause key", "ok", k.String()+" pauses while the overlay is there", "")
		return
	}
	switch taken, err := hotkey.Taken(display, k); {
	case err != nil:
		add("pause key", "warning", "it could not be tried on this display", change)
	case taken:
		add("pause key", "warning", "another program has taken "+k.String(), change+", or that program's setting")
	default:
		add("pause key", "ok", k.String()+" pauses while the overlay is there", "")
	}
}

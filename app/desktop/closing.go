package desktop

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/client"
)

// indicatorNames are the other indicators of capture, as a person would call them.
var indicatorNames = map[string]string{
	"tray": "the tray", "overlay": "the sign on the screen", "terminal": "a terminal",
	"shell_mark": "the mark in the watched shell", "browser_badge": "the badge in the watched page",
}

// closing is the question when a window is closed during capture; "" if nothing is captured, or it is not known.
func closing(ctx context.Context, socket string) string {
	c := client.Unix(socket)
	r, err := c.Runtime(ctx)
	if err != nil || r.State != "capturing" {
		return ""
	}
	scope, err := c.ObservationScope(ctx, r.LearnSessionID)
	if err != nil {
		return ""
	}
	return closingText(scope.Indicators)
}

func closingText(indicators []string) string {
	var others []string
	for _, i := range indicators {
		if n := indicatorNames[i]; n != "" && !slices.Contains(others, n) {
			others = append(others, n)
		}
	}
	if len(others) == 0 {
		return "Showhow is watching, and nothing else shows it: watching will pause when this window is closed. Nothing is lost.\n\nClose the " +
			"window?"
	}
	return "Showhow is still watching what you allowed. It goes on; " + strings.Join(others, " and ") + " will show it.\n\nClose the window?"
}

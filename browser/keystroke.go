package browser

import (
	"runtime"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// Keystroke returns the events of typing a character, as a keyboard sends them: the character comes with the key, so that a page that acts
// on the key itself does not get it as well. It returns nil for a character without a key.
func Keystroke(r rune) []input.DispatchKeyEventParams {
	if r == '\n' {
		r = '\r'
	}
	k := kb.Keys[r]
	if k == nil {
		return nil
	}
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.Windows,
		NativeVirtualKeyCode: k.Native}
	if runtime.GOOS == "darwin" {
		down.NativeVirtualKeyCode = 0
	}
	if k.Shift {
		down.Modifiers = int64(kb.ModifierShift)
	}
	up := down
	up.Type = input.DispatchKeyEventTypeKeyUp
	if k.Print {
		down.Text, down.UnmodifiedText = k.Text, k.Unmodified
	} else {
		down.Type = input.DispatchKeyEventTypeRawKeyDown
	}
	return []input.DispatchKeyEventParams{down, up}
}

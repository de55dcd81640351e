package hotkey

import "testing"

func TestCombinations(t *testing.T) {
	for text, ok := range map[string]bool{"ctrl+alt+p": true, "Super+F9": true, "pause": true, "f12": true, "Ctrl + Shift + 1": true,
		"p": false, "shift+p": false, "hyper+p": false, "ctrl+": false, "": false, "ctrl+f13": false, "ctrl+ä": false, "f0": false} {
		if k, err := Parse(text); (err == nil) != ok {
			t.Errorf("%q: %v, %v", text, k, err)
		}
	}
}

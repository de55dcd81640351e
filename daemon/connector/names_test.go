package connector_test

import (
	"testing"

	"showhow/daemon/connector"
	"showhow/daemon/skill/scan/source"
)

// A name is Showhow's own if a reader takes its beginning for that.
func TestNamesThatReadAsShowhows(t *testing.T) {
	for name, want := range map[string]bool{
		"Showhow": true, " show-how ": true, "SHŌWHOW": true,
		"Showhow itself": true, "showhow-notes": true, "ShowHow.": true, // as the window calls Showhow's own tools
		"Showh0w": true, "5howhow": true, "Shovvhow": true, "$howhow": true, "Sħowhow": true,
		"Ѕhоwhow": true, "ᏕᎻᎾᏔᎻᎾᏔ": true, "ꮪꮋꮎꮃꮋꮎꮃ itself": true, "ꓢꓧꓳꓪꓧꓳꓪ": true, "ꜱʜᴏᴡʜᴏᴡ": true,
		"Ｓｈｏｗｈｏｗ": true, "𝐒𝐡𝐨𝐰𝐡𝐨𝐰": true, "𝚂𝚑𝚘𝚠𝚑𝚘𝚠": true, "S\u200bhowhow": true,
		"Notes": false, "Show": false, "Shows": false, "Howshow": false, "My Showhow": false, "Ꮳ Ꮃ Ꭹ": false, "": false,
	} {
		if got := connector.IsSelf(name) || connector.IsSelf(source.Latin(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

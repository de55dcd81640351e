package page

import (
	"testing"

	"showhow/capture"
)

// An identifier with a generated beginning may end in a word.
func TestNamesBehindMadeUpOnes(t *testing.T) {
	for id, want := range map[string]string{"#ctl00_MainContent_wgtNewQuote_ddlState": "state", "#wucLogin_txtSenha": "wuc login senha",
		"#mui-4421-input": "", "#r7:x9": "", "#email": "email"} {
		if got := WrittenName(&capture.Target{Locators: []capture.Locator{{By: "css", Value: id}}}); got != want {
			t.Errorf("%s: %q, not %q", id, got, want)
		}
	}
}

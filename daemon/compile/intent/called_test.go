package intent

import "testing"

func TestCalled(t *testing.T) {
	for _, c := range []struct{ sentence, value, want string }{
		{`Enter the username "Ida" and the password "Bo" and press login.`, "Bo", "password"},
		{"For the user @Ida, press Like.", "Ida", "user"},
		{"Select Ida from the scroll list and click Submit.", "Ida", "list"},
		{"Find the email by Ida and reply.", "Ida", "email"},
		{"Book a flight from: Ida, to: Bo.", "Bo", "to"},
		{"Click the red coloured box.", "red", "box"},
		{`Find and press the search result "New York".`, "New York", "result"},
		{`Choose "Ida" and press Submit.`, "Ida", ""},
		{"Move Ida up.", "Ida", ""},
		{"Send it to Ida and Bo.", "Ida", ""},
		{"Like the post of user Ida.", "Ida", "user"},
		{`Use the textbox to enter "Ida" and press Search.`, "Ida", ""},
		{"Select Ida, Bo and Cy from the list.", "Ida", "list"},
		{"Choose Ida and click in the list.", "Ida", ""},
		{"Rename Idaho.", "Ida", ""},
	} {
		if got := Called(c.sentence, c.value); got != c.want {
			t.Errorf("%q in %q is called %q, not %q", c.value, c.sentence, got, c.want)
		}
	}
}

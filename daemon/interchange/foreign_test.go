package interchange

import (
	"encoding/json"
	"strings"
	"testing"

	"showhow/capture"
)

// asRecorded reads steps as Chrome's Recorder writes them, on one page.
func asRecorded(t *testing.T, steps string) Recording {
	t.Helper()
	r, err := Parse([]byte(`{"title":"New Recording","steps":[{"type":"navigate","url":"https://a.example/"},`+steps+`]}`), now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What Chrome's Recorder writes into files, by the forms that its own tests and public recordings have.
func TestWhatRecordersWrite(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"the nameless part of a control": {
			`{"type":"click","selectors":[["aria/Add to cart","aria/[role=\"generic\"]"],["#cart > span"]]}`,
			`click  "Add to cart" @ a.example https://a.example/`},
		"a field in a dialog": {
			`{"type":"change","value":"x","selectors":[["aria/New request[role=\"dialog\"]","aria/[role=\"textbox\"]"],"#c2"]}`,
			`type textbox "" in dialog "New request" = x () @ a.example https://a.example/`},
		"clicked by its label, filled in by its id": {
			`{"type":"click","selectors":[["aria/Email"]]},{"type":"change","value":"x","selectors":[["#email"]]}`,
			`type field "Email" = x () @ a.example https://a.example/`},
		"what stood in the field is no name": {
			`{"type":"change","value":"#333333","selectors":[["#color"],["text/#000000"]]}`,
			`type field "" = #333333 () @ a.example https://a.example/`},
		"a choice in a list, as it is written for a text": {
			`{"type":"click","selectors":[["aria/Zone"],["#zone"]]},{"type":"change","value":"cet","selectors":[["aria/Zone"],["#zone"]]}`,
			`type field "Zone" = cet () @ a.example https://a.example/`},
		"a click into what may be a box to tick": {
			`{"type":"click","selectors":[["aria/News"],["label > input"]]}`,
			`click  "News" @ a.example https://a.example/`},
		"nameless things that were clicked one after the other": {
			`{"type":"click","selectors":[["#open"]]},{"type":"change","value":"x","selectors":[["#note"]]}`,
			"click  \"\" @ a.example https://a.example/\ntype field \"\" = x () @ a.example https://a.example/"},
		"another button of the mouse": {
			`{"type":"click","button":"back","selectors":[["aria/Go"]]}`,
			"- " + otherButton},
		"pointing": {
			`{"type":"hover","selectors":[["aria/Menu"]]}`,
			"- " + onlyPointed},
		"a letter by itself": {
			`{"type":"keyDown","key":"j"},{"type":"keyUp","key":"j"}`,
			"- a letter that was pressed outside of a field"},
		"a window that a click opened": {
			`{"type":"click","selectors":[["aria/Open Popup"]]},{"type":"click","target":"https://a.example/popup","selectors":[["aria/Confirm"]]}`,
			"click  \"Open Popup\" @ a.example https://a.example/\nnew_tab @ a.example https://a.example/\nclick  \"Confirm\" @ a.example " +
				"https://a.example/popup"},
		"what stood in a field that was clicked is nobody's name for it": {
			`{"type":"click","selectors":[["#pin"],["text/hunter2"]]},{"type":"change","value":"b","selectors":[["#pin"],["text/hunter2"]]},` +
				`{"type":"click","selectors":[["div input"],["text/17 Elm Terrace"]]}`,
			"type field \"\" = b () @ a.example https://a.example/\nclick  \"\" @ a.example https://a.example/"},
		"an entry over what was marked by a double click": {
			`{"type":"click","selectors":[["aria/Note[role=\"textbox\"]"],["#n"]]},{"type":"doubleClick",` +
				`"selectors":[["aria/Note[role=\"textbox\"]"],["#n"]]},{"type":"change","value":"x","selectors":[["aria/Note[role=\"textbox\"]"],` +
				`["#n"]]},{"type":"change","value":"xy","selectors":[["aria/Note[role=\"textbox\"]"],["#n"]]}`,
			`type textbox "Note" = xy () @ a.example https://a.example/`},
		"a list that opens by a click, and a field that opens a calendar": {
			`{"type":"click","selectors":[["aria/Country[role=\"combobox\"]"]]},{"type":"click","selectors":[["aria/Peru[role=\"option\"]"]]},` +
				`{"type":"click","selectors":[["aria/From[role=\"textbox\"]"]]},{"type":"click","selectors":[["aria/12[role=\"button\"]"]]}`,
			"click combobox \"Country\" @ a.example https://a.example/\nclick option \"Peru\" @ a.example https://a.example/\nclick textbox " +
				"\"From\" @ a.example https://a.example/\nclick button \"12\" @ a.example https://a.example/"},
		"a key that is held is told again and again": {
			`{"type":"keyDown","key":"Control"},{"type":"keyDown","key":"Control"},{"type":"keyDown","key":"s"},{"type":"keyUp","key":"s"},` +
				`{"type":"keyUp","key":"Control"},{"type":"keyDown","key":"Enter"}`,
			"press Control+S @ a.example https://a.example/\npress Enter @ a.example https://a.example/"},
		"kinds of steps that are not known": {
			`{"type":"startTimespan"},{"type":"snapshot"},{"type":"snapshot","selectors":[["#a"]]},{"type":"\u001b[31mred"}`,
			"- a step of a kind that is not known: startTimespan\n- a step of a kind that is not known: snapshot (2 times)\n- a step of a kind " +
				"that is not known"},
		"a page of the browser's own": {
			`{"type":"click","target":"chrome://new-tab-page/","selectors":[["aria/Shop"]]},{"type":"click","target":"main",` +
				`"selectors":[["aria/Go"]]}`,
			"click  \"Go\" @ a.example https://a.example/\n- " + nowhere},
		"a tab that was opened by its address": {
			`{"type":"navigate","url":"https://b.example/"},{"type":"click","target":"https://b.example/","selectors":[["aria/Copy"]]},` +
				`{"type":"click","target":"main","selectors":[["aria/Paste"]]}`,
			"navigate -> https://b.example/ [] @ b.example https://b.example/\nclick  \"Copy\" @ b.example https://b.example/\nclick  \"Paste\" " +
				"@ a.example https://a.example/"},
		"on a page that is no page of the web": {
			`{"type":"navigate","url":"data:text/html,x"},{"type":"click","selectors":[["aria/Go"]]},{"type":"navigate",` +
				`"url":"https://a.example/"},{"type":"navigate","url":"javascript:alert(1)"},{"type":"click","selectors":[["aria/Go"]]}`,
			"navigate -> https://a.example/ [] @ a.example https://a.example/\nclick  \"Go\" @ a.example https://a.example/\n- an address that " +
				"is no web page's (2 times)\n- " + nowhere},
		"in a frame that is told by its number": {
			`{"type":"click","frame":[0,1],"selectors":[["aria/Go"]]}`,
			"click  \"Go\" @ a.example https://a.example/\n- which frame a step was in: it is looked for in all of them"},
	} {
		t.Run(name, func(t *testing.T) {
			r := asRecorded(t, c.steps)
			_, got, _ := strings.Cut(told(r), "\n")
			same(t, got, c.want)
			if r.Title != "" {
				t.Errorf("%q is what nobody called it", r.Title)
			}
		})
	}
}

// What stood in a field is in no part of what is told of it.
func TestFieldContentsAreNotKept(t *testing.T) {
	r := asRecorded(t, `{"type":"click","selectors":[["#pin"],["text/hunter2"]]},{"type":"change","value":"b","selectors":[["#pin"],`+
		`["text/hunter2"]]},{"type":"doubleClick","selectors":[["#pin"],["text/hunter2"]]},{"type":"click","selectors":[["aria/PIN"],["form `+
		`input"],["text/hunter2"]]}`)
	for _, o := range r.Observations {
		if b, _ := json.Marshal(o); strings.Contains(string(b), "hunter2") {
			t.Errorf("%s", b)
		}
	}
}

// A recording of steps alone does not say where it begins.
func TestARecordingWithoutAPage(t *testing.T) {
	_, err := Parse([]byte(`{"title":"x","steps":[{"type":"click","selectors":[["aria/Save"]]}]}`), now)
	if err == nil || !strings.Contains(err.Error(), "which web page") {
		t.Error(err)
	}
}

// A tool's own line may stand before codegen's; what a recording is called as a file is words.
func TestALineOfAToolBeforeCodegens(t *testing.T) {
	r, err := Parse([]byte("{\"tool\":1,\"test-name\":\"Sign "+
		"in\"}\n{\"name\":\"openPage\",\"url\":\"https://a.example/\"}\n{\"name\":\"click\",\"selector\":\"internal:role=button[name"+
		"=\\\"Go\\\"i]\"}\n"), now)
	if err != nil || r.Format != Playwright || len(r.Observations) != 2 {
		t.Errorf("%v %s", err, told(r))
	}
	r, err = Parse(
		[]byte("{\"name\":\"openPage\",\"url\":\"https://a.example/\"}\n{\"name\":\"fill\",\"selector\":\"css=#who\",\"text\":\"x\"}\n"), now)
	if err != nil || lastLocator(r.Observations[1].Target) != "#who" {
		t.Errorf("%v %s", err, told(r))
	}
	r, err = Parse([]byte(`{"title":"order_a-coffee","steps":[{"type":"navigate","url":"https://a.example/"}]}`), now)
	if err != nil || r.Title != "order a coffee" {
		t.Errorf("%v %q", err, r.Title)
	}
}

// What is wrong with a file is said of the file, in words of its format.
func TestWhatIsWrongWithAFile(t *testing.T) {
	for text, want := range map[string]string{
		`{"title":"x","steps":[{"type":"click","selectors":[["#a"]]`:                      "breaks off",
		`{"title":"x","steps":[{"type":"change","value":12}]}`:                            "its value is of another kind",
		`{"title":"x","steps":[{"type":"click","assertedEvents":{"type":"navigation"}}]}`: "its assertedEvents is",
		`{"title":"x","steps":{"0":1}}`:                                                   "no list of steps",
		`{"title":"x"}`:                                                                   "no list of steps",
	} {
		if _, err := Parse([]byte(text), now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	r := asRecorded(t, `{"type":"click","selectors":[["aria/Sa\u202eve\u001b[2J"]]}`)
	if name := r.Observations[1].Target.Name; name != "Sa ve [2J" {
		t.Errorf("%q", name)
	}
}

// A test id is found as the page script reads it, a path through a shadow root as a path; both tell a secret by their words.
func TestLocatorsOfRecorders(t *testing.T) {
	r := asRecorded(t, `{"type":"change","value":"a","selectors":[["[data-test=user]"]]},{"type":"change","value":"b",`+
		`"selectors":[["pierce/#inner"]]},{"type":"change","value":"c","selectors":[["[data-testid=\"pass-phrase\"]"]]}`)
	var got []capture.Locator
	for _, o := range r.Observations[1:] {
		got = append(got, o.Target.Locators...)
	}
	b, _ := json.Marshal(got)
	if want := `[{"by":"testid","value":"user","matches":0},{"by":"css","value":"#inner","matches":0},{"by":"testid","value":"pass-phrase",` +
		`"matches":0}]`; string(b) != want {
		t.Errorf("%s", b)
	}
	if f := r.Observations[3].Value.FieldName; !strings.Contains(f, "pass-phrase") {
		t.Errorf("the redactor is not told what the field is called: %q", f)
	}
}

// Playwright 1.64 names tabs by their id, frames in the selector, a row by what it has, and writes the browser's own click on
// the default button with a count of zero.
func TestCurrentCodegen(t *testing.T) {
	r, err := Parse([]byte(`{"name":"openPage","url":"about:blank","signals":[],"pageGuid":"page@1"}
{"name":"navigate","url":"https://a.example/","signals":[],"pageGuid":"page@1"}
{"name":"fill","selector":"iframe[name=\"inner\"] >> internal:control=enter-frame >>`+
		` internal:role=textbox[name=\"Note\"i]","text":"hello","signals":[],"pageGuid":"page@1"}
{"name":"press","selector":"internal:role=textbox[name=\"Search\"i]","key":"Enter","modifiers":0,"signals":[],"pageGuid":"page@1"}
{"name":"click","selector":"internal:role=button[name=\"Save\"i]","button":"left","clickCount":0,"signals":[],"pageGuid":"page@1"}
{"name":"select","selector":"internal:label=\"Level BronzeSilverGold\"i","options":["Silver"],"signals":[],"pageGuid":"page@1"}
{"name":"click","selector":"internal:role=listitem >> internal:has-text=\"Two\"i >>`+
		` internal:role=button","button":"left","clickCount":1,"signals":[],"pageGuid":"page@1"}
{"name":"fill","selector":"internal:role=button[name=\"Scan\"i]","text":"C:\\fakepath\\scan.pdf","signals":[],"pageGuid":"page@1"}
{"name":"click","selector":"internal:role=listitem >> internal:has-text=\"Ada Bell Open\"i >>`+
		` internal:role=button","button":"left","clickCount":1,"signals":[{"name":"navigation","url":"https://a.example/ada-bell"}],`+
		`"pageGuid":"page@1"}
{"name":"click","selector":"internal:role=link[name=\"Pop\"i]","button":"left","clickCount":1,"signals":[],"pageGuid":"page@1"}
{"name":"click","selector":"internal:role=button[name=\"Confirm\"i]","button":"left","clickCount":1,"signals":[],"pageGuid":"page@2"}
`), now)
	if err != nil {
		t.Fatal(err)
	}
	same(t, told(r), `
navigate -> https://a.example/ [] @ a.example https://a.example/
type textbox "Note" = hello () @ a.example https://a.example/
press textbox "Search" Enter @ a.example https://a.example/
select  "Level" = Silver () @ a.example https://a.example/
click button "" in listitem "Two" @ a.example https://a.example/
upload button "Scan" = scan.pdf () @ a.example https://a.example/
click button "" in listitem "Ada Bell" -> https://a.example/ada-bell [] @ a.example https://a.example/
click link "Pop" @ a.example https://a.example/ada-bell
new_tab @ a.example https://a.example/ada-bell
click button "Confirm" @ a.example https://a.example/ada-bell
- the address of a tab that a page opened: it is taken to be on the same site`)
	if f := r.Observations[1].Target.Frame; f != "inner" {
		t.Errorf("in the frame %q", f)
	}
	first, last := r.Observations[0], r.Observations[len(r.Observations)-1]
	if first.Page.Tab == last.Page.Tab {
		t.Error("both tabs are one")
	}
}

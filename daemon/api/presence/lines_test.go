package presence

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"showhow/daemon/wire"
)

type named string

type spoken struct{ what string }

func (s spoken) String() string { return s.what }

// No kind of argument brings into a line what a terminal obeys or a person does not see.
func TestALineIsVisibleWhateverItIsMadeOf(t *testing.T) {
	const bad = "ab\u202ec\u200bd\u009b2Ke\U000e0041f\x1b[1Ag\u2028h\ni"
	text := bad
	for name, arg := range map[string]any{
		"string": bad, "bytes": []byte(bad), "named": named(bad), "Stringer": spoken{bad}, "error": errors.New(bad),
		"strings": []string{bad}, "map": map[string]string{bad: bad}, "struct": struct{ X any }{bad}, "runes": []any{bad, []byte(bad)},
		"pointer": &spoken{text},
	} {
		for format, x := range map[string]Subject{"%s": Subject{}.Say("%s", arg), "%v": Subject{}.Say("%v", arg)} {
			judgeLines(t, name+" "+format, x.Lines)
		}
	}
	judgeLines(t, "list", Subject{}.SayList("Sites", []string{bad, bad}).Lines)
	judgeLines(t, "title of a list", Subject{}.SayList(bad, []string{"a"}).Lines)
	judgeLines(t, "format", Subject{}.Say(bad).Lines)
}

func judgeLines(t *testing.T, name string, lines []string) {
	t.Helper()
	if len(lines) == 0 {
		t.Errorf("%s: no line", name)
	}
	for _, l := range lines {
		if strings.IndexFunc(l, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			t.Errorf("%s: %+q", name, l)
		}
	}
}

// What a call would send and does not show is spelled: the person's yes is for it, too.
func TestACallSpellsWhatDoesNotShow(t *testing.T) {
	d := wire.MCPAskFirstDispatchRecord{Agent: "a\u202e", ToolName: "send\u200b", ServerID: "post"}
	d.Arguments = map[string]any{"to\u202e": "Ann\u200b", "all": []any{map[string]any{"k\u009b": "\U000e0041"}}, "text": "one\ntwo  three"}
	d.Provider, d.ActionClass, d.DataClasses, d.EffectivePolicyTarget.TargetKind = "custom_remote", "send", []string{"mail\u202e"}, "server"
	d.About = []string{"the document \u202efdp.txt"}
	x := Subject{}.SayCall(d)
	judgeLines(t, "call", x.Lines)
	want := `a: send of post|From a service that you connected; the tool sends something; kinds of data: mail\u{202e}|` +
		`You are asked because you decided so for this connector|` +
		`the document \u{202e}fdp.txt|all: [{"k\u{9b}":"\u{e0041}"}]|text: "one\ntwo three"|to\u{202e}: "Ann\u{200b}"`
	if got := strings.Join(x.Lines, "|"); got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

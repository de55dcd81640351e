package outlook

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// There is no AppleScript here. What can be told of the scripts without it: blocks end as they began, handlers that are called
// are there with as many parameters, no word of the language is a name of ours, and nothing is run that is not written here.

var (
	opens    = regexp.MustCompile(`^(on|tell|repeat|try|with timeout)\b`)
	handler  = regexp.MustCompile(`^on (\w+)\(([^)]*)\)$`)
	assigned = regexp.MustCompile(`^(?:set|repeat with) (\{[^}]*\}|\w+) (?:to|in|from)\b`)
	plainTo  = regexp.MustCompile(`^\w+$`)
)

// reserved are AppleScript's words that could be mistaken for names.
var reserved = strings.Fields(`about above after against and apart around as aside at back before beginning behind below beneath beside
	between but by considering contain contains continue copy div does else end equal equals error every exit false first for from
	front get given global if ignoring in instead into is it its last local me middle mod my not of on onto or out over prop property
	put ref reference repeat return returning script second set since some tell that the then through thru timeout times to
	transaction true try until where while whose with without kind size`)

func TestScriptsAreWellFormed(t *testing.T) {
	files, err := scripts.ReadDir("scripts")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	library, _ := scripts.ReadFile("scripts/library.applescript")
	shared := handlers(t, "library", string(library))
	for _, f := range files {
		data, _ := scripts.ReadFile("scripts/" + f.Name())
		source := string(data)
		own := handlers(t, f.Name(), source)
		if _, ok := own["perform"]; f.Name() != "library.applescript" && (!ok || !strings.HasPrefix(source, "-- ")) {
			t.Errorf("%s does not perform, or does not say what", f.Name())
		}
		for _, bad := range []string{"do shell script", "run script", "load script", "system events", "current application's nstask", "keystroke",
			"«", "osascript"} {
			if strings.Contains(strings.ToLower(source), bad) {
				t.Errorf("%s: %s", f.Name(), bad)
			}
		}
		for _, call := range calling(source) {
			n, ok := own[call.name]
			if !ok {
				n, ok = shared[call.name]
			}
			if call.name == "perform" {
				continue
			}
			if !ok || n != call.params {
				t.Errorf("%s calls %s with %d parameters, which takes %d (%v)", f.Name(), call.name, call.params, n, ok)
			}
		}
	}
}

type called struct {
	name   string
	params int
}

// calling finds the calls `my name(...)`, with how many parameters each has.
func calling(source string) (out []called) {
	for rest := source; ; {
		i := strings.Index(rest, "my ")
		if i < 0 {
			return out
		}
		rest = rest[i+3:]
		j := strings.IndexAny(rest, "( \n)")
		if j < 0 || rest[j] != '(' {
			continue
		}
		depth, commas, quoted, empty := 0, 0, false, true
	scan:
		for k, r := range rest[j:] {
			switch {
			case r == '"':
				quoted, empty = !quoted, false
			case quoted:
			case r == '(' || r == '{':
				if depth++; depth > 1 {
					empty = false
				}
			case r == ')' || r == '}':
				if depth--; depth == 0 {
					_ = k
					break scan
				}
			case r == ',' && depth == 1:
				commas++
			case r != ' ':
				empty = false
			}
		}
		n := commas + 1
		if empty {
			n = 0
		}
		out = append(out, called{rest[:j], n})
	}
}

// handlers are a script's handlers, with how many parameters each takes. It checks that blocks end as they began.
func handlers(t *testing.T, name, source string) map[string]int {
	t.Helper()
	out := map[string]int{}
	var open []string
	for n, l := range strings.Split(strings.ReplaceAll(source, "¬\n", ""), "\n") {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "--") || l == "" {
			continue
		}
		if strings.Count(l, "(") != strings.Count(l, ")") || strings.Count(l, "{") != strings.Count(l, "}") || strings.Count(l, `"`)%2 != 0 {
			t.Errorf("%s:%d: %s", name, n+1, l)
		}
		var names []string
		if m := assigned.FindStringSubmatch(l); m != nil {
			names = strings.FieldsFunc(strings.Trim(m[1], "{}"), func(r rune) bool { return r == ',' || r == ' ' })
		}
		if m := handler.FindStringSubmatch(l); m != nil {
			params := strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
			names, out[m[1]] = append(append(names, params...), m[1]), len(params)
		}
		for _, x := range names {
			if plainTo.MatchString(x) && slices.Contains(reserved, strings.ToLower(x)) {
				t.Errorf("%s:%d: %s is a word of AppleScript", name, n+1, x)
			}
		}
		word := opens.FindString(l)
		switch {
		case strings.HasPrefix(l, "end"):
			what := strings.TrimSpace(strings.TrimPrefix(l, "end"))
			if len(open) == 0 || open[len(open)-1] != what {
				t.Errorf("%s:%d: %q ends %v", name, n+1, l, open)
				return out
			}
			open = open[:len(open)-1]
		case strings.HasPrefix(l, "on error"):
		case word == "on":
			open = append(open, strings.FieldsFunc(l[3:], func(r rune) bool { return r == '(' || r == ' ' })[0])
		case word == "tell" && strings.Contains(l, `" to `): // on one line
		case word == "with timeout":
			open = append(open, "timeout")
		case word != "":
			open = append(open, word)
		case strings.HasPrefix(l, "if ") && strings.HasSuffix(l, " then"):
			open = append(open, "if")
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %v does not end", name, open)
	}
	return out
}

// Each operation of R9 2.6 has its script.
func TestScriptsOfR9_2_6(t *testing.T) {
	for _, name := range strings.Fields("email_search email_read email_draft email_send email_list_accounts email_save_attachments " +
		"calendar_read " +
		"calendar_create calendar_update calendar_delete calendar_list") {
		text, err := script(name)
		if err != nil || !strings.Contains(text, "on perform(asked)") || !strings.HasPrefix(text, "-- ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package clean

import (
	"strings"
	"testing"

	"showhow/capture"
)

// TestScripts: patterns and small programs stay readable; phrases, known values and secrets in them do not.
func TestScripts(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`awk '{print $1}' f`, ``},
		{`awk -F, 'NR>1 {s+=$4} END {printf "%.2f\n", s}' f.csv`, ``},
		{`awk '$3 == "A-77" {print}' f`, `awk '$3 == "[[id 4]]" {print}' f`},
		{`awk '{print "Dear Anna", $1}' f`, `awk '{print "[[text 9]]", $1}' f`},
		{`awk '/please call back/ {n++} END {print n}' f`, `awk '/[[text 16]]/ {n++} END {print n}' f`},
		{`grep ' 500$' access.log`, ``},
		{`grep -E '^ERROR |^WARN ' app.log`, ``},
		{`grep 'two words' f`, `grep [[text 9]] f`},
		{`grep "^Anna Schmidt" f`, `grep [[text 13]] f`},
		{`sudo grep ' 500$' access.log`, ``},
		{`cat f | xargs grep -l 'a  *b'`, ``},
		{`sed -n '10,20 p' f`, ``},
		{`sed 's/^ *//; s/ *$//' f`, ``},
		{`sed -i 's/old name/new name here/g' f`, `sed -i 's/[[text 8]]/[[text 13]]/g' f`},
		{`sed '/^ *$/d' f`, ``},
		{`sed '1i Dear customer of ours' f`, `sed '1i [[text 21]]' f`},
		{`jq '.items[] | {id, total}' o.json`, ``},
		{`jq -r '.[] | select(.state == "in progress") | .id' o.json`, `jq -r '.[] | select(.state == "[[text 11]]") | .id' o.json`},
		{`jq '.[] | select(.token == "ghp_16C7e42F292c6912E7710c838347Ae178B4a")' o.json`,
			`jq '.[] | select(.token == "[[secret opaque]]")' o.json`},
		{`find . -name '* copy*' -print`, ``},
		{`rg -n 'func \w+ Redact' src`, ``},
		{`psql -c 'select name from customers'`, `psql -c [[text 26]]`},
		{`say 'two words'`, `say [[text 9]]`},
	} {
		j := newJob(t, "A-77")
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := short(j.command(&capture.RawCommand{Line: c.in, Shell: "bash"}).Line); got != want {
			t.Errorf("%s\n got  %s\n want %s", c.in, got, want)
		}
	}
}

// TestHiddenWords: typed text in the less obvious places of a command.
func TestHiddenWords(t *testing.T) {
	for _, c := range []struct{ shell, in, want string }{
		{"bash", `echo ${X:-some free text}`, `echo ${X:-[[text 14]]}`},
		{"bash", `echo "${X:=Marmalade}"`, `echo "${X:=[[text 9]]}"`},
		{"zsh", `echo ${f/Marmalade/x}`, `echo ${f/[[text 9]]/x}`},
		{"bash", `git commit -mMarmalade`, `git commit -m[[text 9]]`},
		{"bash", `git commit -am'fix the jar'`, `git commit -am[[text 11]]`},
		{"bash", `tool -oMarmalade -Marmalade --release`, `tool -o[[text 9]] -[[text 9]] --release`},
		{"bash", `./Marmalade --run`, `./[[text 9]] --run`},
		{"bash", `Marmalade`, `[[text 9]]`},
		{"bash", `git merge feature`, `git merge feature`},
		{"bash", `tar -xzf a.tgz -C out`, `tar -xzf a.tgz -C out`},
	} {
		j := newJob(t, "Marmalade")
		if got := short(j.command(&capture.RawCommand{Line: c.in, Shell: c.shell}).Line); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.in, got, c.want)
		}
	}
	j := newJob(t, "docker")
	if got := j.command(&capture.RawCommand{Line: "docker ps", Shell: "bash"}); got.Line != "docker ps" || got.Program != "docker" {
		t.Errorf("a program that ran: %q (%q)", got.Line, got.Program)
	}
	if got := j.command(&capture.RawCommand{Line: "docker ps", Shell: "bash", Exit: notFound}); strings.Contains(got.Line, "docker") {
		t.Errorf("what is no program: %q", got.Line)
	}
}

// TestFish: fish's grammar is treated like the others'.
func TestFish(t *testing.T) {
	for _, c := range []struct{ in, want, program string }{
		{`ls -l orders.csv`, ``, "ls"},
		{`set -x API_TOKEN abc123`, `set -x API_TOKEN [[secret token]]`, "set"},
		{`set -Ux DB_PASSWORD 'a b'`, `set -Ux DB_PASSWORD [[secret token]]`, "set"},
		{`set name 'Anna from Oslo'`, `set name [[text 14]]`, "set"},
		{`git status; and git commit -m 'fix it'`, `git status; and git commit -m [[text 6]]`, "git"},
		{`grep ' 500$' (ls -t *.log | head -1)`, ``, "grep"},
		{`echo (cat note.txt) "done $x now"`, `echo (cat note.txt) [[text 11]]`, "echo"},
		{`echo "total: $(wc -l < f) rows"`, `echo [[text 24]]`, "echo"},
		{`for f in *.csv; wc -l $f; end`, ``, "for"},
		{`if test -f A-77.csv; cp A-77.csv out; end`, `if test -f [[id 4]].csv; cp [[id 4]].csv out; end`, "test"},
		{`not grep -q 'two words' f; or echo no`, `not grep -q [[text 9]] f; or echo no`, "grep"},
		{`cat < in.txt > A-77.txt 2>&1`, `cat < in.txt > [[id 4]].txt 2>&1`, "cat"},
		{`echo hi # note to self`, `echo hi #[[text 12]]`, "echo"},
		{`X_TOKEN=abc run A-77`, `X_TOKEN=[[secret password]] run [[id 4]]`, "run"},
		{`mysql -pS3cret shop`, `mysql -p[[secret password]] shop`, "mysql"},
		{`echo $HOME $list[1..2]`, ``, "echo"},
		{`echo one\ two`, `echo [[text 8]]`, "echo"},
		{`cat note | string replace A-77 x`, `cat note | string replace [[id 4]] x`, "cat"},
		{`echo 'open quote`, `echo '[[text 10]]`, ""},
		{`begin; ls; end`, ``, ""},
		{`A-77 &`, `[[id 4]] &`, "[[id 4]]"},
	} {
		j := newJob(t, "A-77")
		want := c.want
		if want == "" {
			want = c.in
		}
		got := j.command(&capture.RawCommand{Line: c.in, Shell: "fish"})
		if short(got.Line) != want || c.program != "" && short(got.Program) != c.program {
			t.Errorf("%s\n got  %s (%s)\n want %s (%s)", c.in, short(got.Line), short(got.Program), want, c.program)
		}
	}
}

// FuzzFish: on any input the parser terminates, stays within the line, and a quoted text is sealed.
func FuzzFish(f *testing.F) {
	for _, s := range []string{"a 'b c' | d", "set x (y 'z w')", "echo \"$(a \"b c\")\"", "a; and b; or not c # d", "(", ")", "a \\\nb",
		"a > 'x y' 2>&1", "\\", "$x[(y)]", "\xff'a b'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 2048 {
			return
		}
		j := newJob(t, "A-77")
		c := j.command(&capture.RawCommand{Line: line + "\nls 'quince marmalade jar'", Shell: "fish"})
		if strings.Contains(c.Line, "quince marmalade") && !strings.ContainsAny(line, "'\"\\#") {
			t.Fatalf("%q: free text survives in %q", line, c.Line)
		}
	})
}

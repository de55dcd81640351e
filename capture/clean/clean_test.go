package clean

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture"
	"showhow/capture/redact"
	"showhow/capture/seal"
	"showhow/capture/secret"
)

var testRules = sync.OnceValue(func() *redact.Redactor {
	r, err := redact.Load()
	if err != nil {
		panic(err)
	}
	return r
})

func newJob(t testing.TB, typed ...string) *job {
	t.Helper()
	cfg := Config{SessionID: "s", Home: "/home/anna", Redactor: testRules(), Now: time.Now}
	sealer, err := seal.New([]byte(strings.Repeat("k", 32)), "t")
	if err != nil {
		t.Fatal(err)
	}
	j := New(cfg, sealer).job("chromium")
	for _, v := range typed {
		j.value(&capture.RawValue{Text: v}, true)
	}
	return j
}

var linkRE = regexp.MustCompile(` v_[a-z2-7]{16}\]\]`)

// short removes the link ids, which depend on the key.
func short(s string) string { return linkRE.ReplaceAllString(s, "]]") }

func TestURL(t *testing.T) {
	for _, c := range []struct{ in, kept, pattern string }{
		{"http://localhost:8080/orders", "http://localhost:8080/orders", "http://localhost:8080/orders"},
		{"http://localhost:8080/orders/A-1042/edit", "http://localhost:8080/orders/A-1042/edit", "http://localhost:8080/orders/{id}/edit"},
		{"https://h.example/u/550e8400-e29b-41d4-a716-446655440000", "https://h.example/u/550e8400-e29b-41d4-a716-446655440000",
			"https://h.example/u/{id}"},
		{"https://h.example/2026-11-21/17/report", "https://h.example/2026-11-21/17/report", "https://h.example/{date}/{id}/report"},
		{"https://h.example/api/v2/items", "https://h.example/api/v2/items", "https://h.example/api/v2/items"},
		{"https://h.example/commit/3f2b8c1e7a444f0e9d1b2c3d4e5f6a7b8c9d0e1f", "https://h.example/commit/3f2b8c1e7a444f0e9d1b2c3d4e5f6a7b8c9d0e1f",
			"https://h.example/commit/{id}"},
		{"http://bob:pw@h.example/x", "http://h.example/x", "http://h.example/x"},
		{"http://h.example/o?page=2&status=open&sort=-date", "http://h.example/o?page=2&status=open&sort=[[text 5]]",
			"http://h.example/o?page={page}&status={status}&sort={sort}"},
		{"http://h.example/o?q=anna", "http://h.example/o?q=[[text 4]]", "http://h.example/o?q={q}"},
		{"http://h.example/o?x=two+words", "http://h.example/o?x=[[text 9]]", "http://h.example/o?x={x}"},
		{"http://h.example/o?ref=A-77", "http://h.example/o?ref=[[id 4]]", "http://h.example/o?ref={ref}"},
		{"http://h.example/o/A-77", "http://h.example/o/[[id 4]]", "http://h.example/o/{id}"},
		{"http://h.example/cb?code=abc&state=xyz", "http://h.example/cb?code=[[secret token]]&state=[[secret token]]",
			"http://h.example/cb?code={code}&state={state}"},
		{"http://h.example/cb#access_token=abc&n=1", "http://h.example/cb#access_token=[[secret token]]&n=1",
			"http://h.example/cb#access_token={access_token}&n={n}"},
		{"http://h.example/app#/orders/12?tab=lines", "http://h.example/app#/orders/12?tab=lines", "http://h.example/app#/orders/{id}?tab={tab}"},
		{"http://h.example/p#install", "http://h.example/p#install", "http://h.example/p#install"},
		{"http://h.example/users/bob%40mail.example/x", "http://h.example/users/[[secret email]]/x", "http://h.example/users/{secret}/x"},
		{"http://h.example/s/two%20words", "http://h.example/s/[[text 9]]", "http://h.example/s/{text}"},
		{"http://h.example/?just+text", "http://h.example/?[[text 9]]", "http://h.example/?{text}"},
		{"data:text/html,secret", "data:", "data:"},
		{"blob:http://h.example/550e8400", "blob:", "blob:"},
		{"about:blank", "about:blank", "about:blank"},
		{"mailto:bob@mail.example", "mailto:[[secret email]]", "mailto:"},
		{"file:///home/anna/x.html", "file://~/x.html", "file://~/x.html"},
		{"/orders/12", "/orders/12", "/orders/{id}"},
		{"", "", ""},
	} {
		j := newJob(t, "A-77")
		kept, pattern := j.url(c.in)
		if short(kept) != c.kept || pattern != c.pattern {
			t.Errorf("%s\n got  %s  %s\n want %s  %s", c.in, short(kept), pattern, c.kept, c.pattern)
		}
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct{ in, line, program string }{
		{"wc -l orders.csv", "wc -l orders.csv", "wc"},
		{"/usr/bin/wc -l /home/anna/exports/orders.csv", "/usr/bin/wc -l ~/exports/orders.csv", "wc"},
		{"sort -t, -k3 A-77.csv | uniq -c > out/A-77.txt", "sort -t, -k3 [[id 4]].csv | uniq -c > out/[[id 4]].txt", "sort"},
		{"tool --order=A-77 --ref A-77", "tool --order=[[id 4]] --ref [[id 4]]", "tool"},
		{"grep 'two words' f && echo \"done $x now\"", "grep [[text 9]] f && echo [[text 11]]", "grep"},
		{"cut -d' ' -f1 f | paste -sd ', '", "cut -d' ' -f1 f | paste -sd ', '", "cut"},
		{"git commit -m fix", "git commit -m [[text 3]]", "git"},
		{"git commit --message=\"a b\" -a", "git commit --message=[[text 3]] -a", "git"},
		{"gh pr create --title Export --body 'It works'", "gh pr create --title [[text 6]] --body [[text 8]]", "gh"},
		{"cat <<EOF > n.txt\nhello there\nEOF", "cat <<EOF > n.txt\n[[text 11]]\nEOF", "cat"},
		{"cat <<-'E' | wc\n\thello\n\n\tE\necho x", "cat <<-'E' | wc\n[[text 5]]\n\tE\necho x", "cat"},
		{"cat <<< hello", "cat <<< [[text 5]]", "cat"},
		{"cat <<< $x", "cat <<< $x", "cat"},
		{"echo $(date +%F) `whoami`", "echo $(date +%F) `whoami`", "echo"},
		{"for f in *.csv; do wc -l \"$f\"; done", "for f in *.csv; do wc -l \"$f\"; done", "wc"},
		{"mysql -pS3cret shop", "mysql -p[[secret password]] shop", "mysql"},
		{"X_TOKEN=abc run 'a b'", "X_TOKEN=[[secret password]] run [[text 3]]", "run"},
		{"curl -H 'Authorization: Bearer abcdef12' u", "curl -H [[secret token]] u", "curl"},
		{"echo hi # note to self", "echo hi #[[text 12]]", "echo"},
		{"echo 'open \"quote", "echo '[[text 11]]", ""},
		{"echo 'free text here", "echo '[[text 14]]", ""},
		{"awk '{print $1}' f", "awk '{print $1}' f", "awk"},
		{"$EDITOR f", "$EDITOR f", ""},
		{"sudo A-77 run", "sudo [[id 4]] run", "sudo"},
		{"A-77 -A-77 -xA-77", "[[id 4]] -[[id 4]] -x[[id 4]]", "[[id 4]]"},
		{"./A-77 && bin/A-77/run", "./[[id 4]] && bin/[[id 4]]/run", "[[id 4]]"},
		{"cp red blue house x", "cp red blue house x", "cp"},
		{"say the big red house now", "say the [[text 13]] now", "say"},
		{"", "", ""},
	} {
		j := newJob(t, "A-77", "big red house")
		got := j.command(&capture.RawCommand{Line: c.in, Shell: "bash"})
		if short(got.Line) != c.line || short(got.Program) != c.program {
			t.Errorf("%s\n got  %s (%s)\n want %s (%s)", c.in, short(got.Line), got.Program, c.line, c.program)
		}
		if masks := capture.ParseMasks(got.Line); len(masks) != len(got.Sealed) {
			t.Errorf("%s: %d masks, %d sealed", c.in, len(masks), len(got.Sealed))
		}
		if again := testRules().Text(got.Line); again != got.Line {
			t.Errorf("%s: redacting the result changes it to %s", c.in, again)
		}
	}
}

// A short value is masked as a word of its own, also inside the words of a command; text that only resembles it
// stays.
func TestShortValues(t *testing.T) {
	for _, c := range []struct{ in, line string }{
		{"grep D21 tickets.csv > room-D21.csv", "grep [[id 3]] tickets.csv > room-[[id 3]].csv"},
		{"wc -l room-d21.csv", "wc -l room-[[id 3]].csv"},
		{"cp xD21.csv D217.csv", "cp xD21.csv D217.csv"},
		{"cat flights-OSL.csv", "cat flights-[[text 3]].csv"},
		{"cat total-17.csv 2026-11-17.csv 10.17.0.1 v1.17", "cat total-[[number 2]].csv 2026-11-17.csv 10.17.0.1 v1.17"},
		{"cat new-items.csv", "cat new-items.csv"},
		{"open K-3 K-31 aK-3 K-3.txt 2K-3", "open [[id 3]] K-31 aK-3 [[id 3]].txt 2K-3"},
	} {
		j := newJob(t, "D21", "OSL", "17", "K-3")
		j.value(&capture.RawValue{Text: "new", Kind: capture.KindChoice, Chosen: true}, true)
		if got := short(j.command(&capture.RawCommand{Line: c.in, Shell: "bash"}).Line); got != c.line {
			t.Errorf("%s\n got  %s\n want %s", c.in, got, c.line)
		}
	}
	j := newJob(t, "D21", "OSL", "17", "K-3")
	for in, want := range map[string]string{"Room D21": "Room [[id 3]]", "Booking K-3": "Booking [[id 3]]", "Booking K-31": "Booking K-31",
		"The OSL office, 17 rows": "The OSL office, 17 rows", "17": "[[number 2]]"} {
		if got := short(j.text(in, 100)); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// FuzzCommand: no parse and no edit panics, sealed text is unreadable, a second redaction finds nothing.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"a 'b c' | d", "x=$(y 'z w') <<E\nq\nE\n", "f() { echo 'a b'; }; f", "a <<<'b c' > 'd e'",
		"echo \"$(echo 'in ner')\" A-77", "((", "a\\ b", "# c", "case 'x y' in a) b;; esac",
		"[[ 'a b' == $c ]] && arr=('d e' f)", "mysql -p'a b' A-77.csv # big red house", "sudo -S <<< $x", "\xff\x00'a b'"} {
		f.Add(s, "bash")
	}
	f.Fuzz(func(t *testing.T, line, shell string) {
		if len(line) > 2048 {
			return
		}
		j := newJob(t, "A-77", "big red house")
		c := j.command(&capture.RawCommand{Line: line + "\nls 'quince marmalade jar'", Shell: shell})
		if c.Line == secret.Token(secret.Withheld) {
			return
		}
		if again := testRules().Text(c.Line); again != c.Line && secret.Cut(again, maxLine) != c.Line {
			t.Fatalf("%q\n once  %q\n twice %q", line, c.Line, again)
		}
		if strings.Contains(c.Line, "quince marmalade") && !strings.ContainsAny(line, "'\"\\`#<$({") {
			t.Fatalf("%q: free text survives in %q", line, c.Line)
		}
		for _, m := range capture.ParseMasks(c.Line) {
			if _, ok := j.links[m.LinkID]; !ok && !strings.Contains(line, m.LinkID) {
				t.Fatalf("%q: nothing sealed for %s", line, m)
			}
		}
	})
}

func TestCommandWords(t *testing.T) {
	j := newJob(t, "A-77")
	c := j.command(&capture.RawCommand{Line: `tool --order=A-77 A-77 'two words' "plain" -pX $(date +%F) > out.txt`, Shell: "bash"})
	var got []string
	for _, w := range c.Words {
		if w.Value != nil {
			got = append(got, "<"+string(w.Value.Kind)+">")
		} else {
			got = append(got, short(w.Text))
		}
	}
	want := "tool|--order=[[id 4]]|<id>|<text>|plain|-pX|$(date +%F)|out.txt"
	if strings.Join(got, "|") != want {
		t.Errorf("words %s\nwant  %s", strings.Join(got, "|"), want)
	}
}

func TestInfer(t *testing.T) {
	for _, c := range []struct {
		raw  capture.RawValue
		want capture.ValueKind
	}{
		{capture.RawValue{Text: "x", InputType: "password"}, capture.KindPassword},
		{capture.RawValue{Text: "x", Autocomplete: "section-a new-password"}, capture.KindPassword},
		{capture.RawValue{Text: "x", FieldName: "Potvrzení hesla"}, capture.KindPassword},
		{capture.RawValue{Text: "x", FieldName: "Şifreniz"}, capture.KindPassword}, {capture.RawValue{Text: "x", FieldName: "確認パスワード"},
			capture.KindPassword}, {capture.RawValue{Text: "x", FieldName: "benutzerPasswort"}, capture.KindPassword},
		{capture.RawValue{Text: "x", FieldName: "userPassword"}, capture.KindPassword}, {capture.RawValue{Text: "x", FieldName: "Mot de passe"},
			capture.KindPassword},
		{capture.RawValue{Text: "123456", Autocomplete: "one-time-code"}, capture.KindOTP},
		{capture.RawValue{Text: "123456", FieldName: "Verification code"}, capture.KindOTP},
		{capture.RawValue{Text: "1234", FieldName: "PIN"}, capture.KindOTP}, {capture.RawValue{Text: "1", FieldName: "shipping"},
			capture.KindNumber},
		{capture.RawValue{Text: "1", Autocomplete: "cc-number"}, capture.KindCard},
		{capture.RawValue{Text: "4111 1111 1111 1111"}, capture.KindCard}, {capture.RawValue{Text: "A B", Autocomplete: "cc-name"},
			capture.KindText},
		{capture.RawValue{Text: "x", FieldName: "api_key"}, capture.KindSecret}, {capture.RawValue{Text: "ghx_4f9Kq2Lr7TpVw4KdNs9YzX8"},
			capture.KindSecret}, {capture.RawValue{Text: "pw is password=abc9"}, capture.KindSecret},
		{capture.RawValue{Text: "x", Kind: capture.KindPassword, FieldName: "note"}, capture.KindPassword},
		{capture.RawValue{Text: "x", Kind: capture.KindFile}, capture.KindFile},
		{capture.RawValue{Text: "Open", Chosen: true}, capture.KindChoice}, {capture.RawValue{Text: "on", InputType: "checkbox"},
			capture.KindBoolean},
		{capture.RawValue{Text: "42"}, capture.KindNumber}, {capture.RawValue{Text: "1.299,00 €"}, capture.KindNumber},
		{capture.RawValue{Text: "-3.5"}, capture.KindNumber},
		{capture.RawValue{Text: "2026-11-21"}, capture.KindDate}, {capture.RawValue{Text: "21.11.2026"}, capture.KindDate},
		{capture.RawValue{Text: "11/21/2026"}, capture.KindDate}, {capture.RawValue{Text: "21 Nov 2026"}, capture.KindDate},
		{capture.RawValue{Text: "2026-11-21T10:42:00Z"}, capture.KindDate}, {capture.RawValue{Text: "a.b@c.example"}, capture.KindEmail},
		{capture.RawValue{Text: "https://x.example/a"}, capture.KindURL},
		{capture.RawValue{Text: "A-1042"}, capture.KindID}, {capture.RawValue{Text: "PROJ-7"}, capture.KindID},
		{capture.RawValue{Text: "#1234"}, capture.KindID}, {capture.RawValue{Text: "2026-00042"}, capture.KindID},
		{capture.RawValue{Text: "orders.csv"}, capture.KindFile}, {capture.RawValue{Text: "report2.csv"}, capture.KindFile},
		{capture.RawValue{Text: "~/a/b.txt"}, capture.KindFile},
		{capture.RawValue{Text: "call the customer"}, capture.KindText}, {capture.RawValue{Text: "true"}, capture.KindBoolean},
		{capture.RawValue{Text: ""}, capture.KindText},
	} {
		j := newJob(t)
		if got := j.infer(&c.raw, c.raw.Text); got != c.want {
			t.Errorf("%+v: %s, want %s", c.raw, got, c.want)
		}
	}
}

func TestPolicy(t *testing.T) {
	j := newJob(t)
	j.cfg.Values = capture.ValuePolicy{Default: capture.Masked, LiteralApps: []string{"chromium"}}
	if v := j.value(&capture.RawValue{Text: "hello anna@mail.example"}, true); v.Policy != capture.Literal ||
		v.Text != "hello [[secret email]]" || v.LinkID == "" {
		t.Errorf("literal: %+v", v)
	}
	if v := j.value(&capture.RawValue{Text: "hunter2", InputType: "password"}, true); v.Policy != capture.Omitted || v.Text+v.LinkID != "" ||
		v.Length != 0 {
		t.Errorf("password in a literal app: %+v", v)
	}
	j.app = "firefox"
	if v := j.value(&capture.RawValue{Text: "hello there"}, true); v.Policy != capture.Masked || v.Text != "" || v.Length != 11 {
		t.Errorf("another app: %+v", v)
	}
	j.cfg.Values.Default = capture.Omitted
	if v := j.value(&capture.RawValue{Text: "never this"}, true); v.Policy != capture.Omitted || v.LinkID != "" {
		t.Errorf("omitted: %+v", v)
	}
	if got := j.text("you wrote never this today", 100); got != "you wrote [[secret secret]] today" {
		t.Errorf("an omitted value comes back: %q", got)
	}
}

func TestKnownValues(t *testing.T) {
	j := newJob(t, "A-1042", "Please call Ms Weaver back", "ok", "Weaver")
	for in, want := range map[string]string{
		"Order a-1042 saved": "Order [[id 6]] saved", "A-10425": "A-10425", "ok": "[[text 2]]", "It is ok": "It is ok", "Weavers": "Weavers",
		"Dear Weaver,":                       "Dear [[text 6]],",
		"Note: please call ms weav… – Notes": "Note: [[text 19]]… – Notes", "call ms weaver": "[[text 14]]",
		"[[secret token]] A-1042": "[[secret token]] [[id 6]]",
	} {
		if got := short(j.text(in, 400)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSealer(t *testing.T) {
	key := []byte(strings.Repeat("k", 32))
	s, err := seal.New(key, "target")
	if err != nil {
		t.Fatal(err)
	}
	row := s.Seal("session", capture.KindText, " Cafe\u0301 ", time.Now())
	if row.LinkID != s.LinkID("Café") || !regexp.MustCompile("^"+secret.LinkPattern+"$").MatchString(row.LinkID) {
		t.Errorf("link %s", row.LinkID)
	}
	if other, _ := seal.New(key, "other"); other.LinkID("Café") == row.LinkID {
		t.Error("two targets share a link id")
	}
	values, err := seal.Open(key, []capture.SealedRow{row})
	if err != nil || values[row.LinkID] != "Café" {
		t.Errorf("opened %v, %v", values, err)
	}
	again := s.Seal("session", capture.KindText, "Café", time.Now())
	if string(again.Nonce) == string(row.Nonce) || string(again.Sealed) == string(row.Sealed) {
		t.Error("two sealings look the same")
	}
	for name, bad := range map[string]capture.SealedRow{
		"moved to another target": {LinkID: row.LinkID, Target: "x", Nonce: row.Nonce, Sealed: row.Sealed},
		"moved to another link":   {LinkID: s.LinkID("other"), Target: row.Target, Nonce: row.Nonce, Sealed: row.Sealed},
		"no nonce":                {LinkID: row.LinkID, Target: row.Target, Sealed: row.Sealed},
	} {
		if got, err := seal.Open(key, []capture.SealedRow{bad, again}); err == nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := seal.Open([]byte(strings.Repeat("x", 32)), []capture.SealedRow{row}); err == nil {
		t.Error("opened with another key")
	}
}

func TestMasks(t *testing.T) {
	v := capture.Value{Policy: capture.Masked, Kind: capture.KindID, Length: 6, LinkID: "v_abcdefghij234567"}
	s := "cp " + v.Mask() + ".csv [[secret token]] [[ -f x ]] [[id 6 v_short]]"
	m := capture.ParseMasks(s)
	if len(m) != 1 || m[0].String() != v.Mask() || s[m[0].Start:m[0].End] != v.Mask() || m[0].Length != 6 || m[0].Kind != capture.KindID {
		t.Errorf("%+v", m)
	}
	if got := capture.Replace(s, func(m capture.Mask) string { return "{order}" }); !strings.HasPrefix(got, "cp {order}.csv [[secret") {
		t.Errorf("replaced %q", got)
	}
}

// A link in a row has somebody's data as its name, unless it is an action that every row has.
func TestLinksOfRows(t *testing.T) {
	for _, every := range []bool{false, true} {
		got := newJob(t).target(&capture.Target{Role: "link", Name: "edit", OfEveryRow: every,
			Landmark: &capture.Landmark{Role: "row", Name: "Ann Winther"},
			Locators: []capture.Locator{{By: "role", Role: "link", Value: "edit", Matches: 7}}})
		if (got.Name == "edit") != every || (got.Locators[0].Value == "edit") != every || got.Landmark.Name == "Ann Winther" {
			t.Errorf("in every row: %v: %+v in %+v", every, got, got.Landmark)
		}
	}
}

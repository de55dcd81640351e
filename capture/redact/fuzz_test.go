package redact

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"showhow/capture/secret"
)

var shared = sync.OnceValue(func() *Redactor {
	r, err := Load()
	if err != nil {
		panic(err)
	}
	return r
})

// seeds are all examples of all rules, and texts that look like our own replacements.
func seeds() []string {
	rules := ownRules()
	var out []string
	for _, r := range rules {
		for _, h := range append(r.hits, r.misses...) {
			out = append(out, strings.NewReplacer("«", "", "»", "").Replace(h))
		}
	}
	return append(out, "[[secret password]]", "[[secret pass[[secret token]]word]]", "[[text 5 v_abcdefghij234567]]",
		"password=[[secret password]]x",
		"[[[secret card]]]", "--password [[text 5 v_abcdefghij234567]] y", "a\x00b\xffc", "\x00password=\x00", "token=\u212A\u0130x1")
}

// FuzzIdempotent: redacting twice changes nothing, and the result is valid text.
func FuzzIdempotent(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 {
			return
		}
		r := shared()
		once := r.Text(s)
		if twice := r.Text(once); twice != once {
			t.Fatalf("not idempotent:\n in    %q\n once  %q\n twice %q", s, once, twice)
		}
		if !utf8.ValidString(once) {
			t.Fatalf("invalid UTF-8: %q", once)
		}
		for _, n := range []int{0, 1, 7, 20} {
			cut := secret.Cut(once, n)
			if !strings.HasPrefix(once, cut) || len([]rune(cut)) > n {
				t.Fatalf("Cut(%q, %d) = %q", once, n, cut)
			}
		}
	})
}

// FuzzCanary: in any context, a secret after a secret-like name never survives.
func FuzzCanary(f *testing.F) {
	for i, s := range seeds() {
		if i%6 == 0 {
			f.Add(s, " "+s)
		}
	}
	const canary = "Zq7Canary9xW"
	forms := []string{" --password %s ", "\nexport A_TOKEN=%s\n", " postgres://u:%s@h/ ", " {\"password\":\"%s\"} ", " curl -u bob:%s h ",
		" mysql -p%s db ", " Authorization: Bearer %s "}
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 2048 || strings.ContainsAny(before, "\"'`\\$\x00|<>&;(){}[]*\n") {
			return // what changes the shape of what follows
		}
		for _, form := range forms {
			text := before + "\n" + strings.Replace(form, "%s", canary, 1) + "\n" + after
			if out := shared().Text(text); strings.Contains(out, canary) {
				t.Fatalf("canary survives %q:\n in  %q\n out %q", form, text, out)
			}
		}
	})
}

func TestClosedLetsNothingThrough(t *testing.T) {
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	r.Close()
	if got := r.Text("plain words"); got != "[[secret withheld]]" {
		t.Errorf("got %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"a😀b", 2, "a"}, {"a😀b", 3, "a😀"}, {"x [[secret token]] y", 10, "x "}, {"ééé", 2, "éé"},
		{"", 0, ""}} {
		if got := secret.Cut(c.in, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func BenchmarkClean(b *testing.B) {
	s := strings.Repeat("show the open orders of this week and export them as a table ", 4)[:200]
	r := shared()
	b.ReportAllocs()
	for b.Loop() {
		r.Text(s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N), "redact_clean_us")
}

func BenchmarkCleanCommand(b *testing.B) {
	s := "git -C ~/src/showhow log --oneline --since=2026-11-01 --author=anna -- daemon/compile | head -n 20"
	r := shared()
	for b.Loop() {
		r.Text(s)
	}
}

func BenchmarkDirty(b *testing.B) {
	s := "curl -u bob:hunter2 -H 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' " +
		"'https://api.example.com/v1/orders?access_token=abc123def456&page=2' -d '{\"password\":\"x y z\"}' && mysql -pS3cret shop"
	r := shared()
	for b.Loop() {
		r.Text(s)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		r, err := Load()
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

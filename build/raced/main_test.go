package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestConcurrent(t *testing.T) {
	for name, c := range map[string]struct {
		code, test string
		want       bool
	}{
		"nothing":                {"package a\n", "package a\n", false},
		"a table made once":      {"package a\n\nimport \"sync\"\n\nvar t = sync.OnceValue(f)\n", "package a\n", false},
		"a goroutine":            {"package a\n\nfunc f() { go f() }\n", "package a\n", true},
		"a goroutine of a test":  {"package a\n", "package a_test\n\nfunc f() { go f() }\n", true},
		"a lock":                 {"package a\n\nimport \"sync\"\n\nvar mu sync.Mutex\n", "package a\n", true},
		"a channel":              {"package a\n\ntype t struct{ c chan int }\n", "package a\n", true},
		"a test server":          {"package a\n", "package a\n\nimport _ \"net/http/httptest\"\n", true},
		"tests in parallel":      {"package a\n", "package a\n\nfunc f(t t) { t.Parallel() }\n", true},
		"only on another system": {"package a\n", "//go:build plan9\n\npackage a\n\nfunc f() { go f() }\n", false},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"a.go": c.code, "a_test.go": c.test} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := concurrent(dir); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

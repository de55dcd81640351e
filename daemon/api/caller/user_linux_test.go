package caller

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTableAddress(t *testing.T) {
	if a := tableAddress(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}); a != "0100007F:1F90" {
		t.Error(a)
	}
}

func TestStatNamesWithSpacesAndParentheses(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "42"), 0o755); err != nil {
		t.Fatal(err)
	}
	stat := "42 (a) b (c)) S 7 42 41 34817 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 123456 1 1\n"
	os.WriteFile(filepath.Join(dir, "42", "stat"), []byte(stat), 0o644)
	os.WriteFile(filepath.Join(dir, "42", "environ"), []byte("A=1\x00B=2\x00"), 0o644)
	p, err := (&procFS{root: dir}).process(42)
	if err != nil || p.name != "a) b (c)" || p.ppid != 7 || p.session != 41 || p.tty != 34817 || len(p.env) != 2 ||
		!p.started.Equal(time.Unix(1234, 56e7)) {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range []string{"", "42", "42 (x", "42 (x) S 1"} {
		os.WriteFile(filepath.Join(dir, "42", "stat"), []byte(bad), 0o644)
		if _, err := (&procFS{root: dir}).process(42); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

package keeping

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
)

// A day that is none is refused before anybody is asked, in words of what to write.
func TestADueDateIsADay(t *testing.T) {
	q := "2026-12-01"
	for _, s := range []string{"", "tomorrow", "2026-12-1", "2026-02-30", "2026-12-01T10:00:00Z", "01.12.2026"} {
		if err := (date{&q}).Set(s); err == nil || !strings.Contains(err.Error(), "2026-12-31") || q != "2026-12-01" {
			t.Errorf("%q: %v, %s", s, err, q)
		}
	}
	if err := (date{&q}).Set("2028-02-29"); err != nil || q != "2028-02-29" {
		t.Errorf("%v, %s", err, q)
	}
}

// A change that cannot be committed leaves no proposal behind.
func TestAChangeThatFailsIsDiscarded(t *testing.T) {
	dir, err := os.MkdirTemp("", "sh") // short: the path of a socket has 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/api/notes/changes/commit" {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"error":{"code":"NOTES_CONFLICT","message":"a file changed"}}`)
			return
		}
		fmt.Fprint(w, `{"change_set_id":"chg_a","status":"proposed"}`)
	})}
	go s.Serve(l)
	defer s.Close()
	err = update(t.Context(), client.Unix(path), map[string]any{"task_id": "tsk_a", "status": "done"})
	want := []string{"/api/notes/changes", "/api/notes/changes/commit", "/api/notes/changes/chg_a/discard"}
	if err == nil || !slices.Equal(asked, want) {
		t.Errorf("%v, asked %q", err, asked)
	}
}

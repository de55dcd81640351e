package acceptance_test

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fsnotify/fsnotify"

	"showhow/daemon/client"
)

// A daemon that is killed at any step of a pull has nothing half there afterwards: before each answer of the registry, in
// the middle of a file, when its own file is made, and when that gets its place. After the last it may have the whole.
func TestAPullThatIsKilled(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var hit func(n int, w http.ResponseWriter, r *http.Request) bool // answers in the registry's place
	n := 0
	host := skillRegistry(t, func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		f := hit
		n++
		k := n
		mu.Unlock()
		return f != nil && f(k, w, r)
	})
	one := begin(t, withSecrets(fakeSecrets{}))
	one.owns(member{"references/more.md", "More of it.\n", 0o644})
	one.push("sort-receipts", host+"/sort-receipts:1")

	w := newWorld(t)
	process := w.startChild()
	var dead sync.WaitGroup
	var once *sync.Once
	arm := func() { once = &sync.Once{}; dead.Add(1) }
	arm()
	kill := func() {
		once.Do(func() {
			defer dead.Done()
			_ = process.Process.Kill()
			_ = process.Wait()
		})
	}
	uploads := filepath.Join(w.o.Roots.Data, "imports", "uploads")
	pull := func(f func(int, http.ResponseWriter, *http.Request) bool) error {
		mu.Lock()
		hit, n = f, 0
		mu.Unlock()
		_, err := w.c.ImportSource(t.Context(), client.SkillSource{Kind: "registry", Reference: host + "/sort-receipts:1"})
		return err
	}
	// whole counts what is there after a restart: each file is that of an upload.
	whole := func(step string) int {
		t.Helper()
		dead.Wait()
		process = w.startChild()
		arm()
		l := got(w.c.SkillUploads(t.Context()))(t)
		var files []string
		must(t, filepath.WalkDir(filepath.Join(w.o.Roots.Data, "imports"), func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, filepath.Base(p))
			}
			return err
		}))
		if len(files) != len(l.Uploads) {
			t.Errorf("%s: %d uploads, files %q", step, len(l.Uploads), files)
		}
		return len(l.Uploads)
	}
	_ = os.MkdirAll(uploads, 0o700)
	last := 0
	for at := 1; ; at++ {
		var reached atomic.Bool
		err := pull(func(k int, _ http.ResponseWriter, _ *http.Request) bool {
			if k == at {
				reached.Store(true)
				kill()
			}
			return reached.Load()
		})
		if !reached.Load() { // the pull has fewer steps
			must(t, err)
			break
		}
		last = at
		if step := fmt.Sprint("before answer ", at); err == nil || whole(step) > 0 {
			t.Errorf("%s: something was taken: %v", step, err)
		}
	}
	if last < 5 { // the manifest, the signatures, one, and the files
		t.Errorf("%d steps", last)
	}
	err := pull(func(_ int, rw http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		io.WriteString(rw, "---\nname: half")
		rw.(http.Flusher).Flush()
		kill()
		return true
	})
	if n := whole("in the middle of a file"); err == nil || n != 1 { // the one that was not killed
		t.Errorf("%d uploads: %v", n, err)
	}
	for step, op := range map[string]fsnotify.Op{"the file is made": fsnotify.Create, "it gets its place": fsnotify.Rename} {
		watch := got(fsnotify.NewWatcher())(t)
		must(t, watch.Add(uploads))
		done := make(chan error, 1)
		go func() { done <- pull(nil) }()
		for e := range watch.Events {
			if e.Has(op) {
				kill()
				break
			}
		}
		must(t, watch.Close())
		<-done
		whole(step)
	}
	for _, u := range got(w.c.SkillUploads(t.Context()))(t).Uploads {
		if r := got(w.c.ScanSkillImport(t.Context(), u.TempArtifactRef))(t).ImportRecord; r.Provenance.Signer == "" || r.ContentHash == "" {
			t.Errorf("not the whole: %+v", r)
		}
	}
}

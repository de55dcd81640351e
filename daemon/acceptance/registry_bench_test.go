//go:build linux

package acceptance_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"

	"showhow/daemon"
	"showhow/daemon/client"
)

const (
	manySkills  = 10_000
	syncedAtOne = 100
	atOnce      = 8 // as `showhow skill sync` does
)

// BenchmarkRegistries measures a search among 10,000 skills and the pull of 100, up to the review, on loopback.
func BenchmarkRegistries(b *testing.B) {
	host := fullRegistry(b)
	for b.Loop() {
		c := benchDaemon(b)
		begun := time.Now()
		l, err := c.SearchSkillRegistry(b.Context(), client.SkillSearch{In: host + "/team/", Limit: syncedAtOne})
		check(b, err)
		searched := time.Since(begun)
		if l.Total != manySkills || len(l.Items) != syncedAtOne {
			b.Fatalf("found %d of %d", len(l.Items), l.Total)
		}
		begun = time.Now()
		var wg sync.WaitGroup
		var staged atomic.Int32
		gate := make(chan struct{}, atOnce)
		for _, x := range l.Items {
			wg.Go(func() {
				gate <- struct{}{}
				defer func() { <-gate }()
				up, err := c.ImportSource(b.Context(), client.SkillSource{Kind: "registry", Reference: x.Reference, Digest: x.Digest})
				if err != nil {
					b.Error(err)
					return
				}
				s, err := c.ScanSkillImport(b.Context(), up.TempArtifact.TempArtifactRef)
				if err == nil {
					_, err = c.StageSkillImport(b.Context(), s.ImportRecord.ImportID)
				}
				if err != nil {
					b.Error(err)
					return
				}
				staged.Add(1)
			})
		}
		wg.Wait()
		if n := staged.Load(); n != syncedAtOne {
			b.Fatalf("%d of %d wait for a review", n, syncedAtOne)
		}
		b.ReportMetric(float64(searched.Milliseconds()), "registry_search_ms")
		b.ReportMetric(float64(time.Since(begun).Milliseconds()), "registry_sync_ms")
	}
}

// benchDaemon runs a daemon on an installation of its own, for the rest of the benchmark.
func benchDaemon(b *testing.B) *client.Client {
	b.Helper()
	c, _ := benchDaemonAt(b)
	return c
}

// benchDaemonAt is benchDaemon, and where its socket is.
func benchDaemonAt(b *testing.B) (c *client.Client, socket string) {
	b.Helper()
	dir, err := os.MkdirTemp("", "sh")
	check(b, err)
	o := options(dir)
	o.DemoGrant, o.Logger = rand.Text()+rand.Text(), slog.New(slog.NewTextHandler(io.Discard, nil))
	o.Test = daemon.Test{AncestryUntil: os.Getpid()}
	for _, d := range []string{o.Roots.Home, filepath.Dir(o.Roots.Runtime)} {
		check(b, os.MkdirAll(d, 0o700))
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- daemon.Run(ctx, o, func() { close(ready) }) }()
	b.Cleanup(func() {
		stop()
		<-done
		os.RemoveAll(dir)
	})
	select {
	case <-ready:
	case err := <-done:
		b.Fatal(err)
	}
	return client.Unix(o.Roots.Socket(), client.WithDemoGrant(o.DemoGrant)), o.Roots.Socket()
}

// fullRegistry serves 10,000 skills of six files each under one prefix, listed page by page as registries do.
func fullRegistry(b *testing.B) string {
	b.Helper()
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	put := func(method, path, kind, body string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusCreated {
			b.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	digest := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "sha256:" + hex.EncodeToString(sum[:])
	}
	names := make([]string, manySkills)
	for i := range names {
		names[i] = fmt.Sprintf("team/skill-%05d", i)
		name := filepath.Base(names[i])
		files := map[string]string{"SKILL.md": strings.ReplaceAll(foreignSkill, "sort-receipts", name)}
		for n := range 5 {
			files[fmt.Sprintf("references/part-%d.md", n)] = fmt.Sprintf(
				"# Part %d of %s\n\n%s", n, name, strings.Repeat("Look at each receipt.\n", 40))
		}
		layers := []map[string]any{}
		for path, text := range files {
			put(http.MethodPost, "/v2/"+names[i]+"/blobs/uploads/?digest="+digest(text), "application/octet-stream", text)
			layers = append(layers, map[string]any{"mediaType": "application/vnd.showhow.skill.file.v1", "digest": digest(text), "size": len(text),
				"annotations": map[string]string{"org.opencontainers.image.title": path}})
		}
		put(http.MethodPost, "/v2/"+names[i]+"/blobs/uploads/?digest="+digest("{}"), "application/octet-stream", "{}")
		m, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
			"artifactType": "application/vnd.showhow.skill.v1", "layers": layers,
			"config":      map[string]any{"mediaType": "application/vnd.oci.empty.v1+json", "digest": digest("{}"), "size": 2},
			"annotations": map[string]string{"org.opencontainers.image.title": name, "org.opencontainers.image.version": "1.0"}})
		check(b, err)
		put(http.MethodPut, "/v2/"+names[i]+"/manifests/1.0", "application/vnd.oci.image.manifest.v1+json", string(m))
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v2/_catalog" {
			h.ServeHTTP(w, r)
			return
		}
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		from := sort.SearchStrings(names, r.URL.Query().Get("last")+"\x00")
		page := names[from:min(len(names), from+n)]
		if from+n < len(names) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?n=%d&last=%s>; rel="next"`, n, page[len(page)-1]))
		}
		json.NewEncoder(w).Encode(map[string]any{"repositories": page})
	}))
	b.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

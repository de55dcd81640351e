package parcel_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/connector/parcel"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// npm serves packages as a registry does, and has the person's npm use it.
func npm(t *testing.T, packages map[string]map[string]string) *httptest.Server {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	archives := map[string][]byte{}
	mux := http.NewServeMux()
	ts := httptest.NewServer(mux)
	t.Cleanup(ts.Close)
	for name, files := range packages {
		var buf bytes.Buffer
		z := gzip.NewWriter(&buf)
		w := tar.NewWriter(z)
		for p, text := range files {
			_ = w.WriteHeader(&tar.Header{Name: "package/" + p, Mode: 0o644, Size: int64(len(text))})
			_, _ = w.Write([]byte(text))
		}
		_ = w.Close()
		_ = z.Close()
		archives[name] = buf.Bytes()
		sum := sha512.Sum512(buf.Bytes())
		var meta map[string]any
		if err := json.Unmarshal([]byte(files["package.json"]), &meta); err != nil {
			t.Fatal(err)
		}
		version := meta["version"].(string)
		meta["dist"] = map[string]any{"tarball": ts.URL + "/archives/" + name,
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": version},
				"versions": map[string]any{version: meta}})
		})
		mux.HandleFunc("/archives/"+name, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(archives[name]) })
	}
	t.Setenv("npm_config_registry", ts.URL)
	return ts
}

const manifest = `{"name": "notes-server", "version": "1.4.0", "bin": {"notes-server": "main.js"}, "dependencies": {"notes-core": "^2.0.0"},
	"scripts": {"preinstall": "touch SCRIPT", "postinstall": "touch SCRIPT"}}`

func notes() map[string]map[string]string {
	return map[string]map[string]string{
		"new-notes":    {"package.json": `{"name": "new-notes", "version": "1.0.0", "bin": "a.js"}`, "a.js": ""},
		"notes-server": {"package.json": manifest, "main.js": `console.log(require("notes-core"), process.argv.slice(2).join())`},
		"notes-core": {"package.json": `{"name": "notes-core", "version": "2.1.3", "scripts": {"install": "touch SCRIPT"}}`,
			"index.js": `module.exports = "core"`},
	}
}

// A package is installed with what it needs and without its scripts, and only its own files run afterwards.
func TestInstall(t *testing.T) {
	npm(t, notes())
	s := &parcel.Shelf{Dir: filepath.Join(t.TempDir(), "packages")}
	b, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"npx", "-y", "notes-server", "/home/notes"}})
	if err != nil {
		t.Fatal(err)
	}
	p := b.Package
	if p == nil || p.Name != "notes-server" || p.Version != "1.4.0" || !strings.HasPrefix(p.Integrity, "sha512-") || len(p.FilesHash) != 64 {
		t.Fatalf("%+v", p)
	}
	if len(b.ReadFolders) != 1 || !strings.HasPrefix(b.Command[1], b.ReadFolders[0]) {
		t.Errorf("%+v", b)
	}
	out, err := exec.Command(b.Command[0], b.Command[1:]...).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "core /home/notes" {
		t.Errorf("%s %v", out, err)
	}
	_ = filepath.WalkDir(s.Dir, func(path string, _ os.DirEntry, _ error) error {
		if filepath.Base(path) == "SCRIPT" {
			t.Errorf("a script ran: %s", path)
		}
		return nil
	})
	if err := s.Check(*p); err != nil {
		t.Error(err)
	}
	core := filepath.Join(b.ReadFolders[0], "node_modules", "notes-core", "index.js")
	if err := os.WriteFile(core, []byte(`module.exports = "another"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(*p); !fault.Is(err, fault.ConnectorToolChanged) {
		t.Errorf("a file was changed: %v", err)
	}
	if again, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"npx", "notes-server@1.4.0"}}); err != nil ||
		again.Package.FilesHash != p.FilesHash || s.Check(*p) != nil {
		t.Errorf("%+v %v", again, err)
	}
	if _, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"npx", "new-notes"}}); err != nil {
		t.Error(err)
	}
	if another, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"npx", "notes-server"}}); err != nil {
		t.Error(err, another)
	}
	if left, _ := filepath.Glob(filepath.Join(s.Dir, "new-notes-*")); len(left) != 1 {
		t.Error("an installation removed another's package")
	}
	if err := s.Sweep([]wire.MCPLocalPackage{*p}); err != nil || s.Check(*p) != nil {
		t.Error("what is used was removed")
	}
	if err := s.Sweep(nil); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(s.Dir); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

// What is not in the registry, not what it says, or from elsewhere is refused, and nothing is left of it.
func TestRefused(t *testing.T) {
	forged := notes()
	forged["elsewhere"] = map[string]string{"package.json": `{"name": "elsewhere", "version": "1.0.0", "bin": "a.js",
		"dependencies": {"other": "git+https://example.com/other.git"}}`, "a.js": ""}
	forged["outside"] = map[string]string{"package.json": `{"name": "outside", "version": "1.0.0", "bin": "../../../../bin/sh"}`}
	forged["tarball"] = map[string]string{"package.json": `{"name": "tarball", "version": "1.0.0", "bin": "a.js",
		"dependencies": {"other": "http://127.0.0.1:9/other.tgz"}}`, "a.js": ""}
	forged["two"] = map[string]string{"package.json": `{"name": "two", "version": "1.0.0", "bin": {"a": "a.js", "b": "b.js"}}`,
		"a.js": "", "b.js": ""}
	npm(t, forged)
	for name, command := range map[string]string{"no such package": "npx nothing-here", "no such version": "npx notes-server@9.9.9",
		"from git": "npx elsewhere", "a program outside": "npx outside", "a part by address": "npx tarball", "which program": "npx two"} {
		t.Run(name, func(t *testing.T) {
			s := &parcel.Shelf{Dir: filepath.Join(t.TempDir(), "packages")}
			_, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: strings.Fields(command)})
			if f := fault.From(err); err == nil || f.Code != fault.InvalidRequest && f.Code != fault.ConnectorUnreachable {
				t.Error(err)
			}
			if left, _ := os.ReadDir(s.Dir); len(left) != 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

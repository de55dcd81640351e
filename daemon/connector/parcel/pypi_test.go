package parcel_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// wheel is a Python package in the form that needs no building.
func wheel(t *testing.T, name, version, needs, scripts string, files map[string]string) []byte {
	t.Helper()
	info := strings.ReplaceAll(name, "-", "_") + "-" + version + ".dist-info/"
	all := map[string]string{info + "METADATA": "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + needs,
		info + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
	if scripts != "" {
		all[info+"entry_points.txt"] = "[other]\nx = y:z\n[console_scripts]\n" + scripts
	}
	for k, v := range files {
		all[k] = v
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	record := ""
	for k, v := range all {
		f, err := z.Create(k)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(v))
		record += k + ",,\n"
	}
	f, _ := z.Create(info + "RECORD")
	_, _ = f.Write([]byte(record + info + "RECORD,,\n"))
	_ = z.Close()
	return b.Bytes()
}

// index serves Python packages as PyPI does, and has the person's pip use it.
func index(t *testing.T, hash func(name string, b []byte) string, wheels map[string][]byte) {
	t.Helper()
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	asks := []string{"-m", "pip", "--version"}
	if exec.Command("/usr/bin/python3", asks...).Run() != nil && exec.Command("python3", asks...).Run() != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("pip is missing: build/setup.sh test")
		}
		t.Skip("pip is not installed")
	}
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, ok := wheels[strings.TrimPrefix(r.URL.Path, "/files/")]; ok {
			_, _ = w.Write(b)
			return
		}
		found := false
		for file, b := range wheels {
			if name, _, _ := strings.Cut(file, "-"); r.URL.Path == "/simple/"+strings.ReplaceAll(name, "_", "-")+"/" {
				if !found {
					w.Header().Set("Content-Type", "text/html")
				}
				found = true
				_, _ = fmt.Fprintf(w, `<a href="/files/%s#sha256=%s">%[1]s</a>`, file, hash(file, b))
			}
		}
		if !found {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(ts.Close)
	t.Setenv("UV_DEFAULT_INDEX", ts.URL+"/simple")
}

func honest(_ string, b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// A package of uvx is installed with what it needs, and only its own files run afterwards, isolated from the person's.
func TestInstallPython(t *testing.T) {
	main := map[string]string{"notes_server/__init__.py": "", "notes_server/cli.py": "import sys, notes_core\nclass App:\n  @staticmethod\n" +
		"  def main():\n    print(notes_core.said, *sys.argv[1:])\n"}
	index(t, honest, map[string][]byte{
		"notes_server-1.4.0-py3-none-any.whl": wheel(t, "notes-server", "1.4.0", "Requires-Dist: notes-core>=2\n",
			"notes-server = notes_server.cli:App.main\nother = notes_server:x\n", main),
		"notes_core-2.1-py3-none-any.whl": wheel(t, "notes-core", "2.1", "", "", map[string]string{"notes_core.py": "said = 'core'\n"}),
	})
	s := &parcel.Shelf{Dir: filepath.Join(t.TempDir(), "packages")}
	asked := []string{"uvx", "Notes_Server", "/home/notes"}
	b, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: asked})
	if err != nil {
		t.Fatal(err)
	}
	p := b.Package
	if p == nil || p.Name != "notes-server" || p.Version != "1.4.0" || p.Kind != "pypi" || !strings.HasPrefix(p.Integrity, "sha256-") ||
		strings.Join(p.Command, " ") != strings.Join(asked, " ") {
		t.Fatalf("%+v", p)
	}
	t.Setenv("PYTHONPATH", t.TempDir()) // which an isolated interpreter does not read
	out, err := exec.Command(b.Command[0], b.Command[1:]...).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "core /home/notes" {
		t.Errorf("%s %v", out, err)
	}
	if err := s.Check(*p); err != nil { // running it wrote nothing beside its files
		t.Error(err)
	}
	again, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: strings.Fields("pipx run --spec notes-server==1.4.0 notes-server")})
	if err != nil || again.Package.FilesHash != p.FilesHash {
		t.Errorf("%+v %v", again, err)
	}
	core := filepath.Join(b.ReadFolders[0], "site", "notes_core.py")
	if err := os.WriteFile(core, []byte("said = 'another'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(*p); !fault.Is(err, fault.ConnectorToolChanged) {
		t.Errorf("a file was changed: %v", err)
	}
}

// What must be built, is not what its checksum says, or has no such program is refused, and nothing is left of it.
func TestRefusedPython(t *testing.T) {
	index(t, func(name string, b []byte) string {
		if strings.HasPrefix(name, "forged") {
			return strings.Repeat("0", 64)
		}
		return honest(name, b)
	}, map[string][]byte{
		"two-1.0-py3-none-any.whl":    wheel(t, "two", "1.0", "", "a = two:a\nb = two:b\n", nil),
		"odd-1.0-py3-none-any.whl":    wheel(t, "odd", "1.0", "", "odd = odd:a;import os\n", nil),
		"none-1.0-py3-none-any.whl":   wheel(t, "none", "1.0", "", "", nil),
		"forged-1.0-py3-none-any.whl": wheel(t, "forged", "1.0", "", "forged = forged:a\n", nil),
		"sourced-1.0.tar.gz":          []byte("no wheel"),
	})
	for name, command := range map[string]string{"no such version": "uvx two@9", "no such program": "uvx --from two c",
		"no program": "uvx none", "a program that is code": "uvx odd", "another checksum": "uvx forged", "must be built": "uvx sourced"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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

// The folder of the interpreter is lent to what runs: one that holds the home or Showhow's data is not, by any way to it.
func TestAnInterpreterThatHoldsTheHome(t *testing.T) {
	index(t, honest, map[string][]byte{"one-1.0-py3-none-any.whl": wheel(t, "one", "1.0", "", "one = one:a\n", nil)})
	out, err := exec.Command("/usr/bin/python3", "-Ic", "import sys; print(sys.base_prefix)").Output()
	prefix := strings.TrimSpace(string(out))
	if err != nil || exec.Command("/usr/bin/python3", "-m", "pip", "--version").Run() != nil {
		t.Skip("the system's Python has no pip")
	}
	link := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink(prefix, link); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]parcel.Shelf{"is the home": {Home: prefix}, "contains the home": {Home: filepath.Join(prefix, "me")},
		"is the home by a link": {Home: link}, "contains the data": {Data: filepath.Join(prefix, "data")},
		"is in the data": {Data: filepath.Dir(prefix)}} {
		s.Dir = filepath.Join(t.TempDir(), "packages")
		if _, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"uvx", "one"}}); !fault.Is(err, fault.AdapterUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := parcel.Shelf{Dir: filepath.Join(t.TempDir(), "packages"), Home: t.TempDir(), Data: t.TempDir()}
	if _, err := s.Install(t.Context(), wire.MCPLocalBridge{Command: []string{"uvx", "one"}}); err != nil {
		t.Errorf("one beside both: %v", err)
	}
}

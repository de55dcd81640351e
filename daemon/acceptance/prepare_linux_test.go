package acceptance_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// tarball is a package as npm's registry has it; its install script must not run.
func tarball(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"package/index.js": "module.exports = 'from the package';\n",
		"package/package.json": `{"name":"tiny","version":"1.0.0","main":"index.js","scripts":{"postinstall":"touch installed-by-script"}}`} {
		must(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err := io.WriteString(w, text)
		must(t, err)
	}
	must(t, w.Close())
	must(t, z.Close())
	return b.Bytes()
}

func wheel(t *testing.T, name, needs string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range [][2]string{{name + ".py", "said = 'from the wheel'\n"},
		{name + "-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n" + needs},
		{name + "-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{name + "-1.0.dist-info/RECORD", ""}} {
		x, err := w.Create(f[0])
		must(t, err)
		_, err = io.WriteString(x, f[1])
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// A skill's packages: missing ones refuse a run and say what to do; they are fetched only from hosts that the person
// named, in the sandbox, without running any of their programs; read-only and kept for the next run.
func TestDependenciesArePreparedReadOnly(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/usr/bin/npm"); err != nil {
		if _, err := os.Stat("/usr/local/bin/npm"); err != nil {
			t.Skip("npm is not installed where the sandbox finds it")
		}
	}
	l := newLab(t)
	tgz := tarball(t)
	sum := sha512.Sum512(tgz)
	l.net.host(t, "registry.test", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(tgz) })
	files := map[string]string{
		"scripts/package.json": `{"name":"x","version":"1.0.0","dependencies":{"tiny":"1.0.0"}}`,
		"scripts/package-lock.json": fmt.Sprintf(`{"name":"x","version":"1.0.0","lockfileVersion":3,"requires":true,`+
			`"packages":{"":{"name":"x","version":"1.0.0","dependencies":{"tiny":"1.0.0"}},
"node_modules/tiny":{"version":"1.0.0","resolved":"http://registry.test/tiny/-/tiny-1.0.0.tgz","integrity":"sha512-%s",`+
			`"hasInstallScript":true}}}`, base64.StdEncoding.EncodeToString(sum[:])),
		"scripts/use.js": "console.log('it says', require('tiny'));\n",
	}
	registries := []string{"http://registry.test"}
	python := exec.Command("/usr/bin/python3", "-m", "pip", "--version").Run() == nil
	if python {
		whl := map[string][]byte{"tinypy": wheel(t, "tinypy", "Requires-Dist: underpy\n"), "underpy": wheel(t, "underpy", "")}
		l.net.host(t, "pypi.test", func(w http.ResponseWriter, r *http.Request) {
			name := "tinypy"
			if strings.Contains(r.URL.Path, "underpy") {
				name = "underpy"
			}
			if strings.HasSuffix(r.URL.Path, ".whl") {
				_, _ = w.Write(whl[name])
				return
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<a href="/%[1]s-1.0-py3-none-any.whl">%[1]s-1.0-py3-none-any.whl</a>`, name)
		})
	}
	var write strings.Builder
	write.WriteString("mkdir -p scripts\ncat > SKILL.md <<'END'\n" + mailSkill + "END\n")
	for name, text := range files {
		write.WriteString("cat > " + name + " <<'END'\n" + text + "\nEND\n")
	}
	made := l.perform(client.SandboxRunRequest{Command: l.agentScript(write.String()), Goal: "make a skill"})
	if len(made.Skills) != 1 || made.Skills[0].Outcome != "created" {
		t.Fatalf("%+v", made)
	}
	_, err := l.c.PrepareSandboxRun(t.Context(), client.PrepareRequest{Skill: "agentmail", Registries: registries})
	refused(t, err, fault.TrustRequired)
	l.approved(made.Skills[0].AbilityID, nil)

	use := client.SandboxRunRequest{Skill: "agentmail",
		Command: l.agentScript("cd scripts\nnode use.js\ntouch node_modules/x 2>/dev/null && echo WRITTEN\nls node_modules/tiny\n")}
	_, err = l.c.StartSandboxRun(t.Context(), use)
	f := refused(t, err, fault.DependenciesMissing)
	if !strings.Contains(f.Hint, "showhow run prepare agentmail --registry") {
		t.Errorf("%+v", f)
	}
	_, err = l.c.PrepareSandboxRun(t.Context(), client.PrepareRequest{Skill: "agentmail", Registries: []string{"other.test"}})
	f = refused(t, err, fault.DependenciesMissing)
	if hosts := fmt.Sprint(f.Details["hosts_refused"]); !strings.Contains(hosts, "registry.test") {
		t.Errorf("%+v", f)
	}
	_, err = l.agent("helper").PrepareSandboxRun(t.Context(), client.PrepareRequest{Skill: "agentmail", Registries: registries})
	refused(t, err, fault.Forbidden)

	p := got(l.c.PrepareSandboxRun(t.Context(), client.PrepareRequest{Skill: "agentmail", Registries: registries}))(t)
	if len(p.Dependencies) != 1 || !p.Dependencies[0].Prepared || !slices.Equal(p.HostsReached, []string{"registry.test:80"}) {
		t.Errorf("%+v", p)
	}
	if again := got(l.c.PrepareSandboxRun(t.Context(), client.PrepareRequest{Skill: "agentmail", Registries: registries}))(t); len(
		again.HostsReached) != 0 {
		t.Errorf("fetched twice: %+v", again)
	}
	for range 2 { // each run as another account
		r := l.perform(use)
		o := got(l.c.SandboxRunOutput(t.Context(), r.RunID, 0))(t)
		if !strings.Contains(o.Text, "it says from the package") || strings.Contains(o.Text, "WRITTEN") ||
			strings.Contains(o.Text, "installed-by-script") {
			t.Errorf("%s: %s", r.State, o.Text)
		}
		if e := l.evidence(r.RunID); len(e.Dependencies) != 1 || len(e.HostsReached) != 0 {
			t.Errorf("%+v", e)
		}
	}
	if r := l.receipts(client.ReceiptFilter{Kind: "agent.run.prepared"}); len(r) != 2 {
		t.Errorf("%+v", r)
	}
	if !python {
		t.Log("pip is not installed where the sandbox finds it: Python packages were not tried")
		return
	}

	// The skill is mended to need a Python package and a program that is not here.
	mend := client.SandboxRunRequest{Skill: "agentmail", WithoutDependencies: true,
		Command: l.agentScript("rm scripts/package*.json\necho 'tinypy==1.0' > scripts/requirements.txt\n")}
	l.approved(l.perform(mend).Skills[0].AbilityID, nil)
	ask := client.PrepareRequest{Skill: "agentmail", Registries: []string{"http://pypi.test"}}
	_, err = l.c.PrepareSandboxRun(t.Context(), ask) // what its package needs is pinned by nobody
	f = refused(t, err, fault.DependenciesMissing)
	lock, _ := f.Details["lock"].(string)
	if !strings.Contains(f.Message, "underpy 1.0") || lock == "" {
		t.Errorf("%+v", f)
	}
	ask.Lock = strings.Repeat("0", 32)
	_, err = l.c.PrepareSandboxRun(t.Context(), ask)
	refused(t, err, fault.DependenciesMissing)
	ask.Lock = lock
	if d := got(l.c.PrepareSandboxRun(t.Context(), ask))(t).Dependencies; len(d) != 1 || len(d[0].Installed) != 2 ||
		d[0].Installed[0].Indirect || !d[0].Installed[1].Indirect {
		t.Errorf("%+v", d)
	}
	r := l.perform(client.SandboxRunRequest{Skill: "agentmail",
		Command: l.agentScript("python3 -c 'import tinypy, underpy; print(\"it says\", tinypy.said)'\n")})
	if o := got(l.c.SandboxRunOutput(t.Context(), r.RunID, 0))(t); !strings.Contains(o.Text, "it says from the wheel") {
		t.Errorf("%s: %s", r.State, o.Text)
	}
}

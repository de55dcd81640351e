package imports_test

import (
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
)

func (k *kit) source(r imports.SourceRequest) (imports.Record, error) {
	up, err := k.FromSource(ctx, imports.Meta{}, r)
	if err != nil {
		return imports.Record{}, err
	}
	s, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: up.TempArtifact.TempArtifactRef})
	return s.ImportRecord, err
}

func writeFiles(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestScenario6: a person pastes a SKILL.md. It is checked like any other and waits for approval.
func TestScenario6_PastedSkill(t *testing.T) {
	k := newKit(t)
	item, err := k.source(imports.SourceRequest{Kind: "text", Text: goodSkill})
	if err != nil || item.StageState != imports.ScanComplete || item.Provenance.Kind != "text" || item.SkillName != "tidy-invoices" {
		t.Fatalf("%+v %v", item, err)
	}
	_, err = k.source(imports.SourceRequest{Kind: "text", Text: "no head"})
	code(t, err, fault.InvalidRequest)
	_, err = k.source(imports.SourceRequest{Kind: "text", Text: goodSkill + strings.Repeat("x", 1<<20)})
	if archive.ReasonOf(err) != archive.FileLarge {
		t.Error(err)
	}
}

func TestImportFromAFolder(t *testing.T) {
	k := newKit(t)
	dir := writeFiles(t, t.TempDir(), map[string]string{"a/SKILL.md": goodSkill, "a/.git/config": "[core]", "a/references/x.md": "x",
		"a/policy.json": "{}"})
	item, err := k.source(imports.SourceRequest{Kind: "folder", Path: filepath.Join(dir, "a")})
	if err != nil || item.SkillName != "tidy-invoices" {
		t.Fatal(item, err)
	}
	if d, _ := k.Get(ctx, item.ImportID); len(d.Files) != 2 {
		t.Error(d.Files)
	}
	secret := writeFiles(t, t.TempDir(), map[string]string{"secret": "canary"})
	if err := os.Symlink(filepath.Join(secret, "secret"), filepath.Join(dir, "a", "link.md")); err != nil {
		t.Fatal(err)
	}
	_, err = k.source(imports.SourceRequest{Kind: "folder", Path: filepath.Join(dir, "a")})
	if archive.ReasonOf(err) != archive.Link || !strings.Contains(err.Error(), "the folder holds a link") {
		t.Error(err)
	}
	_, err = k.source(imports.SourceRequest{Kind: "folder", Path: "a"})
	code(t, err, fault.InvalidRequest)
	_, err = k.source(imports.SourceRequest{Kind: "folder", Path: filepath.Join(dir, "none")})
	code(t, err, fault.SkillImportSourceFailed)
}

func gitRun(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c",
		"protocol.file.allow=always"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestScenario7: a skill found in a repository, over http on this computer and from the disk: pinned to a commit, with
// its origin, and without git's own files.
func TestScenario7_Repository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	k := newKit(t)
	repo := writeFiles(t, t.TempDir(), map[string]string{
		"skills/one/SKILL.md": goodSkill, "skills/two/SKILL.md": strings.Replace(goodSkill, "tidy-invoices", "two", 1), "README.md": "x"})
	gitRun(t, repo, "init", "-q", "-b", "main")
	gitRun(t, repo, "add", ".")
	gitRun(t, repo, "commit", "-qm", "one")
	first := gitRun(t, repo, "rev-parse", "HEAD")
	writeFiles(t, repo, map[string]string{"skills/two/extra.md": "new"})
	gitRun(t, repo, "add", ".")
	gitRun(t, repo, "commit", "-qm", "two")
	gitRun(t, repo, "tag", "v1")
	head := gitRun(t, repo, "rev-parse", "HEAD")
	gitRun(t, repo, "config", "http.uploadpack", "true")
	web := httptest.NewServer(&cgi.Handler{Path: filepath.Join(gitRun(t, repo, "--exec-path"), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + repo, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory",
			"GIT_CONFIG_VALUE_0=*"}})
	t.Cleanup(web.Close)
	for _, url := range []string{"file://" + repo, web.URL + "/.git"} {
		for ref, want := range map[string]string{"": head, "v1": head, "main": head, first: first} {
			item, err := k.source(imports.SourceRequest{Kind: "git", URL: url, Ref: ref, Within: "skills/two"})
			if err != nil {
				t.Fatalf("%s %s: %v", url[:4], ref, err)
			}
			p := item.Provenance
			d, _ := k.Get(ctx, item.ImportID)
			if p.Commit != want || p.URL != url || p.FetchedAt == nil || item.SkillName != "two" || (len(d.Files) == 2) != (want == head) {
				t.Errorf("%s: %+v", ref, item)
			}
		}
		_, err := k.source(imports.SourceRequest{Kind: "git", URL: url})
		if archive.ReasonOf(err) != archive.ManySkills {
			t.Error(err)
		}
		_, err = k.source(imports.SourceRequest{Kind: "git", URL: url, Ref: "nothing", Within: "skills/two"})
		code(t, err, fault.SkillImportSourceFailed)
	}
	if m, _ := filepath.Glob(filepath.Join(k.dir, "imports", ".fetch-*")); len(m) != 0 {
		t.Error("left:", m)
	}

	if err := os.Symlink("/etc/passwd", filepath.Join(repo, "skills/one/link")); err != nil {
		t.Fatal(err)
	}
	gitRun(t, repo, "add", ".")
	gitRun(t, repo, "commit", "-qm", "link")
	_, err := k.source(imports.SourceRequest{Kind: "git", URL: "file://" + repo, Within: "skills/one"})
	if archive.ReasonOf(err) != archive.Link || !strings.Contains(err.Error(), "the repository holds a link") {
		t.Error(err)
	}
	if _, err := k.source(imports.SourceRequest{Kind: "git", URL: "file://" + repo, Within: "skills/two"}); err != nil { // which has none
		t.Error(err)
	}
	other := writeFiles(t, t.TempDir(), map[string]string{skill.Entry: goodSkill})
	gitRun(t, other, "init", "-q")
	gitRun(t, other, "submodule", "add", "-q", "file://"+repo, "sub")
	gitRun(t, other, "add", ".")
	gitRun(t, other, "commit", "-qm", "sub")
	_, err = k.source(imports.SourceRequest{Kind: "git", URL: "file://" + other})
	if archive.ReasonOf(err) != archive.Special {
		t.Error("a submodule:", err)
	}
}

func TestWhichAddressesAreRepositories(t *testing.T) {
	k := newKit(t)
	for _, url := range []string{"http://example.org/x.git", "https://user:pw@example.org/x", "ssh://git@example.org/x", "git@example.org:x",
		"ext::sh -c id", "file://host/x", "file:relative",
		"--upload-pack=id", "https:///x", "https://example.org/x?y=1", "http://127.0.0.1.example.org/x", ""} {
		_, err := k.source(imports.SourceRequest{Kind: "git", URL: url})
		code(t, err, fault.InvalidRequest)
	}
}

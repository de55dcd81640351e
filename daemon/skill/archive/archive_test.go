package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func read(data []byte) (Contents, error) {
	return Read(context.Background(), bytes.NewReader(data), int64(len(data)), Limits{})
}

func TestAttacksAreRefused(t *testing.T) {
	for _, a := range attacks() {
		t.Run(strings.ToValidUTF8(a.name, "?"), func(t *testing.T) {
			_, err := read(a.data)
			if got := ReasonOf(err); got != a.want {
				t.Errorf("reason %q, want %q (%v)", got, a.want, err)
			}
			if f := fault.From(err); err != nil && (f.Message == "" || strings.Contains(f.Message+f.Hint, "evil")) {
				t.Errorf("sentence %q", f.Message)
			}
		})
	}
}

func TestHarmlessAreRead(t *testing.T) {
	for _, a := range harmless() {
		t.Run(a.name, func(t *testing.T) {
			c, err := read(a.data)
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := Pick(c, "", "tidy")
			if err != nil || string(b.File(skill.Entry).Data) != goodSkill {
				t.Fatal(b, err)
			}
			for _, f := range b.Files {
				if strings.Contains(f.Path, ".git") || strings.Contains(f.Path, "MACOSX") {
					t.Error(f.Path, "was kept")
				}
			}
		})
	}
}

// Every reason has a sentence and an archive that earns it.
func TestEveryReasonIsTested(t *testing.T) {
	seen := map[Reason]bool{NoSkill: true, ManySkills: true, UploadLarge: true} // below
	for _, a := range attacks() {
		seen[a.want] = true
	}
	for r, sentence := range Reasons() {
		if !seen[r] || sentence == "" {
			t.Errorf("%s: seen %v, %q", r, seen[r], sentence)
		}
	}
	_, err := Read(context.Background(), bytes.NewReader(zipOf()), 1<<40, Limits{})
	if ReasonOf(err) != UploadLarge || fault.CodeOf(err) != fault.SkillImportFileTooLarge {
		t.Error(err)
	}
}

// What the system's own tools make of a folder is read as the folder was.
func TestToolsOfTheSystem(t *testing.T) {
	src := filepath.Join(t.TempDir(), "tidy")
	want := skill.Bundle{Name: "tidy", Files: []skill.File{{Path: "SKILL.md", Mode: 0o644, Data: []byte(goodSkill)},
		{Path: "scripts/run.sh", Mode: 0o755, Data: []byte("true\n")}}}
	if err := want.WriteTo(src, false); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []string{"zip -qr out.zip tidy", "cd tidy && zip -qr ../out.zip .", "zip -qr - tidy | cat > out.zip",
		"tar cf out.zip tidy", "tar czf out.zip -C tidy .", "python3 -m zipfile -c out.zip tidy",
		"bsdtar --format zip -cf out.zip tidy"} {
		t.Run(cmd, func(t *testing.T) {
			if tool := strings.Fields(strings.TrimPrefix(cmd, "cd tidy && "))[0]; exec.Command("sh", "-c", "command -v "+tool).Run() != nil {
				t.Skip(tool, "is not installed")
			}
			out := filepath.Join(filepath.Dir(src), "out.zip")
			os.Remove(out)
			c := exec.Command("sh", "-c", cmd)
			c.Dir = filepath.Dir(src)
			if msg, err := c.CombinedOutput(); err != nil {
				t.Fatal(err, string(msg))
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			got, err := read(data)
			if err != nil {
				t.Fatal(err)
			}
			if b, _, err := Pick(got, "", "tidy"); err != nil || b.Hash() != want.Hash() || b.Name != "tidy" {
				t.Error(b, err)
			}
		})
	}
}

func TestPick(t *testing.T) {
	md := func(p string) skill.File { return skill.File{Path: p, Data: []byte(goodSkill)} }
	for _, c := range []struct {
		files        []string
		within, name string
		left         int
		why          Reason
	}{
		{[]string{"SKILL.md", "policy.json"}, "", "up", 1, ""},
		{[]string{"a/SKILL.md", "a/b/c.md", "README.md"}, "", "a", 1, ""},
		{[]string{"a/SKILL.md", "a/tests/x/SKILL.md"}, "", "a", 0, ""},
		{[]string{"skills/a/SKILL.md", "skills/b/SKILL.md"}, "", "", 0, ManySkills},
		{[]string{"skills/a/SKILL.md", "skills/b/SKILL.md"}, "skills/b", "b", 1, ""},
		{[]string{"skills/a/SKILL.md"}, "../../etc", "", 0, NoSkill},
		{[]string{"README.md"}, "", "", 0, NoSkill},
	} {
		var in Contents
		for _, p := range c.files {
			in.Files = append(in.Files, md(p))
		}
		b, left, err := Pick(in, c.within, "up")
		if ReasonOf(err) != c.why || b.Name != c.name || left != c.left {
			t.Errorf("%v %q: %q, %d left out, %v", c.files, c.within, b.Name, left, err)
		}
	}
	_, err := Root([]string{"skills/b/SKILL.md", "skills/a/SKILL.md", "skills/\u202ec/SKILL.md"}, "")
	if got := fault.From(err).Details["folders"]; !slices.Equal(got.([]string), []string{"skills/a", "skills/b"}) {
		t.Errorf("to choose from: %q", got)
	}
}

func TestPackIsReadBack(t *testing.T) {
	files := []skill.File{{Path: "SKILL.md", Mode: 0o644, Data: []byte(goodSkill)}, {Path: "scripts/a", Mode: 0o755, Data: []byte("x")}}
	one, err := Pack(files)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := Pack(files)
	c, err := read(one)
	if err != nil || !bytes.Equal(one, two) || len(c.Files) != 2 || c.Files[1].Mode != 0o755 {
		t.Error(c, err)
	}
}

// A stage that fails, for whatever reason, leaves the folder as it was.
func TestStageLeavesNoTrace(t *testing.T) {
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	good := skill.Bundle{Name: "a", Files: []skill.File{{Path: "SKILL.md", Data: []byte("x")}}}
	bad := skill.Bundle{Name: "a", Files: []skill.File{{Path: "SKILL.md", Data: []byte("x")}, {Path: "../evil", Data: []byte("x")}}}
	twice := skill.Bundle{Name: "a", Files: []skill.File{{Path: "a", Data: []byte("x")}, {Path: "a/b", Data: []byte("x")}}}
	for name, err := range map[string]error{
		"cancelled": Stage(ctx, parent, "one", good), "traversal": Stage(context.Background(), parent, "one", bad),
		"file and folder": Stage(context.Background(), parent, "one", twice), "name": Stage(context.Background(), parent, "../one", good),
	} {
		if err == nil {
			t.Errorf("%s was staged", name)
		}
	}
	if left := listing(t, parent); len(left) != 0 {
		t.Error("left behind:", left)
	}
	if err := Stage(context.Background(), parent, "one", good); err != nil {
		t.Fatal(err)
	}
	if err := Stage(context.Background(), parent, "one", good); fault.CodeOf(err) != fault.NameTaken {
		t.Error(err)
	}
	os.Mkdir(filepath.Join(parent, stagePrefix+"crashed"), 0o700)
	if err := Sweep(parent); err != nil {
		t.Fatal(err)
	}
	if left := listing(t, parent); len(left) != 2 { // one, one/SKILL.md
		t.Error(left)
	}
}

func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		if rel == "." {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			what += string(b)
		}
		out[rel] = what
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var fuzzLimits = Limits{Upload: 1 << 20, Bytes: 64 << 10, File: 32 << 10, Entries: 64, Depth: 8, Ratio: 250, Nested: 2, Inner: 1 << 20}

// FuzzUnpack: for any bytes, only regular files below the one fresh folder are written; nothing at all when the
// archive is refused; and accepted content is what the standard library reads.
func FuzzUnpack(f *testing.F) {
	for _, a := range append(attacks(), harmless()...) {
		if len(a.data) < 8<<10 {
			f.Add(a.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		world := t.TempDir()
		if err := os.WriteFile(filepath.Join(world, "canary"), []byte("here before"), 0o600); err != nil {
			t.Fatal(err)
		}
		staging := filepath.Join(world, "staging")
		err := unpackAll(staging, data)
		after := listing(t, world)
		if what := after["canary"]; what != "-rw-------here before" {
			t.Fatalf("the canary is %q", what)
		}
		delete(after, "canary")
		delete(after, "staging")
		for p, what := range after {
			inside := p == filepath.Join("staging", "fresh") || strings.HasPrefix(p, filepath.Join("staging", "fresh")+string(filepath.Separator))
			if !inside || err != nil || what[0] != '-' && what[0] != 'd' || what[4:10] != "------" {
				t.Fatalf("left %q %.10q after %v", p, what, err)
			}
		}
		if err == nil && bytes.HasPrefix(data, []byte("PK")) {
			sameAsLibrary(t, data)
		}
	})
}

func unpackAll(parent string, data []byte) error {
	c, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)), fuzzLimits)
	if err != nil {
		return err
	}
	b, _, err := Pick(c, "", "fresh")
	if err != nil {
		return err
	}
	return Stage(context.Background(), parent, "fresh", b)
}

// sameAsLibrary compares what Read kept with what archive/zip reads.
func sameAsLibrary(t *testing.T, data []byte) {
	c, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)), fuzzLimits)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		theirs[strings.TrimPrefix(f.Name, "./")] = b
	}
	for _, f := range c.Files {
		if b, ok := theirs[f.Path]; !ok || !bytes.Equal(b, f.Data) {
			t.Fatalf("%q reads otherwise", f.Path)
		}
	}
}

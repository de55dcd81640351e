package agentrun

import (
	"slices"
	"testing"

	"showhow/daemon/skill"
)

func bundleOf(t *testing.T, files map[string]string) skill.Bundle {
	t.Helper()
	var all []skill.File
	for p, text := range files {
		all = append(all, skill.File{Path: p, Mode: 0o644, Data: []byte(text)})
	}
	b, err := skill.New("x", all)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDependenciesArePinned(t *testing.T) {
	const head = "---\nname: x\ndescription: Does x when asked.\n---\n\n# X\n"
	for text, ok := range map[string]bool{
		"a==1.0": true, "a==1.0\nb[extra]==2.0.1  # why\n\n# nothing": true, "a == 1.0 ; python_version < '3.9'": true,
		"a==1.0 \\\n  --hash=sha256:00ff \\\n  --hash=sha256:11ee": true,
		"a>=1.0": false, "a": false, "-e .": false, "git+https://evil.example/x.git": false, "--index-url https://evil.example\na==1.0": false,
		"a @ https://evil.example/a.whl": false, "-r other.txt": false,
	} {
		d := dependencies(bundleOf(t, map[string]string{"SKILL.md": head, "scripts/requirements.txt": text}))
		if len(d) != 1 || (d[0].Problem == "") != ok || ok && d[0].key == "" {
			t.Errorf("%q: %+v", text, d)
		}
	}
	for _, c := range []struct {
		files map[string]string
		n     int
		ok    bool
	}{
		{map[string]string{"package.json": `{"name":"x"}`}, 0, true},
		{map[string]string{"package.json": `{"dependencies":{"a":"1"}}`}, 1, false},
		{map[string]string{"package.json": `{"dependencies":{"a":"1"}}`, "package-lock.json": `{}`}, 1, true},
		{map[string]string{"package.json": `{`}, 1, false},
		{map[string]string{"node_modules/a/package.json": `{"dependencies":{"b":"1"}}`}, 0, true},
	} {
		c.files["SKILL.md"] = head
		d := dependencies(bundleOf(t, c.files))
		if len(d) != c.n || c.n > 0 && (d[0].Problem == "") != c.ok {
			t.Errorf("%v: %+v", c.files, d)
		}
	}
}

func TestRequiredPrograms(t *testing.T) {
	b := bundleOf(t, map[string]string{"SKILL.md": "---\nname: x\ndescription: Does x when asked.\nmetadata: " +
		"{\"openclaw\":{\"requires\":{\"bins\":[\"sh\",\"no-such-program\"],\"anyBins\":[\"sh\",\"nor-this\"]}}}\n---\n\n# X\n"})
	if got := missingPrograms(b); !slices.Equal(got, []string{"no-such-program"}) {
		t.Errorf("%v", got)
	}
}

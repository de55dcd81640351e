package kept

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	path := filepath.Join(dir, "state.json")
	if Save(path, 0) == nil {
		t.Error("written into a folder that is not there")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, v := range []int{1, 2} {
		if err := Save(path, v); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "2" {
		t.Errorf("%s %v", b, err)
	}
	if err := Save(path, func() {}); err == nil {
		t.Error("what is no JSON was written")
	}
	if err := Save(dir, 3); err == nil {
		t.Error("a folder was replaced")
	}
	if all, _ := os.ReadDir(filepath.Dir(dir)); len(all) != 1 {
		t.Error("something is left of a write that failed", all)
	}
}

// Gen copies gitleaks' rule file into capture/redact: `go run ./capture/redact/gen capture/redact/gitleaks`. The file
// comes from the module proxy and is verified by its checksum database; the module itself is not part of the build.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// module is the gitleaks release. The tests of package redact check examples of every rule.
const module = "github.com/zricethezav/gitleaks/v8@v8.30.1"

func main() {
	if len(os.Args) != 2 {
		fail("usage: gen FOLDER")
	}
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		fail("go mod download: " + err.Error())
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		fail(err.Error())
	}
	for from, to := range map[string]string{"config/gitleaks.toml": "gitleaks.toml", "LICENSE": "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(got.Dir, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], to), data, 0o644)
		}
		if err != nil {
			fail(err.Error())
		}
	}
	if err := os.WriteFile(filepath.Join(os.Args[1], "VERSION"), []byte(module+"\n"), 0o644); err != nil {
		fail(err.Error())
	}
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "redact/gen:", why)
	os.Exit(1)
}

// Command gen writes docs/cli.md, docs/adapters.md and docs/scanning.md from the program's own declarations, into the
// folder given as argument. The text is the same on every machine; main_test.go fails when the committed files
// differ.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"showhow/internal/generated"
)

// documents are the files and their generators.
var documents = map[string]func() []byte{"cli.md": commandLine, "adapters.md": adapterList, "scanning.md": scanRules}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FOLDER")
		os.Exit(2)
	}
	for name, render := range documents {
		if err := generated.Write(filepath.Join(os.Args[1], name), render()); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

// Showhow-hook is what an agent's hook runs after each tool call: `showhow-hook AGENT`. It is a program of its own because
// the agent waits for it: it initialises 100 packages instead of the daemon's 1,000. Package report has the rest.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"showhow/adapters/receipts/report"
)

func main() {
	self, err := os.Executable()
	if err == nil {
		self = filepath.Join(filepath.Dir(self), "showhow"+filepath.Ext(self))
	}
	report.Main(os.Args[1:], self)
	fmt.Fprintln(os.Stderr, "usage: showhow-hook claude-code|codex|openclaw|generic --agent NAME, with the tool call on standard input")
	os.Exit(2)
}

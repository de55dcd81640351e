package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"showhow/daemon/skill/scan"
)

// scanningText is what docs/scanning.md says before the rules.
//
//go:embed scanning.md
var scanningText string

// scanRules is docs/scanning.md: every rule of the scanner.
func scanRules() []byte {
	var b bytes.Buffer
	b.WriteString(scanningText)
	family := ""
	for _, r := range scan.Rules {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(&b, "\n## %s%s\n\n| rule | usual severity | title | what is found | why it matters |\n|---|---|---|---|---|\n",
				string(family[0]-32), family[1:])
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Severity, r.Title, r.Meaning, r.Why)
	}
	return b.Bytes()
}

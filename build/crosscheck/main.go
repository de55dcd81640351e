// Command crosscheck type-checks every package of the module, tests included, for other operating systems.
//
// `go vet` does the same and more, but first compiles every dependency for each system, which takes ten times as long. Its other findings
// it reports on this system as well.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		all, err := packages.Load(&packages.Config{Tests: true, Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
				packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if len(all) == 0 {
			fmt.Fprintln(os.Stderr, "crosscheck: there is no package here")
			os.Exit(1)
		}
		packages.Visit(all, nil, func(p *packages.Package) {
			for _, e := range p.Errors {
				fmt.Fprintf(os.Stderr, "%s: %v\n", system, e)
				failed = true
			}
		})
	}
	if failed {
		os.Exit(1)
	}
}

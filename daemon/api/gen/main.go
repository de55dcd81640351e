// Command gen writes the OpenAPI document to the file that its argument names.
package main

import (
	"fmt"
	"os"

	"showhow/daemon/api"
	"showhow/internal/generated"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE")
		os.Exit(2)
	}
	doc, err := api.Document()
	if err == nil {
		err = generated.Write(os.Args[1], doc)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// Showhow: show a task once on your own computer; get a reviewed, rehearsed, portable skill that any agent can use.
package main

import (
	"os"

	"showhow/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }

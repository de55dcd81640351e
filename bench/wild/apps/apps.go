// Package apps runs real programs, as Debian, npm and the Go module proxy have them, and checks by their own data what was done in them.
//
// A program is started anew, on the same address, for each demonstration and each rehearsal, so that every run meets
// it in the same state. Its data is read outside its pages (by a command of its own, from its database, through its
// remote control). A workflow states the facts that change; a run is wrong if any other fact changed.
//
// bench/wild imports it. Programs that are not installed are reported, not skipped silently.
package apps

import (
	"fmt"
	"slices"
	"strings"
)

// All returns the programs.
func All() []App {
	return []App{fossil(), phpLiteAdmin(), transmission(), dokuWiki(), syncthing(), alertManager(), tiddlyWiki(), shaarli(), qBittorrent(),
		monit(), droppy(), roundcube(), jupyter(), supervisor(), cups(), ungit(), hledger(), pocketBase(), directus(), consul(),
		redmine(), requestTracker()}
}

// Chosen returns the programs of these names, or all. NAME/WORKFLOW takes one workflow of a program.
func Chosen(names string) (out []App, err error) {
	wanted := func(name string) bool { return names == "all" || strings.Contains(","+names+",", ","+name+",") }
	for _, a := range All() {
		if !wanted(a.Name) {
			a.Workflows = slices.DeleteFunc(a.Workflows, func(w Workflow) bool { return !wanted(a.Name + "/" + w.Name) })
		}
		if len(a.Workflows) > 0 {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no such application: %s", names)
	}
	return out, nil
}

package stage

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tried are the kinds of pages that a test tries: one or two for each of its mechanisms. The others are built otherwise and come to the
// same code; KINDS=all, as `make test-broad` sets it, tries them too. Tests that are not here try all.
var tried = map[string][]string{
	"TestActionsThatNameTheirRow":     {"search and open", "an editor in the row's place"},
	"TestDeedsByFormsOfTheirOwnPage":  {"cards", "icons"},
	"TestDeedsByLinksOfTheirOwnPage":  {"stop in silence", "lend"},
	"TestEnterEndsAnEdit":             {"a card written below the others, shown again, mute"},
	"TestFirstSight":                  {"a drawn list", "a field beside its name", "tabs of boxes"},
	"TestHeadsOfPanels":               {"boxes", "crates", "restless legends"},
	"TestHeadsTellWhatBecameOfPanels": {"crates, Remove", "late crates, Rename"},
	"TestHowManyOfWhich":              {"components"},
	"TestItemsOpenUnderAnotherText":   {"notices", "seats"},
	"TestNothingUndoneIsReportedDone": {"a form that only thanks, mute", "a star in a row, shown after, mute"},
	"TestNoShapeOfPageHidesALie": {"a deed confirmed on its own page, mute", "a page that is rewritten, mute",
		"a thing opened beside its list, shown before, mute"},
	"TestRenamedWhereItStands": {"figures"},
	"TestSmallTasks": {"several boxes", "tabs", "menu: bin", "drawn field", "stepper", "two handles", "icons in a bar", "date picker",
		"pages of results", "rating with radios", "folds", "pager", "slots under days", "a matrix of boxes", "cards with a stepper",
		"tree of boxes", "mail: forward", "a menu in a menu", "an editor of lines"},
	"TestWhichSwitch": {"components"},
}

// met are the kinds that each test came to.
var met struct {
	mu  sync.Mutex
	all map[string][]string
}

var everything = os.Getenv("KINDS") == "all"

// sample skips a kind that is tried with KINDS=all only.
func sample(t *testing.T, kind string) {
	t.Helper()
	test, _, _ := strings.Cut(t.Name(), "/")
	met.mu.Lock()
	defer met.mu.Unlock()
	if met.all == nil {
		met.all = map[string][]string{}
	}
	met.all[test] = append(met.all[test], kind)
	if some := tried[test]; !everything && some != nil && !slices.Contains(some, kind) {
		t.Skip("KINDS=all tries it")
	}
}

// unmet are the kinds of the table that no test came to, after a whole run: a test that was renamed would try all or nothing.
func unmet() (out []string) {
	for test, some := range tried {
		for _, kind := range some {
			if !slices.Contains(met.all[test], kind) {
				out = append(out, test+"/"+kind)
			}
		}
	}
	slices.Sort(out)
	return out
}

package arch

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// room is one entry of the table in CONTRIBUTING.md: a package, or with /... a folder of packages.
type room struct {
	name   string
	deep   bool     // everything below name as well
	places []room   // what it may import
	all    bool     // it may import everything
	row    int      // of the table
	used   []string // places that a package of the room imports
}

func (r *room) holds(path string) bool {
	return path == r.name || r.deep && strings.HasPrefix(path, r.name+"/")
}

func (r *room) String() string {
	if r.deep {
		return r.name + "/..."
	}
	return r.name
}

// leaves may be imported by every package.
var leaves = []room{{name: "internal", deep: true}, {name: "daemon/wire"}}

var quoted = regexp.MustCompile("`([^`]+)`")

// entries parses one list of a cell: names separated by commas, a{b,c} short for ab, ac.
func entries(list string) (out []room) {
	for _, name := range regexp.MustCompile(`[^,{]*\{[^}]*\}[^,]*|[^,]+`).FindAllString(list, -1) {
		names := []string{name}
		if before, rest, ok := strings.Cut(name, "{"); ok {
			inside, after, _ := strings.Cut(rest, "}")
			names = nil
			for in := range strings.SplitSeq(inside, ",") {
				names = append(names, before+in+after)
			}
		}
		for _, n := range names {
			n, deep := strings.CutSuffix(strings.TrimSpace(n), "/...")
			out = append(out, room{name: n, deep: deep})
		}
	}
	return out
}

// rooms parses the table.
func rooms(t *testing.T) (all []*room) {
	t.Helper()
	src, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(src), "| room | what it is | what it may import |\n|---|---|---|\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no table of rooms")
	}
	row := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			break
		}
		row++
		var may []room
		for _, q := range quoted.FindAllStringSubmatch(cells[3], -1) {
			may = append(may, entries(q[1])...)
		}
		for _, q := range quoted.FindAllStringSubmatch(cells[1], -1) {
			left := slices.Clone(may)
			for stage := range strings.SplitSeq(q[1], "<-") {
				here := entries(stage)
				for _, r := range here {
					all = append(all, &room{name: r.name, deep: r.deep, places: slices.Clone(left), row: row,
						all: strings.TrimSpace(cells[3]) == "everything"})
				}
				left = append(left, here...)
			}
		}
	}
	if len(all) < 50 {
		t.Fatalf("the table of rooms in CONTRIBUTING.md has %d", len(all))
	}
	return all
}

// roomOf is the most specific entry for a package, nil for none.
func roomOf(all []*room, path string) (best *room) {
	for _, r := range all {
		if r.holds(path) && (best == nil || len(r.name) > len(best.name) || len(r.name) == len(best.name) && !r.deep) {
			best = r
		}
	}
	return best
}

// TestRooms checks every package against its row of the table, and the table against the packages: an entry without a
// package and a permission that no package of the row uses are errors too.
func TestRooms(t *testing.T) {
	all := rooms(t)
	lived := map[*room]bool{}
	for _, p := range listed(t) {
		path := p.ImportPath
		if path != "showhow" {
			path = strings.TrimPrefix(path, "showhow/")
		}
		r := roomOf(all, path)
		if r == nil {
			t.Errorf("%s stands in no row of the table in CONTRIBUTING.md", p.ImportPath)
			continue
		}
		lived[r] = true
		for _, imp := range p.Imports {
			imp, ours := strings.CutPrefix(imp, "showhow/")
			if !ours || r.all || r.deep && r.holds(imp) {
				continue
			}
			at := slices.IndexFunc(r.places, func(o room) bool { return o.holds(imp) })
			if at >= 0 {
				r.used = append(r.used, r.places[at].String())
			} else if !slices.ContainsFunc(leaves, func(o room) bool { return o.holds(imp) }) {
				t.Errorf("%s imports %s, which its row of the table in CONTRIBUTING.md does not allow", p.ImportPath, imp)
			}
		}
	}
	used := map[int][]string{}
	for _, r := range all {
		if !lived[r] {
			t.Errorf("the table in CONTRIBUTING.md has %s, and no package is there", r)
		}
		used[r.row] = append(used[r.row], r.used...)
	}
	for _, r := range all {
		for _, o := range r.places {
			inRow := slices.ContainsFunc(all, func(other *room) bool { return other.row == r.row && other.name == o.name })
			if !inRow && !slices.Contains(used[r.row], o.String()) {
				t.Errorf("the row of %s in CONTRIBUTING.md allows %s, and nobody there imports it", r, o.String())
				used[r.row] = append(used[r.row], o.String())
			}
		}
	}
}

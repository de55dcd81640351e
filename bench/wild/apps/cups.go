package apps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/corpus/person"
)

// printers are the printers that CUPS begins with; every second one is paused.
var printers = []string{"Anker", "Birch", "Clover", "Dune", "Ember", "Fjord"}

// papersToPrint are the jobs that are held, one at each printer.
var papersToPrint = []string{"Harbour dues", "Tide table", "Crew list", "Cargo list", "Menu", "Notice"}

// cups is the printing system: pages made by programs on the server, lists that act as soon as an entry of them is picked, forms in
// the rows of a table, and pages that go on to another by themselves.
func cups() App {
	printer := Input{"printer", []string{"printer", "name", "queue", "queue_name", "item"}}
	job := Input{"job", []string{"job", "name", "item", "document"}}
	// pick opens a printer's page and picks an entry of one of its lists.
	pick := func(list, entry string) func(p *person.Person, v Values) {
		return func(p *person.Person, v Values) {
			p.Open("/printers/")
			p.Press(at("table.list a", v["printer"], ""))
			p.Press(at("form[name="+list+"] select", "", ""))
			p.Keys(entry)
			p.Keys("\r")
		}
	}
	press := func(button string) func(p *person.Person, v Values) {
		return func(p *person.Person, v Values) {
			p.Open("/")
			p.Press(at(".cups-header a", "Jobs", ""))
			queue := printers[slices.Index(papersToPrint, v["job"])]
			p.Press(at("tr:has(a[href='/printers/"+queue+"']) input[type=submit]", button, ""))
		}
	}
	works := func(n int) Values { return Values{"printer": printers[(n*2)%len(printers)]} }
	rests := func(n int) Values { return Values{"printer": printers[(n*2+1)%len(printers)]} }
	paused := func(n int) Values { return Values{"job": papersToPrint[(n*2+1)%len(printers)]} }
	about := func(v Values, state, takes string) Facts {
		return Facts{"printer " + v["printer"]: fmt.Sprintf("%s, %s, Printer %s", state, takes, v["printer"])}
	}
	return App{Name: "cups", Needs: []string{"cupsd", "lpadmin", "lpstat"}, From: "Debian: cups cups-client",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "cups-daemon")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			// Its own user has to get through.
			for at := dir; len(at) > len(os.TempDir()); at = filepath.Dir(at) {
				if err := os.Chmod(at, 0o755); err != nil {
					return nil, err
				}
			}
			for _, d := range []string{"etc/ppd", "spool/tmp", "cache", "run/certs", "log"} {
				if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
					return nil, err
				}
			}
			files := strings.ReplaceAll("ServerRoot DIR/etc\nRequestRoot DIR/spool\nTempDir DIR/spool/tmp\nCacheDir DIR/cache\nStateDir DIR/run\n"+
				"ServerKeychain DIR/run\nAccessLog DIR/log/access\nErrorLog DIR/log/error\nPageLog DIR/log/page\nFileDevice Yes\nSystemGroup root\n",
				"DIR", dir)
			const open = "Order allow,deny\nAllow all\n"
			conf := "Listen " + address + "\nBrowsing No\nWebInterface Yes\nDefaultAuthType None\nServerAlias *\n<Location />\n" + open +
				"</Location>\n<Location /admin>\n" + open + "</Location>\n<Policy default>\nJobPrivateAccess all\nJobPrivateValues none\n" +
				"SubscriptionPrivateAccess all\nSubscriptionPrivateValues none\n<Limit All>\n" + open + "</Limit>\n</Policy>\n"
			for path, text := range map[string]string{"etc/cups-files.conf": files, "etc/cupsd.conf": conf} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
					return nil, err
				}
			}
			r, err := start(ctx, address, "/", nil, dir, "cupsd", "-f", "-c", filepath.Join(dir, "etc/cupsd.conf"),
				"-s", filepath.Join(dir, "etc/cups-files.conf"))
			if err != nil {
				return nil, err
			}
			var b strings.Builder
			for i, p := range printers {
				fmt.Fprintf(&b, "lpadmin -h %[1]s -p %[2]s -E -v file:/dev/null -D 'Printer %[2]s' -L 'Deck %[3]d'\n", address, p, i+1)
				fmt.Fprintf(&b, "echo paper | lp -h %s -d %s -H hold -t '%s' -\n", address, p, papersToPrint[i])
				if i%2 == 1 {
					fmt.Fprintf(&b, "cupsdisable -h %[1]s %[2]s\n", address, p)
				}
			}
			if _, err := command(ctx, dir, nil, "sh", "-e", "-c", b.String()); err != nil {
				r.Close()
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) { return printing(ctx, dir, address) }
			return r, nil
		},
		Workflows: []Workflow{
			{Name: "pause", Goal: "Pause a printer", Inputs: []Input{printer}, Values: works, Demo: pick("maintenance", "Pause Printer"),
				Expect: func(v Values) Facts { return about(v, "rests", "accepts") }},
			{Name: "resume", Goal: "Resume a printer", Inputs: []Input{printer}, Values: rests, Demo: pick("maintenance", "Resume Printer"),
				Expect: func(v Values) Facts { return about(v, "works", "accepts") }},
			{Name: "reject", Goal: "Have a printer reject jobs", Inputs: []Input{printer}, Values: works, Demo: pick("maintenance", "Reject Jobs"),
				Expect: func(v Values) Facts { return about(v, "works", "rejects") }},
			{Name: "default", Goal: "Make a printer the server's default", Inputs: []Input{printer}, Values: works,
				Demo:   pick("administration", "Set As Server Default"),
				Expect: func(v Values) Facts { return Facts{"default": v["printer"]} }},
			{Name: "release-job", Goal: "Release a held job", Inputs: []Input{job}, Values: paused, Demo: press("Release Job"),
				Expect: func(v Values) Facts { return Facts{"job " + v["job"]: "waits"} }},
			{Name: "cancel-job", Goal: "Cancel a job", Grave: true, Inputs: []Input{job},
				Values: func(n int) Values { return Values{"job": papersToPrint[(n+1)%len(printers)]} }, Demo: press("Cancel Job"),
				Expect: func(v Values) Facts { return Facts{"job " + v["job"]: ""} }},
			{Name: "new-class", Goal: "Add a class of printers",
				Inputs: []Input{{"name", []string{"name", "class", "class_name"}}, {"description", []string{"description"}},
					{"location", []string{"location"}}},
				Values: func(n int) Values {
					return Values{"name": some(n, "Upper", "Lower", "Outer", "Inner"),
						"description": some(n, "All that is above", "All that is below", "The far ones", "The near ones"),
						"location":    some(n, "North wharf", "South wharf", "East pier", "West pier")}
				},
				Demo: func(p *person.Person, v Values) {
					p.Open("/admin")
					p.Press(at("input[type=submit]", "Add Class", ""))
					p.Write(at("input[name=PRINTER_NAME]", "", ""), v["name"])
					p.Write(at("input[name=PRINTER_INFO]", "", ""), v["description"])
					p.Write(at("input[name=PRINTER_LOCATION]", "", ""), v["location"])
					p.Press(at("select[name=MEMBER_URIS] option", printers[0], ""))
					p.Press(at("input[type=submit]", "Add Class", ""))
				},
				Expect: func(v Values) Facts {
					return Facts{"class " + v["name"]: printers[0], "printer " + v["name"]: "works, accepts, " + v["description"]}
				}},
			{Name: "remove", Goal: "Remove a printer", Grave: true, Inputs: []Input{printer}, Values: works,
				Demo: func(p *person.Person, v Values) {
					pick("administration", "Delete Printer")(p, v)
					p.Press(at("input[type=submit]", "Delete Printer", ""))
				},
				Expect: func(v Values) Facts {
					gone := Facts{"printer " + v["printer"]: ""}
					for i, name := range printers {
						if name == v["printer"] {
							gone["job "+papersToPrint[i]] = ""
						}
					}
					return gone
				}},
		}}
}

// printing is what its commands tell.
func printing(ctx context.Context, dir, address string) (Facts, error) {
	text, err := command(ctx, dir, []string{"LC_ALL=C"}, "sh", "-c",
		`for q in "-l -p" -a -c "-l -o" -d; do lpstat -h "$0" $q; done; true`, address)
	out, state, about, takes := Facts{}, map[string]string{}, map[string]string{}, map[string]string{}
	name, class, job := "", "", ""
	for line := range strings.SplitSeq(text, "\n") {
		f, inner := strings.Fields(line), strings.HasPrefix(line, "\t")
		switch {
		case len(f) == 0:
		case strings.HasPrefix(line, "printer ") && len(f) > 2:
			name = f[1]
			state[name] = map[bool]string{true: "works", false: "rests"}[f[2] != "disabled"]
		case inner && f[0] == "Description:" && name != "":
			about[name] = strings.Join(f[1:], " ")
		case strings.Contains(line, " accepting requests "), strings.Contains(line, " not accepting requests"):
			name = ""
			takes[f[0]] = map[bool]string{true: "rejects", false: "accepts"}[f[1] == "not"]
		case strings.HasPrefix(line, "members of class "):
			class = strings.TrimSuffix(f[3], ":")
		case strings.HasPrefix(line, "system default destination:"):
			out["default"] = f[3]
		case inner && f[0] == "Alerts:" && job != "":
			out[job] = map[bool]string{true: "held", false: "waits"}[f[1] == "job-hold-until-specified"]
		case inner && class != "" && len(f) == 1:
			out["class "+class] = strings.TrimPrefix(out["class "+class]+" "+f[0], " ")
		case !inner:
			class, job = "", ""
			printer, _, _ := strings.Cut(f[0], "-")
			if i := slices.Index(printers, printer); i >= 0 {
				job = "job " + papersToPrint[i]
			}
		}
	}
	for name, s := range state {
		out["printer "+name] = s + ", " + takes[name] + ", " + about[name]
	}
	return out, err
}

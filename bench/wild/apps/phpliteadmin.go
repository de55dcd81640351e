package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"showhow/bench/corpus/person"
)

// makeMembers fills a table, readMembers reads it again.
const (
	makeMembers = `$d = new SQLite3("club.sqlite"); 
$d->exec("create table members (id integer primary key, name text, town text, fee integer)");
foreach (["Ada", "Boris", "Cyra", "Dunja", "Emil", "Farah", "Goran"] as $i => $n)
$d->exec("insert into members (name, town, fee) values ('$n', 'Bonn', " . ($i + 10) . ")");`
	readMembers = `$d = new SQLite3("club.sqlite"); $r = $d->query("select * from members"); $o = new stdClass;
while ($m = $r->fetchArray(SQLITE3_ASSOC)) $o->{"member " . $m["name"]} = $m["town"] . "|" . $m["fee"]; echo json_encode($o);`
)

// phpLiteAdmin shows a SQLite database under PHP's own server.
func phpLiteAdmin() App {
	names := []string{"Ada", "Cyra", "Emil", "Goran"}
	list := "/index.php?database=./club.sqlite&table=members&action=row_view"
	return App{Name: "phpliteadmin", Needs: []string{"php"}, From: "Debian: phpliteadmin php-cli php-sqlite3",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "phpliteadmin")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			page, err := os.ReadFile("/usr/share/phpliteadmin/phpliteadmin.php")
			if err != nil {
				return nil, err
			}
			config := "<?php\n$password = '';\n$directory = '.';\n$subdirectories = false;\n$cookie_name = 'pla';\n" +
				"$allowed_extensions = array('sqlite');\n"
			for name, text := range map[string][]byte{"index.php": page, "phpliteadmin.config.php": []byte(config)} {
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
					return nil, err
				}
			}
			if _, err := command(ctx, dir, nil, "php", "-r", makeMembers); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", nil, dir, "php", "-d", "display_errors=0", "-S", address)
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (out Facts, err error) {
				said, err := command(ctx, dir, nil, "php", "-r", readMembers)
				if err == nil {
					err = json.Unmarshal([]byte(said), &out)
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-row", Goal: "Insert a member",
			Inputs: []Input{{"name", []string{"name", "member"}}, {"town", []string{"town"}}, {"fee", []string{"fee"}}},
			Values: func(n int) Values {
				return Values{"name": some(n, "Helma", "Ivo", "Jelena", "Kasimir"), "town": some(n, "Ulm", "Trier", "Jena", "Celle"),
					"fee": some(n, "31", "42", "57", "64")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open(list)
				p.Press(at("a", "Insert", ""))
				p.Write(at("#row_0_field_1_value", "", ""), v["name"])
				p.Write(at("#row_0_field_2_value", "", ""), v["town"])
				p.Write(at("#row_0_field_3_value", "", ""), v["fee"])
				p.Press(at("input[type=submit]", "Insert", ""))
			},
			Expect: func(v Values) Facts { return Facts{"member " + v["name"]: v["town"] + "|" + v["fee"]} },
		}, {
			Name: "edit-row", Goal: "Give a member another town",
			Inputs: []Input{{"name", []string{"name", "member"}}, {"town", []string{"town"}}},
			Values: func(n int) Values {
				return Values{"name": names[n%len(names)], "town": some(n, "Ulm", "Trier", "Jena", "Celle")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open(list)
				p.Press(at("a", "Edit", v["name"]))
				p.Write(at("textarea[name='0:2'], textarea[name='2:0'], textarea[id$=field_2_value], textarea[name*=town]", "", ""), v["town"])
				p.Press(at("input[type=submit]", "Save Changes", ""))
			},
			Expect: func(v Values) Facts {
				fee := map[string]int{"Ada": 10, "Cyra": 12, "Emil": 14, "Goran": 16}[v["name"]]
				return Facts{"member " + v["name"]: fmt.Sprint(v["town"], "|", fee)}
			},
		}, {
			Name: "delete-row", Goal: "Delete a member", Grave: true,
			Inputs: []Input{{"name", []string{"name", "member"}}},
			Values: func(n int) Values { return Values{"name": names[n%len(names)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open(list)
				p.Press(at("a", "Delete", v["name"]))
				p.Press(at("input[type=submit]", "Confirm", ""))
			},
			Expect: func(v Values) Facts { return Facts{"member " + v["name"]: ""} },
		}}}
}

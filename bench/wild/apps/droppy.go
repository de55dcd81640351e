package apps

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// recipes are the files that droppy begins with.
var recipes = []string{"bread", "dumplings", "noodles", "porridge", "soup"}

// droppy shows a folder of files; its page talks to it through a socket.
func droppy() App {
	menu := func(p *person.Person, file, entry string) {
		p.Open("/")
		p.Press(at(fmt.Sprintf("[data-name='%s'] .entry-menu", file), "", ""))
		p.Press(at("#entry-menu a", entry, ""))
	}
	file := Input{"file", []string{"file", "name", "item", "recipe"}}
	name := Input{"name", []string{"name", "file_name", "folder", "folder_name", "new_name", "file", "text"}}
	files := func(k int) func(n int) Values {
		return func(n int) Values { return Values{"file": recipes[(n+k)%len(recipes)] + ".txt"} }
	}
	return App{Name: "droppy", Needs: []string{"droppy"}, From: "npm install -g --ignore-scripts droppy@10.0.0",
		Version: func(ctx context.Context) string { return first(ctx, "droppy", "version") },
		Changes: func(message []byte) bool {
			for _, kind := range []string{"CLIPBOARD", "CREATE_", "DELETE_", "RENAME", "SAVE_"} {
				if bytes.Contains(message, []byte(`"type":"`+kind)) {
					return true
				}
			}
			return false
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			host, port, _ := strings.Cut(address, ":")
			config, kept := filepath.Join(dir, "config"), filepath.Join(dir, "files")
			for _, d := range []string{config, filepath.Join(kept, "attic"), filepath.Join(kept, "cellar")} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					return nil, err
				}
			}
			// It was written for an older Node, which wrote numbers to files as they are.
			const older = `const fs = require("fs"); const w = fs.writeFile;
fs.writeFile = (p, d, ...more) => w(p, typeof d === "number" ? String(d) : d, ...more);`
			settings := fmt.Sprintf(`{"listeners": [{"host": %q, "port": %s, "protocol": "http"}], "public": true, "watch": false}`, host, port)
			for path, text := range map[string]string{"older.js": older, "config/config.json": settings} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			for _, r := range recipes {
				if err := os.WriteFile(filepath.Join(kept, r+".txt"), []byte("Flour and water for "+r), 0o600); err != nil {
					return nil, err
				}
			}
			r, err := start(ctx, address, "/", []string{"HOME=" + dir, "NODE_OPTIONS=-r " + filepath.Join(dir, "older.js")}, dir, "droppy", "start",
				"--configdir", config, "--filesdir", kept)
			if err != nil {
				return nil, err
			}
			r.Facts = func(context.Context) (Facts, error) { return filesIn(kept) }
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-folder", Goal: "Make a folder", Inputs: []Input{name},
			Values: func(n int) Values { return Values{"name": some(n, "pantry", "garden", "garage", "kitchen")} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("button[aria-label='Create folder']", "", ""))
				p.Write(at(".data-row.new-folder input, .data-row input", "", ""), v["name"])
				p.Key("Enter", 13, 1)
			},
			Expect: func(v Values) Facts { return Facts{v["name"]: "folder"} },
		}, {
			Name: "new-file", Goal: "Make an empty file", Inputs: []Input{name},
			Values: func(n int) Values { return Values{"name": some(n, "pizza.txt", "salad.txt", "stew.txt", "tart.txt")} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("button[aria-label='Create file']", "", ""))
				p.Write(at(".data-row.new-file input, .data-row input", "", ""), v["name"])
				p.Key("Enter", 13, 1)
			},
			Expect: func(v Values) Facts { return Facts{v["name"]: "file "} },
		}, {
			Name: "rename-file", Goal: "Give a file another name",
			Inputs: []Input{file, {"name", []string{"new_name", "name", "rename", "text"}}},
			Values: func(n int) Values {
				return Values{"file": recipes[n%len(recipes)] + ".txt", "name": some(n, "loaf.txt", "pasties.txt", "pasta.txt", "oats.txt")}
			},
			Demo: func(p *person.Person, v Values) {
				menu(p, v["file"], "Rename")
				p.Write(at(".data-row input", "", ""), v["name"])
				p.Key("Enter", 13, 1)
			},
			Expect: func(v Values) Facts {
				return Facts{v["file"]: "", v["name"]: "file Flour and water for " + strings.TrimSuffix(v["file"], ".txt")}
			},
		}, {
			Name: "delete-file", Goal: "Delete a file", Grave: true, Inputs: []Input{file}, Values: files(1),
			Demo:   func(p *person.Person, v Values) { menu(p, v["file"], "Delete") },
			Expect: func(v Values) Facts { return Facts{v["file"]: ""} },
		}, {
			Name: "move-file", Goal: "Move a file to the attic", Inputs: []Input{file}, Values: files(2),
			Demo: func(p *person.Person, v Values) {
				menu(p, v["file"], "Cut")
				p.Press(at(".folder-link", "attic", ""))
				p.Press(at(".paste-button", "", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{v["file"]: "", "attic/" + v["file"]: "file Flour and water for " + strings.TrimSuffix(v["file"], ".txt")}
			},
		}}}
}

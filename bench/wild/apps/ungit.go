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

// beds are the files that were changed, plots the branches, and weeds the files that are new.
var (
	beds  = []string{"beans", "carrots", "leeks", "onions", "peas"}
	plots = []string{"autumn", "harvest", "spring", "summer", "winter"}
	weeds = []string{"dock", "ivy", "nettle", "thistle", "vetch"}
)

// ungit shows a folder that is kept by git: rows of files with a button for each deed, a menu of branches with an icon in each entry,
// and dialogs without a form. Its page hears of changes through a socket.
func ungit() App {
	open := func(p *person.Person) {
		p.Open("/")
		p.Press(at("a.repository", "", ""))
		p.Wait(at(".commit .title", "First beds", ""))
	}
	branch := []Input{{"branch", []string{"branch", "name", "item"}}}
	branches := func(k int) func(n int) Values {
		return func(n int) Values { return Values{"branch": plots[(n+k)%len(plots)]} }
	}
	menu := func(p *person.Person, name string, icon bool) {
		open(p)
		p.Press(at(".repository-actions .branch:has(.linked-remove) .dropdown-toggle", "", ""))
		selector := "a[data-ta-clickable='checkout" + "refs/heads/" + name + "']"
		if icon {
			selector = "a[data-ta-clickable='refs/heads/" + name + "-remove']"
		}
		p.Press(at(selector, "", ""))
	}
	file := []Input{{"file", []string{"file", "name", "item"}}}
	return App{Name: "ungit", Needs: []string{"ungit", "git"}, From: "npm install -g --ignore-scripts ungit@1.5.30",
		Version: func(ctx context.Context) string { return first(ctx, "ungit", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			kept := filepath.Join(filepath.Dir(dir), "garden") // in its pages' addresses: the same each time
			if err := os.RemoveAll(kept); err != nil {
				return nil, err
			}
			if err := os.MkdirAll(kept, 0o700); err != nil {
				return nil, err
			}
			// Pictures of authors would come from elsewhere.
			const quiet = `const r = require("http").ServerResponse.prototype; const w = r.writeHead;
r.writeHead = function (...a) { this.setHeader("Content-Security-Policy", "img-src 'self' data:"); return w.apply(this, a); };`
			_, port, _ := strings.Cut(address, ":")
			settings := fmt.Sprintf(`{"port": %s, "ungitBindIp": "127.0.0.1", "launchBrowser": false, "bugtracking": false,
"ungitVersionCheckOverride": true, "autoFetch": false, "defaultRepositories": [%q]}`, port, kept)
			for path, text := range map[string]string{"quiet.js": quiet, ".ungitrc": settings,
				".gitconfig": "[user]\nname = Clerk\nemail = clerk@desk.example\n[init]\ndefaultBranch = main\n"} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			script := "git init -q\n"
			for _, b := range beds {
				script += fmt.Sprintf("echo sown > %s.txt\n", b)
			}
			script += "git add .\ngit commit -q -m 'First beds'\n"
			for i := range beds {
				script += fmt.Sprintf("echo watered >> %s.txt\necho pulled > %s.txt\ngit branch %s\n", beds[i], weeds[i], plots[i])
			}
			home := []string{"HOME=" + dir}
			if _, err := command(ctx, kept, home, "sh", "-e", "-c", script); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", append(home, "NODE_OPTIONS=-r "+filepath.Join(dir, "quiet.js")), dir, "ungit")
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) { return gardening(ctx, kept, home) }
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "commit", Goal: "Commit what was changed", Inputs: []Input{{"title", []string{"title", "message", "commit_message_title"}}},
			Values: func(n int) Values {
				return Values{"title": some(n, "Water all", "Second round", "Before the rain", "After the rain")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Write(at("input[aria-label='Commit message title']", "", ""), v["title"])
				p.Press(at(".commit-btn:not([disabled])", "Commit", ""))
			},
			Expect: func(v Values) Facts {
				out := Facts{"commit " + v["title"]: "on main"}
				for i := range beds {
					out["file "+beds[i]+".txt"], out["file "+weeds[i]+".txt"] = "", ""
				}
				return out
			},
		}, {
			Name: "discard-file", Goal: "Discard the changes of a file", Grave: true, Inputs: file,
			Values: func(n int) Values { return Values{"file": beds[n%len(beds)] + ".txt"} },
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Press(at(fmt.Sprintf(".file:nth-child(%d) .discard", shownAt(v["file"])), "", ""))
				p.Press(at(".modal-dialog button", "Yes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"file " + v["file"]: ""} },
		}, {
			Name: "ignore-file", Goal: "Have a new file ignored", Inputs: file,
			Values: func(n int) Values { return Values{"file": weeds[n%len(weeds)] + ".txt"} },
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Press(at(fmt.Sprintf(".file:nth-child(%d) .ignore", shownAt(v["file"])), "", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"file " + v["file"]: "", "ignored": v["file"], "file .gitignore": "??"}
			},
		}, {
			Name: "delete-branch", Goal: "Delete a branch", Grave: true, Inputs: branch, Values: branches(1),
			Demo: func(p *person.Person, v Values) {
				menu(p, v["branch"], true)
				p.Press(at(".modal-dialog button", "Yes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"branch " + v["branch"]: ""} },
		}, {
			Name: "check-out", Goal: "Check out a branch", Inputs: branch, Values: branches(2),
			Demo:   func(p *person.Person, v Values) { menu(p, v["branch"], false) },
			Expect: func(v Values) Facts { return Facts{"head": v["branch"]} },
		}, {
			Name: "add-remote", Goal: "Add a remote",
			Inputs: []Input{{"name", []string{"name", "remote", "remote_name"}}, {"address", []string{"url", "address"}}},
			Values: func(n int) Values {
				return Values{"name": some(n, "shed", "attic", "cellar", "barn"),
					"address": some(n, "/srv/shed.git", "/srv/attic.git", "/srv/cellar.git", "/srv/barn.git")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p)
				p.Press(at(".fetchButton:not(.submodule) .dropdown-toggle", "", ""))
				p.Press(at(".add-new-remote", "", ""))
				p.Write(at(".modal-dialog .form-group:nth-child(1) input", "", ""), v["name"])
				p.Write(at(".modal-dialog .form-group:nth-child(2) input", "", ""), v["address"])
				p.Press(at(".modal-dialog button", "Submit", ""))
			},
			Expect: func(v Values) Facts { return Facts{"remote " + v["name"]: v["address"]} },
		}}}
}

// shownAt is the place of a file in the page: what was changed comes before what is new.
func shownAt(file string) int {
	name := strings.TrimSuffix(file, ".txt")
	return slices.Index(slices.Concat(beds, weeds), name) + 1
}

// gardening is what git tells of a folder.
func gardening(ctx context.Context, dir string, env []string) (Facts, error) {
	out := Facts{}
	for _, q := range []struct {
		args string
		take func(line string)
	}{
		{"status --porcelain", func(l string) { out["file "+l[3:]] = strings.TrimSpace(l[:2]) }},
		{"branch --format=%(refname:short)|%(subject)", func(l string) {
			name, subject, _ := strings.Cut(l, "|")
			if out["branch "+name] = subject; name == "main" {
				delete(out, "branch main")
			}
		}},
		{"log --format=%s main", func(l string) { out["commit "+l] = "on main" }},
		{"symbolic-ref --short HEAD", func(l string) { out["head"] = l }},
		{"remote -v", func(l string) {
			if f := strings.Fields(l); len(f) > 1 {
				out["remote "+f[0]] = f[1]
			}
		}},
	} {
		said, err := command(ctx, dir, env, "git", strings.Fields(q.args)...)
		if err != nil {
			return nil, err
		}
		for line := range strings.SplitSeq(said, "\n") {
			if line != "" {
				q.take(line)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if len(text) > 0 {
		out["ignored"] = strings.TrimSpace(string(text))
	}
	if os.IsNotExist(err) {
		err = nil
	}
	return out, err
}

package apps

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// plants are the notes that TiddlyWiki begins with.
var plants = []string{"Aster", "Borage", "Clover", "Dahlia", "Elder"}

// tiddlyWiki is one page with everything in it; each note is kept as a file of its own.
func tiddlyWiki() App {
	of := func(plant, control string) person.Sight {
		return at(`[data-tiddler-title="`+plant+`"] button[title="`+control+`"]`, "", "")
	}
	open := func(p *person.Person, plant string) {
		p.Open("/")
		p.Press(at(".tc-tiddler-body a.tc-tiddlylink", plant, ""))
		p.Press(of(plant, "Edit this tiddler"))
	}
	return App{Name: "tiddlywiki", Needs: []string{"tiddlywiki"}, From: "npm install -g tiddlywiki@5.3.6",
		Version: func(ctx context.Context) string { return first(ctx, "tiddlywiki", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			if _, err := command(ctx, dir, nil, "tiddlywiki", "wiki", "--init", "server"); err != nil {
				return nil, err
			}
			notes := filepath.Join(dir, "wiki", "tiddlers")
			if err := os.MkdirAll(notes, 0o700); err != nil {
				return nil, err
			}
			for i, plant := range plants {
				text := "created: 2026010" + string(rune('1'+i)) + "090000000\nmodified: 2026010" + string(rune('1'+i)) +
					"090000000\ntags: garden\ntitle: " + plant + "\n\nGrows by the wall."
				if err := os.WriteFile(filepath.Join(notes, plant+".tid"), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			list := "title: Beds\n\n"
			for _, plant := range plants {
				list += "* [[" + plant + "]]\n"
			}
			for name, text := range map[string]string{"Beds": list, "first": "title: $:/DefaultTiddlers\n\nBeds"} {
				if err := os.WriteFile(filepath.Join(notes, name+".tid"), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			host, port, _ := strings.Cut(address, ":")
			r, err := start(ctx, address, "/status", nil, dir, "tiddlywiki", "wiki", "--listen", "host="+host, "port="+port)
			if err != nil {
				return nil, err
			}
			r.Facts = func(context.Context) (Facts, error) {
				out := Facts{}
				files, err := filepath.Glob(filepath.Join(notes, "*.tid"))
				for _, f := range files {
					b, err := os.ReadFile(f)
					if os.IsNotExist(err) {
						continue // it went since it was listed
					}
					if err != nil {
						return nil, err
					}
					head, text, _ := strings.Cut(string(b), "\n\n")
					fields := map[string]string{}
					for line := range strings.SplitSeq(head, "\n") {
						k, v, _ := strings.Cut(line, ": ")
						fields[k] = v
					}
					title := fields["title"]
					if fields["draft.of"] != "" || strings.HasPrefix(title, "$:/") && title != "$:/SiteTitle" {
						continue
					}
					out["note "+title] = strings.TrimSpace(text) + "|" + fields["tags"]
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-note", Goal: "Write a note",
			Inputs: []Input{{"title", []string{"title", "name", "note"}}, {"text", []string{"text", "content", "body"}}},
			Values: func(n int) Values {
				return Values{"title": some(n, "Fennel", "Garlic", "Hyssop", "Iris"), "text": some(n, "Sown in March.", "Needs sun.", "For the bees.",
					"Blue in May.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("button[title='Create a new tiddler']", "", ""))
				p.Write(at("input.tc-titlebar", "", ""), v["title"])
				p.Write(at("textarea", "", ""), v["text"])
				p.Press(at("button[title='Confirm changes to this tiddler']", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"note " + v["title"]: v["text"] + "|"} },
		}, {
			Name: "rewrite-note", Goal: "Rewrite a note",
			Inputs: []Input{{"plant", []string{"note", "title", "name", "plant", "tiddler"}}, {"text", []string{"text", "content", "body"}}},
			Values: func(n int) Values {
				return Values{"plant": plants[n], "text": some(n, "Cut back in autumn.", "Moved to the pond.", "Gone to seed.", "Watered daily.")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p, v["plant"])
				p.Write(at("textarea", "", ""), v["text"])
				p.Press(at("button[title='Confirm changes to this tiddler']", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"note " + v["plant"]: v["text"] + "|garden"} },
		}, {
			Name: "tag-note", Goal: "Give a note a tag",
			Inputs: []Input{{"plant", []string{"note", "title", "name", "plant", "tiddler"}}, {"tag", []string{"tag", "tag_name"}}},
			Values: func(n int) Values {
				return Values{"plant": plants[(n+1)%len(plants)], "tag": some(n, "shade", "frost", "spring", "pots")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p, v["plant"])
				p.Write(at("input[placeholder='tag name']", "", ""), v["tag"])
				p.Press(at(".tc-add-tag-button button", "add", ""))
				p.Press(at("button[title='Confirm changes to this tiddler']", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"note " + v["plant"]: "Grows by the wall.|garden " + v["tag"]} },
		}, {
			Name: "delete-note", Goal: "Delete a note", Grave: true,
			Inputs: []Input{{"plant", []string{"note", "title", "name", "plant", "tiddler"}}},
			Values: func(n int) Values { return Values{"plant": plants[(n+2)%len(plants)]} },
			Demo: func(p *person.Person, v Values) {
				open(p, v["plant"])
				p.Press(at("button[title='Delete this tiddler']", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"note " + v["plant"]: ""} },
		}, {
			Name: "name-wiki", Goal: "Give the wiki another title",
			Inputs: []Input{{"title", []string{"title", "title_of_this_tiddlywiki", "wiki_title", "name"}}},
			Values: func(n int) Values {
				return Values{"title": some(n, "Garden book", "Bed plans", "Seed list", "Harvest log")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("button[title='Open control panel']", "", ""))
				p.Write(at(`[data-tiddler-title="$:/ControlPanel"] input`, "", ""), v["title"])
			},
			Expect: func(v Values) Facts { return Facts{"note $:/SiteTitle": v["title"] + "|"} },
		}}}
}

package apps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// shelves are the pages that DokuWiki begins with.
var shelves = []string{"attic", "cellar", "garden", "kitchen"}

// dokuWiki keeps each page as a text file and who changed it why in another; anybody may write.
func dokuWiki() App {
	const program = "/usr/share/dokuwiki"
	return App{Name: "dokuwiki", Needs: []string{"php", program + "/doku.php"}, From: "Debian: dokuwiki php-cli php-xml php-mbstring",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "dokuwiki")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			data, conf := filepath.Join(dir, "data"), filepath.Join(dir, "conf")
			for _, name := range strings.Fields("pages attic meta media media_attic media_meta cache index locks tmp log") {
				if err := os.MkdirAll(filepath.Join(data, name), 0o700); err != nil {
					return nil, err
				}
			}
			if _, err := command(ctx, dir, nil, "cp", "-rL", "/etc/dokuwiki", conf); err != nil {
				return nil, err
			}
			list := "====== House ======\n\n"
			for _, s := range shelves {
				list += "  * [[" + s + "]]\n"
				text := fmt.Sprintf("====== The %s ======\n\nNothing is known of it.\n\n===== Repairs =====\n\nNone so far.\n", s)
				if err := os.WriteFile(filepath.Join(data, "pages", s+".txt"), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			local := fmt.Sprintf("<?php\n$conf['title']='House book';$conf['useacl']=0;$conf['savedir']='%s';$conf['updatecheck']=0;\n", data)
			for path, text := range map[string]string{"data/pages/start.txt": list, "conf/local.php": local, "conf/dokuwiki.local": "",
				"first.php": "<?php define('DOKU_CONF', '" + conf + "/');\n"} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			r, err := start(ctx, address, "/doku.php", nil, dir, "php", "-d", "auto_prepend_file="+filepath.Join(dir, "first.php"),
				"-d", "display_errors=0", "-S", address, "-t", program)
			if err != nil {
				return nil, err
			}
			r.Facts = func(context.Context) (Facts, error) {
				out := Facts{}
				files, err := filepath.Glob(filepath.Join(data, "pages", "*.txt"))
				for _, f := range files {
					text, err := os.ReadFile(f)
					if err != nil {
						return nil, err
					}
					name := strings.TrimSuffix(filepath.Base(f), ".txt")
					changes, _ := os.ReadFile(filepath.Join(data, "meta", name+".changes")) // a page that never changed has none
					last := strings.Split(strings.TrimSpace(string(changes)), "\n")
					why := ""
					if parts := strings.Split(last[len(last)-1], "\t"); len(parts) > 5 {
						why = strings.TrimSpace(parts[5])
					}
					out["page "+name] = strings.Join(strings.Fields(string(text)), " ") + "|" + why
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-page", Goal: "Start a page in the house book",
			Inputs: []Input{{"page", []string{"page", "name", "search"}}, {"text", []string{"text", "page_text", "content"}}},
			Values: func(n int) Values {
				return Values{"page": some(n, "balcony", "stable", "chimney", "pantry"),
					"text": some(n, "It looks south and holds two chairs.", "Hay is kept above it.", "Swept in October.", "Cool and dry.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/doku.php?id=start")
				p.Write(at("input[name=q]", "", ""), v["page"])
				p.Press(at("#dw__search button[type=submit]", "", ""))
				p.Press(at("a.wikilink2", v["page"], ""))
				p.Write(at("#wiki__text", "", ""), v["text"])
				p.Press(at("#edbtn__save", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"page " + v["page"]: v["text"] + "|created"} },
		}, {
			Name: "rewrite-page", Goal: "Rewrite a page and say why",
			Inputs: []Input{{"page", []string{"page", "name"}}, {"text", []string{"text", "page_text", "content"}},
				{"why", []string{"edit_summary", "summary", "why", "reason"}}},
			Values: func(n int) Values {
				return Values{"page": shelves[n%len(shelves)], "why": some(n, "new roof", "after the flood", "spring", "repainted"),
					"text": some(n, "The roof is tight again.", "Pumped dry in May.", "Roses along the wall.", "White walls now.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/doku.php?id=start")
				p.Press(at("a.wikilink1", v["page"], ""))
				p.Press(at("li.edit a", "", ""))
				p.Write(at("#wiki__text", "", ""), v["text"])
				p.Write(at("#edit__summary", "", ""), v["why"])
				p.Press(at("#edbtn__save", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"page " + v["page"]: v["text"] + "|" + v["why"]} },
		}, {
			Name: "note-repair", Goal: "Note a repair on a page",
			Inputs: []Input{{"page", []string{"page", "name"}}, {"text", []string{"text", "repair", "repairs", "page_text", "content"}}},
			Values: func(n int) Values {
				return Values{"page": shelves[(n+1)%len(shelves)],
					"text": some(n, "Door hung anew.", "Window glazed.", "Stairs nailed down.", "Tap sealed.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/doku.php?id=start")
				p.Press(at("a.wikilink1", v["page"], ""))
				p.Press(at("form.btn_secedit button[title=Repairs]", "", ""))
				p.Write(at("#wiki__text", "", ""), v["text"])
				p.Press(at("#edbtn__save", "", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"page " + v["page"]: "====== The " + v["page"] + " ====== Nothing is known of it. " + v["text"] + "|[Repairs]"}
			},
		}}}
}

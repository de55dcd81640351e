package apps

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// makeLinks fills Shaarli's store, readLinks reads it, both with the program's own classes.
const (
	withShaarli = `error_reporting(0); require "autoload.php"; require "application/bookmark/LinkUtils.php";
require "application/Utils.php"; require "application/http/UrlUtils.php"; use Shaarli\Bookmark\{Bookmark, BookmarkArray, BookmarkIO};
$io = new BookmarkIO(new Shaarli\Config\ConfigManager()); `
	makeLinks = withShaarli + `$a = new BookmarkArray(); foreach (["Boats", "Kites", "Lamps", "Tents", "Wells"] as $i => $t) {
$b = new Bookmark(); $b->setId($i + 1); $b->setUrl("http://files.example/" . strtolower($t)); $b->setTitle($t);
$b->setDescription("Old list"); $b->setTagsString("lists " . strtolower($t)); $b->setShortUrl("short$i"); $b->setPrivate(false);
$b->setCreated(new DateTime("2026-01-0" . ($i + 1))); $a[$i + 1] = $b; } $io->write($a);`
	readLinks = withShaarli + `$o = new stdClass; foreach ($io->read() as $b) $o->{"link " . $b->getUrl()} = $b->getTitle() . "|" .
$b->getDescription() . "|" . $b->getTagsString() . "|" . ($b->isSticky() ? "pinned" : ""); echo json_encode($o);`
)

// shaarli is a copy of the program as Debian packages it, with its data beside it; anybody may write.
func shaarli() App {
	const program = "/usr/share/shaarli"
	titles := []string{"Boats", "Kites", "Lamps", "Tents", "Wells"}
	link := func(title string) string { return "link http://files.example/" + strings.ToLower(title) }
	was := func(title string) string { return "Old list|lists " + strings.ToLower(title) + "|" }
	return App{Name: "shaarli", Needs: []string{"php", program + "/index.php"}, From: "Debian: shaarli php-cli php-gd php-intl php-mbstring",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "shaarli")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			site := filepath.Join(dir, "site")
			if _, err := command(ctx, dir, nil, "cp", "-r", program, site); err != nil {
				return nil, err
			}
			for _, folder := range []string{"data", "cache/tmp", "cache/cache", "cache/pagecache"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
					return nil, err
				}
			}
			const moved = `grep -rlE '/usr/share/shaarli|/var/(lib|cache)/shaarli' --include=*.php . | xargs sed -i ` +
				`-e "s|/usr/share/shaarli|$0/site|g" -e "s|/var/lib/shaarli/data|$0/data|g" -e "s|/var/cache/shaarli|$0/cache|g"`
			if _, err := command(ctx, site, nil, "sh", "-c", moved, dir); err != nil {
				return nil, err
			}
			config, err := json.Marshal(map[string]any{"credentials": map[string]any{"login": "clerk", "hash": "x", "salt": "x"},
				"security": map[string]any{"open_shaarli": true}, "updates": map[string]any{"check_updates": false},
				"general":    map[string]any{"title": "Clippings", "timezone": "UTC", "enabled_plugins": []string{}, "enable_async_metadata": false},
				"thumbnails": map[string]any{"mode": "none"}, "translation": map[string]any{"language": "en"}, "api": map[string]any{"enabled": false}})
			if err != nil {
				return nil, err
			}
			const router = `<?php $f = __DIR__ . "/site" . parse_url($_SERVER["REQUEST_URI"], PHP_URL_PATH);
if (is_file($f) && substr($f, -4) !== ".php") return false; $_SERVER["SCRIPT_NAME"] = "/index.php"; chdir(__DIR__ . "/site");
require __DIR__ . "/site/index.php";`
			for path, text := range map[string]string{"data/config.json.php": "<?php /*\n" + string(config) + "\n*/ ?>", "router.php": router} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			if _, err := command(ctx, site, nil, "php", "-r", makeLinks); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", nil, dir, "php", "-d", "display_errors=0", "-S", address, "-t", site, "router.php")
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (out Facts, err error) {
				said, err := command(ctx, site, nil, "php", "-r", readLinks)
				if err == nil {
					err = json.Unmarshal([]byte(said), &out)
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-link", Goal: "Add a link",
			Inputs: []Input{{"url", []string{"url", "link", "address", "shaare_a_new_link"}}, {"title", []string{"title"}},
				{"text", []string{"description"}}, {"tags", []string{"tags", "tag"}}},
			Values: func(n int) Values {
				return Values{"url": "ftp://files.example/" + some(n, "axles", "bells", "crates", "doors"), "title": some(n, "Axles", "Bells", "Crates",
					"Doors"), "text": some(n, "By weight", "By tone", "By size", "By colour"), "tags": some(n, "iron", "brass", "pine", "oak")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("a", "Shaare", ""))
				p.Write(at("#shaare", "", ""), v["url"])
				p.Press(at("input[type=submit]", "Add link", ""))
				p.Write(at("#lf_title", "", ""), v["title"])
				p.Write(at("#lf_description", "", ""), v["text"])
				p.Write(at("#lf_tags", "", ""), v["tags"])
				p.Press(at("input[name=save_edit]", "", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"link " + v["url"]: v["title"] + "|" + v["text"] + "|" + v["tags"] + "|"}
			},
		}, {
			Name: "retitle-link", Goal: "Give a link another title",
			Inputs: []Input{{"link", []string{"link", "name", "shaare"}}, {"title", []string{"title", "new_title"}}},
			Values: func(n int) Values {
				return Values{"link": titles[n], "title": some(n, "Rowing", "Strings", "Wicks", "Canvas")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at(".linklist-item a[title=Edit]", "", v["link"]))
				p.Write(at("#lf_title", "", ""), v["title"])
				p.Press(at("input[name=save_edit]", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{link(v["link"]): v["title"] + "|" + was(v["link"])} },
		}, {
			Name: "delete-link", Goal: "Delete a link", Grave: true,
			Inputs: []Input{{"link", []string{"link", "name", "title", "shaare"}}},
			Values: func(n int) Values { return Values{"link": titles[(n+1)%len(titles)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at(".linklist-item a[title=Delete]", "", v["link"]))
			},
			Expect: func(v Values) Facts { return Facts{link(v["link"]): ""} },
		}, {
			Name: "pin-link", Goal: "Pin a link to the top",
			Inputs: []Input{{"link", []string{"link", "name", "title", "shaare"}}},
			Values: func(n int) Values { return Values{"link": titles[(n+2)%len(titles)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at(".linklist-item a.pin-link", "", v["link"]))
			},
			Expect: func(v Values) Facts { return Facts{link(v["link"]): v["link"] + "|" + was(v["link"]) + "pinned"} },
		}, {
			Name: "rename-tag", Goal: "Rename a tag",
			Inputs: []Input{{"tag", []string{"tag", "from", "old_name"}}, {"name", []string{"new_name", "name", "to"}}},
			Values: func(n int) Values {
				return Values{"tag": strings.ToLower(titles[(n+3)%len(titles)]), "name": some(n, "rigging", "wind", "glow", "camp")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/")
				p.Press(at("a", "Tools", ""))
				p.Press(at("a", "Rename or delete a tag in all links", ""))
				p.Write(at("input[name=fromtag]", "", ""), v["tag"])
				p.Key("Tab", 9, 1) // closes the list of tags that lies over the next field
				p.Write(at("input[name=totag]", "", ""), v["name"])
				p.Press(at("input[name=renametag]", "", ""))
			},
			Expect: func(v Values) Facts {
				title := strings.ToUpper(v["tag"][:1]) + v["tag"][1:]
				return Facts{link(title): title + "|Old list|lists " + v["name"] + "|"}
			},
		}}}
}

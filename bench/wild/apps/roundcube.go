package apps

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"showhow/bench/corpus/person"
)

// makeContacts fills Roundcube's database when somebody has signed in for the first time, readContacts reads it.
const (
	makeContacts = `$d = new SQLite3("mail.db"); $d->exec(file_get_contents("/usr/share/roundcube/SQL/sqlite.initial.sql"));
$d->exec("insert into users (user_id, username, mail_host, created, language) values (1, 'clerk', '127.0.0.1', '2026-01-01', 'en_US')");
$d->exec("insert into identities (user_id, changed, del, standard, name, email)
values (1, '2026-01-01', 0, 1, 'Clerk', 'clerk@desk.example')");
foreach (["Amara Okafor", "Bruno Keller", "Chloe Laurent", "Dmitri Orlov", "Elif Kaya"] as $n) { [$a, $b] = explode(" ", $n);
$d->exec("insert into contacts (user_id, changed, del, name, email, firstname, surname, vcard, words) values (1, '2026-01-01', 0, '$n', '" .
strtolower($a) . "@post.example', '$a', '$b', 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:$b;$a;;;\r\nFN:$n\r\nEMAIL;TYPE=INTERNET;TYPE=HOME:" .
strtolower($a) . "@post.example\r\nEND:VCARD', '')"); }`
	readContacts = `$d = new SQLite3("mail.db"); $o = new stdClass; $r = $d->query("select * from contacts where del = 0");
while ($c = $r->fetchArray(SQLITE3_ASSOC)) $o->{"contact " . $c["name"]} = $c["firstname"] . "|" . $c["surname"] . "|" . $c["email"];
$r = $d->query("select * from responses where del = 0");
while ($c = $r->fetchArray(SQLITE3_ASSOC)) $o->{"response " . $c["name"]} = $c["data"];
$r = $d->query("select * from identities where del = 0"); while ($c = $r->fetchArray(SQLITE3_ASSOC))
$o->{"identity " . $c["email"]} = $c["name"] . "|" . $c["organization"]; echo json_encode($o);`
	// doorman signs everybody in.
	doorman = `<?php class doorman extends rcube_plugin {
function init() { $this->add_hook("startup", [$this, "come"]); $this->add_hook("authenticate", [$this, "knows"]);
$this->add_hook("login_after", [$this, "shows"]); }
function come($a) { if (empty($_SESSION["user_id"])) $a["action"] = "login"; return $a; }
function knows($a) { return ["user" => "clerk", "pass" => "x", "cookiecheck" => false, "valid" => true] + $a; }
function shows($a) { return ["_task" => "addressbook"] + $a; } }`
)

// roundcube is the webmail program; of its mail there is none, and it is used for its contacts and settings.
func roundcube() App {
	const program = "/usr/share/roundcube"
	people := []string{"Amara Okafor", "Bruno Keller", "Chloe Laurent", "Dmitri Orlov", "Elif Kaya"}
	contact := []string{"contact", "name", "person", "item"}
	return App{Name: "roundcube", Needs: []string{"php", program + "/index.php"}, From: "Debian: roundcube-core roundcube-sqlite3 php-cli",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "roundcube-core")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			home := filepath.Join(dir, "home")
			for _, d := range []string{"config", "logs", "temp", "plugins/doorman"} {
				if err := os.MkdirAll(filepath.Join(home, d), 0o700); err != nil {
					return nil, err
				}
			}
			const parts = `for f in program skins SQL bin index.php; do ln -s "$0/$f" "$f"; done
for p in "$0"/plugins/*; do ln -s "$p" plugins/; done; cp /etc/roundcube/mimetypes.php /etc/roundcube/defaults.inc.php config`
			if _, err := command(ctx, home, nil, "sh", "-c", parts, program); err != nil {
				return nil, err
			}
			post, err := newPostBox()
			if err != nil {
				return nil, err
			}
			config := fmt.Sprintf(`<?php $config = ["db_dsnw" => "sqlite:///%[1]s/mail.db?mode=0600", "imap_host" => "%[2]s", "smtp_host" => "",
"des_key" => "R6SSl1Q7DpkacdgowKYbRs6Y", "plugins" => ["doorman"], "skin" => "elastic", "log_dir" => "%[1]s/home/logs/",
"temp_dir" => "%[1]s/home/temp/", "enable_spellcheck" => false, "language" => "en_US", "ip_check" => false];`, dir, post.address)
			for path, text := range map[string]string{"home/config/config.inc.php": config, "home/plugins/doorman/doorman.php": doorman,
				"first.php": "<?php define('INSTALL_PATH', '" + home + "/');"} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					post.close()
					return nil, err
				}
			}
			if _, err := command(ctx, dir, nil, "php", "-r", makeContacts); err != nil {
				post.close()
				return nil, err
			}
			r, err := start(ctx, address, "/skins/elastic/images/logo.svg", nil, dir, "php",
				"-d", "auto_prepend_file="+filepath.Join(dir, "first.php"), "-d", "display_errors=0", "-S", address, "-t", home)
			if err != nil {
				post.close()
				return nil, err
			}
			r.also = post.close
			r.Facts = func(ctx context.Context) (out Facts, err error) {
				said, err := command(ctx, dir, nil, "php", "-r", readContacts)
				if err == nil {
					err = json.Unmarshal([]byte(said), &out)
				}
				return out, err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-contact", Goal: "Add a contact",
			Inputs: []Input{{"first", []string{"first_name", "firstname"}}, {"last", []string{"last_name", "surname"}},
				{"mail", []string{"email", "e_mail", "home", "mail"}}},
			Values: func(n int) Values {
				return Values{"first": some(n, "Farid", "Greta", "Hiro", "Ines"), "last": some(n, "Nazari", "Holm", "Tanaka", "Costa"),
					"mail": some(n, "farid", "greta", "hiro", "ines") + "@home.example"}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/?_task=addressbook")
				p.Press(at("a.create", "", ""))
				p.Write(at("input[name='_firstname']", "", ""), v["first"])
				p.Write(at("input[name='_surname']", "", ""), v["last"])
				p.Write(at("input[name^='_email']", "", ""), v["mail"])
				p.Press(at("button.submit", "Save", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"contact " + v["first"] + " " + v["last"]: v["first"] + "|" + v["last"] + "|" + v["mail"]}
			},
		}, {
			Name: "new-address", Goal: "Give a contact another email address",
			Inputs: []Input{{"contact", contact}, {"mail", []string{"email", "e_mail", "home", "mail", "address", "email_address"}}},
			Values: func(n int) Values {
				return Values{"contact": people[n], "mail": some(n, "amara", "bruno", "chloe", "dmitri") + "@office.example"}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/?_task=addressbook")
				p.Press(at("#contacts-table td", v["contact"], ""))
				p.Press(at("a.edit, button.edit", "Edit", ""))
				p.Write(at("input[name^='_email']", "", ""), v["mail"])
				p.Press(at("button.submit", "Save", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"contact " + v["contact"]: strings.ReplaceAll(v["contact"], " ", "|") + "|" + v["mail"]}
			},
		}, {
			Name: "delete-contact", Goal: "Delete a contact", Grave: true,
			Inputs: []Input{{"contact", contact}},
			Values: func(n int) Values { return Values{"contact": people[(n+1)%len(people)]} },
			Demo: func(p *person.Person, v Values) {
				p.Open("/?_task=addressbook")
				p.Press(at("#contacts-table td", v["contact"], ""))
				p.Wait(at("a.edit, button.edit", "Edit", ""))
				p.Press(at("#toolbar-menu a.delete:not(.disabled)", "Delete", ""))
				p.Press(at(".ui-dialog-buttonset button.mainaction", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"contact " + v["contact"]: ""} },
		}, {
			Name: "name-organization", Goal: "Change the organization of my identity",
			Inputs: []Input{{"organization", []string{"organization"}}},
			Values: func(n int) Values {
				return Values{"organization": some(n, "North Wharf", "Mill Lane Press", "Harbour Office", "Tide Survey")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/?_task=addressbook")
				p.Press(at("#taskmenu a.settings", "", ""))
				p.Press(at("#settings-menu a", "Identities", ""))
				p.Press(at("#identities-table td", "", "Clerk"))
				p.Write(at("input[name='_organization']", "", ""), v["organization"])
				p.Press(at("button.submit", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"identity clerk@desk.example": "Clerk|" + v["organization"]} },
		}, {
			Name: "new-response", Goal: "Add a canned response",
			Inputs: []Input{{"name", []string{"name", "response", "response_name"}}, {"text", []string{"response_text", "text", "response"}}},
			Values: func(n int) Values {
				return Values{"name": some(n, "Closed on Monday", "Price list", "Out of stock", "Thanks"),
					"text": some(n, "We open again on Tuesday.", "Please find our prices.", "It comes in next week.", "We received your letter.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/?_task=addressbook")
				p.Press(at("#taskmenu a.settings", "", ""))
				p.Press(at("#settings-menu a", "Responses", ""))
				p.Press(at("a.create", "", ""))
				p.Write(at("input[name='_name']", "", ""), v["name"])
				p.Write(at("textarea[name='_text']", "", ""), v["text"])
				p.Press(at("button.submit", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"response " + v["name"]: v["text"]} },
		}}}
}

// postBox is a mail server that has one empty box.
type postBox struct {
	address string
	l       net.Listener
	mu      sync.Mutex
	open    []net.Conn
	serving sync.WaitGroup
}

func newPostBox() (*postBox, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &postBox{address: l.Addr().String(), l: l}
	p.serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.mu.Lock()
			p.open = append(p.open, c)
			p.mu.Unlock()
			p.serving.Go(func() { p.serve(c) })
		}
	})
	return p, nil
}

func (p *postBox) serve(c net.Conn) {
	defer c.Close()
	fmt.Fprint(c, "* OK ready\r\n")
	for lines := bufio.NewScanner(c); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 2 {
			return
		}
		switch verb := strings.ToUpper(words[1]); verb {
		case "CAPABILITY":
			fmt.Fprint(c, "* CAPABILITY IMAP4rev1\r\n")
		case "LIST", "LSUB":
			fmt.Fprintf(c, "* %s () \"/\" INBOX\r\n", verb)
		case "SELECT", "EXAMINE":
			fmt.Fprint(c, "* 0 EXISTS\r\n* 0 RECENT\r\n* FLAGS (\\Seen)\r\n* OK [UIDVALIDITY 1] ok\r\n")
		case "STATUS":
			fmt.Fprint(c, "* STATUS INBOX (MESSAGES 0 UNSEEN 0 UIDNEXT 1)\r\n")
		case "LOGOUT":
			fmt.Fprint(c, "* BYE\r\n")
		}
		fmt.Fprintf(c, "%s OK done\r\n", words[0])
	}
}

func (p *postBox) close() {
	_ = p.l.Close()
	p.mu.Lock()
	for _, c := range p.open {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.serving.Wait()
}

package apps

import (
	"context"
	"strings"

	"showhow/bench/corpus/person"
)

// fossil keeps tickets, users and settings in one SQLite file, which its own command reads.
func fossil() App {
	env := func(dir string) []string { return []string{"HOME=" + dir, "USER=clerk"} }
	return App{Name: "fossil", Needs: []string{"fossil"}, From: "Debian: fossil",
		Version: func(ctx context.Context) string { return first(ctx, "fossil", "version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			if _, err := command(ctx, dir, env(dir), "fossil", "init", "r.fossil"); err != nil {
				return nil, err
			}
			_, port, _ := strings.Cut(address, ":")
			r, err := start(ctx, address, "/", env(dir), dir, "fossil", "server", "r.fossil", "--port", port, "--localauth", "--localhost")
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) {
				out := Facts{}
				for kind, query := range map[string]string{
					"ticket": "select title, type || '|' || severity || '|' || coalesce((select icomment from ticketchng c " +
						"where c.tkt_id = t.tkt_id), '') from ticket t",
					"user":   "select login, info from user",
					"config": "select name, value from config where name in ('project-name', 'project-description', 'index-page')"} {
					said, err := command(ctx, dir, env(dir), "fossil", "sql", "-R", "r.fossil", "--readonly", ".mode tabs", query)
					if err != nil {
						return nil, err
					}
					for line := range strings.SplitSeq(strings.TrimSpace(said), "\n") {
						if k, v, ok := strings.Cut(line, "\t"); ok {
							out[kind+" "+k] = strings.TrimSpace(v)
						}
					}
				}
				return out, nil
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-ticket", Goal: "Report a problem as a ticket",
			Inputs: []Input{{"title", []string{"title", "summary", "one_line_summary"}}, {"type", []string{"type"}},
				{"severity", []string{"severity"}}, {"text", []string{"description", "detailed_description", "comment"}}},
			Values: func(n int) Values {
				return Values{"title": some(n, "Lamp does not light", "Door squeaks", "Printer eats paper", "Window is stuck"),
					"type":     some(n, "Incident", "Feature_Request", "Documentation", "Incident"),
					"severity": some(n, "Severe", "Minor", "Important", "Cosmetic"),
					"text":     some(n, "Since this morning in room four.", "Every time it is opened.", "On the second floor only.", "It needs some oil.")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/ticket")
				p.Press(at("a", "New ticket", ""))
				p.Write(at("input[name=title]", "", ""), v["title"])
				p.Pick(at("select[name=type]", "", ""), v["type"])
				p.Pick(at("select[name=severity]", "", ""), v["severity"])
				p.Write(at("textarea[name=icomment]", "", ""), v["text"])
				p.Press(at("input[name=preview]", "Preview", ""))
				p.Press(at("input[name=submit]", "Submit", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"ticket " + v["title"]: v["type"] + "|" + v["severity"] + "|" + v["text"]}
			},
		}, {
			Name: "add-user", Goal: "Add a user",
			Inputs: []Input{{"login", []string{"login", "user", "user_login"}}, {"info", []string{"contact_info", "contact", "info"}}},
			Values: func(n int) Values {
				return Values{"login": some(n, "zahara", "miro", "quentin", "odile"),
					"info": some(n, "Zahara in the lab", "Miro of the stores", "Quentin upstairs", "Odile at the gate")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/setup_ulist")
				p.Press(at("a", "Add", ""))
				p.Write(at("input[name=login]", "", ""), v["login"])
				p.Write(at("textarea[name=info]", "", ""), v["info"])
				p.Press(at("input[type=submit]", "Apply Changes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"user " + v["login"]: v["info"]} },
		}, {
			Name: "describe-project", Goal: "Give the project another name and description",
			Inputs: []Input{{"name", []string{"project_name", "name"}}, {"text", []string{"project_description", "description"}}},
			Values: func(n int) Values {
				return Values{"name": some(n, "Orchard", "Harbour", "Quarry", "Meadow"),
					"text": some(n, "Trees and what grows on them", "Boats that come and go", "Stones by weight", "Grass for the cows")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/setup_config")
				p.Write(at("input[name=pn]", "", ""), v["name"])
				p.Write(at("textarea[name=pd]", "", ""), v["text"])
				p.Press(at("input[type=submit]", "Apply Changes", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"config project-name": v["name"], "config project-description": v["text"]}
			},
		}}}
}

package apps

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

// hledger keeps books in one text; its pages are drawn by the server, its one form stands in a dialog.
func hledger() App {
	const books = `2026-01-05 Rent of the shed
    expenses:rent        40.00
    assets:till

2026-01-09 Seeds
    expenses:seeds       12.50
    assets:till

2026-01-12 Market stall
    assets:till          61.00
    income:market
`
	written := func(text string) Facts {
		out, entry := Facts{}, ""
		for line := range strings.SplitSeq(text, "\n") {
			said := strings.Join(strings.Fields(line), " ")
			switch {
			case said == "":
				entry = ""
			case entry != "" && strings.HasPrefix(line, " "):
				out[entry] = strings.Trim(out[entry]+"|"+said, "|")
			default:
				entry = "entry " + said
				out[entry] = ""
			}
		}
		return out
	}
	add := func(p *person.Person, v Values, describe func()) {
		p.Open("/journal")
		p.Press(at("#addformlink", "", ""))
		p.Write(at("#addform input[name=date]", "", ""), v["date"])
		describe()
		p.Write(at("#addform input[placeholder='Account 1']:not(.tt-hint)", "", ""), v["account"])
		p.Write(at("#addform input[placeholder='Amount 1']", "", ""), v["amount"])
		p.Write(at("#addform input[placeholder='Account 2']:not(.tt-hint)", "", ""), "assets:till")
		p.Press(at("#addform button[type=submit]", "add", ""))
	}
	entered := func(v Values) Facts {
		return Facts{"entry " + v["date"] + " " + v["description"]: v["account"] + " " + v["amount"] + "|assets:till -" + v["amount"]}
	}
	inputs := []Input{{"date", []string{"date"}}, {"description", []string{"description", "purchase", "payment", "name"}},
		{"account", []string{"account", "account_1"}}, {"amount", []string{"amount", "amount_1"}}}
	return App{Name: "hledger", Needs: []string{"hledger-web"}, From: "Debian: hledger-web",
		Version: func(ctx context.Context) string { return first(ctx, "hledger-web", "--version") },
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			kept := filepath.Join(dir, "books.journal")
			if err := os.WriteFile(kept, []byte(books), 0o600); err != nil {
				return nil, err
			}
			host, port, _ := strings.Cut(address, ":")
			r, err := start(ctx, address, "/journal", []string{"LANG=C.UTF-8"}, dir, "hledger-web", "--serve", "-f", kept, "--host", host,
				"--port", port, "--base-url", "", "--capabilities=view,add,manage")
			if err != nil {
				return nil, err
			}
			r.Facts = func(context.Context) (Facts, error) {
				text, err := os.ReadFile(kept)
				return written(string(text)), err
			}
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "purchase", Goal: "Enter a purchase", Inputs: inputs,
			Values: func(n int) Values {
				return Values{"date": some(n, "2026-02-03", "2026-02-11", "2026-02-17", "2026-02-26"),
					"description": some(n, "Spades", "Nails and glue", "Onions", "A barrow"),
					"account":     some(n, "expenses:tools", "expenses:repairs", "expenses:kitchen", "expenses:garden"),
					"amount":      some(n, "31.20", "8.75", "4.60", "77.00")}
			},
			Demo: func(p *person.Person, v Values) {
				add(p, v, func() { p.Write(at("#addform input[name=description]:not(.tt-hint)", "", ""), v["description"]) })
			},
			Expect: entered,
		}, {
			Name: "repeat", Goal: "Enter a payment that was made before", Inputs: inputs,
			Values: func(n int) Values {
				return Values{"date": some(n, "2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23"),
					"description": some(n, "Seeds", "Rent of the shed", "Market stall", "Seeds"),
					"account":     some(n, "expenses:seeds", "expenses:rent", "expenses:market", "expenses:trees"),
					"amount":      some(n, "9.90", "41.00", "15.00", "13.30")}
			},
			Demo: func(p *person.Person, v Values) {
				add(p, v, func() {
					p.Write(at("#addform input[name=description]:not(.tt-hint)", "", ""), v["description"][:3])
					p.Press(at("#addform .tt-suggestion", v["description"], ""))
				})
			},
			Expect: entered,
		}, {
			Name: "begin-anew", Goal: "Replace the journal by a note", Grave: true,
			Inputs: []Input{{"note", []string{"note", "text", "journal"}}},
			Values: func(n int) Values {
				return Values{"note": some(n, "; Closed in March", "; Moved to the new books", "; See the ledger", "; Nothing yet")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/journal")
				p.Press(at("a[href$='/manage']", "", ""))
				p.Press(at("a[href*='/edit/']", "", ""))
				p.Write(at("textarea", "", ""), v["note"])
				p.Press(at("input[type=submit]", "Save", ""))
			},
			Expect: func(v Values) Facts {
				out := Facts{"entry " + v["note"]: ""}
				for k := range written(books) {
					out[k] = ""
				}
				return out
			},
		}}}
}

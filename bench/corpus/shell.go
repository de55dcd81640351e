package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/capture"
)

// word lists the kinds of a word on a command line.
var word = []capture.ValueKind{capture.KindText, capture.KindID, capture.KindFile, capture.KindNumber, capture.KindDate}

func shellWork() []*Workflow {
	return []*Workflow{{
		Name: "orders-by-status", Goal: "List the orders of a status", Shell: true, Folder: "orders", Source: "orders.json",
		Files: map[string]string{"orders.json": ordersJSON()},
		Values: func(_ *apps.App, n int) Values {
			return Values{"status": some(n, "shipped", "packed", "new", "delivered")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/orders")
			p.Run(`jq -r '.[] | select(.status=="` + v["status"] + `") | .id' orders.json > ` + v["status"] + `.txt`)
			p.Run("wc -l " + v["status"] + ".txt")
		},
		Made: func(v Values) map[string]string {
			var ids []string
			for i := range 24 {
				if orderStatus[i%len(orderStatus)] == v["status"] {
					ids = append(ids, fmt.Sprintf("A-%d", 3001+i))
				}
			}
			return map[string]string{"orders/" + v["status"] + ".txt": strings.Join(ids, "\n")}
		},
		Inputs: []Input{{Key: "status", Names: []string{"status", "order_status"}, Kinds: append(choice, word...), Linked: []string{"{}.txt"}}},
		Faults: []ledger.Fault{ledger.EmptyFile, Missing},
	}, {
		Name: "letter-to-customer", Goal: "Write the letter to a customer from the template", Shell: true, Folder: "mailing",
		Source: "template.txt",
		Files:  map[string]string{"template.txt": "Dear CUSTOMER,\n\nthank you for the year. CUSTOMER gets ten percent.\n"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"customer": some(n, "Aldine", "Corvin", "Marbury", "Tessler")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/mailing")
			p.Run("sed 's/CUSTOMER/" + v["customer"] + "/g' template.txt > letter-" + v["customer"] + ".txt")
			p.Run("grep -c " + v["customer"] + " letter-" + v["customer"] + ".txt")
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"mailing/letter-" + v["customer"] + ".txt": "Dear " + v["customer"] + ",\n\nthank you for the year. " +
				v["customer"] + " gets ten percent."}
		},
		Inputs: []Input{{Key: "customer", Names: []string{"customer", "customer_name", "name", "letter"}, Kinds: word,
			Linked: []string{"letter-{}.txt"}}},
		Faults: []ledger.Fault{ledger.EmptyFile, Missing},
	}, {
		Name: "sales-of-month", Goal: "Add up the sales of a month", Shell: true, Folder: "sales", Source: "sales.csv",
		Files: map[string]string{"sales.csv": salesCSV()},
		Values: func(_ *apps.App, n int) Values {
			return Values{"month": some(n, "2026-03", "2026-07", "2026-05", "2026-09")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/sales")
			p.Run(`awk -F, -v m=` + v["month"] + ` 'index($1, m) == 1 { s += $3 } END { print s }' sales.csv > total-` + v["month"] + `.txt`)
			p.Run("cat total-" + v["month"] + ".txt")
		},
		Made: func(v Values) map[string]string {
			sum := 0
			for i := range 60 {
				if strings.HasPrefix(saleDay(i), v["month"]) {
					sum += saleAmount(i)
				}
			}
			return map[string]string{"sales/total-" + v["month"] + ".txt": fmt.Sprint(sum)}
		},
		Inputs: []Input{{Key: "month", Names: []string{"month", "m"}, Kinds: word, Linked: []string{"total-{}.txt"}}},
		Faults: []ledger.Fault{ledger.EmptyFile, Missing},
	}, {
		Name: "tag-release", Goal: "Tag a release of the site", Shell: true, Folder: "site", Source: ".git",
		Files: map[string]string{"VERSION": "1.0\n", "index.html": "<h1>Site</h1>\n"},
		Prepare: func(dir string) error {
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "Corpus"},
				{"config", "user.email", "corpus@example.org"}, {"add", "."}, {"commit", "-qm", "Begin"}} {
				if err := git(dir, args...); err != nil {
					return err
				}
			}
			return nil
		},
		Values: func(_ *apps.App, n int) Values { return Values{"version": some(n, "1.4", "2.1", "3.2", "1.7")} },
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/site")
			p.Run("git switch -c release-" + v["version"])
			p.Run("echo " + v["version"] + " > VERSION")
			p.Run(`git commit -am "Release ` + v["version"] + `"`)
			p.Run("git tag v" + v["version"])
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"site/VERSION": v["version"], "site/.git/refs/tags/v" + v["version"]: "",
				"site/.git/refs/heads/release-" + v["version"]: ""}
		},
		Inputs: []Input{{Key: "version", Names: []string{"version", "release", "release_version", "version_number", "tag"}, Kinds: word,
			Linked: []string{"release-{}", "v{}"}}},
		Faults: []ledger.Fault{Missing},
	}, {
		Name: "pack-album", Goal: "Pack an album into an archive", Shell: true, Folder: "albums", Source: "{album}",
		Files: map[string]string{"lisbon/a.jpg": "tram", "lisbon/b.jpg": "river", "oslo/a.jpg": "fjord", "oslo/b.jpg": "roof",
			"kyoto/a.jpg": "gate", "kyoto/b.jpg": "moss", "quito/a.jpg": "hill"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"album": some(n, "lisbon", "oslo", "kyoto", "quito")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/albums")
			p.Run("tar czf " + v["album"] + ".tar.gz " + v["album"])
			p.Run("tar tzf " + v["album"] + ".tar.gz | wc -l")
			p.Run("sha256sum " + v["album"] + ".tar.gz > " + v["album"] + ".sha256")
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"albums/" + v["album"] + ".tar.gz": "", "albums/" + v["album"] + ".sha256": ""}
		},
		Inputs: []Input{{Key: "album", Names: []string{"album", "folder", "directory", "name", "album_name"}, Kinds: word,
			Linked: []string{"{}.tar.gz", "{}.sha256"}}},
		Faults: []ledger.Fault{Missing},
	}, {
		Name: "compress-logs", Goal: "Compress log files", Shell: true, Folder: "logs", Source: "web.log",
		Files: map[string]string{"web.log": "GET / 200\n", "mail.log": "sent 3\n", "cron.log": "ran\n", "auth.log": "in\n", "disk.log": "88%\n"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"log": some(n, "mail.log\nweb.log\ncron.log", "auth.log\ndisk.log", "disk.log\nweb.log\nauth.log", "cron.log\nmail.log")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/logs")
			for _, f := range v.List("log") {
				p.Run("gzip -k " + f)
			}
		},
		Made: func(v Values) map[string]string {
			out := map[string]string{}
			for _, f := range v.List("log") {
				out["logs/"+f+".gz"] = ""
			}
			return out
		},
		Inputs: []Input{{Key: "log", Names: []string{"file", "log", "log_file", "logs", "log_files", "file_name"}, Kinds: word, Each: true}},
		Faults: []ledger.Fault{Missing},
	}, {
		Name: "top-answers", Goal: "Count the answers of a survey", Shell: true, Folder: "survey", Source: "answers-{month}.csv",
		Files: map[string]string{"answers-april.csv": answersCSV(2), "answers-may.csv": answersCSV(3), "answers-june.csv": answersCSV(4),
			"answers-july.csv": answersCSV(5)},
		Values: func(_ *apps.App, n int) Values {
			return Values{"month": some(n, "april", "june", "may", "july")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/survey")
			p.Run("cut -d, -f2 answers-" + v["month"] + ".csv | sort | uniq -c | sort -rn > top-" + v["month"] + ".txt")
			p.Run("head -3 top-" + v["month"] + ".txt")
		},
		Made: func(v Values) map[string]string { return map[string]string{"survey/top-" + v["month"] + ".txt": ""} },
		Inputs: []Input{{Key: "month", Names: []string{"month", "answers", "survey", "survey_month", "name"}, Kinds: word,
			Linked: []string{"answers-{}.csv", "top-{}.txt"}}},
		Faults: []ledger.Fault{ledger.EmptyFile, Missing},
	}}
}

func mixedWork() []*Workflow {
	return []*Workflow{{
		Name: "low-stock", Goal: "Export the items and list what runs low", App: "stock", Shell: true,
		Values: func(_ *apps.App, n int) Values { return Values{"limit": some(n, "20", "35", "50", "15")} },
		Demo: func(p *person.Person, v Values) {
			_ = os.Remove(filepath.Join(p.Downloads, "items.csv")) // of the demonstration before
			p.Open("/items")
			p.Click("link", "Export")
			p.Downloaded("items.csv")
			p.Run("cd ~/Downloads")
			p.Run("awk -F, '$4 < " + v["limit"] + "' items.csv > low-" + v["limit"] + ".csv")
			p.Run("wc -l low-" + v["limit"] + ".csv")
		},
		Effects: func(_ *apps.App, _ Values) []ledger.Effect {
			return []ledger.Effect{{Verb: "send", Table: "export", ID: "items"}}
		},
		Made: func(v Values) map[string]string { return map[string]string{"Downloads/low-" + v["limit"] + ".csv": ""} },
		Inputs: []Input{{Key: "limit", Names: []string{"limit", "threshold", "low", "number", "quantity", "minimum"}, Kinds: word,
			Linked: []string{"low-{}.csv"}}},
		Faults: []ledger.Fault{ledger.EmptyFile, ledger.Broken},
	}, {
		Name: "rent-of-month", Goal: "Take the rent out of the statement of a month", App: "papers", Shell: true,
		Values: func(_ *apps.App, n int) Values {
			return Values{"month": some(n, "April", "September", "February", "November"), "year": some(n, "2026", "2027", "2026", "2027"),
				"id": some(n, "2026-04", "2027-09", "2026-02", "2027-11")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/statements")
			p.Choose("Month", v["month"])
			p.Choose("Year", v["year"])
			p.Click("button", "Download statement")
			p.Downloaded("statement-" + v["id"] + ".csv")
			p.Run("cd ~/Downloads")
			p.Run("grep ,rent, statement-" + v["id"] + ".csv > rent.csv")
			p.Run("wc -l rent.csv")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return []ledger.Effect{{Verb: "send", Table: "statements", ID: v["id"]}}
		},
		Made: func(v Values) map[string]string { return map[string]string{"Downloads/rent.csv": ""} },
		Inputs: []Input{
			{Key: "month", Names: []string{"month"}, Kinds: choice},
			{Key: "year", Names: []string{"year"}, Kinds: choice, Linked: []string{"statement-{}-"}},
		},
		Constants: []string{"rent"},
		Faults:    []ledger.Fault{ledger.EmptyFile, ledger.Broken},
	}, {
		Name: "upload-sorted", Goal: "Sort the offers of a region and upload them", App: "papers", Shell: true, Folder: "offers",
		Source: "offers-{region}.csv",
		Files: map[string]string{"offers-north.csv": answersCSV(2), "offers-south.csv": answersCSV(3), "offers-east.csv": answersCSV(4),
			"offers-west.csv": answersCSV(5)},
		Values: func(_ *apps.App, n int) Values {
			return Values{"region": some(n, "north", "south", "east", "west"),
				"about": some(n, "Offers of spring", "What came in May", "For the meeting", "Second round")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/offers")
			p.Run("sort -t, -k2 offers-" + v["region"] + ".csv > sorted-" + v["region"] + ".csv")
			p.Run("wc -l sorted-" + v["region"] + ".csv")
			p.Open("/documents")
			p.Click("link", "Upload")
			p.Upload("File", p.Work+"/sorted-"+v["region"]+".csv")
			p.Choose("Category", "Report")
			p.Enter("What it is about", v["about"])
			p.Click("button", "Upload document")
			p.See("The document was uploaded.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("documents", map[string]string{"name": "sorted-" + v["region"] + ".csv", "category": "Report", "about": v["about"]})
		},
		Inputs: []Input{
			{Key: "region", Names: []string{"region", "offers"}, Kinds: word, Linked: []string{"offers-{}.csv", "sorted-{}.csv"}},
			{Key: "about", Names: []string{"about", "what_it_is_about", "what_about", "description"}, Kinds: text},
		},
		Constants: []string{"Category"},
		Faults:    []ledger.Fault{ledger.Claim, ledger.Broken, Missing},
	}, {
		Name: "set-quantity", Goal: "Correct the quantity of an item through the interface", App: "stock", Shell: true,
		Values: func(a *apps.App, n int) Values {
			return Values{"item": a.Ledger.Rows("items")[4+5*n]["id"], "quantity": some(n, "55", "120", "75", "18")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run(`curl -s -X POST -d '{"quantity":"` + v["quantity"] + `"}' ` + p.Base + "/api/items/" + v["item"] + "/quantity")
			p.Run("curl -s " + p.Base + "/api/items/" + v["item"] + " | jq -r .quantity")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return set("items", v["item"], map[string]string{"quantity": v["quantity"]})
		},
		Inputs: []Input{
			{Key: "item", Names: []string{"item", "item_id", "item_number", "items"}, Kinds: word, Linked: []string{"/api/items/{}"}},
			{Key: "quantity", Names: []string{"quantity"}, Kinds: word},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Broken},
	}}
}

var orderStatus = []string{"new", "packed", "shipped", "delivered", "packed", "new", "shipped"}

func ordersJSON() string {
	var out []string
	for i := range 24 {
		out = append(out, fmt.Sprintf(`  {"id": "A-%d", "status": %q, "total": %d}`, 3001+i, orderStatus[i%len(orderStatus)], 20+i*7))
	}
	return "[\n" + strings.Join(out, ",\n") + "\n]\n"
}

func saleDay(i int) string { return fmt.Sprintf("2026-%02d-%02d", 1+i%12, 1+i%28) }
func saleAmount(i int) int { return 40 + (i*37)%500 }

func salesCSV() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%s,%s,%d\n", saleDay(i), []string{"north", "south", "east"}[i%3], saleAmount(i))
	}
	return b.String()
}

func answersCSV(step int) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "%d,%s,%d\n", i+1, []string{"yes", "no", "maybe", "later", "often"}[(i*step)%5], i*step%7)
	}
	return b.String()
}

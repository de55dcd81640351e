package corpus

import (
	"slices"
	"strings"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
)

// canteenWork is held out, too, and was written after the rest: docs/benchmarks.md has its results at first sight.
func canteenWork() []*Workflow {
	slots := []string{"Tuesday lunch", "Thursday supper", "Friday lunch", "Wednesday lunch"}
	out := []*Workflow{{
		Name: "plan-meal", Goal: "Put a dish on the plan", App: "canteen",
		Values: func(a *apps.App, n int) Values {
			return Values{"meal": some(n, slots...), "dish": a.Ledger.Rows("dishes")[1+n]["name"], "portions": some(n, "65", "120", "85", "30")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/week")
			p.Click("button", "Plan "+v["meal"])
			p.Click("option", v["dish"])
			p.Enter("Portions", v["portions"])
			p.Click("button", "Put on the plan")
			p.See("is on the plan for " + v["meal"])
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return set("plan", v["meal"], map[string]string{"dish": v["dish"], "portions": v["portions"]})
		},
		Inputs: []Input{
			{Key: "meal", Names: []string{"meal", "plan", "slot", "day", "plan_meal"}, Kinds: text},
			{Key: "dish", Names: []string{"dish"}},
			{Key: "portions", Names: []string{"portions"}, Kinds: number},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "mark-dish", Goal: "Mark what a dish contains and who cooks it", App: "canteen",
		Values: func(a *apps.App, n int) Values {
			d := a.Ledger.Rows("dishes")[2+n]
			k := slices.Index(apps.Kitchens, d["kitchen"])
			at := slices.Index(apps.Allergens, d["allergens"])
			return Values{"dish": d["name"], "allergen": apps.Allergens[(at+1+n)%len(apps.Allergens)],
				"kitchen": apps.Kitchens[(k+1+n%2)%len(apps.Kitchens)]}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/dishes")
			p.Click("button", v["dish"])
			p.Click("label", v["allergen"])
			p.Click("label", v["kitchen"])
			p.Click("button", "Keep")
			p.See("Kept.")
		},
		Effects: func(a *apps.App, v Values) []ledger.Effect {
			d, _ := a.Ledger.Where("dishes", "name", v["dish"])
			has := []string{d["allergens"], v["allergen"]}
			slices.Sort(has)
			return set("dishes", d["id"], map[string]string{"allergens": strings.Join(has, ", "), "kitchen": v["kitchen"]})
		},
		Inputs: []Input{
			{Key: "dish", Names: []string{"dish", "the_dish", "dish_name"}, Kinds: text},
			{Key: "allergen", Names: []string{"allergen", "contains", "allergens"}},
			{Key: "kitchen", Names: []string{"kitchen"}, Kinds: choice},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongRow, ledger.Broken},
	}, {
		Name: "new-dish", Goal: "Create a dish with its tags", App: "canteen",
		Values: func(_ *apps.App, n int) Values {
			return Values{"dish": some(n, "Carrot broth", "Plum cake", "Nettle quiche", "Chestnut pasta"),
				"price": some(n, "5.20", "3.80", "6.40", "7.10"),
				"tag":   some(n, "vegan\nwarm", "sweet\ncold\nnew", "green\nspring", "autumn\nwarm\nrich")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Open("/dishes")
			p.Click("link", "New dish")
			p.Enter("Name of the dish", v["dish"])
			p.Enter("Price", v["price"])
			for _, t := range v.List("tag") {
				p.Enter("Tag", t)
				p.Click("button", "Add tag")
			}
			p.Click("button", "Create dish")
			p.See("The dish was created.")
		},
		Effects: func(_ *apps.App, v Values) []ledger.Effect {
			return add("dishes", map[string]string{"name": v["dish"], "price": v["price"], "tags": strings.Join(v.List("tag"), ", ")})
		},
		Inputs: []Input{
			{Key: "dish", Names: []string{"name_of_the_dish", "name_dish", "dish", "name", "dish_name"}, Kinds: text},
			{Key: "price", Names: []string{"price"}, Kinds: number},
			{Key: "tag", Names: []string{"tag", "tags"}, Kinds: text, Each: true},
		},
		Faults: []ledger.Fault{ledger.Claim, ledger.WrongValue, ledger.Broken},
	}, {
		Name: "pack-month", Goal: "Pack the receipts of a month with a checksum", Shell: true, Folder: "receipts", Source: "{month}/list.txt",
		Files: map[string]string{"2027-01/list.txt": "bread 4\n", "2027-02/list.txt": "milk 3\n", "2027-03/list.txt": "rice 9\n",
			"2027-04/list.txt": "salt 1\n"},
		Values: func(_ *apps.App, n int) Values {
			return Values{"month": some(n, "2027-01", "2027-02", "2027-03", "2027-04")}
		},
		Demo: func(p *person.Person, v Values) {
			p.Run("cd ~/receipts")
			p.Run("mkdir -p packed")
			p.Run("tar czf packed/receipts-" + v["month"] + ".tar.gz " + v["month"])
			p.Run("cd packed && sha256sum receipts-" + v["month"] + ".tar.gz > receipts-" + v["month"] + ".sha256")
		},
		Made: func(v Values) map[string]string {
			return map[string]string{"receipts/packed/receipts-" + v["month"] + ".tar.gz": "",
				"receipts/packed/receipts-" + v["month"] + ".sha256": ""}
		},
		Inputs: []Input{{Key: "month", Names: []string{"month", "receipts", "date"},
			Linked: []string{"receipts-{}.tar.gz", "receipts-{}.sha256"}}},
		Faults: []ledger.Fault{Missing},
	}}
	for _, f := range out {
		f.Held = true
	}
	return out
}

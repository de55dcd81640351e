package ability_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"showhow/daemon/ability"
	"showhow/store"
)

type labelled struct {
	Slug, Title, Family string
	Triggers, Negatives []string
}

// entries are the labelled set's abilities, in three lanes.
func entries(t testing.TB) []ability.AvailabilityEntry {
	b, err := os.ReadFile("testdata/abilities.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	lanes := []string{ability.LanePrivate, ability.LaneApproved, ability.LaneShared}
	out := make([]ability.AvailabilityEntry, len(all))
	for i, l := range all {
		out[i] = ability.AvailabilityEntry{AbilityID: l.Slug, SkillSlug: l.Slug, Title: l.Title, Family: l.Family, TriggerPhrases: l.Triggers,
			NegativeTriggers: l.Negatives, InstallLane: lanes[i%3], Enabled: true, UsableNow: true, CheckpointHealth: "strong"}
	}
	return out
}

func textLines(t testing.TB, path string) []string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(b)), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
}

// best is what a router would take: the best match at or above the routing threshold.
func best(query string, m *ability.Matcher) (id string, score float64) {
	if r := m.Lookup(ability.LookupQuery{UserQuery: query}); len(r.Matches) > 0 {
		return r.Matches[0].AbilityID, r.Matches[0].Score
	}
	return "", 0
}

// Decisions C6: at most 5 % of unrelated sentences reach the routing threshold in the private lane, at most 15 % are listed.
func TestUnrelatedSentencesMatchNothing(t *testing.T) {
	all := entries(t)
	for i := range all {
		all[i].InstallLane, all[i].CheckpointHealth = ability.LanePrivate, "no_data"
	}
	m := ability.NewMatcher(all...)
	queries := textLines(t, "testdata/unrelated.txt")
	if len(queries) != 200 {
		t.Fatalf("%d sentences", len(queries))
	}
	listed, routed := 0, 0
	for _, q := range queries {
		id, score := best(q, m)
		if score >= ability.MinScore {
			listed++
		}
		if score >= ability.RouteScore {
			routed++
			t.Logf("%q is %s (%.2f)", q, id, score)
		}
	}
	t.Logf("listed %d, routed %d of 200", listed, routed)
	if listed > 30 || routed > 10 {
		t.Error("unrelated sentences match")
	}
}

// The quality of lookup on a labelled set, measured; the bars are what it reaches, so that a change for the worse is seen.
func TestLookupQuality(t *testing.T) {
	all := entries(t)
	m := ability.NewMatcher(all...)
	var named, right, missed, wrong, positives int
	for _, line := range textLines(t, "testdata/paraphrases.txt") {
		q, want, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no label: %q", line)
		}
		if want != "-" {
			positives++
		}
		id, score := best(q, m)
		if score < ability.RouteScore {
			id = "-"
		}
		if id != "-" {
			named++
		}
		switch {
		case id == want && want != "-":
			right++
		case id == "-" && want != "-":
			missed++
			t.Logf("missed: %q", q)
		case id != want:
			wrong++
			t.Logf("wrong: %q is %s (%.2f), not %s", q, id, score, want)
		}
	}
	precision, recall := float64(right)/float64(named), float64(right)/float64(positives)
	t.Logf("%d paraphrases of %d abilities: precision %.3f, recall %.3f (missed %d, wrong %d)", positives, len(all), precision, recall, missed,
		wrong)
	if precision < 0.95 || recall < 0.90 {
		t.Error("lookup has become worse")
	}
}

func entry(title string, triggers ...string) ability.AvailabilityEntry {
	return ability.AvailabilityEntry{AbilityID: "a", Title: title, TriggerPhrases: triggers, InstallLane: ability.LaneApproved,
		UsableNow: true}
}

func TestScore(t *testing.T) {
	with := func(e ability.AvailabilityEntry, f func(*ability.AvailabilityEntry)) ability.AvailabilityEntry {
		f(&e)
		return e
	}
	orders := entry("Export open orders", "export the open orders")
	other := func(e ability.AvailabilityEntry) ability.AvailabilityEntry { e.AbilityID = "other"; return e }
	crowd := []ability.AvailabilityEntry{other(entry("Water the plants", "water the plants on the balcony"))}
	score := func(query string, e ability.AvailabilityEntry, project string) ability.Scored {
		return ability.NewMatcher(append(crowd, e)...).Score(query, e.AbilityID, project)
	}
	for name, c := range map[string]struct {
		query string
		e     ability.AvailabilityEntry
		least float64 // 0: it must not match at all
		most  float64
	}{
		"phrase and title":             {"export the open orders", orders, 0.4, 1},
		"phrase inside a sentence":     {"please export the open orders now", entry("x", "export the open orders"), 0.4, 1},
		"the request inside a phrase":  {"open orders", entry("x", "export the open orders"), 0.3, 1},
		"two words of a phrase":        {"orders that are open", entry("x", "export the open orders"), 0.3, 1},
		"another form of a word":       {"exporting every open order", orders, 0.3, 1},
		"a word that is spelled alike": {"cancellation of the subscription", entry("x", "cancel a subscription"), 0.3, 1},
		"a typing error":               {"exprot the open ordres", orders, 0.15, 1},
		"case and accents":             {"EXPORTIERE DIE MÜLLEIMERLISTE", entry("x", "exportiere die mulleimerliste"), 0.4, 1},
		"sharp s":                      {"STRASSE PRÜFEN", entry("x", "straße prüfen"), 0.4, 1},
		"a script without blanks":      {"未完了の注文を書き出して", entry("x", "未完了の注文を書き出す"), 0.3, 1},
		"the best phrase, not the first": {"export the open orders",
			entry("x", "open orders somewhere else", "export the open orders"), 0.4, 1},
		"title alone":                  {"open orders overview", entry("Export open orders"), 0.15, 0.6},
		"one word is listed":           {"orders", orders, 0.15, 0.3},
		"one word that is the phrase":  {"please tidy", entry("x", "tidy"), 0.4, 1},
		"one word of a longer request": {"tidy up the kitchen before the guests arrive at eight", entry("x", "tidy"), 0, 0.4},
		"empty phrases are ignored":    {"anything at all", entry("x", "", "  ", "the of"), 0, 0},
		"no bonus without a hit":       {"completely different sentence", orders, 0, 0},
		"only filler words":            {"could you please do it for me", orders, 0, 0},
		"not usable": {"export the open orders", with(orders, func(e *ability.AvailabilityEntry) {
			e.UsableNow, e.ReasonUnusable = false, "disabled"
		}), 0.2, 0.4},
		"negative": {"do not export the open orders", with(orders, func(e *ability.AvailabilityEntry) {
			e.NegativeTriggers = []string{"do not export"}
		}), 0, 0},
		"empty negatives are ignored": {"export the open orders", with(orders, func(e *ability.AvailabilityEntry) {
			e.NegativeTriggers = []string{"", "  "}
		}), 0.4, 1},
	} {
		got := score(c.query, c.e, "")
		if got.Score < c.least || got.Score > c.most || c.most == 0 && got.Matched() {
			t.Errorf("%s: %.4f, want %.2f to %.2f: %v %v", name, got.Score, c.least, c.most, got.Reasons, got.Rejections)
		}
	}
	// What speaks for an ability besides its words orders those that fit equally, and never makes a bad fit a good one.
	project := func(p ...string) func(*ability.AvailabilityEntry) {
		return func(e *ability.AvailabilityEntry) { e.ProjectScopes = p }
	}
	lane := func(l, health string) func(*ability.AvailabilityEntry) {
		return func(e *ability.AvailabilityEntry) { e.InstallLane, e.CheckpointHealth = l, health }
	}
	order := []struct {
		name          string
		better, worse func(*ability.AvailabilityEntry)
	}{
		{"its project before everybody's", project("p1"), project()},
		{"everybody's before another project's", project("*"), project("p2")},
		{"shared before approved", lane(ability.LaneShared, ""), lane(ability.LaneApproved, "")},
		{"approved before private", lane(ability.LaneApproved, ""), lane(ability.LanePrivate, "")},
		{"strong before unknown", lane(ability.LanePrivate, "strong"), lane(ability.LanePrivate, "no_data")},
		{"unknown before weak", lane(ability.LanePrivate, "no_data"), lane(ability.LanePrivate, "weak")},
	}
	for _, c := range order {
		a, b := score("export the orders", with(orders, c.better), "p1"), score("export the orders", with(orders, c.worse), "p1")
		if a.Score <= b.Score || a.Relevance != b.Relevance {
			t.Errorf("%s: %.4f and %.4f", c.name, a.Score, b.Score)
		}
	}
	all := func(e *ability.AvailabilityEntry) {
		e.InstallLane, e.CheckpointHealth, e.ProjectScopes = ability.LaneShared, "strong", []string{"p1"}
	}
	if s := score("orders", with(orders, all), "p1"); s.Routed() {
		t.Errorf("lane, health and project route a single word: %.3f", s.Score)
	}
}

// Whatever is asked, the score is in [0, 1], its reasons add up to it, and bonuses never stand alone.
func TestScoreProperties(t *testing.T) {
	vocabulary := []string{"export", "open", "orders", "the", "customer", "date", "Straße", "取引", "", "not", "x"}
	phrase := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		e := ability.AvailabilityEntry{AbilityID: "a", Title: phrase.Draw(t, "title"),
			TriggerPhrases:   rapid.SliceOfN(phrase, 0, 4).Draw(t, "triggers"),
			NegativeTriggers: rapid.SliceOfN(phrase, 0, 1).Draw(t, "negatives"), UsableNow: rapid.Bool().Draw(t, "usable"),
			InstallLane:      rapid.SampledFrom([]string{ability.LanePrivate, ability.LaneApproved, ability.LaneShared}).Draw(t, "lane"),
			CheckpointHealth: rapid.SampledFrom([]string{"strong", "weak", "moderate", "no_data"}).Draw(t, "health")}
		q := rapid.OneOf(phrase, rapid.StringN(0, 80, 200)).Draw(t, "query")
		s := ability.Score(q, e, "")
		if s.Score < 0 || s.Score > 1 {
			t.Fatalf("score %v", s.Score)
		}
		sum, hit := 0.0, false
		for _, r := range s.Reasons {
			hit = hit || strings.HasPrefix(r, "trigger_") || strings.HasPrefix(r, "word_match")
			if i := strings.LastIndex(r, "("); strings.HasPrefix(r, "usable_now") {
				sum /= 2
			} else {
				var w float64
				if err := json.Unmarshal([]byte(strings.Trim(r[i+1:], "+)")), &w); err != nil {
					t.Fatal(r)
				}
				sum += w
			}
		}
		if s.Score > 0 && !hit {
			t.Fatalf("bonuses alone: %v", s.Reasons)
		}
		if s.Score > 0 && math.Abs(math.Min(1, sum)-s.Score) > 1e-2 { // every reason is rounded to three places
			t.Fatalf("%v adds up to %v, not %v", s.Reasons, sum, s.Score)
		}
		if again := ability.Score(strings.ToUpper(q), e, ""); isASCII(q) && again.Score != s.Score {
			t.Fatal("case matters")
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

// R11.2-30, R11.2-31, R11.2-34: what a router gets.
func TestR11_2_30_Lookup(t *testing.T) {
	h := newHouse(t)
	lanes := map[string]string{"export-open-orders": ability.LaneApproved, "export-old-orders": ability.LaneShared,
		"export-my-orders": ability.LanePrivate}
	for slug, lane := range lanes {
		r := request(slug)
		r.Lane = lane
		h.install(r)
	}
	find := func(q ability.LookupQuery) []string {
		t.Helper()
		q.SchemaVersion = 1
		res, err := h.s.Lookup(h.ctx(), q)
		h.ok(err)
		var out []string
		for _, m := range res.Matches {
			if m.Score < ability.MinScore || len(m.MatchReasons) == 0 {
				t.Errorf("%+v", m)
			}
			out = append(out, m.SkillSlug)
		}
		return out
	}
	no := false
	for name, c := range map[string]struct {
		q    ability.LookupQuery
		want []string
	}{
		"best first": {ability.LookupQuery{UserQuery: "export open orders"},
			[]string{"export-open-orders", "export-my-orders", "export-old-orders"}}, // "old" is a word too many, "my" is none
		"no private": {ability.LookupQuery{UserQuery: "export open orders", IncludePrivateOwnedByUser: &no},
			[]string{"export-open-orders", "export-old-orders"}},
		"one lane": {ability.LookupQuery{UserQuery: "export orders", InstallLanesAllowed: []string{ability.LaneShared},
			IncludePrivateOwnedByUser: &no},
			[]string{"export-old-orders"}},
		"unrelated": {ability.LookupQuery{UserQuery: "the weather in Lisbon"}, nil},
		"no lane":   {ability.LookupQuery{UserQuery: "export orders", InstallLanesAllowed: []string{}, IncludePrivateOwnedByUser: &no}, nil},
	} {
		if got := find(c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	ex, err := h.s.ExplainMatch(h.ctx(), ability.ExplainMatchRequest{UserQuery: "export open orders", AbilityID: "export-open-orders"})
	h.ok(err)
	if !ex.Matched || ex.Score < ability.RouteScore || len(ex.MatchReasons) == 0 ||
		ex.Because[0].Code != "trigger_phrase_match" || ex.Because[0].Phrase == "" || ex.Because[0].Against {
		t.Errorf("%+v", ex)
	}
	_, err = h.s.Quarantine(h.ctx(), "export-open-orders", "odd", nil)
	h.ok(err)
	if got := find(ability.LookupQuery{UserQuery: "export open orders", InstallLanesAllowed: []string{ability.LaneApproved},
		IncludePrivateOwnedByUser: &no}); got != nil {
		t.Errorf("quarantined, and found: %v", got)
	}
	ex, err = h.s.ExplainMatch(h.ctx(), ability.ExplainMatchRequest{UserQuery: "export open orders", AbilityID: "export-open-orders"})
	h.ok(err)
	if last := ex.Because[len(ex.Because)-1]; ex.Matched || len(ex.RejectionReasons) == 0 || last.Code != "quarantined" || !last.Against {
		t.Errorf("%+v", ex)
	}
	d, err := h.s.ExplainDraft(h.ctx(), ability.ExplainMatchRequest{UserQuery: "close the month"},
		ability.Phrases{ID: "p", Title: "Close the month", TriggerPhrases: []string{"close the month"}})
	h.ok(err)
	if !d.Matched || d.AbilityID != "p" {
		t.Errorf("%+v", d)
	}
}

func TestAtMostTenMatches(t *testing.T) {
	h := newHouse(t)
	for i := range 12 {
		r := request("export-open-orders-" + string(rune('a'+i)))
		r.TriggerPhrases = []string{"export orders"}
		if i == 7 {
			r.TriggerPhrases = []string{"export open orders"}
		}
		r.Title = "x"
		h.install(r)
	}
	res, err := h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "export open orders"})
	h.ok(err)
	if len(res.Matches) != 10 || res.Matches[0].SkillSlug != "export-open-orders-h" {
		t.Errorf("%d, first %s", len(res.Matches), res.Matches[0].SkillSlug)
	}
}

func TestAskWhichAndClosest(t *testing.T) {
	one := func(id, title string, phrases ...string) ability.AvailabilityEntry {
		e := entry(title, phrases...)
		e.AbilityID, e.SkillSlug = id, id
		return e
	}
	m := ability.NewMatcher(one("a", "Export the orders", "export the orders as csv"),
		one("b", "Export the orders", "export the orders as pdf"), one("c", "Water the plants", "water the plants on the balcony"))
	r := m.Lookup(ability.LookupQuery{UserQuery: "export the orders"})
	if slices.Sort(r.AskWhich); !slices.Equal(r.AskWhich, []string{"a", "b"}) || r.Closest != nil {
		t.Errorf("%+v", r)
	}
	if r = m.Lookup(ability.LookupQuery{UserQuery: "export the orders as pdf"}); r.AskWhich != nil || r.Matches[0].AbilityID != "b" {
		t.Errorf("%+v", r)
	}
	r = m.Lookup(ability.LookupQuery{UserQuery: "the blue flowers that stand on aunt Martha's balcony need a larger pot before winter"})
	if len(r.Matches) > 0 || r.Closest == nil || r.Closest.AbilityID != "c" || r.Closest.Score >= ability.MinScore {
		t.Errorf("%+v", r)
	}
	if r = m.Lookup(ability.LookupQuery{UserQuery: "zebra"}); len(r.Matches) > 0 || r.Closest != nil {
		t.Errorf("%+v", r)
	}
}

// Where there are many abilities, what was seen is believed for two seconds, unless anybody else looked or changed anything.
func TestManyAbilities(t *testing.T) { // not parallel: it changes what is many
	defer ability.Many(1)()
	h := newHouseAlone(t)
	h.install(request("export-open-orders"))
	h.install(request("water-the-plants"))
	usable := func() int {
		t.Helper()
		r, err := h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "export open orders"})
		h.ok(err)
		n := 0
		for _, m := range r.Matches {
			if m.UsableNow {
				n++
			}
		}
		return n
	}
	if usable() != 1 {
		t.Fatal("it is not there")
	}
	h.install(request("export-old-orders"))
	if usable() != 2 {
		t.Error("what was installed is not found at once")
	}
	_, err := h.s.Quarantine(h.ctx(), "export-old-orders", "odd", nil)
	h.ok(err)
	if usable() != 1 {
		t.Error("what is quarantined is found")
	}
	h.ok(os.WriteFile(filepath.Join(h.opt.Targets[0].Dir, "export-open-orders", "SKILL.md"), []byte("changed"), 0o600))
	if usable() != 1 {
		t.Error("everything was looked at again within two seconds")
	}
	_, err = h.s.Availability(h.ctx()) // as the live watch does
	h.ok(err)
	if usable() != 0 {
		t.Error("the change is not noticed")
	}
}

// Decisions C6: a phrase that something installed answers better, or too nearly as well, is told.
func TestCollisions(t *testing.T) {
	m := ability.NewMatcher(entries(t)...)
	for phrase, slug := range map[string]string{"cancel an order": "cancel-order",
		"water the plants on the balcony": ""} {
		got := m.Collisions(ability.Phrases{Title: "New", TriggerPhrases: []string{phrase}})
		if slug == "" && len(got) > 0 || slug != "" && (len(got) != 1 || got[0].Slug != slug || got[0].Phrase != phrase) {
			t.Errorf("%q: %+v", phrase, got)
		}
	}
	if got := m.Lookup(ability.LookupQuery{UserQuery: "water the plants on the balcony"}); len(got.Matches) > 0 {
		t.Errorf("the draft stayed: %+v", got)
	}
}

func FuzzScore(f *testing.F) {
	f.Add("export the open orders", "export the open orders", "do not export")
	f.Add("ＥＸＰＯＲＴ Ⅳ", "export iv", "")
	f.Add("取引を出力", "取引", "")
	f.Fuzz(func(t *testing.T, query, trigger, negative string) {
		e := entry(trigger, trigger)
		e.NegativeTriggers = []string{negative}
		s := ability.Score(query, e, "")
		if s.Score < 0 || s.Score > 1 || math.IsNaN(s.Score) {
			t.Fatal(s.Score)
		}
		if s.Matched() && len(s.Reasons) == 0 {
			t.Fatal("a match without a reason")
		}
	})
}

// What a lookup costs when the disk is looked at for drift, over 50 abilities in two targets.
func BenchmarkLookupInstalled(b *testing.B) {
	h := &house{dir: b.TempDir(), missing: map[string]bool{}}
	db, err := store.Open(b.Context(), store.Options{Dir: filepath.Join(h.dir, "data")})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	s := ability.New(ability.Options{Store: db.Abilities(), MemoryRoot: filepath.Join(h.dir, "data", "memory"),
		Targets: []ability.Target{{Name: "a", Dir: filepath.Join(h.dir, "a")}, {Name: "b", Dir: filepath.Join(h.dir, "b")}}})
	for i := range 50 {
		r := request("export-orders-" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		r.RequiredCommands = nil
		if _, err := s.Install(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := s.Lookup(b.Context(), ability.LookupQuery{UserQuery: "please export the orders of today"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	m := ability.NewMatcher(entries(b)...)
	queries := textLines(b, "testdata/paraphrases.txt")
	for i := 0; b.Loop(); i++ {
		best(queries[i%len(queries)], m)
	}
}

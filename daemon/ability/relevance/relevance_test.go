package relevance_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"showhow/daemon/ability/relevance"
)

func index(texts map[string]relevance.Text) *relevance.Index {
	x := &relevance.Index{}
	for id, t := range texts {
		x.Put(id, t)
	}
	return x
}

func phrases(p ...string) relevance.Text { return relevance.Text{Phrases: p} }

func first(x *relevance.Index, request string) string {
	if h := x.Search(request, 0); len(h) > 0 {
		return h[0].ID
	}
	return ""
}

var house = map[string]relevance.Text{
	"card":     phrases("block my card", "my card was stolen", "order a new card"),
	"pin":      phrases("change the pin of my card", "i forgot my card's pin"),
	"limit":    phrases("raise the limit of my card"),
	"fuel":     {Title: "Fuel consumption", Description: "Says the mpg of a car."},
	"vacation": phrases("request a vacation", "how many days of vacation do i have"),
	"lager":    phrases("den Lagerbestand prüfen", "wie viele Artikel sind auf Lager"),
	"invoice":  {Phrases: []string{"send the invoice"}, Title: "Send an invoice", Inputs: []string{"customer number"}},
}

func TestEveryWordCountsByItsRarity(t *testing.T) {
	x := index(house)
	for request, want := range map[string]string{
		"mpg of the last trip, paid by card": "fuel",
		"my card's pin please":               "pin",
		"somebody stole the card, block it":  "card",
		"how many vacation days are left":    "vacation",
		"Artikel auf Lager":                  "lager",
		"Lagerbestände":                      "lager",
		"the customer number":                "invoice",
		"cardlimit":                          "limit",
		"vacatoin":                           "vacation",
		"invioce to the customer":            "invoice",
	} {
		if got := first(x, request); got != want {
			t.Errorf("%q finds %q, not %q: %+v", request, got, want, x.Search(request, 3))
		}
	}
	if h := x.Search("zebra crossing", 0); len(h) > 0 {
		t.Errorf("nothing in common, and found: %+v", h)
	}
	if h := x.Search("could you please do that for me", 0); len(h) > 0 {
		t.Errorf("only function words, and found: %+v", h)
	}
}

func TestVerbatim(t *testing.T) {
	x := index(house)
	for request, phrase := range map[string]int{
		"Block my card!": 0, "please block my card now": 0, "they say my card was stolen": 1, "CHANGE THE PIN OF MY CARD": 0,
	} {
		h := x.Search(request, 0)
		if len(h) == 0 || !h[0].Verbatim || h[0].Phrase != phrase || h[0].Relevance < relevance.Verbatim {
			t.Errorf("%q: %+v", request, h)
		}
	}
	for _, request := range []string{"block the card", "card my block", "my card"} {
		if h := x.Search(request, 0); len(h) > 0 && h[0].Verbatim {
			t.Errorf("%q is no phrase: %+v", request, h[0])
		}
	}
	x.Put("tidy", phrases("tidy"))
	if h := x.Search("tidy up the whole kitchen before eight", 0); len(h) > 0 && h[0].Verbatim {
		t.Errorf("one word of a long request is the phrase: %+v", h[0])
	}
}

// What the words gave adds up to the relevance, and Explain says what Search says.
func TestTermsAddUp(t *testing.T) {
	x := index(house)
	for _, request := range []string{"somebody stole my card", "days of vacations", "den Lagerbestand der Artikel", "invioce"} {
		for _, h := range x.Search(request, 100) {
			sum := 0.0
			for _, term := range h.Terms {
				sum += term.Part
			}
			alone, ok := x.Explain(request, h.ID)
			if math.Abs(sum-h.Relevance) > 1e-9 || !ok || alone.Relevance != h.Relevance || alone.Phrase != h.Phrase {
				t.Errorf("%q, %s: %v of %v; %+v", request, h.ID, sum, h.Relevance, alone)
			}
		}
	}
	if _, ok := x.Explain("zebra", "card"); ok {
		t.Error("an explanation of nothing")
	}
	if _, ok := x.Explain("card", "nobody"); ok {
		t.Error("an explanation of nobody")
	}
}

// Whatever is put in and taken out in whatever order, the same abilities give the same answers.
func TestOrderAndChangesDoNotMatter(t *testing.T) {
	words := []string{"export", "open", "orders", "the", "customer", "date", "straße", "取引", "cancel", "cancellation", "a", "mpg"}
	sentence := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), " ")
	})
	text := rapid.Custom(func(t *rapid.T) relevance.Text {
		return relevance.Text{Phrases: rapid.SliceOfN(sentence, 0, 3).Draw(t, "phrases"), Title: sentence.Draw(t, "title"),
			Description: sentence.Draw(t, "description")}
	})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(text, 1, 8).Draw(t, "texts")
		a, b := &relevance.Index{}, &relevance.Index{}
		for i, tx := range texts {
			a.Put(fmt.Sprint(i), tx)
		}
		b.Put("gone", text.Draw(t, "gone"))
		for i := len(texts) - 1; i >= 0; i-- {
			b.Put(fmt.Sprint(i), text.Draw(t, "before"))
			if i%2 == 0 {
				b.Remove(fmt.Sprint(i))
			}
			b.Put(fmt.Sprint(i), texts[i])
		}
		b.Remove("gone")
		q := rapid.OneOf(sentence, rapid.StringN(0, 60, 200)).Draw(t, "request")
		b.Try("guest", text.Draw(t, "guest"), []string{q}, 1)
		h, other := a.Search(q, 0), b.Search(q, 0)
		same := func(x, y relevance.Hit) bool {
			return x.ID == y.ID && x.Phrase == y.Phrase && x.Verbatim == y.Verbatim && math.Abs(x.Relevance-y.Relevance) < 1e-6
		}
		if a.Len() != b.Len() || !slices.EqualFunc(h, other, same) {
			t.Fatalf("%q: %+v and %+v", q, h, other)
		}
		for _, x := range h {
			if x.Relevance <= 0 || x.Relevance > relevance.Most || math.IsNaN(x.Relevance) {
				t.Fatalf("%+v", x)
			}
		}
	})
}

// What is reached from another language without a model: the words of controls and fields, names, numbers and loan words.
func TestOtherLanguages(t *testing.T) {
	x := index(map[string]relevance.Text{
		"delete": phrases("delete an order"), "export": phrases("export the customers as CSV"), "print": phrases("print an invoice"),
		"lager": phrases("den Lagerbestand im SAP prüfen"),
	})
	for request, want := range map[string]string{
		"Bestellung löschen": "delete", "supprimer la commande": "delete", "удалить заказ": "delete", "注文を削除": "delete",
		"imprimir la factura": "print", "Kunden als CSV exportieren": "export", "SAP stock": "lager",
	} {
		if got := first(x, request); got != want {
			t.Errorf("%q finds %q, not %q", request, got, want)
		}
	}
}

func TestTry(t *testing.T) {
	x := index(house)
	tried := x.Try("guest", phrases("water the plants"), []string{"water my plants", "block my card"}, 1)
	if len(tried) != 2 || tried[0][0].ID != "guest" || tried[1][0].ID != "card" {
		t.Errorf("%+v", tried)
	}
	if x.Len() != len(house) || first(x, "water my plants") != "" {
		t.Error("the guest stayed")
	}
}

// A file's ending says its kind, and its name says little of what is wanted.
func TestKindsOfFiles(t *testing.T) {
	x := index(map[string]relevance.Text{
		"sound":  phrases("cut the beginning of an audio recording", "make a recording louder"),
		"sheet":  phrases("add up a column of a spreadsheet", "sort the rows of an Excel workbook"),
		"slides": phrases("change a slide of a presentation", "export the notes of a pptx"),
		"garden": phrases("water the roses", "what is to be planted in march"),
	})
	for request, want := range map[string]string{
		"can you shorten bird-song-at-dawn.flac":       "sound",
		"totals of rose_garden_2024.ods please":        "sheet",
		"what does garden-club.odp tell on its page 3": "slides",
		"the second half of roses.m4a is too quiet":    "sound",
		"the deck needs a new first page":              "slides",
	} {
		if got := first(x, request); got != want {
			t.Errorf("%q finds %q, not %q", request, got, want)
		}
	}
}

// An ending that is also a word of another meaning is an ending only in a file's name.
func TestEndingsThatAreWords(t *testing.T) {
	x := index(map[string]relevance.Text{
		"cad":   phrases("measure a cad model", "turn a model around"),
		"gps":   phrases("show a gps track on a map", "how long was a route"),
		"photo": phrases("lighten a photograph", "frame a picture"),
	})
	for request, want := range map[string]string{
		"a step by step plan": "", "mind the steps": "", "make it fit": "", "raw fish": "", "the v2.1-step": "", "one more step.": "",
		"how wide is valve.step": "cad", "sunday-ride.fit, please": "gps", "is dsc_0041.RAW sharp?": "photo", "the raw shot dsc_7.raw": "photo",
	} {
		if got := first(x, request); got != want {
			t.Errorf("%q finds %q, not %q", request, got, want)
		}
	}
}

// Numbers, codes and addresses say what the deed is done with: they count against an ability less than words that it lacks.
func TestValuesOfARequest(t *testing.T) {
	x := index(map[string]relevance.Text{"seats": phrases("reserve seats on a train", "book a place in the sleeping car")})
	fit := func(request string) float64 {
		hits := x.Search(request, 0)
		if len(hits) == 0 {
			return 0
		}
		return hits[0].Relevance
	}
	for _, with := range [][2]string{{"reserve 4417 seats in rx200", "reserve velvet seats in bohemia"},
		{"train seats for kim@station.test", "train seats for kim velvet bohemia"},
		{"train seats https://rail.test/a", "train seats velvet bohemia yonder"}} {
		if a, b := fit(with[0]), fit(with[1]); a <= b {
			t.Errorf("%q fits %.3f, no better than %q with %.3f", with[0], a, with[1], b)
		}
	}
}

// What a description says the ability is not for does not find it.
func TestNotFor(t *testing.T) {
	x := index(map[string]relevance.Text{
		"labels": {Title: "Parcel labels", Description: "Prints labels for parcels. Not for customs papers or letters. Weighs the parcel first."},
		"german": {Title: "Etiketten", Description: "Druckt Etiketten. Nicht für Zollpapiere verwenden."},
		"skill":  {Title: "Stamps", Description: "Buys stamps online. Don't use it for fiscal stamps of a notary!"},
		"tubes":  {Title: "Tubes", Description: "Orders cardboard tubes. Don’t use this one for rolled carpets."},
		"boxes":  {Title: "箱", Description: "段ボール箱を注文します。冷凍食品には使わないでください。"},
		"crates": {Title: "Skrzynie", Description: "Zamawia skrzynie. Nie używać do akwariów."},
	})
	for request, want := range map[string]string{"customs papers": "", "zollpapiere": "", "a notary, fiscal": "", "weigh my parcel": "labels",
		"buy stamps online": "skill", "rolled carpets": "", "cardboard tubes": "tubes", "冷凍食品": "", "段ボール箱": "boxes", "akwariów": "",
		"zamawia skrzynie": "crates"} {
		if got := first(x, request); got != want {
			t.Errorf("%q finds %q, not %q", request, got, want)
		}
	}
}

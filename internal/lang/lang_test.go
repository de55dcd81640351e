package lang

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A language is complete or absent, so a query for a concept covers all languages.
func TestEveryLanguageIsComplete(t *testing.T) {
	english := Languages()[0]
	var want []Concept
	for c := range english.phrases {
		want = append(want, c)
	}
	for _, m := range Meanings() {
		if !slices.Contains(want, m.Concept) {
			t.Errorf("%s is in concepts.txt and English has no word for it", m.Concept)
		}
		for _, n := range m.Near {
			if !slices.ContainsFunc(Meanings(), func(o Meaning) bool { return o.Concept == n }) {
				t.Errorf("%s is near to %s, which is no concept", m.Concept, n)
			}
		}
	}
	for _, l := range Languages() {
		for _, c := range want {
			if len(l.Phrases(c)) == 0 {
				t.Errorf("%s has no words for %s", l.Name, c)
			}
		}
		for c := range l.phrases {
			if !slices.Contains(want, c) {
				t.Errorf("%s has words for %q, which English does not have", l.Name, c)
			}
		}
		for c, n := range map[Concept]int{Months: 12, MonthsShort: 12, Weekdays: 7} {
			if len(l.Phrases(c)) != n {
				t.Errorf("%s has %d %s, want %d", l.Name, len(l.Phrases(c)), c, n)
			}
		}
		if on, back := l.Phrases(Forward), l.Phrases(Backward); len(on) != len(back) {
			t.Errorf("%s: %d ways on and %d back", l.Name, len(on), len(back))
		}
		if l.Name == "" || l.Own == "" || len(l.endings) == 0 || len(l.plural) == 0 {
			t.Errorf("%s: name %q, own name %q, %d endings, %d plurals", l.Code, l.Name, l.Own, len(l.endings), len(l.plural))
		}
	}
}

// The last of two lists of one name must not replace the first one unseen.
func TestKeyTwice(t *testing.T) {
	for want, read := range map[string]func(){
		`lang: data/english.txt has "trees" twice`: func() { readEnglish("trees = oak\nherbs = mint\ntrees = ash, elm") },
		`lang: data/xx.txt has "yes" twice`:        func() { readLanguage("xx", "name = Made up\nyes = jo\nno = na\nyes = jup") },
		"": func() {
			readEnglish("trees = oak\n ash\nherbs = mint")
			readLanguage("xx", "yes = jo\nno = na")
		},
	} {
		func() {
			defer func() {
				got, _ := recover().(string)
				if got != want {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			read()
		}()
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Löschen": "loschen", "STRASSE": "strasse", "Straße": "strasse", "İptal": "iptal", "Usuń": "usun", "Łódź": "lodz", "ﬁn": "fin", "ガ": "ガ",
		"हटाएं": "हटाएं",
		"Ёлка":  "елка", "إلغاء": "الغاء", "so\u00adft": "soft", "Côté": "cote", "Ångra": "angra", "don’t": "don't",
	} {
		if got := Fold(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if got := Fold(Fold(in)); got != Fold(in) {
			t.Errorf("folding %q twice gives %q", in, got)
		}
	}
}

// Both the list and the text are folded, so every spelling of a word is the same word.
func TestWaysToWriteAWord(t *testing.T) {
	gone := Of(Destroys)
	for _, w := range []string{"Löschen", "Loschen", "Loeschen", "LÖSCHEN", "Supprimer", "Excluir", "Usuń", "USUN", "Sil", "削除", "删除",
		"Удалить"} {
		if !gone.In(w) {
			t.Errorf("%q deletes nothing", w)
		}
	}
	for _, w := range []string{"Lösung", "Silber", "Order 削り", "Speichern"} {
		if hits := gone.All(w); len(hits) > 0 {
			t.Errorf("%q deletes: %v", w, hits)
		}
	}
}

func TestInflectedForms(t *testing.T) {
	refused := Of(Refusal)
	for _, s := range []string{"Ungültige Eingabe", "Ungueltiges Datum", "Die Angaben sind ungültig.", "Date invalide", "Champs obligatoires",
		"Datos inválidos", "Valores inválidos",
		"Nieprawidłowa wartość", "Geçersiz değer", "無効な値です", "无效的日期", "Invalid dates", "Couldn't save it"} {
		if !refused.In(s) {
			t.Errorf("%q is no refusal", s)
		}
	}
	for _, s := range []string{"Gespeichert", "Order saved", "Commande enregistrée", "保存しました", "Die Gültigkeit wurde geändert",
		"A mustard jar"} {
		if hits := refused.All(s); len(hits) > 0 {
			t.Errorf("%q is a refusal: %v", s, hits)
		}
	}
}

func TestGloss(t *testing.T) {
	for label, want := range map[string]string{
		"Save order": "save order", "Bestellung löschen": "delete order", "Änderungen speichern": "save", "注文を削除": "delete order",
		"Zurücksetzen": "clear", "Weiter": "next",
		"Supprimer la commande": "delete la order", "Siparişi sil": "delete order", "Abbrechen": "cancel", "关闭": "close",
		"Frobnicate": "frobnicate", "Rückgängig": "undo",
	} {
		if got := strings.Join(Gloss(label), " "); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

// TestDisclaimers: what a description says that something is not for, at its beginning or, where the verb may come last, at its end.
func TestDisclaimers(t *testing.T) {
	said := Exactly(Disclaimer)
	for _, s := range []string{"Not for letters.", "Don't use it for letters", "Don’t use it for letters", "Nicht für Briefe verwenden.",
		"Für Briefe nicht verwenden.", "N’utilisez pas ceci pour des lettres", "Не для писем.", "手紙には使わないでください。", "请勿用于信件",
		"편지에는 사용하지 마세요.", "Mektuplar için kullanmayın!", "पत्रों के लिए नहीं है।", "لا تستخدم هذا للرسائل"} {
		if !said.Begins(s) && !said.Ends(s) {
			t.Errorf("%q does not say what it is not for", s)
		}
	}
	for _, s := range []string{"Writes letters, not for money.", "Finds the tools that you do not use", "Nichts für Briefe", "手紙を使う", "用于信件"} {
		if said.Begins(s) || said.Ends(s) {
			t.Errorf("%q says what it is not for", s)
		}
	}
}

func TestMonthYear(t *testing.T) {
	want := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, s := range []string{"March 2027", "März 2027", "Maerz 2027", "mars 2027", "marzo de 2027", "março de 2027", "marzec 2027",
		"Mart 2027", "2027年3月", "2027년 3월", "март 2027"} {
		if got, ok := MonthYear(s); !ok || !got.Equal(want) {
			t.Errorf("%q: %v %v", s, got, ok)
		}
	}
	for _, s := range []string{"2027", "March", "March 15 2027", "Order 2027", "March of the penguins 2027", "03/2027"} {
		if got, ok := MonthYear(s); ok {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}

func TestOpposite(t *testing.T) {
	for name, want := range map[string]string{"Next month (PageDown)": "previous month (pagedown)", "›": "‹",
		"Nächster Monat": "vorheriger monat", "下个月": "上个月", "Previous page": "next page",
		"chevron_right": "chevron_left", "Save": "", "Nextcloud": ""} {
		if got := Opposite(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestForget(t *testing.T) {
	s := Of(Refusal)
	if !s.In("ungültig") || !English("stop").Has("the") {
		t.Fatal("not read")
	}
	Forget()
	if loaded != nil || s.index.Load() != nil {
		t.Fatal("still there")
	}
	if !s.In("ungültig") || !English("stop").Has("the") {
		t.Fatal("not read again")
	}
}

func TestSingular(t *testing.T) {
	for many, want := range map[string]string{"rechnungen": "rechnung", "aufträge": "auftrag", "xyz": ""} {
		if got := Singular("de", many); got != want {
			t.Errorf("%q: %q, want %q", many, got, want)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		Forget()
		Gloss("Bestellung löschen")
	}
}

// TestMonthsIn: a calendar shows its months among all the other text of a page.
func TestMonthsIn(t *testing.T) {
	for text, want := range map[string][]string{
		"Visits ‹ January 2027 › Mon Tue 1 2 3":              {"2027-01"},
		"Buchung · März 2027 April 2027 · Mo Di":             {"2027-03", "2027-04"},
		"Anterior agosto de 2027 Siguiente":                  {"2027-08"},
		"予約 2027年3月 日 月 火":                                   {"2027-03"},
		"Ekim 2026 Kasım 2026":                               {"2026-10", "2026-11"},
		"© 2026 Example. May contain nuts. Since 1999":       nil,
		"« Nov 2026 » and 2027 April, in 2026 there were 12": {"2026-11", "2027-04"},
		"décembre 2026":                                      {"2026-12"},
		"Październik 2026":                                   {"2026-10"},
		"Order 2027 was placed in a month that was cold":     nil,
	} {
		var got []string
		for _, m := range MonthsIn(text) {
			got = append(got, m.Format("2006-01"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// One key of a file is found as reading the whole file finds it.
func TestEntry(t *testing.T) {
	for _, code := range append([]string{"english"}, codes...) {
		text := read(code)
		for _, kv := range entries(text) {
			if got := entry(text, kv[0]); got != kv[1] {
				t.Errorf("%s, %s: %q and not %q", code, kv[0], got, kv[1])
			}
		}
		if got := entry(text, "no such key"); got != "" {
			t.Errorf("%s: %q", code, got)
		}
	}
	if got := entry("# b = 1\nab = 2\nb = 3,\n# 4\n\n 5\nc = 6\n", "b"); got != "3, 5" {
		t.Errorf("%q", got)
	}
}

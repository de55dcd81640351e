package compile

import "strings"

// goalNouns is one of the things that the person said the work is about: "Approve expenses" is about an expense.
func (s *study) goalNouns() string {
	g := readGoal(goalOf(s.in), func(text string) string { return text })
	noun := strings.ToLower(strings.TrimSpace(g.noun()))
	if one := oneOf(noun); g.english && one != noun && len(strings.Fields(noun)) == 1 && !uncountable[noun] {
		return one
	}
	return ""
}

// goalNoun is the thing that the person said the work is about, in one word: "Close a card" is about a card.
func (s *study) goalNoun() string {
	g := readGoal(goalOf(s.in), func(text string) string { return text })
	if !g.english {
		return ""
	}
	noun := strings.ToLower(bare(g.noun()))
	if len(strings.Fields(noun)) != 1 || noun == bare(strings.ToLower(g.noun())) && !definite2(g.noun()) || idLike(noun) || uncountable[noun] && !countedIn(g.noun()) {
		return ""
	}
	return noun
}

// countedIn reports whether a noun is said of one thing, so that it is one where others are none: "a mail", not "the mail".
func countedIn(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "a" || first == "an" || first == "one"
}

// definite2 reports whether a noun has an article of its own, so that it is one thing.
func definite2(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "a" || first == "an" || first == "the" || first == "my" || first == "one"
}

// oneOf is the singular of a plural as people say it.
func oneOf(many string) string {
	many = strings.ToLower(many)
	switch many {
	case "people", "persons":
		return "person"
	case "children":
		return "child"
	case "news", "status", "address", "access", "settings", "details", "results", "pages", "views":
		return ""
	}
	if one := singular(many); one != "" {
		return one
	}
	return germanOne(many)
}

// germanMany are German plurals whose singular their ending does not tell, as they end; compounds end like their last part.
var germanMany = [][2]string{{"aufträge", "auftrag"}, {"verträge", "vertrag"}, {"beiträge", "beitrag"}, {"anträge", "antrag"}, {"einträge", "eintrag"}, {"kunden", "kunde"}, {"lieferanten", "lieferant"}, {"patienten", "patient"},
	{"studenten", "student"}, {"dokumente", "dokument"}, {"projekte", "projekt"}, {"produkte", "produkt"}, {"objekte", "objekt"}, {"angebote", "angebot"}, {"termine", "termin"}, {"vereine", "verein"}, {"konten", "konto"}, {"firmen", "firma"},
	{"aufgaben", "aufgabe"}, {"ausgaben", "ausgabe"}, {"anfragen", "anfrage"}, {"nachrichten", "nachricht"}, {"übersichten", "übersicht"}, {"geräte", "gerät"}, {"fahrzeuge", "fahrzeug"}, {"räume", "raum"}, {"bücher", "buch"}, {"mitglieder", "mitglied"},
	{"personen", "person"}, {"belege", "beleg"}, {"scheine", "schein"}, {"berichte", "bericht"}, {"gruppen", "gruppe"}, {"kategorien", "kategorie"}, {"posten", "posten"}, {"artikel", "artikel"}, {"vorgänge", "vorgang"}, {"benutzer", "benutzer"}, {"mitarbeiter", "mitarbeiter"}}

// germanOne is the singular of a German plural that is known or whose ending tells: Rechnungen, Rechnung.
func germanOne(many string) string {
	for _, end := range []string{"ungen", "heiten", "keiten", "schaften", "ionen", "täten"} {
		if strings.HasSuffix(many, end) && len(many) > len(end)+2 {
			return strings.TrimSuffix(many, "en")
		}
	}
	for _, p := range germanMany {
		if head, ok := strings.CutSuffix(many, p[0]); ok {
			return head + p[1]
		}
	}
	return ""
}

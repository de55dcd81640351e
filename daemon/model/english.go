package model

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The words that decide what a sentence allows ("not", "unless", "twice") are known in English only. So a text is
// judged only if it is English before and after, and no word outside the vocabulary may come or go, because its
// meaning is unknown here.

// foreign returns why a rewording cannot be judged by its words; "" when it can.
func foreign(before, after string) string {
	had, has := telling(before), telling(after)
	switch {
	case !mostlyKnown(had):
		return "it is in a language that its check does not know, so it stays as it was"
	case !mostlyKnown(has):
		return "it was answered in a language that its check does not know"
	}
	for _, w := range had {
		if !english(w) && !slices.Contains(has, w) {
			return "it leaves out a word that its check does not know"
		}
	}
	for _, w := range has {
		if !english(w) && !slices.ContainsFunc(had, func(x string) bool { return x == w || isASCII(w) && kin(x, w) }) {
			return "it adds a word that its check does not know"
		}
	}
	return ""
}

// telling are the words that identify a language: those that several languages share are left out.
func telling(s string) []string {
	return slices.DeleteFunc(wordsOf(s), func(w string) bool {
		return shared[w] || strings.IndexFunc(w, unicode.IsLetter) < 0 || len(w) == 1 || w == "ll" || w == "re" || w == "ve" // "we'll"
	})
}

// mostlyKnown reports whether more than half of the words are English; a text without words counts as known.
func mostlyKnown(ws []string) bool {
	known := 0
	for _, w := range ws {
		if english(w) {
			known++
		}
	}
	return known*2 > len(ws) || len(ws) == 0
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }

// english reports whether a word, or its base form, belongs to the English of instructions.
func english(w string) bool {
	if vocabulary()[w] || small[w] || limiting[w] {
		return true
	}
	for _, form := range [][2]string{{"s", ""}, {"es", ""}, {"ies", "y"}, {"ed", ""}, {"ed", "e"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"},
		{"ly", ""}, {"er", ""}, {"er", "e"}} {
		stem, ok := strings.CutSuffix(w, form[0])
		if ok && len(stem) > 1 && (vocabulary()[stem+form[1]] || len(stem) > 3 && stem[len(stem)-1] == stem[len(stem)-2] &&
			vocabulary()[stem[:len(stem)-1]]) {
			return true
		}
	}
	return false
}

// shared are English words that neighbouring languages have, too.
var shared = wordSet(
	"a an as at be by do for had has he her i in is it me my no of on or over per so to was we will am all also die man so far via")

// vocabulary are the words for describing work on a computer.
var vocabulary = sync.OnceValue(func() map[string]bool {
	return wordSet(`
able about above accept accepted access account across action active actual add added additional address adjust again against agent ago ` +
		`agree ahead album align allow allowed alone along already also although
amount announce another answer any anybody anyone anything app appear applicant application apply appoint appointment approve archive ` +
		`area around arrange arrive article ask asked assign assignee attach attachment
attempt author automatic available away back backup badge balance base batch become begin behind belong below beneath beside best ` +
		`better between bill blank block board body book booked booking bottom box branch
brief bring brought browser budget bug build building bundle business button buy calculate calendar call called cancel canceled ` +
		`cancelled card care case catalog catalogue category cause cell center centre certain
change channel chapter charge chart check checkpoint choice choose chose chosen city claim class clean clear click client close closed ` +
		`code colleague collect color colour column combine come comment commit
common company compare complete compress computer condition confirm connect consider contact contain content continue control convert ` +
		`copy correct cost could count country course cover create created credit
current customer cut daily damage data database date day deadline deal decide default delete deliver delivery demonstrate demonstration ` +
		`department depend describe description design desk destination detail
determine device dialog differ difference different digit direct directory disappear discount discuss display distribute divide ` +
		`document dollar done download downloaded draft drag draw drop due during early
earn easy edit editor effect either electronic else email empty enable end ended ending engine enrol enroll ensure enter entered entire ` +
		`entry equal equipment error estimate event everybody everyone everything
exact example exchange exist existing expect expense expire explain export extend extra factory fail fair family field figure file ` +
		`filed fill filled filter final find fine finish first fit fix flight folder
follow following form format former found four free friend front full further future game gather general generate get getting give ` +
		`given go goal goes going gone good goods got graph great group guest guide half
hand handle happen hard head heading health hear held help here high himself hire history hold holiday home hotel hour house id ` +
		`identifier identify image import important improve inbox include incoming increase
individual inform information initial input inquiry inside inspect install instruction insurance interest interface internal internet ` +
		`into inventory invite invitation invoice involve issue item job join just
keep kept key keyword kind kitchen know known label language large last late later latest launch lead leader learn least leave left ` +
		`legal lend length less let letter level library license licence lie life light
like limit line link list listed little load loan local locate location lock log login long longer look low machine made mail main ` +
		`maintain make making manage manager manual map mark marked market match
material matter maximum mean meaning measure medium meet meeting member menu merge message metal method middle might minimum minute ` +
		`missing mode modify moment money month monthly more morning most move
moved much multiple must name named near need needed network new newly newsletter next night normal note notice notification notify now ` +
		`number object occur offer office often old once one online open opened
operation option optional order ordered organise organize original other otherwise ought out outcome outside overview own owner pack ` +
		`package page paid paper parcel parse part participant party pass past paste path
patient pay payment pdf people perform period person personal phone photo phrase pick picture piece place placed plan planned plain ` +
		`plant play please point policy position possible post postal prepare present
press previous price print priority private problem process produce product profile program project prompt proof proper property ` +
		`propose protect prove provide public publish purchase purpose put quality quantity
question queue quick quote range rate rather reach read reader reading ready real really reason receipt receive recent recipient ` +
		`recommend record recorded reduce refer reference refund refuse region register
registration regular reject relate release remain remark remember remind reminder remove rename renew rent reopen repair repeat replace ` +
		`reply report represent request require required reservation reserve reset
resident resource respond response rest restore result return review right role room row rule sale salary same sample save saved say ` +
		`schedule school score screen script search season seat second section see seen
select selected sell send sender sent separate series serve server service session set setting several shall share sheet shelf shift ` +
		`ship shipment shipped shipping shop short show shown side sign signed
signature similar simple since single site situation size sketch skill slot small software solve something sometimes song soon sort ` +
		`sorted sound source space speak special specific speed spend spent split
staff stage standard start state statement station status stay step still stock stop store story street string strong student style ` +
		`subject submit success such suggest suitable sum summary supplier supply support
sure survey switch system table tag take taken talk target task tax team tell term terminal test text thank that theme then therefore ` +
		`thing think third though thread through ticket tick ticked time title today
together told tomorrow took tool top topic total town track trade train transfer translate travel tree trial trip trouble true try turn ` +
		`two type typed under undo unit unread update updated upload uploaded upon
upper use used useful user usual valid value variant various vehicle vendor verify version very video view visible visit visitor voice ` +
		`wait wanted want warehouse warn warning was watch way web website week weekly weight well
went whatever wherever whether whole whom why wide window wish within word work worked worker workflow working world worth write ` +
		`writing written wrong year yearly yes yesterday yet you your yourself zone
`)
})

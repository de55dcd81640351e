package prose

import (
	"sync"

	"showhow/internal/lang"
)

// Kind is a set of what the words of a sentence stand for: deeds, things, people, circumstances. The words are in internal/lang.
type Kind uint64

// The kinds of words, and some that are found otherwise.
const (
	kGive Kind = 1 << iota
	kOut       // to give away, in so many words
	kMove
	kCollect
	kKeys
	kPrivate
	kTheirs // belongs to the user or to other people
	kMaterial
	kOurs
	kGroup // people behind the skill, or everybody
	kPublic
	kCovert
	kHush
	kUnasked
	kObey
	kOrder
	kForYou // addressed to the agent
	kBlanket
	kFetch
	kLie
	kFalse    // to show as something else
	kDisguise // as though somebody had
	kBad      // what went wrong
	kGood     // what it is shown as
	kDistort
	kOmit    // not to show
	kPlace   // where one would show it
	kAsked   // when somebody asks
	kSecrecy // why it is not shown
	kBias
	kStanding
	kSelf // the agent's own memory, rules, skills
	kLong // for later, and elsewhere
	kLatitude
	kGreed
	kRival
	kDestroy
	kVital
	kRestore // what one would go back to
	kDoor
	kStranger
	kWeaken
	kMoney
	kPay
	kForUser // in the user's name
	kRedirect
	kProgram // something to install
	kUnsafe  // unsigned, with all rights
	kGuard
	kEvery
	kTell
	kAsk
	kSource
	kLink    // to point there
	kManner  // how something is done, by whomever: quietly
	kAddress // outside, that nothing declares
	kMailbox // one that is a mailbox or a handle
	kTaker   // one to which something can go
	kBare    // one as people say it, in passing
	kHomebox // a mailbox at the skill's own host
	kOwnHost // an address that the skill's name or description names
)

// kindNames are the kinds as internal/lang and rules.txt call them.
var kindNames = map[string]Kind{
	"give": kGive, "out": kOut, "theirs": kTheirs, "move": kMove, "collect": kCollect, "keys": kKeys, "private": kPrivate,
	"material": kMaterial, "ours": kOurs,
	"group": kGroup, "public": kPublic, "covert": kCovert, "hush": kHush, "unasked": kUnasked, "obey": kObey, "order": kOrder,
	"foryou": kForYou, "blanket": kBlanket, "fetchv": kFetch, "lie": kLie, "false": kFalse, "disguise": kDisguise, "bad": kBad,
	"good": kGood, "distort": kDistort, "omit": kOmit, "place": kPlace, "asked": kAsked, "secrecy": kSecrecy, "bias": kBias,
	"standing": kStanding, "self": kSelf, "long": kLong, "latitude": kLatitude, "greed": kGreed, "rival": kRival, "destroy": kDestroy,
	"vital": kVital, "restore": kRestore, "door": kDoor, "stranger": kStranger, "weaken": kWeaken, "money": kMoney,
	"pay": kPay, "foruser": kForUser,
	"redirect": kRedirect, "program": kProgram, "unsafe": kUnsafe, "guard": kGuard, "every": kEvery, "tellv": kTell, "askv": kAsk,
	"source": kSource, "link": kLink, "manner": kManner, "address": kAddress, "mailbox": kMailbox, "taker": kTaker,
	"bare": kBare, "homebox": kHomebox, "ownhost": kOwnHost,
}

const (
	// deeds are what is done.
	deeds = kGive | kOut | kMove | kCollect | kObey | kFetch | kLie | kDistort | kDestroy | kWeaken | kRedirect | kPay
	// verbs are those of them whose words are nouns as well.
	verbs = deeds &^ kRedirect
	// things are what deeds are done to, and who gets it.
	things = kKeys | kPrivate | kTheirs | kMaterial | kAddress | kTaker | kMailbox | kOurs | kGroup | kPublic | kCovert | kVital | kRestore |
		kMoney | kBias |
		kSource | kDoor | kPlace | kProgram | kStranger | kOrder | kForYou | kSelf | kRival | kBare | kHomebox | kOwnHost
	// furtive are deeds that are kept from somebody when they are done quietly; that software fails or shows something quietly hides
	// nothing.
	furtive = kGive | kOut | kCollect | kObey | kDestroy | kWeaken | kRedirect | kStanding | kDoor | kFetch
	// idle are kinds that most sentences have, and that come to nothing by themselves.
	idle = kMaterial | kMove | kPlace | kGood | kBad | kTell | kAsk | kSource | kCollect | kFetch | kEvery | kGuard | kOrder |
		kProgram | kLink
)

// turnedRound is what a kind says after a negation: not to tell hides, not to ask is no consent, not to give is care.
var turnedRound = []struct{ kind, by Kind }{{kTell, kHush}, {kAsk, kUnasked}, {kGive, 0}, {kOut, 0}, {kMove, 0}, {kObey, 0},
	{kDestroy, 0},
	{kGuard, 0}, {kCollect, 0}, {kFetch, 0}, {kPay, 0}, {kLie, 0}, {kDistort, 0}, {kFalse, 0}, {kDisguise, 0}, {kOmit, 0}}

// vocabulary finds the kinds of a text's words: single words by their stem, phrases by their first word's.
type vocabulary map[string]entry

type entry struct {
	kind    Kind // of the word alone
	phrases []phraseKind
}

type phraseKind struct {
	words []string
	kind  Kind
}

// words are those of all kinds, in all languages.
var words = sync.OnceValue(func() vocabulary {
	v := vocabulary{}
	lang.Asks(func(name string, phrases []string) {
		if k, ok := kindNames[name]; ok {
			v.add(k, phrases)
		}
	})
	return v
})

package intent

import (
	"slices"
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Synonyms of verbs that people use for the same wish, best first.
var Synonyms = map[string][]string{
	"change": {"update", "edit"}, "update": {"change", "edit"}, "edit": {"change", "update"}, "modify": {"change", "update"}, "set": {"change", "update"}, "adjust": {"change", "update"},
	"export": {"download", "save"}, "download": {"get", "export"}, "save": {"store", "keep"}, "get": {"fetch", "pull"}, "fetch": {"get", "pull"}, "pull": {"get", "fetch"},
	"create": {"add", "make"}, "add": {"create", "enter"}, "make": {"create", "prepare"}, "enter": {"add", "record"}, "record": {"enter", "log"}, "register": {"sign up", "enrol"},
	"delete": {"remove", "get rid of"}, "remove": {"delete", "take out"}, "cancel": {"call off", "stop"}, "archive": {"file away", "put away"}, "close": {"finish", "resolve"},
	"find": {"look up", "search for"}, "look up": {"find", "check"}, "search": {"look through", "find in"}, "search for": {"find", "look up"}, "check": {"verify", "look at"}, "verify": {"check", "confirm"},
	"show": {"list", "display"}, "list": {"show", "give me"}, "count": {"work out the number of", "tell me the number of"}, "add up": {"total", "sum up"}, "total": {"add up", "sum up"}, "sum": {"add up", "total"}, "sum up": {"add up", "total"},
	"calculate": {"work out", "compute"}, "compute": {"work out", "calculate"}, "analyse": {"look into", "examine"}, "analyze": {"look into", "examine"}, "compare": {"set side by side", "look at the differences between"},
	"send": {"send out", "submit"}, "submit": {"send in", "hand in"}, "post": {"publish", "put up"}, "publish": {"post", "put out"}, "share": {"send", "pass on"}, "email": {"mail", "send by email"},
	"book": {"reserve", "arrange"}, "reserve": {"book", "hold"}, "schedule": {"plan", "arrange"}, "plan": {"schedule", "arrange"}, "order": {"buy", "purchase"}, "buy": {"order", "purchase"}, "pay": {"settle", "pay off"},
	"compress": {"pack", "shrink"}, "pack": {"bundle", "compress"}, "convert": {"turn", "transform"}, "rename": {"give a new name to", "change the name of"}, "copy": {"duplicate", "make a copy of"}, "duplicate": {"copy", "make a copy of"}, "move": {"transfer", "put"}, "transfer": {"move", "send"},
	"build": {"make", "compile"}, "compile": {"build", "put together"}, "deploy": {"release", "roll out"}, "release": {"deploy", "ship"}, "run": {"start", "execute"}, "start": {"run", "launch"}, "test": {"check", "try out"}, "install": {"set up", "add"}, "set up": {"configure", "prepare"}, "configure": {"set up", "adjust"},
	"back up": {"make a backup of", "save a copy of"}, "restore": {"bring back", "recover"}, "clean up": {"tidy up", "clear out"}, "clean": {"tidy up", "clear out"}, "sort": {"arrange"}, "filter": {"narrow down", "pick out"}, "merge": {"combine", "join"}, "split": {"divide", "break up"},
	"fill in": {"complete", "fill out"}, "fill out": {"complete", "fill in"}, "complete": {"finish", "fill in"}, "finish": {"complete", "wrap up"}, "prepare": {"get ready", "put together"}, "generate": {"create", "produce"}, "produce": {"create", "generate"}, "write": {"draft", "compose"}, "draft": {"write", "prepare"},
	"upload": {"attach", "add"}, "attach": {"upload", "add"}, "import": {"load", "bring in"}, "load": {"import", "bring in"}, "print": {"print out", "get a printout of"}, "open": {"go to", "bring up"}, "approve": {"sign off", "accept"}, "reject": {"turn down", "decline"}, "assign": {"give", "hand"}, "process": {"handle", "work through"}, "handle": {"process", "take care of"}, "review": {"look over", "check"}, "summarise": {"sum up", "give a summary of"}, "summarize": {"sum up", "give a summary of"}, "report": {"report on", "write up"}, "log": {"record", "note"}, "track": {"follow", "keep an eye on"}, "invite": {"ask", "add"}, "reply": {"answer", "respond"}, "answer": {"reply to", "respond to"}, "mark": {"flag", "set"}, "tag": {"label", "mark"}, "extract": {"pull out", "get"}, "keep": {"save", "store"}, "store": {"save", "keep"}, "read": {"look at", "open"}, "view": {"look at", "show"}, "collect": {"gather", "get"}, "gather": {"collect", "get"},
	"ask for": {"request", "apply for"}, "request": {"ask for", "apply for"}, "apply for": {"request", "ask for"}, "fix": {"repair", "correct"}, "repair": {"fix", "mend"}, "resize": {"scale", "change the size of"}, "translate": {"put into another language", "render"}, "format": {"lay out", "style"},
	"replace": {"swap", "exchange"}, "enable": {"switch on", "turn on"}, "disable": {"switch off", "turn off"}, "reschedule": {"move", "postpone"}, "postpone": {"put off", "reschedule"}, "extend": {"prolong", "renew"}, "pause": {"suspend", "hold"}, "resume": {"continue", "restart"},
	"clear": {"empty", "clean out"}, "empty": {"clear", "clean out"}, "forward": {"pass on", "send on"}, "notify": {"tell", "inform"}, "file": {"submit", "hand in"}, "launch": {"start", "open"}, "confirm": {"approve", "accept"}, "sync": {"synchronise", "bring up to date"}, "validate": {"check", "verify"}, "refund": {"pay back", "return the money for"}, "ship": {"send out", "dispatch"}, "renew": {"extend", "prolong"}, "reset": {"set back", "clear"},
}

// opposites are wishes that are easily mistaken for one of a family but need something else.
var opposites = map[string][]string{
	"read":   {"delete", "cancel", "create"},
	"change": {"delete", "cancel", "create"},
	"create": {"delete", "change", "cancel"},
	"delete": {"restore", "create", "change"},
	"send":   {"delete", "draft", "read"},
}

// FamilyOf sorts verbs by what they do to the world.
var FamilyOf = func() map[string]string {
	m := map[string]string{}
	for family, list := range map[string]string{
		"read":   "find look-up search search-for check verify show list count total sum sum-up calculate compute analyse analyze compare export download get fetch pull print open review summarise summarize report track extract validate convert copy filter sort test save keep store say tell mention read view inspect see browse visit look-at query collect gather monitor watch measure scan lookup backup add-up find-out print-out work-out tally",
		"change": "compress decompress zip unzip pack unpack encrypt decrypt change update edit modify set adjust rename move assign mark tag approve reject complete finish close fill-in fill-out renew reset configure merge split clean clean-up sign-off process handle archive fix repair resize crop translate rotate trim format replace switch enable disable turn reschedule postpone extend upgrade downgrade pause resume lock unlock reopen restore sync tidy sign label confirm",
		"create": "create add make enter record register book reserve schedule plan order generate produce write draft build compile prepare import load upload attach duplicate log install set-up start run deploy release back-up request apply-for ask-for buy open-up host launch encode render sign-up",
		"delete": "delete remove cancel clear empty purge uninstall unsubscribe drop discard revoke",
		"send":   "send submit post publish share email invite reply answer pay transfer ship refund forward message notify file",
	} {
		for _, v := range strings.Fields(list) {
			m[strings.ReplaceAll(v, "-", " ")] = family
		}
	}
	return m
}()

// toVerbs are verbs after which "to" says where something goes: only they can stand for one another before it.
var toVerbs = plain.Set("send assign attach copy move transfer export save upload post publish invite convert transform rename change restore download")

// needsWhom are verbs that mean another thing without somebody to get it: one does not "give a ticket".
var needsWhom = plain.Set("give hand")

var MakesNew = plain.Set("create add make enter record register write draft generate book reserve open")

// DeedOf is what is true after a control with this word was used: the sentence of a checkpoint's goal, with the thing's name.
var DeedOf = map[string]string{
	"save": "The changes are saved", "update": "The changes are saved", "apply": "The changes are applied", "change": "The changes are saved",
	"store": "The changes are saved", "edit": "The changes are saved", "set": "The changes are saved", "rename": "The new name is saved", "move": "The %s has been moved",
	"create": "The new %s exists", "add": "The new %s exists", "new": "The new %s exists", "register": "The registration is done",
	"book": "The booking is made", "reserve": "The reservation is made", "place": "The order is placed", "order": "The order is placed", "buy": "The order is placed",
	"checkout": "The order is placed", "pay": "The payment is made",
	"delete": "The %s is gone", "remove": "The %s is gone", "archive": "The %s is archived", "restore": "The %s is back",
	"send": "The %s has been sent", "submit": "The %s has been sent", "post": "The %s has been posted", "publish": "The %s is published", "share": "The %s is shared",
	"reply": "The reply has been sent", "invite": "The invitation has been sent", "assign": "The assignment is saved",
	"approve": "The %s is approved", "reject": "The %s is rejected", "cancel": "The %s is cancelled", "close": "The %s is closed", "reopen": "The %s is open again",
	"confirm": "The %s is confirmed", "accept": "The %s is accepted", "complete": "The %s is complete", "finish": "The %s is finished", "mark": "The %s is marked",
	"import": "The import is done", "upload": "The upload is done", "generate": "The %s has been generated", "run": "The run is done", "start": "The %s has been started", "stop": "The %s has been stopped",
	"merge": "The merge is done", "deploy": "The deployment is done", "duplicate": "The copy exists", "copy": "The copy exists", "convert": "The conversion is done", "print": "The %s has been printed",
	"transfer": "The transfer is made", "refund": "The refund is made", "ship": "The shipment is recorded", "enable": "The %s is switched on", "disable": "The %s is switched off",
}

// DoesSomething reports whether a word of a control promises a deed rather than a look.
func DoesSomething(w string) bool {
	if DeedOf[w] != "" {
		return true
	}
	switch FamilyOf[w] {
	case "change", "create", "delete", "send":
		return true
	}
	return false
}

// Promises reports whether the words of a control promise a deed rather than a look.
func Promises(wording string) bool {
	return slices.ContainsFunc(plain.Words(workflow.InputForm.ReplaceAllString(wording, " ")), DoesSomething)
}

var BusyWords = plain.Set("wait loading pending lade laedt bitte warten chargement cargando caricamento")

package compile

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/danger"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// deedOf is what is true after a control with this word was used: the sentence of a checkpoint's goal, with the thing's name.
var deedOf = map[string]string{
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

// deed is what a step's control promises, or a sentence that fits any form. "Add task" promises a task.
func deed(st *step) string {
	ws := plain.Words(st.label())
	if slices.Contains(ws, "changes") || slices.Contains(ws, "change") {
		return "The changes are saved"
	}
	if len(ws) > 2 && (ws[0] == "mark" || ws[0] == "flag" || ws[0] == "set") && (ws[1] == "as" || ws[1] == "to") {
		return "It is " + map[bool]string{true: "marked as ", false: "set to "}[ws[1] == "as"] + strings.Join(ws[2:], " ")
	}
	for i, w := range ws {
		d := deedOf[w]
		if d == "" {
			continue
		}
		noun := strings.Join(slices.DeleteFunc(slices.Clone(ws[i+1:]), func(w string) bool { return stopWords[w] || w == "new" || w == "now" }), " ")
		if noun == "" || len(ws) > 4 {
			noun = map[bool]string{true: "form", false: "entry"}[w == "send" || w == "submit"]
		}
		return strings.ReplaceAll(d, "%s", noun)
	}
	for i, w := range ws {
		noun := cmp.Or(strings.Join(slices.DeleteFunc(slices.Clone(ws[i+1:]), func(w string) bool { return stopWords[w] }), " "), "entry")
		switch familyOf[w] {
		case "create":
			return "The new " + noun + " exists"
		case "change":
			return "The changes are saved"
		case "delete":
			return "The " + noun + " is gone"
		case "send":
			return "The " + noun + " has been sent"
		}
	}
	return "The form has been accepted"
}

// isGrave reports whether a step must not be taken lightly: it cannot be taken back, reaches other people or acts with more
// rights than the person's own. An agent asks before it.
func isGrave(st *step) bool {
	if st.act.command != nil {
		return danger.Command(st.act.command.Line).Grave()
	}
	if !effective(st) {
		return false
	}
	role := "button"
	if t := st.act.target; t != nil && t.Role != "" {
		role = t.Role
	}
	return danger.Control(role, st.label(), "").Grave()
}

// saysNothingOf reports whether what a page announced is no message: it only says that something is under way, or it is a list of
// names that the page reads out.
func saysNothingOf(message string) bool {
	if _, month := workflow.ParseMonth(strings.ReplaceAll(plain.Squeeze(message), ",", "")); month || busyMessage(message) {
		return true // a calendar reads out where it was turned to
	}
	ws := strings.Fields(maskForm.ReplaceAllString(message, "X"))
	if len(ws) < 3 || strings.ContainsAny(message, ".!?:,") {
		return false
	}
	return !slices.ContainsFunc(ws, func(w string) bool { r := firstRune(w); return unicode.IsLower(r) })
}

// busyMessage reports whether a message only says that something is under way: "Loading", "Still looking", "Please wait".
func busyMessage(message string) bool {
	ws := plain.Words(message)
	if len(ws) == 0 || len(ws) > 5 {
		return false
	}
	if strings.HasSuffix(strings.TrimSpace(message), "...") || strings.HasSuffix(strings.TrimSpace(message), "\u2026") {
		return true
	}
	for i, w := range ws {
		if busyWords[w] || strings.HasSuffix(w, "ing") && len(w) > 5 && (i == 0 && len(ws) <= 2 || i > 0 && (ws[i-1] == "still" || ws[i-1] == "is" || ws[i-1] == "are")) {
			return true
		}
	}
	return false
}

var busyWords = set("wait loading pending lade laedt bitte warten chargement cargando caricamento")

// Promises reports whether the words of a control promise a deed rather than a look.
func Promises(wording string) bool {
	return slices.ContainsFunc(plain.Words(inputForm.ReplaceAllString(wording, " ")), doesSomething)
}

// doesSomething reports whether a word of a control promises a deed rather than a look.
func doesSomething(w string) bool {
	if deedOf[w] != "" {
		return true
	}
	switch familyOf[w] {
	case "change", "create", "delete", "send":
		return true
	}
	return false
}

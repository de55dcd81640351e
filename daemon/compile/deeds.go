package compile

import (
	"slices"
	"strings"
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

// grave are deeds that cannot be taken back or reach other people: an agent asks before them.
var grave = set("delete remove pay buy checkout send post publish share invite transfer refund deploy place order cancel rm reply approve reject")

// deed is what a step's control promises, or a sentence that fits any form. "Add task" promises a task.
func deed(st *step) string {
	ws := words(st.label())
	if slices.Contains(ws, "changes") || slices.Contains(ws, "change") {
		return "The changes are saved"
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
	return "The form has been accepted"
}

// isGrave reports whether a step must not be taken lightly.
func isGrave(st *step) bool {
	if st.act.command != nil {
		for _, p := range readLine(st.act.command).programs {
			if grave[p] {
				return true
			}
		}
		return false
	}
	if !effective(st) {
		return false
	}
	ws := words(st.label())
	return len(ws) > 0 && grave[ws[0]]
}

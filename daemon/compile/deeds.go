package compile

// deedOf is what is true after a control with this word was used: the sentence of a checkpoint's goal.
var deedOf = map[string]string{
	"save": "The changes are saved", "update": "The changes are saved", "apply": "The changes are applied", "change": "The changes are saved",
	"store": "The changes are saved", "edit": "The changes are saved", "set": "The changes are saved", "rename": "The new name is saved", "move": "It has been moved",
	"create": "The new entry exists", "add": "The new entry exists", "new": "The new entry exists", "register": "The registration is done",
	"book": "The booking is made", "reserve": "The reservation is made", "place": "The order is placed", "order": "The order is placed", "buy": "The order is placed",
	"checkout": "The order is placed", "pay": "The payment is made",
	"delete": "The entry is gone", "remove": "The entry is gone", "archive": "The entry is archived", "restore": "The entry is back",
	"send": "It has been sent", "submit": "The form has been sent", "post": "It has been posted", "publish": "It is published", "share": "It is shared",
	"reply": "The reply has been sent", "invite": "The invitation has been sent", "assign": "The assignment is saved",
	"approve": "The approval is recorded", "reject": "The rejection is recorded", "cancel": "It has been cancelled", "close": "It is closed", "reopen": "It is open again",
	"confirm": "The confirmation is accepted", "accept": "It has been accepted", "complete": "It is marked as complete", "mark": "It is marked",
	"import": "The import is done", "upload": "The upload is done", "generate": "It has been generated", "run": "The run is done", "start": "It has been started", "stop": "It has been stopped",
	"merge": "The merge is done", "deploy": "The deployment is done", "duplicate": "The copy exists", "copy": "The copy exists", "convert": "The conversion is done", "print": "It has been printed",
	"transfer": "The transfer is made", "refund": "The refund is made", "ship": "The shipment is recorded", "enable": "It is switched on", "disable": "It is switched off",
}

// grave are deeds that cannot be taken back or reach other people: an agent asks before them.
var grave = set("delete remove pay buy checkout send post publish share invite transfer refund deploy place order cancel rm reply approve reject")

// deed is what a step's control promises, or a sentence that fits any form.
func deed(st *step) string {
	for _, w := range words(st.label()) {
		if d := deedOf[w]; d != "" {
			return d
		}
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
	for _, w := range words(st.label()) {
		if grave[w] {
			return true
		}
	}
	return false
}

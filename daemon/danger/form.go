package danger

import (
	"net/url"
	"path"
	"strings"

	"showhow/internal/lang"
)

// Many languages label the button of every form with their word for sending: "Absenden", "Envoyer", "送信". Whether it
// reaches anybody depends on the form's content.

var (
	submitWords = lang.Exactly("deed.submit")
	formWords   = lang.Of("thing.formdata")
	fillers     = lang.Exactly(lang.Stop, lang.Articles, lang.Fillers)
	letterWords = lang.Exactly("thing.message", "thing.subject", "thing.email", "thing.order", "thing.invoice", "thing.payment",
		"thing.amount")
	savingWords = lang.Exactly("deed.save", "deed.edit", "deed.update", "deed.rename", "deed.copy")
	lookWords   = lang.Exactly("deed.search", "deed.filter", "deed.preview", "deed.open", "deed.sort")
)

// Form judges a control that submits a form with these field labels.
func Form(role, name string, labels []string) Finding {
	f := Control(role, name, "")
	switch {
	case isLetter(labels) && (f.Class == Unknown || submitWords.Is(name)):
		return finding(Sends, "its form holds a message")
	case SendsForm(name, labels):
		return finding(Writes, "it sends a form")
	}
	return f
}

// SendsForm reports whether a control's word for sending only means submitting the form with these field labels.
func SendsForm(name string, labels []string) bool {
	return len(labels) > 0 && !isLetter(labels) && onlySubmits(name)
}

// isLetter reports whether a form holds a text to somebody.
func isLetter(labels []string) bool {
	to, text, plain := false, false, 0
	for _, l := range labels {
		ws := lang.Words(l)
		switch {
		case len(ws) > 3:
		case recipients.Is(l):
			to = true
		case messageText.Is(l):
			text = true
		default:
			plain++
		}
	}
	return text || to && plain == 0
}

// messageText are words for a message; a subject or a title is not enough, because many things have one.
var messageText = lang.Exactly("thing.message")

// onlySubmits reports whether a control's words say no more than that a form, or what was filled in, is sent.
func onlySubmits(name string) bool {
	if submitWords.Is(name) {
		return true
	}
	hits := heardIn(name)
	for _, h := range hits {
		if h.class != Sends || !submitWords.Has(h.phrase) {
			return false
		}
	}
	return len(hits) > 0 && formWords.In(name) && !letterWords.In(name)
}

// Goal judges a goal to send something, such as "submit the claim": whether it commits to something or reaches others.
// Submitting a form, or "it", says nothing about that.
func Goal(verb, object string) bool {
	if !submitWords.Has(verb) {
		return Control("button", verb+" "+object, "").Grave() || letterWords.In(object)
	}
	for _, w := range lang.Words(object) {
		if !fillers.Has(w) && !formWords.Has(w) {
			return true
		}
	}
	return false
}

// keeps reports whether a control's words promise only to save something of one's own or to search.
func keeps(name string) bool {
	f, spoke := phrase(name)
	return spoke && !f.Grave() && (savingWords.In(name) || lookWords.In(name))
}

// document reports whether an address is a file's, which a server only serves.
func document(u *url.URL) bool {
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".html", ".htm", ".xhtml", ".pdf", ".txt", ".md", ".csv":
		return u.RawQuery == ""
	}
	return false
}

// Document reports whether a link leads to a file that a server only serves: following it changes nothing, whatever
// its name.
func Document(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "" || u.Scheme == "http" || u.Scheme == "https") && document(u)
}

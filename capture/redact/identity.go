package redact

import (
	"strings"
	"time"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// identityRules recognise personal numbers by their label, or by their form and check digits.
var identityRules = []rule{
	{
		name: "labelled-phone", kind: secret.Phone, digits: 6, hints: []string{"phone", "tel", "mobil", "fax", "cell", "whatsapp", "sms:"},
		names: `(?:tele)?phone|tel|mobile?|fax|cell|whatsapp|sms`, concept: "thing.phone",
		re: `(?i)(?:^|[^\p{L}])(?:` + longNames + `)(?:[ _-]?(?:no|number|nr|nummer))?\.?["']?\s{0,2}[:：=#]?\s{0,2}["']?` +
			`([+(]?\d[\d ()/.-]{5,18}\d)(?:\b|$)`,
		keep: func(t string, s, e int) bool {
			n := len(digits(t[s:e]))
			return n < 7 || n > 15 || dateLikeRE.MatchString(t[s:e]) || inWord(t, s, e)
		},
		hits:   []string{"tel:«+15551234567»", "Phone: «123-4567»", "mobile=«07700900123»"},
		words:  []string{"Handy «0176 5551234»", "Телефон: «8 912 345-67-89»", "電話番号：«03-1234-5678»", "numer telefonu «601 234 567»"},
		misses: []string{"phone 12", "Telegram 2026-11-21", "fax 2026-11-21", "Cell B12"},
	},
	{
		name: "labelled-id", kind: secret.NationalID, digits: 3, hints: []string{"ssn", "social sec", "steuer", "national", "nino", "ni n",
			"personnummer", "fødsel", "cpr", "passport", "reisepass", "ausweis", "codice fiscale", "pesel", "aadhaar", "tax id", "taxpayer", "nhs",
			"sozialvers", "svnr", "ahv", "driver", "führerschein", "insee", "dni", "nie", "bsn"},
		re: `(?:\b(?:SSN|CPR|NHS|AHV|DNI|NIE|BSN|SVNR|TIN)|(?i:\b(?:ssn|social security|steuer-?(?:id|identifikationsnummer|nummer)|national ` +
			`(?:id|insurance)|ni|nino|personnummer|personnr|fødselsnummer|cpr-nr|passport|reisepass|personalausweis|ausweis|codice ` +
			`fiscale|pesel|aadhaar|tax(?:payer)? id|sozialversicherungs|driver'?s? licen[cs]e|führerschein|insee)))` +
			`(?i:[ -]?(?:no|number|nr|nummer|num|id|n°)?\b)\.?["']?\s{0,2}[:=#]?\s{0,2}(?:(?i:is)\s)?["']?([A-Z0-9](?:[A-Z0-9]|[ ./-]?\d|[ ` +
			`./-][A-Z0-9]){5,19})\b`,
		keep: func(t string, s, e int) bool {
			n := len(digits(t[s:e]))
			return n < 3 || n < 5 && e-s < 8 || dateLikeRE.MatchString(t[s:e])
		},
		hits: []string{"social security number: «219 09 9999»", "Steuer-ID «86095742719»", "NI number «QQ 12 34 56 C»",
			"Passport no. «C01X00T47»", "SSN=«078051120»", "Passport: «X4RTBPFW46»"},
		misses: []string{"Passport number", "passport expires 2026-11-21", "ni hao 12", "national team 12345 fans", "SSN format"},
	},
	{
		name: "social-security", kind: secret.NationalID, digits: 9,
		re:   `(?:^|[^\w.-])([0-8]\d{2}-\d{2}-\d{4})\b`,
		keep: func(t string, s, e int) bool { return inWord(t, s, e) || strings.HasPrefix(t[s:e], "000") },
		hits: []string{"SSN «123-45-6789»"}, misses: []string{"2026-11-21", "a123-45-6789", "123-45-67890"},
	},
	{
		name: "personnummer", kind: secret.NationalID, digits: 10,
		re:   `\b((?:19|20)?\d{6}[-+]\d{4})\b`,
		keep: func(t string, s, e int) bool { return inWord(t, s, e) || !isPersonnummer(t[s:e]) },
		hits: []string{"id «811228-9874»", "«19811228-9874»"}, misses: []string{"811228-9875", "order 991399-1234", "20261121-1042"},
	},
	{
		name: "codice-fiscale", kind: secret.NationalID, digits: 7,
		re:   `\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b`,
		hits: []string{"CF «RSSMRA85T10A562S»"}, misses: []string{"ABCDEF12G34H567", "RSSMRA85T10A562SX"},
	},
	{
		name: "ni-number", kind: secret.NationalID, digits: 6,
		re:   `\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D]\b`,
		hits: []string{"«AB 12 34 56 C» on file"}, misses: []string{"AB 12 34 56 X", "QQ123456"},
	},
	{
		name: "card-code", kind: secret.Card, digits: 3, hints: []string{"cvv", "cvc", "cvn", "csc"},
		re:   `(?i)\b(?:cvv|cvc|cvn|csc)2?(?:[ -]?(?:code|number|no))?["']?\s{0,2}[:=#]?\s{0,2}["']?(\d{3,4})\b`,
		hits: []string{"CVV: «847»", "cvc «123»"}, misses: []string{"cvv 12", "Security code (CVC)"},
	},
}

var dateLikeRE = lazyre.New(`^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})`)

// isPersonnummer checks a Swedish personal number: a date of birth and a Luhn digit over the last ten.
func isPersonnummer(s string) bool {
	d := digits(s)
	if len(d) == 12 && d >= "2015" { // rather a moment: 20261121-1042
		return false
	}
	d = d[max(0, len(d)-10):]
	if len(d) != 10 || !luhn(d) {
		return false
	}
	_, err := time.Parse("060102", d[:6])
	return err == nil
}

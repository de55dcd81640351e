package source

import (
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/internal/lazyre"
)

// uses is what a file makes use of.
type uses struct {
	Tools, Domains, Credentials, Programs map[string]bool
}

func NewUses() uses {
	return uses{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// Address notes an address that appears in the text, and says what is odd about its host.
func (f *File) Address(u string, line int, p Place) {
	h := HostOf(u)
	here := Local(h)
	if h == "" || len(h) > 253 || !strings.Contains(h, ".") && !here || strings.ContainsAny(h, "{}$<>%*|,;()") {
		return
	}
	if here { // on this computer and beside it a port is another program
		if site := authority(u); !strings.ContainsAny(site, "{}$<>%*|,;()") {
			f.Uses.Domains[Visible(Latin(site))] = true
		}
	} else {
		f.Uses.Domains[Visible(Latin(h))] = true
	}
	if f.hosts[h] {
		return
	}
	f.hosts[h] = !ChatHook(u) // one finding for a host and file is enough
	if t := Imitation(h); t != "" {
		f.Add("deceptive-host", line, u, report.With{Meaning: Short(h, 80) + " looks like " + Short(t, 80) + " and is not.",
			Severity: f.milder(report.High, p)})
	}
	if what := Catcher(h); what != "" {
		sev := report.Medium
		if what == "shortener" {
			sev = report.Low
		}
		f.Add("catcher-host", line, u, report.With{Meaning: "The address is a " + what + ".", Severity: f.milder(sev, p)})
	} else if ChatHook(u) {
		f.Add("catcher-host", line, u, report.With{Meaning: "The address is a chat service's webhook.", Severity: report.Low})
	}
}

// milder: a skill about attacks may show one.
func (f *File) milder(s report.Severity, p Place) report.Severity {
	if f.Teaches && p.Cue() {
		return report.AtMost(s, report.Medium)
	}
	return s
}

// Addresses notes all addresses of a text.
func (f *File) Addresses(text string, line int, p Place) {
	at := 0
	for range 20000 {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return
		}
		i += at
		line += strings.Count(text[at:i], "\n")
		at = i + 3
		m := UrlRE.FindStringIndex(text[max(0, i-6):min(len(text), i+300)])
		if m == nil {
			continue
		}
		from := max(0, i-6)
		f.Address(strings.TrimRight(text[from+m[0]:from+m[1]], ".,;:"), line, p)
	}
}

var UrlRE = lazyre.New(`(?i)\b(?:https?|ftp|wss?)://[^\s"'<>` + "`" + `)\]}|\\]+`)

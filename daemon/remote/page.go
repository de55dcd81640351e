package remote

import (
	"html/template"
	"net/http"
	"sync"
)

// page is what the browser shows while a person decides elsewhere: no script, no form, nothing to press.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Showhow</title>
{{if .Code}}<meta http-equiv="refresh" content="2">{{end}}
<style>body{font:17px/1.5 system-ui,sans-serif;max-width:34em;margin:14vh auto;
padding:0 1em;color:#1d1d1f;background:#fff}
b.code{font:600 30px ui-monospace,monospace;letter-spacing:.12em}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161617}}</style>
{{if .Code}}<h1>{{.Name}} asks to be let in</h1>
{{with .May}}<p>It asks to</p><ul>{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}
<p>If you began this, type the code on the computer that <strong>{{.Host}}</strong> stands for, in Showhow under
<em>Trust, Callers from elsewhere</em>, or run there <code>showhow remote approve {{.Code}}</code>.</p>
<p><b class="code">{{.Code}}</b></p>
<p>The code is for this browser alone: never type one that somebody sent you. This page goes on by itself.</p>
{{else if .Refused}}<h1>Showhow has no page for this</h1>
{{with .Why}}<p>The program's request was refused: {{.}}.</p>
<p>Begin the sign-in again in the program. If that ends here again, remove Showhow's address in the program and add it once more:
a registration that nobody let in is forgotten after an hour.</p>
{{else}}<p>{{.Host}} is for agents, which sign in by themselves. Your own pages open on the computer itself, by
<code>showhow open</code>.</p>{{end}}
{{else}}<h1>This sign-in is over</h1><p>It took longer than ten minutes, was answered already, or was begun in another browser.
Begin it again in the program.</p>{{end}}
</html>`))
})

// shownPage is what a page shows: the code of a sign-in that waits, why a request was refused, or that a sign-in is over.
type shownPage struct {
	Host, Name, Code string
	May              []string // what the program asks for, in words
	Refused          bool
	Why              string
}

func (h *house) show(w http.ResponseWriter, status int, x shownPage) {
	x.Host = h.host
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = page().Execute(w, x) // the browser has gone
}

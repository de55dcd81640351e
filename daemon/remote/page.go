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
<p>If you began this, type the code on the computer that it asks for, in Showhow under
<em>Trust, Callers from elsewhere</em>, or run there <code>showhow remote approve {{.Code}}</code>.</p>
<p><b class="code">{{.Code}}</b></p>
<p>The code is for this browser alone: never type one that somebody sent you. This page goes on by itself.</p>
{{else}}<h1>This sign-in is over</h1><p>It took longer than ten minutes, was answered already, or was begun in another browser.
Begin it again in the program.</p>{{end}}
</html>`))
})

func (h *house) show(w http.ResponseWriter, status int, name, code string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = page().Execute(w, struct{ Name, Code string }{name, code}) // the browser has gone
}

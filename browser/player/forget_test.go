package player

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Looks that forget see what the browser held before: what pages have stored since is not there, and what the site itself gave is.
func TestForget(t *testing.T) {
	var answers []string
	s := serve(t, map[string]any{
		"/": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "s1", HttpOnly: true})
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><title>%s</title><h1>Work</h1><button onclick="keep()">Keep</button><script>
if (!localStorage.token) localStorage.token = "t1";
document.title = [localStorage.token, localStorage.note, document.cookie, %q].join(" ");
function keep() { localStorage.note = "mine"; document.cookie = "draft=mine"; fetch("/save", {method: "POST"}) }
</script>`, "", r.Header.Get("Cookie"))
		},
		"/save": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
	})
	p := stage(t, Options{Answered: func(r Request, status int) {
		answers = append(answers, fmt.Sprint(r.Method, strings.TrimPrefix(r.URL, s.URL), status))
	}})
	open(t, p, s.URL+"/")
	was, err := p.Stored(ctxOf(t))
	if err != nil || was == nil || was.Local["token"] != "t1" {
		t.Fatal(was, err)
	}
	title := func() string {
		t.Helper()
		if err := p.Aside(ctxOf(t), s.URL+"/"); err != nil {
			t.Fatal(err)
		}
		st, err := p.State(ctxOf(t))
		if err != nil {
			t.Fatal(err)
		}
		return st.Title
	}
	if ok, err := p.Forget(ctxOf(t), was, false); ok || err != nil {
		t.Error("nothing was stored since: ", ok, err)
	}
	do(t, p, click("button", "Keep"))
	hold(t, "in the same browser", title(), "t1 mine draft=mine session=s1; draft=mine")
	if ok, err := p.Forget(ctxOf(t), was, false); !ok || err != nil {
		t.Fatal(ok, err)
	}
	hold(t, "forgetting", title(), "t1 session=s1")
	p.Return()
	hold(t, "the work", eval(t, p, "localStorage.note"), "mine")
	hold(t, "afterwards", title(), "t1 mine draft=mine session=s1; draft=mine")
	p.Return()
	hold(t, "answers", fmt.Sprint(answers), "[POST/save418]")
}

package player

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/browser/find"
	"showhow/capture"
)

const formPage = `<!doctype html><title>Form</title><h1>New order</h1><form action="/done" method="post">
<label>Customer <input name=customer></label>
<label>Notes <textarea name=notes></textarea></label>
<label>Country <select name=country><option value="">choose</option><option value=de>Germany</option><option value=fr>France</option>` +
	`</select></label>
<label>Tags <select name=tags multiple><option>red</option><option>green</option><option>blue</option></select></label>
<label><input type=checkbox name=gift value=yes> Gift</label>
<fieldset><legend>Shipping</legend><label><input type=radio name=ship value=std checked> Standard</label><label>` +
	`<input type=radio name=ship value=exp> Express</label></fieldset>
<label>Delivery <input type=date name=delivery></label>
<label>At <input type=time name=at></label>
<label>Month <input type=month name=month></label>
<label>Amount <input type=range name=amount min=0 max=20 value=10></label>
<label>Quantity <input type=number name=quantity value=1></label>
<div id=rich contenteditable role=textbox aria-label=Message>old text</div><input type=hidden name=said id=saidv>
<button onclick="saidv.value=document.getElementById('rich').innerText">Place order</button></form>`

func echo(t *testing.T, got *string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseMultipartForm(1 << 20)
		*got = r.Form.Encode()
		if r.MultipartForm != nil {
			for name, files := range r.MultipartForm.File {
				for _, f := range files {
					*got += fmt.Sprintf(" %s=%s:%d", name, f.Filename, f.Size)
				}
			}
		}
		fmt.Fprint(w, "<!doctype html><title>Done</title><h1>Thank you</h1>")
	}
}

func TestForm(t *testing.T) {
	var got string
	s := serve(t, map[string]any{"/": formPage, "/done": echo(t, &got)})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	do(t, p, enter("Customer", "Ada Lovelace"))
	do(t, p, enter("Customer", "Grace Hopper ☕ é"))
	do(t, p, Act{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Notes", Label: "Notes", Tag: "textarea"},
		Value: "two\nlines"})
	do(t, p, Act{Verb: capture.Select, Target: on("combobox", "Country"), Value: "France"})
	do(t, p, Act{Verb: capture.Select, Target: &capture.Target{Role: "listbox", Name: "Tags", Label: "Tags", Tag: "select"},
		Value: "red, blue"})
	do(t, p, Act{Verb: capture.Check, Target: on("checkbox", "Gift")})
	do(t, p, Act{Verb: capture.Check, Target: on("checkbox", "Gift")})
	do(t, p, Act{Verb: capture.Check, Target: on("radio", "Express")})
	do(t, p, enter("Delivery", "2026-12-24"))
	do(t, p, enter("At", "14:30"))
	do(t, p, enter("Month", "2027-02"))
	do(t, p, Act{Verb: capture.Type, Target: on("slider", "Amount"), Value: "13"})
	do(t, p, Act{Verb: capture.Type, Target: &capture.Target{Role: "spinbutton", Name: "Quantity", Label: "Quantity", Tag: "input",
		InputType: "number"}, Value: "12"})
	do(t, p, Act{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: "Message", Tag: "div"}, Value: "new text"})
	out := do(t, p, click("button", "Place order"))
	hold(t, "sent", got, "amount=13&at=14%3A30&country=fr&customer=Grace+Hopper+%E2%98%95+%C3%A9&delivery=2026-12-24&gift=yes&"+
		"month=2027-02&notes=two%0D%0Alines&quantity=12&said=new+text&ship=exp&tags=red&tags=blue")
	state, err := p.State(ctxOf(t))
	if err != nil || state.Title != "Done" || len(state.Headings) != 1 || state.Headings[0] != "Thank you" {
		t.Errorf("state %+v %v", state, err)
	}
	if out.Found == nil || out.Found.Name != "Place order" || out.Took <= 0 {
		t.Errorf("outcome %+v", out)
	}
}

// Difficult pages.
func TestWaiting(t *testing.T) {
	gate := make(chan bool, 10)
	slow := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(1200 * time.Millisecond) // pace: a slow server
		fmt.Fprint(w, `<!doctype html><title>Slow</title><h1>Arrived</h1>`)
	}
	tries := 0
	s := serve(t, map[string]any{
		"/late": `<!doctype html><title>Late</title><script>setTimeout(() => { document.body.innerHTML = '<button ` +
			`onclick="document.title=\'ok\'">Go</button>' }, 900)</script>`,
		"/invalid": `<!doctype html><label>Name <input oninput="setTimeout(() => b.disabled = !this.value, 300)"></label>` +
			`<button id=b disabled onclick="document.title='ok'">Send</button>`,
		"/cover": `<!doctype html><button onclick="document.title='ok'">Go</button>` +
			`<div id=o onclick="document.title='wrong'" style="position:fixed;inset:0;background:#0008"></div><script>` +
			`setTimeout(() => o.remove(), 700)</script>`,
		"/moving": `<!doctype html><style>@keyframes m{from{margin-left:0}to{margin-left:400px}}button{animation:m 700ms linear ` +
			`forwards}</style><button onclick="document.title='ok'">Go</button>`,
		"/far": `<!doctype html><div style="height:4000px"></div><button onclick="document.title='ok'">Go</button><div style="height:4000px">` +
			`</div><header style="position:fixed;top:0;left:0;right:0;height:60px;background:#eee">bar</header>`,
		"/keys": `<!doctype html><div id=f></div><script>let v=''; function draw(){ f.innerHTML='<label>Name <input id=i></label>` +
			`'; i.value=v; i.focus(); i.setSelectionRange(v.length,v.length);
			i.oninput=()=>{v=i.value; draw()} } draw(); document.addEventListener('keyup', () => document.title=v)</script>`,
		"/keyslate": `<!doctype html><div id=f></div><script>let v=''; function draw(){ const had=document.activeElement.id==='i'; ` +
			`f.innerHTML='<label>Name <input id=i></label>'; i.value=v; if(had){i.focus(); i.setSelectionRange(v.length,v.length)}
			i.oninput=()=>{const now=i.value; setTimeout(()=>{v=now; draw(); document.title=v}, 4)} } draw()</script>`,
		"/moment": `<!doctype html><button onclick="setTimeout(()=>document.title='ok', 4)">Go</button>`,
		"/nav":    `<!doctype html><button onmousedown="location='/slow'">Go</button>`,
		"/link":   `<!doctype html><a href=/slow>Go</a>`,
		"/slow":   slow,
		"/fetch": `<!doctype html><button onclick="fetch('/data').then(r=>r.text()).then(t=>{document.querySelector('h1').textContent=t})">` +
			`Load</button><h1>-</h1>`,
		"/data": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(600 * time.Millisecond) // pace: a slow server
			fmt.Fprint(w, "Loaded")
		},
		"/flaky": `<!doctype html><h1>-</h1><button onclick="go()">Load</button><script>` +
			`async function go(){ for(;;){ const r=await fetch('/flakydata'); if(r.ok){ document.querySelector('h1').textContent=await r.text(); ` +
			`return } await new Promise(r=>setTimeout(r,200)) } }</script>`,
		"/flakydata": func(w http.ResponseWriter, r *http.Request) {
			if tries++; tries < 4 {
				http.Error(w, "no", http.StatusServiceUnavailable)
				return
			}
			fmt.Fprint(w, "Loaded")
		},
		"/spin": `<!doctype html><h1>S</h1><button onclick="document.title='ok'">Go</button><i id=s>0</i><script>` +
			`setInterval(()=>s.textContent++, 15); fetch('/never')</script>`,
		"/never": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-gate:
			}
		},
		"/auto": `<!doctype html><label>City <input id=i oninput="clearTimeout(window.t); window.t=setTimeout(async () => { const r = await ` +
			`fetch('/cities?'+this.value); l.innerHTML = await r.text() }, 250)"></label>
			<ul id=l role=listbox></ul><script>l.onclick = (e) => { document.title = e.target.textContent; i.value = e.target.textContent; ` +
			`l.innerHTML='' }</script>`,
		"/cities": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(200 * time.Millisecond) // pace: a slow server
			fmt.Fprint(w, "<li role=option>Berlin</li><li role=option>Bern</li>")
		},
		"/swap": `<!doctype html><div id=d></div><script>let n=0; function draw(){ d.innerHTML='<button onclick="document.title=\'ok\'">` +
			`Go</button>' } draw(); const t=setInterval(()=>{ draw(); if(++n>25) clearInterval(t) }, 30)</script>`,
	})
	p := stage(t, Options{})
	for _, c := range []struct {
		page string
		acts []Act
		ok   func(s capture.State) bool
	}{
		{"/late", []Act{click("button", "Go")}, nil},
		{"/invalid", []Act{enter("Name", "x"), click("button", "Send")}, nil},
		{"/cover", []Act{click("button", "Go")}, nil},
		{"/moving", []Act{click("button", "Go")}, nil},
		{"/far", []Act{click("button", "Go")}, nil},
		{"/keys", []Act{enter("Name", "Ada Lovelace")}, title("Ada Lovelace")},
		{"/keyslate", []Act{enter("Name", "Ada Lovelace")}, title("Ada Lovelace")},
		{"/moment", []Act{click("button", "Go")}, nil},
		{"/nav", []Act{click("button", "Go")}, title("Slow")},
		{"/link", []Act{click("link", "Go")}, title("Slow")},
		{"/fetch", []Act{click("button", "Load")}, func(s capture.State) bool { return len(s.Headings) == 1 && s.Headings[0] == "Loaded" }},
		{"/auto", []Act{enter("City", "Ber"), {Verb: capture.Click, Target: &capture.Target{Role: "option", Name: "Bern", Tag: "li"}}},
			title("Bern")},
		{"/spin", []Act{click("button", "Go")}, nil},
		{"/swap", []Act{click("button", "Go")}, nil},
	} {
		t.Run(c.page[1:], func(t *testing.T) {
			open(t, p, s.URL+c.page)
			begin := time.Now()
			for _, a := range c.acts {
				do(t, p, a)
			}
			t.Logf("%s took %s", c.page, time.Since(begin).Round(time.Millisecond))
			state, err := p.State(ctxOf(t))
			if c.ok == nil {
				c.ok = title("ok")
			}
			if err != nil || !c.ok(state) {
				t.Errorf("state %+v %v", state, err)
			}
		})
	}
	t.Run("flaky", func(t *testing.T) {
		open(t, p, s.URL+"/flaky")
		do(t, p, click("button", "Load"))
		state, err := p.Settle(ctxOf(t), func(s capture.State) bool { return len(s.Headings) == 1 && s.Headings[0] == "Loaded" })
		if err != nil {
			t.Errorf("%+v %v", state, err)
		}
		if _, err := p.Settle(ctxOf(t), func(capture.State) bool { return false }); !errors.Is(err, ErrUnsettled) {
			t.Errorf("settled for nothing: %v", err)
		}
	})
}

func title(want string) func(capture.State) bool {
	return func(s capture.State) bool { return s.Title == want }
}

// An act that cannot be performed says why and hits nothing else.
func TestRefusals(t *testing.T) {
	s := serve(t, map[string]any{
		"/cover": `<!doctype html><button onclick="document.title='ok'">Go</button>` +
			`<div onclick="document.title='wrong'" aria-label=Veil style="position:fixed;inset:0;background:#0008"></div>`,
		"/disabled": `<!doctype html><button disabled onclick="document.title='ok'">Go</button><select aria-label=Size><option>S</option>` +
			`</select>`,
		"/missing": `<!doctype html><button>Other</button><label>Name <input></label>`,
		"/twice":   `<!doctype html><h1>x</h1><button>Go</button> <button>Go</button>`,
		"/jump": `<!doctype html><style>button{position:absolute;top:10px;left:10px}</style>` +
			`<button id=b onpointermove="b.style.left='300px'; c.style.left='10px'" onclick="document.title='ok'">Go</button>` +
			`<button id=c style="left:300px" onclick="document.title='wrong'">No</button>`,
	})
	var seen []Evidence
	p := stage(t, Options{Patience: 400 * time.Millisecond, Pictures: true, Evidence: func(e Evidence) { seen = append(seen, e) }})
	for _, c := range []struct {
		page string
		act  Act
		why  Reason
	}{
		{"/cover", click("button", "Go"), Covered},
		{"/disabled", click("button", "Go"), Disabled},
		{"/disabled", Act{Verb: capture.Select, Target: on("combobox", "Size"), Value: "XXL"}, NoOption},
		{"/missing", click("button", "Delete everything"), find.Missing},
		{"/twice", click("button", "Go"), find.Ambiguous},
		{"/jump", click("button", "Go"), ""},
	} {
		t.Run(c.page[1:]+"_"+string(c.why), func(t *testing.T) {
			seen = nil
			open(t, p, s.URL+c.page)
			_, err := p.Do(ctxOf(t), c.act)
			var un *Unready
			var nf *find.NotFound
			got := Reason("")
			switch {
			case errors.As(err, &un):
				got = un.Reason
			case errors.As(err, &nf):
				got = Reason(nf.Reason)
			}
			if c.why != "" && got != c.why {
				t.Errorf("%v, want %s", err, c.why)
			}
			if st, _ := p.State(ctxOf(t)); st.Title == "wrong" {
				t.Error("hit something else")
			}
			if c.why != "" && (len(seen) != 1 || len(seen[0].PNG) == 0 || seen[0].State.URL == "") {
				t.Errorf("evidence %+v", len(seen))
			}
		})
	}
}

// Evidence shows the state of things, and nobody's data.
func TestEvidence(t *testing.T) {
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>Customer Ada Lovelace</title><style>*{margin:0}</style><h1 style="height:40px;color:#f00">Customer</h1>
<table style="position:absolute;top:100px;left:0;width:300px;height:100px;color:#f00"><tbody style="background:#f00"><tr>` +
			`<td>secret cell</td>` +
			`</tr></tbody></table>
<label style="position:absolute;top:300px">Name <input style="background:#f00;color:#f00;border-color:#f00" ` +
			`oninput="document.querySelector('h1').textContent='For '+this.value"></label>
<p style="position:absolute;top:400px;background:#f00;color:#f00">Dear reader</p><iframe sandbox srcdoc="<body style='background:#f00'>` +
			`" style="position:absolute;top:450px"></iframe>`})
	var seen []Evidence
	p := stage(t, Options{Patience: 200 * time.Millisecond, Pictures: true, Evidence: func(e Evidence) { seen = append(seen, e) }})
	open(t, p, s.URL+"/?q=Ada+Lovelace")
	do(t, p, enter("Name", "Ada Lovelace"))
	if _, err := p.Do(ctxOf(t), click("button", "Gone")); err == nil {
		t.Fatal("found what is not there")
	}
	if len(seen) != 1 {
		t.Fatalf("%d times", len(seen))
	}
	text, _ := json.Marshal(seen[0].State)
	if strings.Contains(string(text), "Lovelace") || !strings.Contains(string(text), "For [hidden]") {
		t.Errorf("state %s", text)
	}
	img, err := png.Decode(bytes.NewReader(seen[0].PNG))
	if err != nil {
		t.Fatal(err)
	}
	red, _ := points(img)
	hold(t, "red points", red, 0)
}

func TestFiles(t *testing.T) {
	var got string
	s := serve(t, map[string]any{
		"/": `<!doctype html><form action=/done method=post enctype=multipart/form-data><label>File <input type=file name=a></label>
<input type=file name=b id=b style="display:none" multiple><button type=button onclick="b.click()">Choose files</button>
<div id=d role=button tabindex=0 aria-label="Drop here" style="width:300px;height:100px;border:1px dashed">Drop here</div><button>` +
			`Send</button></form>
<script>d.ondragover=e=>e.preventDefault(); d.ondrop=e=>{e.preventDefault(); ` +
			`document.title=Array.from(e.dataTransfer.files,f=>f.name).join()}</script>`,
		"/done": echo(t, &got),
		"/list": `<!doctype html><a href=/report.csv download>Report</a> <a href=/slow.csv>Slow</a>`,
		"/report.csv": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="report 1.csv"`)
			fmt.Fprint(w, "a,b\n1,2\n")
		},
		"/slow.csv": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="../../slow.csv"`)
			for range 5 {
				fmt.Fprint(w, strings.Repeat("x", 1000))
				w.(http.Flusher).Flush()
				time.Sleep(100 * time.Millisecond) // pace: a slow server
			}
		},
	})
	dir, down := t.TempDir(), t.TempDir()
	one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")
	_ = os.WriteFile(one, []byte("1"), 0o600)
	_ = os.WriteFile(two, []byte("22"), 0o600)
	p := stage(t, Options{Downloads: down})
	open(t, p, s.URL+"/")
	do(t, p, Act{Verb: capture.Upload, Target: &capture.Target{Role: "button", Name: "File", Label: "File", Tag: "input", InputType: "file"},
		Files: []string{one}})
	do(t, p, Act{Verb: capture.Upload, Target: on("button", "Choose files"), Files: []string{one, two}})
	do(t, p, Act{Verb: capture.Upload, Target: &capture.Target{Role: "button", Name: "Drop here", Tag: "div"}, Files: []string{two}})
	hold(t, "dropped", eval(t, p, "document.title"), "two.txt")
	do(t, p, click("button", "Send"))
	for _, want := range []string{"a=one.txt:1", "b=one.txt:1", "b=two.txt:2"} {
		if !strings.Contains(got, want) {
			t.Errorf("sent %q without %s", got, want)
		}
	}
	open(t, p, s.URL+"/list")
	out := do(t, p, click("link", "Report"))
	if len(out.Downloads) != 1 || out.Downloads[0].Name != "report 1.csv" || out.Downloads[0].Size != 8 {
		t.Errorf("downloads %+v", out.Downloads)
	}
	out = do(t, p, click("link", "Slow"))
	if len(out.Downloads) != 1 || out.Downloads[0].Size != 5000 || filepath.Dir(out.Downloads[0].Path) != down {
		t.Errorf("downloads %+v", out.Downloads)
	}
}

func TestDialogs(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><h1>D</h1><button onclick="document.title=confirm('Sure?')">` +
		`Delete</button><button onclick="document.title=prompt('Name?','Bob')">Ask</button>
<button onclick="alert('hi'); document.title='told'">Tell</button><button onclick="for(;;) alert('again')">Loop</button><a href=/next>` +
		`Leave</a><label>Name <input oninput="window.onbeforeunload=e=>e.preventDefault()"></label>`,
		"/later": `<!doctype html><title>-</title><button onclick="document.title += ' here'">Here</button><script>` +
			`setTimeout(() => { document.title = confirm('Now?') }, 300)</script>`,
		"/next": `<!doctype html><title>Next</title>`})
	p := alone(t, Options{Patience: 500 * time.Millisecond}, nil)
	open(t, p, s.URL+"/")
	with := func(name, answer, value string) Act {
		a := click("button", name)
		a.Dialog, a.Value = answer, value
		return a
	}
	now := func() string { st, _ := p.State(ctxOf(t)); return st.Title }
	out := do(t, p, with("Delete", accepted, ""))
	hold(t, "dialogs", strings.Join(out.Dialogs, ";"), `confirm "Sure?" accepted`)
	hold(t, "title", now(), "true")
	do(t, p, with("Delete", dismissed, ""))
	hold(t, "title", now(), "false")
	do(t, p, with("Ask", accepted, "Eve"))
	hold(t, "title", now(), "Eve")
	do(t, p, with("Tell", "", ""))
	hold(t, "title", now(), "told")
	// Left open, looked at, and answered by a separate act.
	out = do(t, p, with("Delete", "", ""))
	hold(t, "dialogs", strings.Join(out.Dialogs, ";"), `confirm "Sure?" open`)
	if st, _ := p.State(ctxOf(t)); len(st.Dialogs) != 1 || st.Dialogs[0] != "Sure?" {
		t.Errorf("state %+v", st)
	}
	do(t, p, Act{Verb: capture.Dialog, Dialog: accepted})
	hold(t, "title", now(), "true")
	do(t, p, with("Delete", "", ""))
	do(t, p, with("Tell", "", "")) // "no" to what nobody answered
	do(t, p, enter("Name", "x"))
	out, _ = p.Do(ctxOf(t), click("link", "Leave"))
	hold(t, "stayed", strings.HasPrefix(strings.Join(out.Dialogs, ";"), "beforeunload"), true)
	hold(t, "title", now(), "told")
	leave := click("link", "Leave")
	leave.Dialog = accepted
	do(t, p, leave)
	hold(t, "title", now(), "Next")
	// A dialog that opens by itself stops the page, and nothing hangs.
	open(t, p, s.URL+"/later")
	_, err := p.Do(ctxOf(t), click("button", "Never"))
	var un *Unready
	var missing *find.NotFound // on a slow machine the dialog came before the act, which answered it
	if !errors.As(err, &missing) && (!errors.As(err, &un) || un.Reason != Unanswered) {
		t.Errorf("a dialog out of nowhere: %v", err)
	}
	do(t, p, click("button", "Here"))
	hold(t, "title", now(), "false here")
	open(t, p, s.URL+"/")
	_, err = p.Do(ctxOf(t), click("button", "Loop"))
	if !errors.As(err, &un) || un.Reason != Endless {
		t.Errorf("a loop of alerts: %v", err)
	}
}

func TestTabsAndHistory(t *testing.T) {
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>One</title><a href=/2 target=_blank>Second</a> <a href=/3>Third</a>` +
			` <button onclick="open('/2','w','width=400,height=300')">Popup</button> <button ` +
			`onclick="history.pushState(0,'','/pushed');document.title='Pushed'">Push</button>`,
		"/2": `<!doctype html><title>Two</title><button onclick="window.close()">Close me</button>`,
		"/3": `<!doctype html><title>Three</title>`,
	})
	p := stage(t, Options{})
	now := func() string { st, _ := p.State(ctxOf(t)); return st.Title }
	do(t, p, Act{Verb: capture.Navigate, URL: s.URL + "/", Tab: "tab7"})
	a := click("link", "Second")
	a.NewTab, a.Tab = true, "tab7"
	do(t, p, a)
	hold(t, "front", now(), "Two")
	do(t, p, Act{Verb: capture.SwitchTab, Tab: "tab7"})
	hold(t, "front", now(), "One")
	do(t, p, Act{Verb: capture.SwitchTab, Tab: "tab8"})
	hold(t, "front", now(), "Two")
	do(t, p, Act{Verb: capture.CloseTab, Tab: "tab8"})
	hold(t, "front", now(), "One")
	a = click("button", "Popup")
	a.NewTab = true
	do(t, p, a)
	hold(t, "front", now(), "Two")
	do(t, p, click("button", "Close me"))
	hold(t, "front", now(), "One")
	do(t, p, click("link", "Third"))
	hold(t, "title", now(), "Three")
	do(t, p, Act{Verb: capture.Navigate, Keys: "History", URL: s.URL + "/"})
	hold(t, "title", now(), "One")
	do(t, p, Act{Verb: capture.Navigate, Keys: "Forward"})
	hold(t, "title", now(), "Three")
	do(t, p, Act{Verb: capture.Navigate, Keys: "Back"})
	do(t, p, Act{Verb: capture.Navigate, Keys: "Reload"})
	hold(t, "title", now(), "One")
	do(t, p, click("button", "Push"))
	hold(t, "title", now(), "Pushed")
	do(t, p, Act{Verb: capture.NewTab, URL: s.URL + "/3", Tab: "tab9"})
	hold(t, "front", now(), "Three")
	if _, err := p.Do(ctxOf(t), Act{Verb: capture.Navigate, URL: "file:///etc/passwd"}); err == nil {
		t.Error("a file was opened")
	}
}

func TestFramesAndShadow(t *testing.T) {
	s := serve(t, map[string]any{
		"/in": `<!doctype html><title>in</title><div style="height:900px"></div><label>Name <input></label>` +
			`<button onclick="this.textContent='Pressed '+document.querySelector('input').value; ` +
			`parent.postMessage(document.querySelector('input').value,'*')">Press</button>`,
		"/shadow": `<!doctype html><title>-</title><x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor(){ ` +
			`super(); const r=this.attachShadow({mode:'open'}); r.innerHTML='<label>Name <input></label><button>Press</button>` +
			`'; r.querySelector('button').onclick=()=>document.title=r.querySelector('input').value } })</script>`,
	})
	other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	outer := serve(t, map[string]any{
		"/same": `<!doctype html><title>-</title><div style="height:1500px"></div><iframe src="/in" ` +
			`style="height:200px;margin:30px;border:7px solid"></iframe><script>onmessage=e=>document.title=e.data</script>`,
		"/in": `<!doctype html><title>in</title><div style="height:900px"></div><label>Name <input></label>` +
			`<button onclick="parent.postMessage(document.querySelector('input').value,'*')">Press</button>`,
		"/port": `<!doctype html><title>-</title><div style="height:1500px"></div><iframe src="` + s.URL +
			`/in" style="height:200px;margin:30px;border:7px solid"></iframe><script>onmessage=e=>document.title=e.data</script>`,
		"/site": `<!doctype html><title>-</title><div style="height:1500px"></div><iframe src="` + other +
			`/in" style="height:200px;margin:30px;border:7px solid"></iframe><script>onmessage=e=>document.title=e.data</script>`,
		"/over": `<!doctype html><title>-</title><iframe src="` + other +
			`/in" style="height:200px;width:600px"></iframe><div style="position:fixed;inset:0;background:#0005"></div>`,
	})
	p := stage(t, Options{Patience: time.Second})
	for _, url := range []string{s.URL + "/shadow", outer.URL + "/same", outer.URL + "/port", outer.URL + "/site"} {
		t.Run(url[strings.LastIndex(url, "/")+1:], func(t *testing.T) {
			open(t, p, url)
			do(t, p, enter("Name", "Ada"))
			do(t, p, click("button", "Press"))
			st, err := p.Settle(ctxOf(t), title("Ada"))
			if err != nil {
				t.Errorf("%+v %v", st, err)
			}
		})
	}
	open(t, p, outer.URL+"/over")
	_, err := p.Do(ctxOf(t), click("button", "Press"))
	var un *Unready
	if !errors.As(err, &un) || un.Reason != Covered {
		t.Errorf("through what lies over the frame: %v", err)
	}
}

func TestDrag(t *testing.T) {
	s := serve(t, map[string]any{
		"/html5": `<!doctype html><title>-</title><div draggable=true role=button aria-label="Card A" ` +
			`style="width:80px;height:40px;background:#ccc" ondragstart="event.dataTransfer.setData('text/plain','A')">A</div>
<div role=region aria-label="Done" style="margin-top:80px;width:300px;height:150px;border:1px solid" ` +
			`ondragover="event.preventDefault()" ondrop="event.preventDefault();document.title='dropped ` +
			`'+event.dataTransfer.getData('text/plain')">Done</div>`,
		"/pointer": `<!doctype html><title>-</title><div id=c role=button aria-label="Card A" ` +
			`style="position:absolute;width:80px;height:40px;background:#ccc;touch-action:none">A</div>
<div id=z role=region aria-label="Done" style="position:absolute;top:200px;width:300px;height:150px;border:1px solid">Done</div><script>` +
			`let on=0; c.onpointerdown=e=>{on=1;c.setPointerCapture(e.pointerId)}; c.onpointermove=e=>{ ` +
			`if(on){c.style.left=e.clientX-40+'px';c.style.top=e.clientY-20+'px'} };
c.onpointerup=e=>{on=0; const r=z.getBoundingClientRect(); if(e.clientY>r.top&&e.clientY<r.bottom) document.title='dropped A'}</script>`,
	})
	p := stage(t, Options{})
	for _, page := range []string{"/html5", "/pointer"} {
		t.Run(page[1:], func(t *testing.T) {
			open(t, p, s.URL+page)
			do(t, p, Act{Verb: capture.Drag, Target: &capture.Target{Role: "button", Name: "Card A", Tag: "div"},
				To: &capture.Target{Role: "region", Name: "Done", Tag: "div"}})
			st, _ := p.State(ctxOf(t))
			hold(t, "title", st.Title, "dropped A")
		})
	}
}

func TestPointerAndKeys(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><button ondblclick="document.title='double'">Twice</button>` +
		`<button oncontextmenu="event.preventDefault();document.title='right'">Right</button>
<button onclick="document.title='with '+event.ctrlKey">With</button><label>Search <input ` +
		`onkeydown="if(event.key==='Enter')document.title='enter '+this.value"></label>
<div role=button tabindex=0 onclick="document.title='posted'">Post it</div>
<nav><ul><li><style>.m{display:none} li:hover .m{display:block}</style><a href="#">Admin</a><ul class=m><li>` +
		`<a href="#u" onclick="document.title='users'">Users</a></li></ul></li></ul></nav>
<script>addEventListener('keydown',e=>{ if(e.ctrlKey&&e.key==='s'){e.preventDefault();document.title='saved'} ` +
		`if(e.key==='Escape')document.title='escaped' })</script>
<label>Pick <input id=p role=combobox aria-controls=l aria-activedescendant=""></label><ul id=l role=listbox></ul><script>
let n=-1; p.oninput=()=>setTimeout(()=>{ l.innerHTML='<li role=option id=o0>Berlin</li><li role=option id=o1>Bern</li>'; n=-1 },150);
p.onkeydown=e=>{ if(e.key==='ArrowDown'){n=(n+1)%2;p.setAttribute('aria-activedescendant','o'+n)} if(e.key==='Enter'&&n>` +
		`=0){document.title='picked '+l.children[n].textContent} }</script>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	now := func() string { st, _ := p.State(ctxOf(t)); return st.Title }
	for _, c := range []struct {
		act  Act
		want string
	}{
		{Act{Verb: capture.DoubleClick, Target: on("button", "Twice")}, "double"},
		{Act{Verb: capture.RightClick, Target: on("button", "Right")}, "right"},
		{Act{Verb: capture.Click, Target: on("button", "With"), Keys: "Control"}, "with true"},
		{enter("Search", "cats"), "with true"},
		{Act{Verb: capture.Submit, Target: on("textbox", "Search"), Keys: "Enter"}, "enter cats"},
		{Act{Verb: capture.Submit, Target: on("button", "Post it")}, "posted"},
		{Act{Verb: capture.Press, Keys: "Control+S"}, "saved"},
		{Act{Verb: capture.Press, Keys: "Escape"}, "escaped"},
		{Act{Verb: capture.Click, Target: &capture.Target{
			Role: "link", Name: "Users", Tag: "a", Landmark: &capture.Landmark{Role: "menu", Name: "Admin"}}}, "users"},
		{Act{Verb: capture.Type, Target: &capture.Target{Role: "combobox", Name: "Pick", Label: "Pick", Tag: "input"}, Value: "Ber"}, "users"},
		{Act{Verb: capture.Press, Target: &capture.Target{Role: "combobox", Name: "Pick", Label: "Pick", Tag: "input"}, Keys: "Enter",
			Value: "Bern"}, "picked Bern"},
	} {
		do(t, p, c.act)
		hold(t, string(c.act.Verb), now(), c.want)
	}
}

// Actions of a row may only appear while the pointer is over it.
func TestDeedsOfARowUnderThePointer(t *testing.T) {
	row := func(name string) string {
		return "<tr><td><a href=#>" + name + "</a><div class=d><button onclick=\"document.title='" + name + "'\">Trash</button></div><td>Ada</tr>"
	}
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>-</title><style>.d{position:relative;left:-9999px} tr:hover .d{left:0}</style><h1>Posts</h1>
		<table><tr><th>Title<th>Author</tr>` + row("Harvest supper") + row("Bell ringers") + `</table>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	do(t, p, Act{Verb: capture.Click, Target: &capture.Target{
		Role: "button", Name: "Trash", Tag: "button", Landmark: &capture.Landmark{Role: "row", Name: "Bell ringers"}}})
	st, _ := p.State(ctxOf(t))
	hold(t, "title", st.Title, "Bell ringers")
}

//go:build unix

package browserdom

import (
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// A line of a form laid out as a table is named by its first cell, even if another control stands between; a row of
// records is named by what precedes its actions, not by the checkbox at its start.
func TestWhatLinesAndRowsAreCalled(t *testing.T) {
	row := func(n, title string) string {
		return `<tr><th scope=row><label>Select ` + title + ` <input type=checkbox name=c></label><i>` + title + ` is locked</i>
			<td><strong><a href="#` +
			`` + n + `">` + title + `</a></strong><div><a href="#e` + n + `" id=edit` + n + `>Edit</a> <button type=button id=quick` + n +
			`>Quick edit</button>
			<a href="#t` + n + `" id=drop` + n + ` aria-label="Move “` + title + `” to the trash">Trash</a></div><td><a href="#ada" id=by` + n +
			`>Ada</a></tr>`
	}
	srv, host := site(t, map[string]string{"/": `<h1>Parts</h1><form onsubmit="event.preventDefault()"><table>
		<tr><th>price<td><select name="function[price]"><option><option>+</select><td><input name="fields[price]" id=price></tr>
		<tr><th>stock<td><select name="function[stock]"><option><option>+</select><td><input name="fields[stock]" id=stock></tr>
		<tr><th>range<td><select name="function[range]"><option><option>+</select><td><input name="fields[low]" id=low>` +
		` to <input name="fields[high]"></tr>
		<tr><th>state<td><td><i>none</i> <label><input type=radio name="fields[state]" value=1>draft</label> <label>` +
		`<input type=radio name="fields[state]" value=2 id=active>active</label></tr>
		</table><button>Save</button></form>
		<table><thead><tr><td>Box<th>Title<th>Author</tr></thead>` +
		`<tbody>` + row("1", "Harvest supper") + row("2", "Bell ringers") + `</tbody></table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.write("#price", "7")
	p.write("#stock", "8")
	p.write("#low", "9")
	p.click("#active")
	p.click("#quick2")
	for n, want := range []string{"price", "stock", ""} {
		if o := w.find(capture.Type, n+1); o.Target.Name != want {
			t.Errorf("field %d is called %q, want %q", n+1, o.Target.Name, want)
		}
	}
	state := w.find(capture.Check, 1).Target
	if state.Landmark == nil || *state.Landmark != (capture.Landmark{Role: "group", Name: "state"}) ||
		!slices.Equal(state.Options, []string{"draft", "active"}) {
		t.Errorf("the radio button: %+v in %+v", state, state.Landmark)
	}
	p.click("#edit1")
	if edit := w.find(capture.Click, 5).Target; edit.Name != "Edit" || !edit.OfEveryRow {
		t.Errorf("the row's link: %+v", edit)
	}
	p.click("#drop1")
	if drop := w.find(capture.Click, 6).Target; drop.Name != "Move “Harvest supper” to the trash" || !drop.OfEveryRow ||
		drop.Landmark == nil || drop.Landmark.Name != "Harvest supper" {
		t.Errorf("the row's deed: %+v in %+v", drop, drop.Landmark)
	}
	p.click("#by1")
	if by := w.find(capture.Click, 7).Target; by.OfEveryRow {
		t.Errorf("a name that leads to one place is somebody's: %+v", by)
	}
	quick := w.find(capture.Click, 4).Target
	if quick.Name != "Quick edit" || quick.Landmark == nil || *quick.Landmark != (capture.Landmark{Role: "row", Name: "Bell ringers"}) {
		t.Errorf("the row's button: %+v in %+v", quick, quick.Landmark)
	}
}

// A header among a row's cells names the row, whether or not it has row scope.
func TestARowIsCalledByItsHead(t *testing.T) {
	row := func(n, title, kind string) string {
		return `<tr><td><input type=checkbox id=box` + n + `><th><a href="#` + n + `" id=open` + n + `>` + title + `</a><td>` + kind +
			`<td>12</tr>`
	}
	srv, host := site(t, map[string]string{
		"/": `<h1>Courses</h1><form><table><thead><tr><th><th>Title<th>Kind<th>Seats</thead><tbody>` + row("1", "Deep water",
			"Swimming") + row("2", "Morning yoga", "Yoga") + `</table></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#box1")
	p.click("#open2")
	for i, want := range []string{"Deep water", "Morning yoga"} {
		verb := []capture.Verb{capture.Check, capture.Click}[i]
		if got := w.find(verb, 1).Target; got.Landmark == nil || *got.Landmark != (capture.Landmark{Role: "row", Name: want}) {
			t.Errorf("in %+v, want the row of %s", got.Landmark, want)
		}
	}
}

// A form that asks for a new password twice is not a login form, whatever it says about its fields.
func TestFormWithAPasswordTwice(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Add a user</h1><form action="/done"><table><thead><tr><th>Field<th>Value</thead><tbody>
		<tr><td><label for=userid>Login</label><td><input name=userid id=userid></tr><tr><td><label for=pass>Password</label><td>` +
		`<input type=password name=userpass id=pass></tr>
		<tr><td><label for=again>once more</label><td><input type=password name=userpass2 id=again></tr><tr><td><label for=name>Name</label>` +
		`<td><input name=username id=name></tr>
		<tr><td><label for=mail>E-mail</label><td><input name=usermail id=mail></tr></tbody></table><button>Add</button></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.write("#userid", "ada")
	p.write("#pass", "canary-hunter2")
	p.write("#name", "Ada")
	p.click("h1")
	if o := w.find(capture.Type, 1); o.Value.Text != "ada" {
		t.Errorf("the login: %+v", o.Value)
	}
	if o := w.find(capture.Type, 3); o.Value.Text != "Ada" || o.Target.Landmark == nil || o.Target.Landmark.Role == "row" {
		t.Errorf("the name: %+v", o.Value)
	}
	if strings.Contains(adaptertest.Everything(w.Seen()), "canary-hunter2") {
		t.Error("the password left the page")
	}
}

// A form for a new user is not a login form: only the password is withheld. A message's close button is not part of
// its text.
func TestFormWithANewPassword(t *testing.T) {
	const secret = "canary-hunter2"
	srv, host := site(t, map[string]string{"/": `<h1>Add a user</h1><form action="/done"><table><tr><th scope=row><label for=login>` +
		`Login</label><td><input name=login id=login></tr><tr><th scope=row><label for=mail>E-mail</label><td><input type=email id=mail></tr>
		<tr><th scope=row><label for=role>Role</label><td><select id=role><option>Reader</option><option>Writer</option></select></tr>
		<tr><th scope=row><label for=pass1>Password</label><td><input type=password autocomplete=new-password id=pass1></tr>
		<tr><th scope=row><label for=pass2>Repeat</label><td><input type=password autocomplete=new-password id=pass2></tr></table>` +
		`<button id=go>Add</button></form>`,
		"/done": `<h1>Users</h1><div class=notice><p>User created.</p><button type=button><span>Dismiss this</span></button></div>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.write("#login", "ada")
	p.write("#mail", "ada@example.org")
	p.write("#pass1", secret)
	p.click("#go")
	if o := w.find(capture.Type, 1); o.Target.Name != "Login" || o.Value.Text != "ada" || o.Target.Landmark == nil ||
		o.Target.Landmark.Role == "row" {
		t.Errorf("the login: %+v = %+v", o.Target, o.Value)
	} // a line of the form is no thing among others
	if o := w.find(capture.Type, 3); o.Value.Kind != capture.KindPassword || o.Value.Text != "" {
		t.Errorf("the password: %+v", o.Value)
	}
	done := w.find(capture.Click, 4)
	if done.After == nil || !slices.Equal(done.After.Alerts, []string{"User created."}) {
		t.Errorf("after: %+v", done.After)
	}
	if strings.Contains(adaptertest.Everything(w.Seen()), secret) {
		t.Error("the password left the page")
	}
}

// A field for the current password that offers saved logins as a list is a password.
func TestCurrentPasswordWithAList(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Gate</h1><form onsubmit="return false"><label for=who>Key phrase of the gate</label>
		<input id=who role=combobox aria-haspopup=listbox autocomplete=current-password><button id=go>Open</button></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.write("#who", "canary-9f31-gate")
	p.click("#go")
	w.find(capture.Click, 1)
	if strings.Contains(adaptertest.Everything(w.Seen()), "canary-9f31") {
		t.Error("the password left the page")
	}
}

// A list to choose from is none to sign in with, though its field is marked as a new password so that the browser fills nothing in.
func TestListMarkedAsANewPassword(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Lend a tool</h1><form onsubmit="return false"><label for=tool>Tool</label>
		<input id=tool type=search role=combobox aria-haspopup=listbox aria-controls=l autocomplete=new-password>
		<ul id=l role=listbox><li role=option onclick="tool.value='Saw'">Saw</li><li role=option>File</li></ul>
		<button type=button id=go onclick="h.textContent='Lent'">Lend</button></form><h2 id=h></h2>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#l li")
	p.click("#go")
	o := w.find(capture.Click, 2)
	if o.Before == nil || len(o.Before.Fields) != 1 || o.Before.Fields[0].Label != "Tool" {
		t.Fatalf("before: %+v", o.Before)
	}
	if v := o.Before.Fields[0].Raw; v == nil || v.Kind == capture.KindPassword || v.Autocomplete != "" {
		t.Errorf("what was chosen: %+v", v)
	}
}

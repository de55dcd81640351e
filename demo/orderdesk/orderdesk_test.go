package orderdesk

import (
	"encoding/csv"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser is a client with a cookie jar, as a browser has.
type browser struct {
	t    *testing.T
	base string
	*http.Client
}

func open(t *testing.T, d *Desk) *browser {
	t.Helper()
	s := httptest.NewServer(d.Handler())
	t.Cleanup(s.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, s.URL, &http.Client{Jar: jar}}
}

func (b *browser) get(path string) (int, string) {
	b.t.Helper()
	return b.read(b.Get(b.base + path))
}

func (b *browser) post(path string, v url.Values) (int, string) {
	b.t.Helper()
	return b.read(b.PostForm(b.base+path, v))
}

func (b *browser) read(r *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func (b *browser) has(body string, wants ...string) {
	b.t.Helper()
	for _, want := range wants {
		if !strings.Contains(body, want) {
			b.t.Errorf("no %q in\n%s", want, body)
		}
	}
}

func weekday(o Order) time.Time {
	day := o.Placed.AddDate(0, 0, 30)
	for day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

func edited(o Order) url.Values {
	return url.Values{"status": {"delivered"}, "delivery": {weekday(o).Format(DateLayout)}, "quantity": {"7"}, "note": {"Left at <the> desk"},
		"notify": {"yes"}}
}

func TestSeedDecides(t *testing.T) {
	if !reflect.DeepEqual(New(7).Orders(), New(7).Orders()) {
		t.Error("the same seed gives different desks")
	}
	if reflect.DeepEqual(New(7).Orders(), New(8).Orders()) {
		t.Error("different seeds give the same desk")
	}
}

func TestListSearchAndPaging(t *testing.T) {
	d := New(1)
	b := open(t, d)
	_, body := b.get("/")
	b.has(body, "<h1>Orders</h1>", "1 to 15 of 64 orders", `href="/orders/A-1001"`, `aria-current="page">1<`, ">Next<")
	_, body = b.get("/orders?page=5")
	b.has(body, "61 to 64 of 64 orders", ">Previous<")
	_, body = b.get("/orders?q=a-1042")
	b.has(body, "1 to 1 of 1 orders", "A-1042", `value="a-1042"`, "Clear")
	_, body = b.get("/orders?q=" + url.QueryEscape(`"><script>`))
	b.has(body, "No orders match")
	if strings.Contains(body, "<script>") {
		t.Error("the search is not escaped")
	}
	for _, o := range d.find("", "shipped") {
		if o.Status != "shipped" {
			t.Errorf("%s is %s", o.ID, o.Status)
		}
	}
	for _, path := range []string{"/orders/A-9", "/nothing", "/orders/A-1042/nothing"} {
		if code, body := b.get(path); code != 404 || !strings.Contains(body, "Not found") {
			t.Errorf("%s: %d", path, code)
		}
	}
}

func TestEditReviewConfirm(t *testing.T) {
	d := New(3)
	b := open(t, d)
	o, _ := d.Order("A-1042")
	_, body := b.get("/orders/A-1042")
	b.has(body, "<h1>Order A-1042</h1>", "Edit order", o.Customer)

	bad := edited(o)
	bad.Set("note", "")
	bad.Set("quantity", "0")
	bad.Set("delivery", "")
	code, body := b.post("/orders/A-1042/edit", bad)
	if code != http.StatusUnprocessableEntity {
		t.Errorf("a bad form answers %d", code)
	}
	b.has(body, `role="alert"`, "Write a note, because", "Enter a quantity from 1 to 500", "Enter a delivery date",
		`id="note" name="note" rows="4" maxlength="400" aria-invalid="true" aria-describedby="note-error"`)
	if len(d.Changes()) != 0 {
		t.Error("a bad form changed something")
	}

	_, body = b.post("/orders/A-1042/edit", edited(o))
	b.has(body, "Confirm changes to order A-1042", "<td>delivered</td>", "Left at &lt;the&gt; desk")
	if now, _ := d.Order("A-1042"); !reflect.DeepEqual(now, o) {
		t.Error("changed before it was confirmed")
	}
	_, body = b.get("/orders/A-1042/edit")
	b.has(body, "Left at &lt;the&gt; desk") // the draft is kept
	_, body = b.post("/orders/A-1042/confirm", nil)
	b.has(body, `role="status">Order A-1042 was updated. The customer will be notified.`)
	if _, body = b.get("/orders/A-1042"); strings.Contains(body, `role="status"`) {
		t.Error("the notice is shown twice")
	}
	now, _ := d.Order("A-1042")
	if now.Status != "delivered" || now.Quantity != 7 || now.Note != "Left at <the> desk" || !now.Notify || !now.Delivery.Equal(weekday(o)) {
		t.Errorf("saved %+v", now)
	}
	if n := len(d.Changes()); n != 5 {
		t.Errorf("%d changes", n)
	}
	b.post("/orders/A-1042/confirm", nil) // a second time, without a draft
	if n := len(d.Changes()); n != 5 {
		t.Error("confirmed twice")
	}
}

func TestValidation(t *testing.T) {
	d := New(1)
	o, _ := d.Order("A-1010")
	sunday := o.Placed
	for sunday.Weekday() != time.Sunday {
		sunday = sunday.AddDate(0, 0, 1)
	}
	for name, c := range map[string]struct{ field, value, want string }{
		"status":     {"status", "lost", "Choose a status."},
		"early":      {"delivery", o.Placed.AddDate(0, 0, -1).Format(DateLayout), "must not be before"},
		"sunday":     {"delivery", sunday.Format(DateLayout), "Sundays"},
		"not a day":  {"delivery", "tomorrow", "Enter a delivery date."},
		"many":       {"quantity", "501", "from 1 to 500"},
		"fraction":   {"quantity", "1.5", "from 1 to 500"},
		"long":       {"note", strings.Repeat("ä", 401), "too long"},
		"empty note": {"note", " \r\n ", "Write a note"},
	} {
		v := edited(o)
		v.Set(c.field, c.value)
		r := httptest.NewRequest("POST", "/", strings.NewReader(v.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		p := readForm(r).problems(o)
		if len(p) != 1 || p[0].Field != c.field || !strings.Contains(p[0].Text, c.want) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := formOf(o).problems(o); o.Delivery.Weekday() != time.Sunday && (len(p) != 1 || !strings.Contains(p[0].Text, "Nothing")) {
		t.Errorf("an unchanged form: %+v", p)
	}
}

func TestExports(t *testing.T) {
	d := New(5)
	b := open(t, d)
	r, err := b.Get(b.base + "/orders/A-1042/export.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if got := r.Header.Get("Content-Disposition"); got != `attachment; filename="order-A-1042.csv"` {
		t.Errorf("disposition %q", got)
	}
	rows, err := csv.NewReader(r.Body).ReadAll()
	o, _ := d.Order("A-1042")
	if err != nil || len(rows) != len(o.Lines)+1 || rows[1][0] != "A-1042" || rows[1][3] != o.Status {
		t.Errorf("%v %q", err, rows)
	}
	_, body := b.get("/orders/export.csv?status=packed")
	rows, err = csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != len(d.find("", "packed"))+1 || rows[1][3] != "packed" {
		t.Errorf("%v %d rows", err, len(rows))
	}
}

func TestLogIn(t *testing.T) {
	d := New(1)
	d.AddAccount("clerk", "correct horse")
	b := open(t, d)
	_, body := b.get("/reports")
	b.has(body, "<h1>Log in</h1>", `type="password"`)
	code, body := b.post("/login", url.Values{"username": {"clerk"}, "password": {"wrong"}})
	b.has(body, `role="alert"`, `value="clerk"`)
	if code != 401 || strings.Contains(body, "wrong") {
		t.Errorf("%d, or the password is shown", code)
	}
	_, body = b.post("/login", url.Values{"username": {"clerk"}, "password": {"correct horse"}})
	b.has(body, "<h1>Reports</h1>", "Log out")
	b.post("/logout", nil)
	_, body = b.get("/reports")
	b.has(body, "<h1>Log in</h1>")
	if code, _ := b.post("/login", url.Values{"username": {""}, "password": {""}}); code != 401 {
		t.Error("logged in without an account")
	}
}

func TestForeignSitesCannotWrite(t *testing.T) {
	b := open(t, New(1))
	r, err := http.NewRequest("POST", b.base+"/logout", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "http://elsewhere.example")
	if code, _ := b.read(b.Do(r)); code != http.StatusForbidden {
		t.Errorf("a foreign post answers %d", code)
	}
}

// Every field has a label, and no page has a hook that only a test would use.
func TestPagesArePlainAndLabelled(t *testing.T) {
	d := New(1)
	b := open(t, d)
	fields := regexp.MustCompile(`<(?:input|select|textarea) id="([^"]+)"`)
	o, _ := d.Order("A-1042")
	b.post("/orders/A-1042/edit", edited(o))
	for _, path := range []string{"/orders", "/orders/A-1042", "/orders/A-1042/edit", "/orders/A-1042/confirm", "/login", "/help"} {
		code, body := b.get(path)
		if code != 200 {
			t.Errorf("%s: %d", path, code)
		}
		b.has(body, `<html lang="en">`, "<main", "<h1>", "<title>")
		for _, m := range fields.FindAllStringSubmatch(body, -1) {
			b.has(body, `<label for="`+m[1]+`"`)
		}
		if strings.Contains(body, "data-test") || strings.Contains(body, "<script") {
			t.Errorf("%s has a hook or a script", path)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	d := New(1)
	b := open(t, d)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, path := range []string{"/orders", "/orders/A-1042/edit", "/orders/export.csv"} {
				r, err := http.Get(b.base + path)
				if err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					_ = r.Body.Close()
				}
			}
		})
	}
	wg.Wait()
}

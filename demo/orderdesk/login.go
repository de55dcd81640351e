package orderdesk

import (
	"net/http"
	"strings"
)

// logInForm is the login page: the user name that was typed, and whether it was refused.
type logInForm struct {
	User   string
	Failed bool
}

func (d *Desk) logInPage(w http.ResponseWriter, r *http.Request) {
	d.show(w, r, http.StatusOK, "login.html", "Log in", logInForm{})
}

func (d *Desk) logInSent(w http.ResponseWriter, r *http.Request) {
	user := strings.TrimSpace(r.PostFormValue("username"))
	if !d.logIn(user, r.PostFormValue("password")) {
		d.show(w, r, http.StatusUnauthorized, "login.html", "Log in", logInForm{user, true})
		return
	}
	d.session(w, r, func(s *session) { s.user = user })
	http.Redirect(w, r, "/reports", http.StatusSeeOther)
}

func (d *Desk) logOut(w http.ResponseWriter, r *http.Request) {
	d.session(w, r, func(s *session) { s.user, s.notice = "", "You are logged out." })
	http.Redirect(w, r, "/orders", http.StatusSeeOther)
}

// reportRow counts the orders of one status.
type reportRow struct {
	Status string
	Orders int
	Amount int64
}

// reports requires a login.
func (d *Desk) reports(w http.ResponseWriter, r *http.Request) {
	user := ""
	d.session(w, r, func(s *session) { user = s.user })
	if user == "" {
		http.Redirect(w, r, "/login", http.StatusSeeOther)
		return
	}
	var rows []reportRow
	for _, status := range Statuses {
		row := reportRow{Status: status}
		for _, o := range d.find("", status) {
			row.Orders++
			row.Amount += o.Amount()
		}
		rows = append(rows, row)
	}
	d.show(w, r, http.StatusOK, "reports.html", "Reports", rows)
}

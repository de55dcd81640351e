package orderdesk

import "net/http"

// editPage is the edit form with its problems.
type editPage struct {
	Order    Order
	Form     form
	Statuses []string
	Problems []problem
	MaxNote  int
	Max      int
}

// Problem is the message for a field, "" if it is valid.
func (e editPage) Problem(field string) string {
	for _, p := range e.Problems {
		if p.Field == field {
			return p.Text
		}
	}
	return ""
}

func newEditPage(o Order, f form, problems []problem) editPage {
	return editPage{Order: o, Form: f, Statuses: Statuses, Problems: problems, MaxNote: maxNote, Max: maxQuantity}
}

func (d *Desk) edit(w http.ResponseWriter, r *http.Request, o Order) {
	f := formOf(o)
	d.session(w, r, func(s *session) {
		if draft, ok := s.drafts[o.ID]; ok {
			f = draft // back from the confirmation
		}
	})
	d.show(w, r, http.StatusOK, "edit.html", "Edit order "+o.ID, newEditPage(o, f, nil))
}

func (d *Desk) review(w http.ResponseWriter, r *http.Request, o Order) {
	f := readForm(r)
	if problems := f.problems(o); len(problems) > 0 {
		d.show(w, r, http.StatusUnprocessableEntity, "edit.html", "Edit order "+o.ID, newEditPage(o, f, problems))
		return
	}
	d.session(w, r, func(s *session) { s.drafts[o.ID] = f })
	http.Redirect(w, r, "/orders/"+o.ID+"/confirm", http.StatusSeeOther)
}

// confirmPage shows what is about to happen.
type confirmPage struct {
	Order   Order
	Form    form
	Changes []Change
}

func (d *Desk) confirm(w http.ResponseWriter, r *http.Request, o Order) {
	var f form
	ok := false
	d.session(w, r, func(s *session) { f, ok = s.drafts[o.ID] })
	if !ok {
		http.Redirect(w, r, "/orders/"+o.ID+"/edit", http.StatusSeeOther)
		return
	}
	d.show(w, r, http.StatusOK, "confirm.html", "Confirm changes to "+o.ID, confirmPage{o, f, f.differences(o)})
}

func (d *Desk) save(w http.ResponseWriter, r *http.Request, o Order) {
	var f form
	ok := false
	d.session(w, r, func(s *session) {
		f, ok = s.drafts[o.ID]
		delete(s.drafts, o.ID)
	})
	if !ok || len(f.problems(o)) > 0 || d.apply(o.ID, f) == 0 {
		http.Redirect(w, r, "/orders/"+o.ID+"/edit", http.StatusSeeOther)
		return
	}
	notice := "Order " + o.ID + " was updated."
	if f.Notify {
		notice += " The customer will be notified."
	}
	d.session(w, r, func(s *session) { s.notice = notice })
	http.Redirect(w, r, "/orders/"+o.ID, http.StatusSeeOther)
}

// Package hand does the task of a generated case as a person would, with real input events.
//
// It locates things by what the page keeps for it outside the document, or by their words; it finds out by looking
// how a dropdown opens or a day is chosen. It knows neither Showhow nor any library.
//
// bench/wild imports it. It is tested on plain pages, by the ledger.
package hand

import (
	_ "embed"
	"fmt"

	"showhow/bench/corpus/person"
	"showhow/bench/wild/cases"
)

//go:embed eyes.js
var eyes string

func sight(words ...string) person.Sight { return person.Sight{Script: eyes, Words: words} }

func known(name string) person.Sight            { return sight("known", name) }
func control(name string) person.Sight          { return sight("control", name) }
func inside(name, selector string) person.Sight { return sight("control", name, selector) }
func opened(text, beside string) person.Sight   { return sight("above", text, beside) }

// Do does the load's task. The page is open; folder contains the files to upload.
func Do(p *person.Person, l *cases.Load, folder string) {
	p.Open("/")
	s := &l.Spec
	switch s.Kind {
	case cases.Form, cases.Upload:
		fill(p, l, s.Fields, folder)
		p.Press(control("button:submit"))
	case cases.Dialog:
		p.Press(control("button:open"))
		fill(p, l, s.Fields, folder)
		p.Press(control("button:submit"))
	case cases.Wizard:
		last := s.Fields[len(s.Fields)-1].Step
		for step := range last + 1 {
			var now []cases.Field
			for _, f := range s.Fields {
				if f.Step == step {
					now = append(now, f)
				}
			}
			fill(p, l, now, folder)
			if step < last {
				p.Press(control(fmt.Sprint("button:next", step)))
			}
		}
		p.Press(control("button:submit"))
	case cases.Picker:
		pick(p, s.Variant, l.Values["picked"])
		p.Press(control("button:submit"))
	case cases.Tree:
		at := ""
		for i, label := range l.Path {
			at += label
			if i < len(l.Path)-1 {
				open(p, at, at+"/"+l.Path[i+1])
			} else {
				p.Press(known("node:" + at))
			}
			at += "/"
		}
		p.Press(control("button:submit"))
	default:
		records(p, l)
	}
}

// open opens a folder of a tree: by its arrow if it has one, or by its name.
func open(p *person.Person, folder, inner string) {
	p.Wait(known("node:" + folder))
	if p.Sees(known("node:" + inner)) {
		return
	}
	if arrow := known("arrow:" + folder); p.Sees(arrow) {
		p.Press(arrow)
	} else {
		p.Press(known("node:" + folder))
	}
	p.Wait(known("node:" + inner))
}

// fill enters the load's values into fields.
func fill(p *person.Person, l *cases.Load, fields []cases.Field, folder string) {
	for _, f := range fields {
		name, v := "field:"+f.Key, l.Values[f.Key]
		switch f.Type {
		case cases.Choice:
			choose(p, name, v)
		case cases.Radio:
			p.Press(wordsIn(v, name))
		case cases.Yes:
			p.Press(inside(name, "input[type=checkbox], [role=switch], [role=checkbox], button"))
		case cases.Date:
			if p.Wait(control(name)); p.Sees(inside(name, "input[type=date]")) {
				p.WriteDate(inside(name, "input[type=date]"), v)
			} else {
				p.Write(inside(name, "input"), v)
				p.Keys("\r")
			}
		case "file":
			p.ChooseFile(inside(name, "input[type=file], button, label, [role=button]"), folder+"/"+v)
		default:
			p.Write(inside(name, "input:not([type=hidden]), textarea"), v)
		}
	}
}

// wordsIn locates what has the text, inside something that the page knows.
func wordsIn(text, name string) person.Sight { return sight("within", text, name) }

// choose picks an entry of a dropdown, native or custom.
func choose(p *person.Person, name, option string) {
	if p.Wait(control(name)); p.Sees(inside(name, "select")) {
		p.Pick(inside(name, "select"), option)
		return
	}
	p.Press(control(name))
	p.Press(opened(option, name))
}

// pick picks one of several visible things according to their form.
func pick(p *person.Person, variant, option string) {
	if variant == "choice" {
		choose(p, "field:picked", option)
		return
	}
	p.Press(wordsIn(option, "field:picked"))
}

// records does a task in a row, a menu, a cell or with a card.
func records(p *person.Person, l *cases.Load) {
	s, id := &l.Spec, l.Row()["id"]
	switch s.Kind {
	case cases.Pager:
		if n := l.Page(); n > 0 {
			p.Press(control(fmt.Sprint("page:", n)))
		}
		p.Press(control("act:" + id + ":" + l.Case.Action()))
	case cases.Table:
		p.Press(sight("scroll", "act:"+id+":"+l.Case.Action()))
	case cases.Menu:
		p.Press(control("menu:" + id))
		label := l.Values["value"]
		for _, a := range s.Actions {
			if a.Key == l.Case.Action() {
				label = a.Label
			}
		}
		p.Press(opened(label, "nothing"))
	case cases.Inline:
		switch s.Variant {
		case "double":
			p.PressTwice(known("cell:" + id))
		case "pencil":
			p.Press(control("pencil:" + id))
		default:
			p.Press(known("cell:" + id))
		}
		p.Write(known("edit:"+id), l.Values["value"])
		p.Keys("\r")
		return
	case cases.Drag:
		p.DragTo(known("card:"+id), known("list:"+l.Values["value"]))
		return
	}
	if s.Confirm && !native(l) {
		p.Press(opened(s.Words.Confirm, "nothing"))
	}
}

// native reports whether the act opens a native confirmation, which the person accepts.
func native(l *cases.Load) bool { return l.Spec.Style.Hue%2 == 1 }

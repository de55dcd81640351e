package flow

import (
	"showhow/capture"
	"showhow/daemon/compile/page"
)

func generalTarget(t *capture.Target, render, control func(string) string, data bool) *capture.Target {
	if t == nil {
		return nil
	}
	name := control
	if data {
		name = render
	}
	c := &capture.Target{Role: t.Role, Name: name(t.Name), Label: name(t.Label), Placeholder: control(t.Placeholder), Text: name(t.Text),
		InputType: t.InputType, Tag: t.Tag, Options: page.Options(t), Frame: render(t.Frame), Href: render(t.Href), CountedAt: t.CountedAt}
	if t.Landmark != nil {
		c.Landmark = &capture.Landmark{Role: t.Landmark.Role, Name: render(t.Landmark.Name)}
	}
	for _, l := range t.Locators {
		l.Value = name(l.Value)
		c.Locators = append(c.Locators, l)
	}
	return c
}

func generalState(s *capture.State, render, at func(string) string) *capture.State {
	if s == nil {
		return nil
	}
	all := func(in []string) []string {
		var out []string
		for _, x := range in {
			out = append(out, render(x))
		}
		return out
	}
	c := &capture.State{URL: at(s.URL), Title: render(s.Title), Headings: all(s.Headings), Dialogs: all(s.Dialogs), Alerts: all(s.Alerts),
		Invalid: all(s.Invalid), Focus: render(s.Focus), Cwd: render(s.Cwd)}
	for _, t := range s.Tables {
		c.Tables = append(c.Tables, capture.Table{Name: render(t.Name), Columns: all(t.Columns), Rows: t.Rows, Total: t.Total})
	}
	for _, f := range s.Fields {
		field := capture.Field{Label: render(f.Label), Role: f.Role}
		if f.Value != nil {
			v := *f.Value
			v.Text = ""
			field.Value = &v
		}
		c.Fields = append(c.Fields, field)
	}
	for _, f := range s.Files {
		c.Files = append(c.Files, capture.File{Name: render(f.Name), Ext: f.Ext, Size: f.Size})
	}
	return c
}

func pathPatternOf(p *capture.Page, render func(string) string) string {
	return render(page.PathOf(p.URL))
}

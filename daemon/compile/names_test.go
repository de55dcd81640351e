package compile

import (
	"regexp"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

// A label in any script gives a unique name that a person can type.
func TestNamesOfLabels(t *testing.T) {
	form := regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	var params []*values.Param
	for _, label := range []string{"顧客名", "備考", "状態", "2段階", "データベースサーバーのメンテナンス予定日を入力", "客户名称", "Имя клиента", "Дата", "Κατάσταση",
		"حالة الطلب", "상태",
		"ที่อยู่สำหรับจัดส่งสินค้าของลูกค้าทั้งหมดในประเทศ", "Donaudampfschifffahrtsgesellschaftskapitänsmützenfarbe", "☎"} {
		params = append(params, &values.Param{Param: workflow.Param{Label: label}})
	}
	values.Name(params)
	seen := map[string]bool{}
	for _, p := range params {
		if !form.MatchString(p.Name) || seen[p.Name] || p.Name == "value" != (p.Label == "☎") {
			t.Errorf("%s is called %q", p.Label, p.Name)
		}
		seen[p.Name] = true
	}
	if got := params[0].Name; got != "gu_ke_ming" {
		t.Errorf("the customer's name is called %q", got)
	}
}

// A label that explains itself is shortened to its first words.
func TestNamesOfExplainedLabels(t *testing.T) {
	for label, want := range map[string]string{
		"Real name: Real name is optional. If you give it, it is shown": "real_name",
		"Your e-mail address (we never show it to anybody)":             "e_mail_address",
		"Start: first day": "start_first_day",
	} {
		p := &values.Param{Param: workflow.Param{Label: label}}
		if values.Name([]*values.Param{p}); p.Name != want {
			t.Errorf("%q is called %q, want %q", label, p.Name, want)
		}
	}
}

// One of the page's own options, shown as chosen in a field, is a word of the page; a value that was entered, or that is
// longer than a word, is not.
func TestWordsOfOptions(t *testing.T) {
	field := func(link string, kind capture.ValueKind, chosen bool) capture.Field {
		return capture.Field{Label: link, Value: &capture.Value{LinkID: link, Kind: kind, Chosen: chosen}}
	}
	a := &align.Cell{Act: &trace.Act{Value: &capture.Value{LinkID: "given"},
		After: &capture.State{Fields: []capture.Field{field("kind", capture.KindChoice, true), field("trainer", capture.KindChoice, true),
			field("name", capture.KindText, false), field("given", capture.KindChoice, true)}}}}
	s := &values.Study{In: Input{Values: map[string]string{"kind": "Swimming", "trainer": "Ines Roth", "name": "Roth", "given": "Yoga"}},
		Table: align.Table{Columns: []*align.Column{{Acts: []*align.Cell{a}}}}}
	if got := values.WordsOfDetails(s); len(got) != 1 || !got["kind"] {
		t.Errorf("got %v", got)
	}
}

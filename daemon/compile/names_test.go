package compile

import (
	"regexp"
	"testing"
)

// A label in any script gives a name that a person can type and that tells it from the others.
func TestNamesOfLabels(t *testing.T) {
	form := regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	var params []*param
	for _, label := range []string{"顧客名", "備考", "状態", "2段階", "データベースサーバーのメンテナンス予定日を入力", "客户名称", "Имя клиента", "Дата", "Κατάσταση", "حالة الطلب", "상태",
		"ที่อยู่สำหรับจัดส่งสินค้าของลูกค้าทั้งหมดในประเทศ", "Donaudampfschifffahrtsgesellschaftskapitänsmützenfarbe", "☎"} {
		params = append(params, &param{Param: Param{Label: label}})
	}
	name(params)
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

// A label that goes on to explain itself gives its first words.
func TestNamesOfExplainedLabels(t *testing.T) {
	for label, want := range map[string]string{
		"Real name: Real name is optional. If you give it, it is shown": "real_name",
		"Your e-mail address (we never show it to anybody)":             "e_mail_address",
		"Start: first day": "start_first_day",
	} {
		p := &param{Param: Param{Label: label}}
		if name([]*param{p}); p.Name != want {
			t.Errorf("%q is called %q, want %q", label, p.Name, want)
		}
	}
}

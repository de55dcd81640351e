package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// A tongue is one small application in one language: an order is opened, corrected after a refusal, and an old note deleted.
type tongue struct {
	code                                               string
	orders, open, form, customer, date, save           string
	refusal, saved                                     string
	options, cancel, archive, undo, del, deleted, note string
	reset, filter, search, close                       string
}

var tongues = []tongue{
	{"en", "Orders", "Edit", "Edit order", "Customer (required)", "Delivery date", "Save", "Invalid input", "Saved", "Options", "Cancel",
		"Archive", "Undo", "Delete note", "Deleted", "Note", "Reset", "Filter", "Search", "Close"},
	{"de", "Bestellungen", "Bearbeiten", "Bestellung bearbeiten", "Kunde (erforderlich)", "Lieferdatum", "Speichern", "Ungültige Eingabe",
		"Gespeichert", "Optionen", "Abbrechen", "Archivieren", "Rückgängig", "Notiz löschen", "Gelöscht", "Notiz", "Zurücksetzen", "Filter",
		"Suchen", "Schließen"},
	{"fr", "Commandes", "Modifier", "Modifier la commande", "Client (obligatoire)", "Date de livraison", "Enregistrer", "Saisie invalide",
		"Enregistré", "Options", "Annuler", "Archiver", "Défaire", "Supprimer la note", "Supprimé", "Note", "Réinitialiser", "Filtre",
		"Rechercher", "Fermer"},
	{"es", "Pedidos", "Editar", "Editar pedido", "Cliente (obligatorio)", "Fecha de entrega", "Guardar", "Datos inválidos", "Guardado",
		"Opciones", "Cancelar", "Archivar", "Deshacer", "Eliminar nota", "Eliminado", "Nota", "Restablecer", "Filtro", "Buscar", "Cerrar"},
	{"pt", "Pedidos", "Editar", "Editar pedido", "Cliente (obrigatório)", "Data de entrega", "Salvar", "Dados inválidos", "Salvo", "Opções",
		"Cancelar", "Arquivar", "Desfazer", "Excluir nota", "Excluído", "Nota", "Redefinir", "Filtro", "Pesquisar", "Fechar"},
	{"pl", "Zamówienia", "Edytuj", "Edytuj zamówienie", "Klient (wymagane)", "Data dostawy", "Zapisz", "Nieprawidłowa wartość", "Zapisano",
		"Opcje", "Anuluj", "Archiwizuj", "Cofnij", "Usuń notatkę", "Usunięto", "Notatka", "Wyczyść", "Filtr", "Szukaj", "Zamknij"},
	{"tr", "Siparişler", "Düzenle", "Siparişi düzenle", "Müşteri (zorunlu)", "Teslim tarihi", "Kaydet", "Geçersiz değer", "Kaydedildi",
		"Seçenekler", "İptal", "Arşivle", "Geri al", "Notu sil", "Silindi", "Not", "Sıfırla", "Filtre", "Ara", "Kapat"},
	{"ja", "注文一覧", "編集", "注文を編集", "顧客（必須）", "納品日", "保存", "入力が無効です", "保存しました", "オプション", "キャンセル", "アーカイブ", "元に戻す", "メモを削除", "削除しました", "メモ",
		"リセット", "フィルター", "検索", "閉じる"},
	{"zh", "订单列表", "编辑", "编辑订单", "客户（必填）", "交货日期", "保存", "输入无效", "已保存", "选项", "取消", "归档", "撤销", "删除备注", "已删除", "备注", "重置", "筛选", "搜索", "关闭"},
}

// demonstrated returns the same work in this language.
func (l tongue) demonstrated() Input {
	values := map[string]string{}
	tr := Trace{TraceID: "00000000-0000-7000-8000-0000000000a0", SessionID: "00000000-0000-7000-8000-0000000000b0"}
	value := func(kind capture.ValueKind, text string) *capture.Value {
		for link, v := range values {
			if v == text {
				return &capture.Value{Policy: capture.Masked, Kind: kind, Length: len(text), LinkID: link}
			}
		}
		link := fmt.Sprintf("v_%d", len(values))
		values[link] = text
		return &capture.Value{Policy: capture.Masked, Kind: kind, Length: len(text), LinkID: link}
	}
	at := func(path string, heads ...string) *capture.State {
		return &capture.State{URL: "https://desk.example.com" + path, Title: heads[0], Headings: heads}
	}
	add := func(verb capture.Verb, t capture.Target, v *capture.Value, from, to *capture.State) {
		r := capture.Record{Action: capture.Action{Verb: verb, Target: &t, Value: v, Page: &capture.Page{URL: from.URL, Title: from.Title,
			Tab: "tab1"}}, Before: from, After: to}
		tr.Records = append(tr.Records, fillRecord(r, tr, len(tr.Records), 0))
	}
	button := func(name string) capture.Target { return capture.Target{Role: "button", Name: name} }
	inForm := &capture.Landmark{Role: "form", Name: l.form}
	field := func(label string) capture.Target {
		return capture.Target{Role: "textbox", Label: label, Name: label, Landmark: inForm}
	}
	id := value(capture.KindID, "A-1042")
	list, form := at("/orders", l.orders), at("/orders/"+id.Mask()+"/edit", l.form)
	// a search that is no step of its own effect
	add(capture.Type, capture.Target{Role: "textbox", Label: l.search, Name: l.search}, id, list, list)
	add(capture.Click, button(l.search), nil, list, at("/orders?q="+id.Mask(), l.orders))
	// a filter that is tried and reset empties the field: no entry counts as taken by it
	add(capture.Click, capture.Target{Role: "link", Name: l.open}, nil, list, form)
	// a dialog that is opened and left
	options := *form
	options.Dialogs = []string{l.options}
	add(capture.Click, button(l.options), nil, form, &options)
	add(capture.Click, button(l.cancel), nil, &options, form)
	add(capture.Click, button(l.options), nil, form, &options)
	add(capture.Click, button(l.close), nil, &options, form)
	// something that is undone at once
	add(capture.Click, button(l.archive), nil, form, form)
	add(capture.Click, button(l.undo), nil, form, form)
	add(capture.Type, field(l.customer), value(capture.KindText, "Hofer"), form, form)
	add(capture.Type, field(l.date), value(capture.KindText, "31.02.2027"), form, form)
	refused := *form
	refused.Alerts = []string{l.refusal}
	add(capture.Click, capture.Target{Role: "button", Name: l.save, Landmark: inForm}, nil, form, &refused)
	add(capture.Type, field(l.date), value(capture.KindDate, "2027-03-01"), &refused, &refused)
	detail := at("/orders/"+id.Mask(), "A "+id.Mask())
	detail.Alerts = []string{l.saved}
	add(capture.Click, capture.Target{Role: "button", Name: l.save, Landmark: inForm}, nil, &refused, detail)
	quiet := at("/orders/"+id.Mask(), "A "+id.Mask())
	gone := *quiet
	gone.Alerts = []string{l.deleted}
	add(capture.Click, button(l.del), nil, quiet, &gone)
	return Input{Goal: "Change the delivery date of an order", EntryMode: "demonstrating_skill", ExecutionMode: "guided", Revision: 1,
		Now: clock.At(fixtureStart), NewID: counter(),
		Traces: []Trace{tr}, Values: values}
}

// languageFree returns the parts of a draft that do not depend on the language of the pages.
func languageFree(out Output) string {
	var steps, params, checks, left []string
	for _, s := range out.Graph.Steps {
		steps = append(steps, fmt.Sprintf("%s effect=%v grave=%v changed=%v checkpoint=%q turns=%v searches=%v", s.Verb, s.Effect, s.Grave,
			s.Changed, s.Checkpoint, page.Turns(s), page.Searches(s)))
	}
	for _, p := range out.Graph.Params {
		params = append(params, fmt.Sprintf("%s %s", p.Role, p.Kind))
	}
	for _, k := range out.Interpretation.Checkpoints {
		if k.Check == nil {
			continue
		}
		for _, c := range append([]workflow.Check{*k.Check}, k.MoreChecks...) {
			checks = append(checks, c.Kind)
		}
	}
	for range out.LeftOut {
		left = append(left, "left out")
	}
	b, _ := json.MarshalIndent(map[string]any{"steps": steps, "params": params, "checks": checks, "left": left}, "", " ")
	return string(b)
}

// The same work is understood in the same way in every language: kinds of steps, effects, what is grave, roles and kinds
// of inputs, kinds of checks.
func TestTheSameInEveryLanguage(t *testing.T) {
	want := languageFree(compiled(t, tongues[0].demonstrated()))
	for _, part := range []string{"effect=true grave=true", "submit effect=true grave=false", "searches=true"} {
		if !strings.Contains(want, part) {
			t.Fatalf("the demonstration in English has no step with %q:\n%s", part, want)
		}
	}
	for _, l := range tongues[1:] {
		if got := languageFree(compiled(t, l.demonstrated())); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", l.code, got, want)
		}
	}
}

// Words of controls and messages in the forms that pages use.
func TestInflectedWords(t *testing.T) {
	for _, m := range []string{"Ungültige Eingabe", "Ungueltige Eingabe", "Das Datum ist ungültig", "Champs obligatoires manquants",
		"Fechas no válidas", "Błędne hasło", "Hatalı giriş", "エラーが発生しました", "保存失败"} {
		if !page.Failing(m) {
			t.Errorf("%q is no refusal", m)
		}
	}
	for word, want := range map[string]string{"Löschen": "delete", "Loeschen": "delete", "Schließen": "close", "Schliessen": "close",
		"Rückgängig": "undo", "Zurücksetzen": "clear", "Ruckgangig": "undo", "Kapat": "close", "Geri al": "undo"} {
		if got := page.FirstLabelWord(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

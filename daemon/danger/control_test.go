package danger

import "testing"

// Labels stand under the class they have on a button without a form.
var labels = map[Class][]string{
	Destroys: {
		"Delete", "Delete order", "Delete…", "Yes, delete it", "Permanently delete", "Remove member", "Empty trash", "Cancel subscription",
		"Cancel order", "Close account", "Discard draft", "Move to trash", "🗑 Delete", "DELETE ACCOUNT", "Erase all content", "Unsubscribe",
		"Löschen", "Bestellung löschen", "Konto endgültig löschen", "Abo kündigen", "Bestellung stornieren", "Entfernen",
		"Supprimer", "Supprimer la commande", "Annuler la commande", "Effacer", "Vider la corbeille",
		"Eliminar", "Borrar pedido", "Vaciar papelera", "Elimina", "Cancella ordine", "Rimuovi", "Excluir", "Apagar conta", "Cancelar pedido",
		"Verwijderen", "Account verwijderen", "Radera", "Ta bort", "Slet", "Slett konto", "Poista", "Usuń", "Usuń konto", "Smazat účet",
		"Удалить", "Удалить заказ", "Видалити", "Sil", "Siparişi iptal et",
		"削除", "アカウントを削除する", "删除", "永久删除订单", "取消订单", "刪除", "삭제", "계정 삭제", "حذف", "حذف الحساب", "हटाएं",
	},
	Sends: {
		"Send", "Send message", "Resend invoice", "Publish", "Post", "Share", "Invite people", "Pay now", "Buy", "Checkout", "Place order",
		"Order now", "Submit order", "Confirm payment", "Transfer money", "Refund", "Deploy", "Reply", "Approve", "Reject request",
		"Save and send",
		"Senden", "Nachricht senden", "Kostenpflichtig bestellen", "Jetzt bezahlen", "Veröffentlichen", "Envoyer", "Publier", "Payer",
		"Enviar mensaje", "Pagar", "Compartir", "Invia", "Paga ora", "Condividi", "Publicar", "Comprar",
		"Versturen", "Bestelling plaatsen", "Skicka", "Betala", "Betal", "Lähetä", "Maksa", "Wyślij", "Zapłać", "Odeslat", "Отправить",
		"Оплатить", "Надіслати", "Gönder", "Satın al", "送信", "購入する", "发送", "提交订单", "결제하기", "إرسال", "भेजें",
	},
	Writes: {
		"Save", "Save changes", "Update", "Add to list", "Create task", "New order", "Rename", "Upload file", "Restore", "Undo delete",
		"Don't delete", "Archive", "Sign in", "Enable", "Log out",
		"Speichern", "Änderungen speichern", "Nicht löschen", "Abmelden", "Enregistrer", "Guardar", "Salva", "Salvar", "Opslaan", "Spara", "Gem",
		"Tallenna", "Zapisz", "Uložit", "Сохранить", "Зберегти", "Kaydet", "保存", "儲存", "저장", "حفظ", "सहेजें", "ログアウト",
	},
	Reads: {
		"Search", "Next", "Previous page", "Cancel", "Close", "Show details", "Clear filters", "Remove filter", "Download", "Print", "Back",
		"支払済み", "送信済み", "View order", "Load more", "Export CSV",
		"Suchen", "Weiter", "Abbrechen", "Filter zurücksetzen", "Rechercher", "Suivant", "Annuler", "Buscar", "Cancelar", "Cerca", "Annulla",
		"Zoeken", "Annuleren", "Sök", "Avbryt", "Søg", "Hae", "Szukaj", "Anuluj", "Hledat", "Поиск", "Отмена", "Назад", "Ara", "検索", "キャンセル",
		"搜索", "取消", "返回", "검색", "취소", "بحث", "إلغاء",
	},
	Unknown: {"", "Foo", "⋮", "Order details", "Post title", "Recently deleted items", "How to delete a file", "Share price", "Apple", "42"},
}

func TestControl(t *testing.T) {
	for class, names := range labels {
		for _, name := range names {
			if got := Control("button", name, ""); got.Class != class {
				t.Errorf("button %q is %s (%s), want %s", name, got.Class, got.Why, class)
			}
		}
	}
}

func TestAControlsRoleAndForm(t *testing.T) {
	for _, c := range []struct {
		role, name, method string
		want               Class
	}{
		{"textbox", "Delete reason", "post", Reads}, {"combobox", "Send to", "", Reads}, {"link", "Orders", "", Reads},
		{"link", "Delete", "", Destroys}, {"link", "Log out", "", Writes},
		{"button", "Go", "get", Reads}, {"button", "Continue", "post", Writes}, {"button", "Quux", "post", Writes},
		{"button", "Quux", "get", Reads}, {"button", "Quux", "dialog", Reads},
		{"button", "Delete", "get", Destroys}, {"checkbox", "Paid", "post", Reads}, {"checkbox", "Paid", "", Unknown},
		{"switch", "Wifi", "", Unknown}, {"menuitem", "Delete", "", Destroys}, {"tab", "Delete", "", Reads},
	} {
		if got := Control(c.role, c.name, c.method); got.Class != c.want {
			t.Errorf("%+v is %s (%s)", c, got.Class, got.Why)
		}
	}
}

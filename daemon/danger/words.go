package danger

import (
	"strings"
	"unicode"
)

// wording is what buttons say in one language. A word ending in * is a stem; a phrase is written with underscores.
// Languages written without blanks are matched anywhere in the text.
type wording struct {
	lang                                  string
	destroys, sends, writes, reads, never string // never: with this word a control takes a deed back or declines it
	leaves                                string // ends the session
	anywhere                              bool
	verbLast                              bool // the verb may stand anywhere in the label, not only first
}

var wordings = []wording{
	{lang: "en", destroys: "delete deletes erase destroy discard wipe purge remove trash drop uninstall terminate revoke unsubscribe deactivate empty_trash empty_bin empty_cart clear_all clear_history clear_data factory_reset cancel_order cancel_subscription cancel_booking cancel_reservation cancel_account cancel_appointment cancel_membership cancel_plan cancel_event cancel_invoice cancel_shipment close_account move_to_trash move_to_bin permanently_delete yes_delete yes_remove ban block_user void overwrite reset_all",
		sends:  "send resend publish post share invite transfer refund deploy reply forward submit_order place_order place_the_order place_your_order buy pay checkout check_out purchase order_now donate tweet broadcast notify email e-mail message approve reject subscribe book_now confirm_order confirm_payment confirm_booking confirm_purchase complete_order complete_purchase complete_payment submit_payment sign_and_send request_payment charge withdraw deposit release go_live launch order place call bid apply_now",
		writes: "save update apply create add new edit change rename move copy duplicate insert upload import set assign enable disable archive restore undelete unarchive mark complete finish register submit confirm accept store generate run start stop merge convert lock unlock like follow unfollow star vote rate sign_in log_in login signin sign_up signup upgrade activate attach link unlink connect disconnect reopen resolve close_ticket close_issue pause resume schedule import pin unpin schedule yes ok done",
		reads:  "search filter find show view open close details more next previous prev back continue cancel dismiss hide expand collapse sort refresh reload download export print preview help about browse select choose pick go first last page clear_filter clear_filters reset_filter reset_filters clear_search remove_filter remove_filters remove_sorting menu home today look lookup load_more see read learn_more zoom skip_to",
		never:  "don't dont never undo keep not without restore recover", leaves: "logout sign_out log_out signout logoff log_off sign_off"},
	{lang: "de", verbLast: true, destroys: "löschen lösche löscht gelöscht entfernen verwerfen vernichten stornieren storno kündigen deinstallieren leeren widerrufen abbestellen überschreiben zurücksetzen deaktivieren sperren",
		sends:  "senden absenden abschicken versenden verschicken schicken veröffentlichen teilen einladen überweisen erstatten antworten weiterleiten bezahlen zahlen kaufen bestellen kostenpflichtig buchen benachrichtigen genehmigen ablehnen freigeben spenden posten einreichen",
		writes: "speichern sichern anlegen erstellen hinzufügen bearbeiten ändern umbenennen verschieben kopieren hochladen übernehmen anwenden aktualisieren bestätigen registrieren anmelden aktivieren archivieren wiederherstellen zuweisen importieren starten fertigstellen abschließen annehmen einloggen",
		reads:  "suchen suche filtern anzeigen öffnen schließen weiter zurück abbrechen mehr herunterladen exportieren drucken vorschau sortieren ansehen hilfe neu_laden filter_zurücksetzen filter_löschen filter_entfernen suche_löschen auswählen", never: "nicht rückgängig behalten", leaves: "abmelden ausloggen logout"},
	{lang: "fr", verbLast: true, destroys: "supprimer effacer détruire retirer vider annuler_la_commande annuler_l'abonnement annuler_la_réservation résilier révoquer désinstaller désabonner écraser enlever jeter réinitialiser",
		sends:  "envoyer publier partager inviter transférer rembourser répondre payer acheter commander régler réserver notifier approuver refuser rejeter poster diffuser soumettre virer",
		writes: "enregistrer sauvegarder créer ajouter modifier changer renommer déplacer copier téléverser appliquer valider confirmer inscrire archiver restaurer importer activer terminer accepter connexion connecter",
		reads:  "rechercher chercher filtrer afficher voir ouvrir fermer suivant précédent retour annuler plus télécharger exporter imprimer aperçu trier aide détails effacer_les_filtres réinitialiser_les_filtres supprimer_le_filtre supprimer_les_filtres actualiser choisir", never: "pas conserver garder", leaves: "déconnexion déconnecter"},
	{lang: "es", verbLast: true, destroys: "eliminar borrar suprimir quitar descartar vaciar anular revocar desinstalar cancelar_pedido cancelar_suscripción cancelar_reserva sobrescribir destruir darse_de_baja restablecer",
		sends:  "enviar publicar compartir invitar transferir reembolsar responder reenviar pagar comprar pedir reservar notificar aprobar rechazar donar tramitar",
		writes: "guardar crear añadir agregar editar modificar cambiar renombrar mover copiar subir aplicar actualizar confirmar registrar archivar restaurar importar activar aceptar finalizar iniciar_sesión",
		reads:  "buscar filtrar mostrar ver abrir cerrar siguiente anterior volver cancelar más descargar exportar imprimir ordenar ayuda detalles borrar_filtros quitar_filtros limpiar_filtros eliminar_filtros seleccionar", never: "no deshacer conservar mantener", leaves: "cerrar_sesión salir desconectar"},
	{lang: "it", verbLast: true, destroys: "elimina eliminare cancella cancellare rimuovi rimuovere svuota scarta revoca disinstalla sovrascrivi annulla_ordine annulla_abbonamento disdici azzera",
		sends:  "invia inviare pubblica pubblicare condividi condividere invita trasferisci rimborsa rispondi inoltra paga pagare acquista acquistare compra ordina prenota notifica approva rifiuta",
		writes: "salva salvare crea creare aggiungi modifica cambia rinomina sposta copia carica applica aggiorna conferma registra archivia ripristina importa attiva accetta accedi",
		reads:  "cerca filtra mostra visualizza apri chiudi avanti indietro precedente successivo annulla scarica esporta stampa anteprima aiuto dettagli cancella_filtri rimuovi_filtri", never: "non conserva mantieni", leaves: "esci disconnetti"},
	{lang: "pt", verbLast: true, destroys: "excluir apagar remover eliminar descartar esvaziar revogar desinstalar cancelar_pedido cancelar_assinatura cancelar_encomenda cancelar_reserva sobrescrever substituir",
		sends:  "enviar publicar compartilhar partilhar convidar transferir reembolsar responder encaminhar pagar comprar encomendar reservar notificar aprovar rejeitar doar",
		writes: "salvar guardar gravar criar adicionar editar alterar mudar renomear mover copiar carregar aplicar atualizar confirmar registrar registar arquivar restaurar importar ativar aceitar entrar",
		reads:  "pesquisar buscar procurar filtrar mostrar ver abrir fechar próximo seguinte anterior voltar cancelar mais baixar transferir_ficheiro exportar imprimir ajuda detalhes limpar_filtros remover_filtros", never: "não desfazer manter", leaves: "sair terminar_sessão"},
	{lang: "nl", verbLast: true, destroys: "verwijderen verwijder wissen wis weggooien legen annuleer_bestelling bestelling_annuleren opzeggen intrekken vernietigen overschrijven deïnstalleren",
		sends:  "verzenden verzend versturen verstuur sturen publiceren publiceer delen uitnodigen overmaken terugbetalen beantwoorden doorsturen betalen betaal kopen koop bestellen bestel boeken boek goedkeuren afwijzen plaatsen indienen",
		writes: "opslaan bewaren maken aanmaken toevoegen bewerken wijzigen hernoemen verplaatsen kopiëren uploaden toepassen bijwerken bevestigen registreren archiveren herstellen importeren inloggen aanmelden",
		reads:  "zoeken zoek filteren tonen bekijken openen sluiten volgende vorige terug annuleren meer downloaden exporteren afdrukken hulp filters_wissen", never: "niet behouden ongedaan", leaves: "uitloggen afmelden"},
	{lang: "sv", verbLast: true, destroys: "radera ta_bort tabort slett släng kasta töm avboka säg_upp avinstallera återkalla", sends: "skicka publicera dela bjud_in överför återbetala svara vidarebefordra betala köp köpa beställ boka godkänn avslå",
		writes: "spara skapa lägg_till redigera ändra byt_namn flytta kopiera ladda_upp uppdatera bekräfta registrera arkivera återställ importera logga_in", reads: "sök filtrera visa öppna stäng nästa föregående tillbaka avbryt mer ladda_ner exportera skriv_ut hjälp rensa_filter ta_bort_filter", never: "inte behåll ångra", leaves: "logga_ut"},
	{lang: "da", verbLast: true, destroys: "slet slette fjern fjerne kassér tøm afinstaller opsig annuller_ordre tilbagekald slett", sends: "send sende udgiv publicer publiser del inviter overfør refunder svar videresend betal køb kjøp bestil bestill book godkend godkjenn afvis avvis",
		writes: "gem lagre opret opprett tilføj legg_til rediger ændre endre omdøb flyt flytt kopier upload opdater oppdater bekræft bekreft arkiver gendan importer log_ind logg_inn", reads: "søg søk filtrer vis åbn åpne luk lukk næste neste forrige tilbage tilbake annuller avbryt mere download hent udskriv skriv_ut hjælp hjelp ryd_filtre", never: "ikke behold fortryd angre", leaves: "log_ud logg_ut"},
	{lang: "fi", verbLast: true, destroys: "poista tuhoa hylkää tyhjennä peruuta_tilaus irtisano", sends: "lähetä julkaise jaa kutsu siirrä_rahaa palauta_maksu vastaa maksa osta tilaa varaa hyväksy hylkää",
		writes: "tallenna luo lisää muokkaa muuta nimeä siirrä kopioi lataa_palvelimelle päivitä vahvista rekisteröidy arkistoi kirjaudu_sisään", reads: "hae etsi suodata näytä avaa sulje seuraava edellinen takaisin peruuta lisää_tuloksia lataa vie tulosta ohje tyhjennä_suodattimet poista_suodatin", never: "älä säilytä kumoa", leaves: "kirjaudu_ulos"},
	{lang: "pl", verbLast: true, destroys: "usuń usunąć skasuj kasuj wyczyść_wszystko opróżnij odrzuć_zmiany anuluj_zamówienie anuluj_subskrypcję odinstaluj odwołaj wypowiedz zniszcz nadpisz", sends: "wyślij prześlij opublikuj udostępnij zaproś przelej zwróć odpowiedz zapłać kup zamów zarezerwuj powiadom zatwierdź odrzuć",
		writes: "zapisz utwórz stwórz dodaj edytuj zmień przenieś kopiuj zastosuj aktualizuj potwierdź zarejestruj archiwizuj przywróć importuj zaloguj", reads: "szukaj wyszukaj filtruj pokaż otwórz zamknij dalej następny poprzedni wstecz anuluj więcej pobierz eksportuj drukuj pomoc wyczyść_filtry usuń_filtr usuń_filtry", never: "nie cofnij zachowaj", leaves: "wyloguj"},
	{lang: "cs", verbLast: true, destroys: "smazat odstranit vymazat zahodit vyprázdnit zrušit_objednávku odinstalovat odvolat zničit vypovědět", sends: "odeslat poslat zveřejnit publikovat sdílet pozvat převést odpovědět přeposlat zaplatit koupit objednat rezervovat schválit zamítnout",
		writes: "uložit vytvořit přidat upravit změnit přejmenovat přesunout kopírovat nahrát použít aktualizovat potvrdit registrovat archivovat obnovit přihlásit", reads: "hledat filtrovat zobrazit otevřít zavřít další předchozí zpět zrušit více stáhnout exportovat tisk nápověda zrušit_filtry", never: "ne zachovat", leaves: "odhlásit"},
	{lang: "ru", verbLast: true, destroys: "удалить удаление стереть очистить уничтожить отменить_заказ отменить_подписку отозвать сбросить аннулировать", sends: "отправить послать опубликовать поделиться пригласить перевести_деньги вернуть_деньги ответить переслать оплатить купить заказать забронировать одобрить отклонить оформить_заказ",
		writes: "сохранить создать добавить редактировать изменить переименовать переместить копировать загрузить применить обновить подтвердить зарегистрироваться архивировать восстановить войти", reads: "поиск найти искать фильтр показать открыть закрыть далее следующая назад отмена отменить ещё скачать экспорт печать справка очистить_фильтры сбросить_фильтры очистить_поиск", never: "не оставить", leaves: "выйти выход"},
	{lang: "uk", verbLast: true, destroys: "видалити стерти очистити скасувати_замовлення вилучити", sends: "надіслати відправити опублікувати поділитися запросити відповісти переслати оплатити купити замовити забронювати схвалити відхилити",
		writes: "зберегти створити додати редагувати змінити перейменувати перемістити копіювати завантажити_файл застосувати оновити підтвердити увійти", reads: "пошук знайти шукати фільтр показати відкрити закрити далі назад скасувати більше завантажити експорт друк довідка очистити_фільтри", never: "не залишити", leaves: "вийти"},
	{lang: "tr", verbLast: true, destroys: "sil silin kaldır boşalt siparişi_iptal_et aboneliği_iptal_et iptal_et_ve_sil yok_et geri_çek", sends: "gönder yayınla paylaş davet_et öde satın_al sipariş_ver yanıtla ilet rezervasyon_yap onayla reddet transfer_et",
		writes: "kaydet oluştur ekle düzenle değiştir yeniden_adlandır taşı kopyala yükle uygula güncelle arşivle geri_yükle giriş_yap", reads: "ara filtrele göster görüntüle aç kapat sonraki önceki geri iptal daha_fazla indir dışa_aktar yazdır yardım filtreleri_temizle filtreyi_kaldır", never: "silme geri_al tut", leaves: "çıkış_yap oturumu_kapat"},
	{lang: "ja", anywhere: true, destroys: "削除 消去 破棄 取り除 退会 解約 注文をキャンセル 予約をキャンセル 初期化 ゴミ箱", sends: "送信 送る 投稿 公開 共有 招待 振込 送金 返金 返信 転送 支払 購入 注文する 注文を確定 予約する 承認 却下 申し込む", writes: "保存 作成 追加 編集 変更 更新 登録 適用 複製 アップロード 確定 ログイン 復元", reads: "検索 絞り込み 表示 開く 閉じる 次へ 前へ 戻る キャンセル ダウンロード 印刷 詳細 並べ替え 条件をクリア", never: "削除しない 元に戻す", leaves: "ログアウト サインアウト"},
	{lang: "zh", anywhere: true, destroys: "删除 刪除 移除 清空 清除数据 销毁 銷毀 丢弃 捨棄 取消订单 取消訂單 取消订阅 注销账户 注销帐号 卸载 撤销授权 作废", sends: "发送 發送 发布 發布 分享 邀请 邀請 转账 轉帳 退款 回复 回覆 转发 支付 付款 购买 購買 下单 下單 提交订单 提交訂單 预订 批准 驳回 结账 結帳 寄出", writes: "保存 儲存 创建 建立 新建 新增 添加 编辑 編輯 修改 更新 上传 上傳 应用 確認 确认 提交 登录 登入 恢复 重命名 复制", reads: "搜索 搜尋 查询 查詢 筛选 篩選 查看 打开 打開 关闭 關閉 下一 上一 返回 取消 下载 下載 导出 打印 列印 详情 排序 重置筛选 清除筛选 清空筛选", never: "不删除 不刪除 撤销删除", leaves: "退出登录 登出 注销"},
	{lang: "ko", anywhere: true, destroys: "삭제 제거 지우기 비우기 파기 탈퇴 주문_취소 주문취소 예약_취소 해지", sends: "보내기 전송 게시 발행 공유 초대 이체 송금 환불 답장 전달 결제 구매 주문하기 예약하기 승인 거절 발송", writes: "저장 만들기 생성 추가 편집 수정 변경 업데이트 등록 적용 업로드 확인 로그인 복원", reads: "검색 필터 보기 열기 닫기 다음 이전 뒤로 취소 다운로드 인쇄 상세 정렬 필터_지우기 필터_초기화", never: "삭제_안_함 되돌리기", leaves: "로그아웃"},
	{lang: "ar", verbLast: true, destroys: "حذف احذف إزالة مسح إلغاء_الطلب إلغاء_الاشتراك إتلاف تفريغ", sends: "إرسال أرسل نشر مشاركة شارك دعوة تحويل استرداد رد دفع ادفع شراء اشتر طلب_الآن حجز موافقة رفض", writes: "حفظ إنشاء إضافة تعديل تحرير تغيير تحديث رفع تطبيق تأكيد تسجيل استعادة", reads: "بحث تصفية عرض فتح إغلاق التالي السابق رجوع إلغاء المزيد تنزيل تصدير طباعة مساعدة مسح_التصفية", never: "لا تراجع", leaves: "تسجيل_الخروج خروج"},
	{lang: "hi", verbLast: true, destroys: "हटाएं हटाएँ मिटाएं मिटाएँ डिलीट ऑर्डर_रद्द_करें", sends: "भेजें प्रकाशित साझा आमंत्रित भुगतान खरीदें ऑर्डर_करें जवाब बुक_करें", writes: "सहेजें बनाएं जोड़ें संपादित बदलें अपडेट अपलोड पुष्टि", reads: "खोजें फ़िल्टर देखें खोलें बंद_करें अगला पिछला वापस रद्द_करें डाउनलोड", never: "नहीं", leaves: "लॉग_आउट"},
}

// tokens are the lower-case words of a text, apostrophes and hyphens within words kept.
func tokens(s string) []string {
	s = strings.NewReplacer("’", "'", "\u00ad", "").Replace(strings.ToLower(s))
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != '\'' && r != '-'
	})
}

// said is a phrase of a list that the text says: where it begins and how many words it has.
type said struct {
	at, words int
	class     Class
	leaves    bool
	phrase    string
}

// indexed lists, made once: the first word of a phrase to the phrases that begin with it.
type entry struct {
	words  []string
	class  Class
	leaves bool
	never  bool
	lang   *wording
}

var (
	byFirst = map[string][]entry{}
	within  []entry // of languages without blanks
)

func init() {
	for i := range wordings {
		w := &wordings[i]
		for _, l := range []struct {
			list          string
			class         Class
			leaves, never bool
		}{{w.destroys, Destroys, false, false}, {w.sends, Sends, false, false}, {w.writes, Writes, false, false}, {w.reads, Reads, false, false}, {w.never, Reads, false, true}, {w.leaves, Writes, true, false}} {
			for phrase := range strings.FieldsSeq(l.list) {
				e := entry{words: tokens(strings.ReplaceAll(phrase, "_", " ")), class: l.class, leaves: l.leaves, never: l.never, lang: w}
				if w.anywhere {
					e.words = []string{strings.ReplaceAll(phrase, "_", " ")}
					within = append(within, e)
				} else {
					byFirst[e.words[0]] = append(byFirst[e.words[0]], e)
				}
			}
		}
	}
}

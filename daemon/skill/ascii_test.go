package skill

import (
	"testing"

	"showhow/internal/plain"
)

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{
		"Größe · Übergröße": "Grosse Ubergrosse",
		"“Done” – see…":     `"Done" - see...`,
		"Ngày đặt hàng":     "Ngay dat hang",
		"状態":                "Zhuang Tai",
		"注文の状態を変更":          "Zhu Wen no Zhuang Tai wo Bian Geng",
		"データ メール":           "deta meru",
		"が":                 "ga",
		"客户名称":              "Ke Hu Ming Cheng",
		"상태":                "sangtae",
		"Имя клиента":       "Imia klienta",
		"Κατάσταση":         "Katastase",
		"حالة الطلب":        "Hl lTlb",
		"Qty 数量 (pcs) ☎ €5": "Qty Shu Liang (pcs) 5",
	} {
		if got := plain.ASCII(in); got != want {
			t.Errorf("ASCII(%q) is %q, not %q", in, got, want)
		}
	}
}

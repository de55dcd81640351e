package lang

import (
	"regexp"
	"strings"
	"testing"
)

// TestPatternFindsPasswords checks all languages, in forms that no file lists.
func TestPatternFindsPasswords(t *testing.T) {
	re := regexp.MustCompile(`(?i)` + Pattern(Secret))
	for _, label := range []string{"Password", "DB_PASSWORD", "Passwort wiederholen", "Benutzerpasswort", "Mot de passe", "MotDePasse",
		"mot_de_passe", "Contraseña", "CONTRASENA", "Nové heslo", "Potvrzení hesla", "Potwierdź hasło", "Powtórzenie hasla", "Şifreniz", "ŞİFRE",
		"sifre", "Salasanasi", "Подтверждение пароля", "ПАРОЛЬ", "新しいパスワード", "密码", "确认密碼", "비밀번호 확인", "Lösenordet", "Wachtwoord herhalen",
		"Confirmar senha", "palavra-passe", "كلمة المرور", "पासवर्ड", "Adgangskoden"} {
		if !re.MatchString(label) {
			t.Errorf("%q asks for a password, and nobody notices", label)
		}
	}
	for _, label := range []string{"Passport number", "compass", "Reisepass", "Palabra clave", "Resenha", "Passenger", "Order", "Bestellung",
		"Message", "Zugang", "Word", "mot", "Hasselt", "合計", "Слово"} {
		if re.MatchString(label) {
			t.Errorf("%q asks for no password: %q", label, re.FindString(label))
		}
	}
}

// TestEveryLanguageHasItsWordsInAPattern: no word of a concept gets lost between file and pattern.
func TestEveryLanguageHasItsWordsInAPattern(t *testing.T) {
	for _, c := range []Concept{Secret, Code, Recipient, Weekdays} {
		re := regexp.MustCompile(`(?i)^` + Pattern(c) + `$`)
		for _, l := range Languages() {
			for _, p := range l.Phrases(c) {
				for form := range strings.SplitSeq(p, "|") {
					for _, text := range []string{form, strings.ToUpper(form), Fold(form)} {
						if !re.MatchString(text) {
							t.Errorf("%s: %q is not found", l.Code, text)
						}
					}
				}
			}
		}
	}
}

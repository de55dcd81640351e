package oci

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// A secret is found however its text is written, and what is no text is named.
func TestASecretInAFileThatIsNoPlainText(t *testing.T) {
	s := inMemory(t)
	const key = "token = ghp_k3JxQ9vLw2TzR7bNf5YhG1mPcD8sXaEuV4Wo\n"
	wide := func(text string, order binary.AppendByteOrder) []byte {
		var b []byte
		for _, u := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, u)
		}
		return b
	}
	for name, x := range map[string]struct {
		data    []byte
		secret  bool
		notText bool
	}{
		"a NUL byte":                 {[]byte("one\x00\n" + key), true, true},
		"UTF-16, little-endian":      {wide("\ufeffone\n"+key, binary.LittleEndian), true, false},
		"UTF-16, big-endian":         {wide("\ufeffone\n"+key, binary.BigEndian), true, false},
		"without a mark":             {wide("one\n"+key, binary.LittleEndian), true, true},
		"without a mark, big-endian": {wide("one\n"+key, binary.BigEndian), true, true},
		"a mark before other bytes":  {append([]byte{0xff, 0xfe}, "one\n"+key...), true, true},
		"bytes before and after":     {append([]byte("\x89PNG\r\n\x00\xff\n"), key+"\x00\xfe"...), true, true},
		"no secret":                  {[]byte("one\ntwo\n"), false, false},
		"a picture":                  {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe"), false, true},
		"UTF-16 without a secret":    {wide("\ufeffGrüße\n", binary.LittleEndian), false, false},
	} {
		m := newMachine(t)
		m.has(t, "sort", "Sort them.", skill.File{Path: "assets/it.bin", Data: x.data})
		q := wire.SkillPushRequest{AbilityID: "sort", Reference: s.host + "/sort:1"}
		p, err := m.Preview(t.Context(), q)
		must(t, err)
		if p.Blocked != x.secret || (strings.Join(p.NotText, " ") == "assets/it.bin") != x.notText {
			t.Errorf("%s: blocked %v, not looked into %v, found %+v", name, p.Blocked, p.NotText, p.Personal)
		}
		if x.secret && (len(p.Personal) == 0 || p.Personal[0].Line != 2 && !strings.HasPrefix(name, "bytes") || p.Personal[0].Text != "") {
			t.Errorf("%s: %+v", name, p.Personal)
		}
		if q.Seal = p.Seal; x.secret {
			_, err = m.Push(t.Context(), q)
			refused(t, err, fault.SkillPushRefused)
		}
	}
}

package oci

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// What is odd with one repository costs the others nothing, and no registry makes an answer as long as it likes.
func TestASearchPastOddRepositories(t *testing.T) {
	tags := map[string][]string{"team/odd": {"1.0", strings.Repeat("9", 200), "not/a tag", ""}, "team/other": {"no tag at all!"}}
	for i := range 200 {
		tags["team/often"] = append(tags["team/often"], fmt.Sprintf("0.%d", i), fmt.Sprintf("build-%d", i))
	}
	for i := range maxTags + 1 {
		tags["team/endless"] = append(tags["team/endless"], fmt.Sprint("t", i))
	}
	names := []string{"team/mine", "team/odd", "team/other", "team/often", "team/endless", "team/closed", "team/forbidden", "team/broken",
		"team/" + strings.Repeat("a", 300), "team/Not A Name", "team/../x"}
	all := true
	s := inMemory(t, listing(names), func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		name := strings.TrimPrefix(r.URL.Path, "/v2/")
		list, ours := tags[strings.TrimSuffix(name, "/tags/list")]
		switch {
		case r.Method == http.MethodGet && (strings.HasPrefix(name, "team/closed/") || !all && strings.HasPrefix(name, "team/")):
			w.Header().Set("Www-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(name, "team/broken/"):
			w.WriteHeader(http.StatusInternalServerError)
		case strings.HasPrefix(name, "team/forbidden/"):
			w.WriteHeader(http.StatusForbidden)
		case ours && strings.HasSuffix(name, "/tags/list"):
			json.NewEncoder(w).Encode(map[string]any{"tags": list})
		default:
			next.ServeHTTP(w, r)
		}
	})
	m := newMachine(t)
	m.has(t, "sort", "Sort them.")
	for _, ref := range []string{"team/mine:1.0", "team/odd:1.0", "team/often:0.199"} {
		m.push(t, "sort", s.host+"/"+ref)
	}
	l, err := m.Search(t.Context(), wire.SkillSearchQuery{In: s.host + "/team/"})
	must(t, err)
	got := map[string]int{}
	for _, x := range l.Items {
		got[strings.TrimPrefix(x.Reference, s.host+"/")] = len(x.Tags)
	}
	if fmt.Sprint(got) != "map[team/mine:1.0:1 team/odd:1.0:1 team/often:0.199:50]" || l.Total != 8 || l.LookedAt != 8 ||
		l.Unread != 2 { // broken and endless
		t.Errorf("%v of %d, %d looked at, %d unread", got, l.Total, l.LookedAt, l.Unread)
	}
	all = false
	_, err = m.Search(t.Context(), wire.SkillSearchQuery{In: s.host + "/team/"})
	refused(t, err, fault.RegistrySignIn)
}

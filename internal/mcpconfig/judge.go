package mcpconfig

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"showhow/internal/fault"
)

// Lend is what a person would lend a server, and how texts are judged and shown.
type Lend struct {
	Home                 string
	Folders, Read, Hosts []string
	Secret               func(text string) bool   // reports whether a text holds a secret
	Mask                 func(text string) string // of a text that holds one
	Show                 func(path string) string // to a person
}

// Judged is a server as a person is shown it, and as it would be registered.
type Judged struct {
	Where   string   // its address or command, masked where it holds a secret
	Needs   []string // names of variables and headers, whose values are secrets
	Lent    []string // what it would be lent, in words
	Refused string   // why it cannot be connected; "" when it can
	Command []string // with whole paths
	Read    []string // what it must be able to read
}

// Ours reports whether a server is Showhow's own.
func Ours(s Server) bool {
	return len(s.Command) >= 2 && strings.TrimSuffix(filepath.Base(s.Command[0]), ".exe") == "showhow" && s.Command[1] == "mcp"
}

// Secrets are the values that a server is given.
func (s Server) Secrets() map[string]string {
	if s.URL != "" {
		return s.Headers
	}
	return s.Env
}

func (s Server) where() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

// Judge says what connecting a server would mean. Nothing is contacted.
func Judge(s Server, l Lend) Judged {
	x := Judged{Where: s.where(), Needs: append([]string{}, slices.Sorted(maps.Keys(s.Secrets()))...), Lent: []string{}}
	secret := l.Secret(x.Where)
	if secret {
		x.Where = l.Mask(x.Where)
	}
	switch {
	case secret:
		x.Refused = "a secret stands in its command or address: connect it with `showhow connector add`, the secret by --env or --header"
	case Open(s.where()):
		x.Refused = "its command or address holds something that only the agent knows"
	case s.Off:
		x.Refused = "it is turned off there"
	case s.URL != "":
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" {
			x.Refused = "its address cannot be read"
		}
	default:
		x.program(s, l)
	}
	return x
}

var registries = map[string]string{NPM: "npm registry", PyPI: "Python index"}

func (x *Judged) program(s Server, l Lend) {
	if Fetches(s.Command[0]) {
		w, err := PackageOf(s.Command)
		if err != nil {
			x.Refused = fault.From(err).Message
			return
		}
		x.Lent = append(x.Lent, "installs from your "+registries[w.Kind]+": "+w.String())
	}
	x.Command = placed(s.Command, s.Dir)
	x.Read = slices.DeleteFunc(append(needed(x.Command, l.Home), l.Read...), func(p string) bool { return slices.Contains(l.Folders, p) })
	for _, p := range x.Read {
		x.Lent = append(x.Lent, "may read "+l.Show(p))
	}
	for _, p := range l.Folders {
		x.Lent = append(x.Lent, "may change "+l.Show(p))
	}
}

// Credentials names the credential of each of a server's secrets. taken reports whether a name is another secret's, which
// must not be sent to this server: the name is passed over. Whoever writes the configuration chooses the server's name
// and the keys, and so must not choose among what is stored.
func (s Server) Credentials(taken func(name, value string) (bool, error)) (map[string]string, error) {
	out, given := map[string]string{}, map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(s.Secrets())) {
		for _, name := range s.namesFor(key) {
			if given[name] {
				continue
			}
			other, err := taken(name, s.Secrets()[key])
			if err != nil {
				return nil, err
			}
			if !other {
				out[key], given[name] = name, true
				break
			}
		}
		if out[key] == "" {
			return nil, fault.New(fault.NameTaken, "every name for one of its secrets is another credential's").WithDetail("secret", key).
				WithHint("`showhow credential list` shows them; remove those that nothing uses")
		}
	}
	return out, nil
}

// namesFor are the names that a secret's credential could have, the best first.
func (s Server) namesFor(key string) []string {
	out := []string{credentialName(s.Name+"_"+key, 120)}
	if u, err := url.Parse(s.URL); err == nil && u.Hostname() != "" {
		out = append(out, credentialName(s.Name+"_"+u.Hostname()+"_"+key, 120))
	}
	for n := 2; n < 30; n++ {
		out = append(out, credentialName(s.Name+"_"+key, 116)+"_"+strconv.Itoa(n))
	}
	return out
}

func credentialName(text string, most int) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, strings.ToLower(text))
	if name[0] >= '0' && name[0] <= '9' {
		name = "c_" + name
	}
	return name[:min(len(name), most)]
}

// placed expands the paths of a command that are relative to the folder where the agent runs it.
func placed(command []string, dir string) []string {
	out := slices.Clone(command)
	for i, w := range out {
		if dir == "" || w == "" || filepath.IsAbs(w) || strings.HasPrefix(w, "-") || i == 0 && !strings.ContainsRune(w, filepath.Separator) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, w)); err == nil {
			out[i] = filepath.Join(dir, w)
		}
	}
	return out
}

// needed is what a program must be able to read: the files that its command names, and the packages that they belong
// to. Access to the whole home is never granted.
func needed(command []string, home string) []string {
	var out []string
	for i, w := range command {
		if !filepath.IsAbs(w) || i == 0 && !strings.HasPrefix(w, home+string(filepath.Separator)) {
			continue
		}
		info, err := os.Stat(w)
		if err != nil {
			continue
		}
		p := filepath.Clean(w)
		if !info.IsDir() {
			p = folderOf(p, home)
		}
		if p != home && p != filepath.Dir(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// folderOf is the folder of the package that contains a file, or the file itself if there is none.
func folderOf(file, home string) string {
	for dir := filepath.Dir(file); dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, mark := range []string{"package.json", "pyproject.toml", "go.mod", "Cargo.toml"} {
			if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
				if i := strings.LastIndex(dir, string(filepath.Separator)+"node_modules"+string(filepath.Separator)); i > 0 {
					return dir[:i+len("/node_modules")] // with what it needs itself
				}
				return dir
			}
		}
	}
	return file
}

package agenthook

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/internal/fault"
)

// Whose says what stands in an agent's configuration under the name of Showhow's server.
type Whose int

// Somebody may have an entry of this name that leads elsewhere: it is neither replaced nor removed.
const (
	Nobodys Whose = iota // nothing stands there
	Exactly              // what Connect writes
	Ours                 // Showhow's server in another form: at another place, or with a project
	Another              // something else
)

// Whose returns whose entry stands in the configuration.
func (d Door) Whose() Whose {
	b, err := os.ReadFile(d.Path)
	if err != nil {
		return Nobodys
	}
	return d.whoseIn(b)
}

func (d Door) whoseIn(config []byte) Whose {
	var want, got server
	if d.members == nil {
		return d.whoseInTOML(config)
	}
	o, err := parse(config)
	for i, m := range d.members {
		if err != nil {
			return Nobodys
		}
		v := o.get(m)
		switch {
		case v == nil:
			return Nobodys
		case i < len(d.members)-1:
			o, err = parse(v)
		case json.Unmarshal(v, &got) != nil:
			return Another
		}
	}
	if err != nil || json.Unmarshal(d.value, &want) != nil {
		return Nobodys
	}
	return whose(got, want)
}

func (d Door) whoseInTOML(config []byte) Whose {
	var want, all struct {
		Servers map[string]any `toml:"mcp_servers"`
	}
	if toml.Unmarshal(config, &all) != nil || toml.Unmarshal([]byte(d.Snippet), &want) != nil {
		if withoutTable(string(config)) != string(config) {
			return Ours // nobody can tell, and nothing is written to such a file
		}
		return Nobodys
	}
	there, ok := all.Servers[doorName]
	if !ok {
		return Nobodys
	}
	var got, ours server
	if into(there, &got) != nil || into(want.Servers[doorName], &ours) != nil {
		return Another
	}
	return whose(got, ours)
}

// into converts a value of TOML.
func into(v any, to *server) error {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	return err
}

// whose compares an entry with ours. Members that agents add by themselves do not count.
func whose(got, ours server) Whose {
	switch {
	case got.Command == ours.Command && slices.Equal(got.Args, ours.Args) && maps.Equal(got.Env, ours.Env):
		return Exactly
	case len(got.Args) == 0 || got.Args[0] != "mcp":
		return Another
	case got.Command == ours.Command, strings.TrimSuffix(filepath.Base(got.Command), ".exe") == doorName:
		return Ours
	}
	return Another
}

// Refused is the error for an entry that is another's.
func (d Door) Refused() error {
	return fault.New(fault.NameTaken, "an entry named showhow that is not Showhow's stands in the agent's configuration; it stays as it is").
		WithDetail("path", d.Path).WithHint("rename it there first, if you want Showhow's server beside it")
}

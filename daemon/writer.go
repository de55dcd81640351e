package daemon

import (
	"context"
	"os"

	"showhow/daemon/learn/port"
	"showhow/daemon/model"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/store/keys"
)

// modelUser is the user name of the keychain entry that config.toml names.
const modelUser = "showhow"

// newWriter makes the model that config.toml names; nil when it names none. A configuration mistake is reported before
// anything is served.
func newWriter(c config.Model, redact func(string) string) (*model.Writer, error) {
	switch {
	case c.URL == "" && c.Name == "" && c.KeyEnv == "" && c.KeyKeychain == "":
		return nil, nil
	case c.URL == "":
		return nil, fault.New(fault.Usage, "config.toml: model.url is missing").WithHint("docs/model.md says how a model is named")
	case c.KeyEnv != "" && c.KeyKeychain != "":
		return nil, fault.New(fault.Usage, "config.toml: model.key_env and model.key_keychain are both there").WithHint("keep one of them")
	}
	return model.New(model.Options{URL: c.URL, Name: c.Name, Key: func() (string, error) { return modelKey(c) }, Redact: redact})
}

// modelKey reads the key each time: Showhow keeps no copy.
func modelKey(c config.Model) (string, error) {
	switch {
	case c.KeyKeychain != "":
		return keys.Secret(context.Background(), c.KeyKeychain, modelUser)
	case c.KeyEnv != "":
		if k := os.Getenv(c.KeyEnv); k != "" {
			return k, nil
		}
		return "", fault.New(fault.NotFound, "the variable that holds the key is not set")
	}
	return "", nil
}

// writer returns nil, and not a nil pointer in an interface, when there is no model.
func (d *Daemon) writer() port.Writer {
	if d.model == nil {
		return nil
	}
	return d.model
}

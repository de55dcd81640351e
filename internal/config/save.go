package config

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Hash identifies the current content of config.toml; a missing and an empty file have the same hash.
func Hash(r paths.Roots) (string, error) {
	b, err := os.ReadFile(r.Config)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fault.Wrap(err, fault.Usage, "config.toml cannot be read").WithHint("check its permissions")
	}
	return hash(b), nil
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Save writes c to config.toml. The file contains only what differs from the defaults, so that a later version's
// better default takes effect. A file that a person wrote by hand, with comments that Save would lose, is kept as
// config.toml.bak. A symbolic link is kept; its target is replaced.
func Save(r paths.Roots, c Config) error {
	if err := c.check(); err != nil {
		return err
	}
	text, err := render(Default(r), c)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the settings cannot be written as TOML")
	}
	name := r.Config
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if err := keepHandwritten(r, name); err != nil {
		return cannotSave(err)
	}
	return replace(name, text)
}

// keepHandwritten copies the file unless Save itself would write exactly the same.
func keepHandwritten(r paths.Roots, name string) error {
	old, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if c, err := Load(r); err == nil {
		if own, err := render(Default(r), c); err == nil && bytes.Equal(own, old) {
			return nil
		}
	}
	return os.WriteFile(name+".bak", old, 0o600)
}

// replace replaces the file's content atomically.
func replace(name string, text []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cannotSave(err)
	}
	f, err := os.CreateTemp(dir, ".config-*.toml")
	if err != nil {
		return cannotSave(err)
	}
	_, err = f.Write(text)
	err = cmp.Or(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return cannotSave(err)
	}
	return nil
}

func cannotSave(err error) error {
	return fault.Wrap(err, fault.StoreReadOnly,
		"config.toml cannot be written").WithHint("check the permissions of its folder and the free space there")
}

const preamble = "# Showhow's settings, written by `showhow settings`. What is not here has its default; docs/config.md lists everything.\n"

// render is the text of config.toml: plain values first, because TOML assigns what follows a table's header to the
// table.
func render(def, c Config) ([]byte, error) {
	var values, tables bytes.Buffer
	d, v := reflect.ValueOf(def), reflect.ValueOf(c)
	for i := range v.NumField() {
		field := v.Type().Field(i)
		changed := difference(d.Field(i), v.Field(i))
		if changed == nil {
			continue
		}
		out := &values
		if kind := field.Type.Kind(); kind == reflect.Struct || kind == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct {
			out = &tables
		}
		b, err := toml.Marshal(map[string]any{tomlName(field): changed})
		if err != nil {
			return nil, err
		}
		if doc := field.Tag.Get("doc"); doc != "" {
			out.WriteString("\n# " + doc + "\n")
		} else {
			out.WriteString("\n")
		}
		out.Write(b)
	}
	return append(append([]byte(preamble), values.Bytes()...), tables.Bytes()...), nil
}

// difference is how v differs from def: of a table the keys that differ, nil for no difference.
func difference(def, v reflect.Value) any {
	if sameSetting(def, v) {
		return nil
	}
	if v.Kind() != reflect.Struct {
		return v.Interface()
	}
	changed := map[string]any{}
	for i := range v.NumField() {
		if !sameSetting(def.Field(i), v.Field(i)) {
			changed[tomlName(v.Type().Field(i))] = v.Field(i).Interface()
		}
	}
	return changed
}

// sameSetting compares; an empty list equals none.
func sameSetting(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func tomlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	return name
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestDocumentsAreCurrent(t *testing.T) {
	for name, render := range documents {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil || !bytes.Equal(got, render()) {
			t.Errorf("docs/%s is stale (%v): run make gen", name, err)
		}
		if !bytes.Equal(render(), render()) {
			t.Errorf("docs/%s comes out differently each time", name)
		}
	}
}

package imports_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
)

// A name with look-alike letters is judged at import like an installed one's, whether folder or frontmatter has it,
// although the import renames the skill.
func TestLookAlikeNamesAreBlockedAtImport(t *testing.T) {
	const odd = "рdf-tools" // the first letter is Cyrillic
	head := func(name string) []byte {
		return []byte(strings.Replace(goodSkill, "name: tidy-invoices", "name: "+name, 1))
	}
	for _, c := range []struct {
		folder, head string
		want         scan.Verdict
	}{{odd, "pdf-tools", scan.Blocked}, {"pdf-tools", odd, scan.Blocked}, {odd, odd, scan.Blocked}, {"pdf-tools", "pdf-tools", scan.Clean}} {
		k := newKit(t)
		k.options.Scan = func(ctx context.Context, fsys fs.FS, name string) (scan.Report, error) {
			return scan.Bundle(ctx, fsys, scan.Options{Name: name})
		}
		k.Service = imports.New(k.options)
		data := k.zip(skill.File{Path: c.folder + "/" + skill.Entry, Data: head(c.head)})
		r, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: k.upload(data)})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.ImportRecord.Verdict; got != string(c.want) {
			t.Errorf("%+q %+q: %s, want %s", c.folder, c.head, got, c.want)
		}
	}
}

package daemon

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"showhow/daemon/imports"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
)

// importOptions: what is uploaded and staged lies in the data folder, beside the database.
func (d *Daemon) importOptions() imports.Options {
	return imports.Options{
		Store: d.store.Imports(), Dir: filepath.Join(d.o.Roots.Data, "imports"), Installer: sorter{d.abilities, d}, Scan: d.scanImport, Mirror: d.learn,
		PackDir: filepath.Join(d.o.Config.Memory, "system", "skills", "packs"), Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// scanImport judges a skill beside those that are there.
func (d *Daemon) scanImport(ctx context.Context, fsys fs.FS, name string) (scan.Report, error) {
	catalog, err := d.abilities.Catalog(ctx)
	if err != nil {
		return scan.Report{}, err
	}
	o := scan.Options{Name: name}
	for _, i := range catalog.Items {
		if i.SkillSlug != name { // which gets a namespace instead
			o.Installed = append(o.Installed, scan.Installed{Slug: i.SkillSlug})
		}
	}
	return scan.Bundle(ctx, fsys, o)
}

// tidyImports ends uploads that have expired.
func (d *Daemon) tidyImports(ctx context.Context) error {
	every := 10 * time.Minute
	if d.o.Test.Every > 0 {
		every = d.o.Test.Every
	}
	return d.imports.Run(ctx, every)
}

package daemon

import (
	"context"
	"path/filepath"
	"time"

	"showhow/daemon/imports"
	"showhow/internal/clock"
)

// importOptions keeps uploads and staged files in the data folder, beside the database.
func (d *Daemon) importOptions() imports.Options {
	return imports.Options{
		Store: d.store.Imports(), Dir: filepath.Join(d.o.Roots.Data, "imports"), Installer: d.shelf.Sorter(), Scan: d.shelf.ScanImport,
		Mirror:  d.learn,
		PackDir: filepath.Join(d.o.Config.Memory, "system", "skills", "packs"), Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// tidyImports removes uploads that have expired.
func (d *Daemon) tidyImports(ctx context.Context) error {
	every := 10 * time.Minute
	if d.o.Test.Every > 0 {
		every = d.o.Test.Every
	}
	return d.imports.Run(ctx, every)
}

package daemon

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"showhow/daemon/imports"
	"showhow/daemon/oci"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
	"showhow/store/keys"
)

// importOptions keeps uploads and staged files in the data folder, beside the database.
func (d *Daemon) importOptions() imports.Options {
	return imports.Options{
		Store: d.store.Imports(), Dir: filepath.Join(d.o.Roots.Data, "imports"), Installer: d.shelf.Sorter(), Scan: d.shelf.ScanImport,
		Mirror: d.learn, Remote: d.registries, Offered: services{d},
		PackDir: filepath.Join(d.o.Config.Memory, "system", "skills", "packs"), Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// registryOptions lets skills travel through registries, with what the docker credential store holds for them.
func registryOptions(d *Daemon) oci.Options {
	dir := os.Getenv("DOCKER_CONFIG")
	if dir == "" {
		dir = filepath.Join(d.o.Roots.Home, ".docker")
	}
	o := oci.Options{ConfigDir: dir, Skills: d.shelf, Scan: scan.Skill, Find: d.redactor.Find, Now: d.now,
		RequireSignature: func() bool { return d.settings.Current().Registries.RequireSignature }}
	if d.o.Test.Secrets != nil {
		o.Keychain = d.o.Test.Secrets
	} else if d.keys.Kind() == "keychain" {
		o.Keychain = keys.Secrets{Service: oci.KeychainService}
	}
	return o
}

// tidyImports removes uploads that have expired.
func (d *Daemon) tidyImports(ctx context.Context) error {
	every := 10 * time.Minute
	if d.o.Test.Every > 0 {
		every = d.o.Test.Every
	}
	return d.imports.Run(ctx, every)
}

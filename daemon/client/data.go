package client

import (
	"context"

	"showhow/daemon/wire"
)

type (
	DataPurged   = wire.DataPurged
	DataExported = wire.DataExported
	DataErased   = wire.DataErased
)

// DataService is the part of the API about export, purge and erasure of what is kept.
type DataService struct{ t *transport }

// PurgeData removes what was observed in sessions that ended, and kept runs.
func (c DataService) PurgeData(ctx context.Context) (DataPurged, error) {
	return post[DataPurged](ctx, c.t, "/api/data/purge", wire.Nothing{})
}

// ExportData writes everything readable into a file in folder; "" is the downloads folder.
func (c DataService) ExportData(ctx context.Context, folder string) (DataExported, error) {
	return post[DataExported](ctx, c.t, "/api/data/export", wire.DataExport{Folder: folder})
}

// EraseData deletes everything that is stored. The daemon ends after its answer.
func (c DataService) EraseData(ctx context.Context) (DataErased, error) {
	return post[DataErased](ctx, c.t, "/api/data/erase", wire.Nothing{})
}

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

// PurgeData removes what was observed in sessions that ended, and kept runs.
func (c *Client) PurgeData(ctx context.Context) (DataPurged, error) {
	return post[DataPurged](ctx, c, "/api/data/purge", wire.Nothing{})
}

// ExportData writes everything that is readable into a file in folder; "" is the downloads folder.
func (c *Client) ExportData(ctx context.Context, folder string) (DataExported, error) {
	return post[DataExported](ctx, c, "/api/data/export", wire.DataExport{Folder: folder})
}

// EraseData deletes all that is kept. The daemon ends after its answer.
func (c *Client) EraseData(ctx context.Context) (DataErased, error) {
	return post[DataErased](ctx, c, "/api/data/erase", wire.Nothing{})
}

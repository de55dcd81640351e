package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagData = "data"

// Data handles everything that is stored, as a whole (decisions D11).
type Data interface {
	Purge(ctx context.Context, m state.Meta) (wire.DataPurged, error)
	Export(ctx context.Context, folder string) (wire.DataExported, error)
	Erase(ctx context.Context, m state.Meta) (wire.DataErased, error)
}

// DataRoutes are the routes of all stored data.
type DataRoutes struct {
	Data Data
}

// Register adds the routes. They act on everything at once, so each needs a confirmation. The subject has a name and
// no content hash: a person confirms the action itself.
func (rs DataRoutes) Register(g *engine.Engine) {
	d := rs.Data
	all := func(name, says string) engine.SubjectOf[engine.None, wire.Nothing] {
		return func(context.Context, *engine.None, *wire.Nothing) (presence.Subject, bool, error) {
			return presence.Subject{ID: name}.Say("%s", says), true, nil
		}
	}
	engine.RegisterConfirmed(g, engine.Post("purge-data", "/api/data/purge", tagData,
		"Remove, now and to the last byte, what was observed in sessions that ended, and kept runs", engine.UserWrites.Confirmed("purge-data")),
		all("everything-observed", "What was observed in every session that ended, and every kept run of an agent"), func(ctx context.Context,
			_ *engine.None, b *wire.Nothing) (*engine.Reply[wire.DataPurged], error) {
			return engine.Answered(d.Purge(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID)))
		})
	engine.RegisterConfirmed(g, engine.Post("export-data", "/api/data/export", tagData,
		"Write everything that is readable into one file: sessions, observations, drafts, skills, records; no sealed value, no key",
		engine.UserWrites.Confirmed("export-data"), fault.InvalidRequest, fault.NotFound),
		func(_ context.Context, _ *engine.None, b *wire.DataExport) (presence.Subject, bool, error) {
			folder := b.Folder
			if folder == "" {
				folder = "your downloads folder"
			}
			return presence.Subject{ID: "everything", ContentHash: presence.Bind(b.Folder)}.Say("Into one file in %s", folder), true, nil
		},
		func(ctx context.Context, _ *engine.None, b *wire.DataExport) (*engine.Reply[wire.DataExported], error) {
			return engine.Answered(d.Export(ctx, b.Folder))
		})
	engine.RegisterConfirmed(g, engine.Post("erase-data", "/api/data/erase", tagData,
		"Take every skill out of the agents' folders, delete all that is kept, and end", engine.UserWrites.Confirmed("erase-data"),
		abilityCodes...),
		all("everything", "Recordings, drafts, skills, records, logs and the browser's profile; agents lose the skills"),
		func(ctx context.Context, _ *engine.None, b *wire.Nothing) (*engine.Reply[wire.DataErased], error) {
			return engine.Answered(d.Erase(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID)))
		})
}

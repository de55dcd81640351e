package api

import (
	"context"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagData = "data"

// Data is what a person may do with everything that is kept (decisions D11).
type Data interface {
	Purge(ctx context.Context, m state.Meta) (wire.DataPurged, error)
	Export(ctx context.Context, folder string) (wire.DataExported, error)
	Erase(ctx context.Context, m state.Meta) (wire.DataErased, error)
}

// dataRoutes act on everything at once, so each wants a person's word. The subject has a name instead of a content: what is
// confirmed is the deed.
func (s *Server) dataRoutes() {
	d := s.deps.Data
	all := func(name, says string) subjectOf[none, wire.Nothing] {
		return func(context.Context, *none, *wire.Nothing) (Subject, bool, error) {
			return Subject{ID: name}.say("%s", says), true, nil
		}
	}
	registerConfirmed(s, post("purge-data", "/api/data/purge", tagData,
		"Remove, now and to the last byte, what was observed in sessions that ended, and kept runs", userWrites.confirmed("purge-data")),
		all("everything-observed", "What was observed in every session that ended, and every kept run of an agent"), func(ctx context.Context,
			_ *none, b *wire.Nothing) (*reply[wire.DataPurged], error) {
			return answered(d.Purge(ctx, meta(ctx, IfMatch{}, b.ClientRequestID)))
		})
	registerConfirmed(s, post("export-data", "/api/data/export", tagData,
		"Write everything that is readable into one file: sessions, observations, drafts, skills, records; no sealed value, no key",
		userWrites.confirmed("export-data"), fault.InvalidRequest, fault.NotFound),
		func(_ context.Context, _ *none, b *wire.DataExport) (Subject, bool, error) {
			folder := b.Folder
			if folder == "" {
				folder = "your downloads folder"
			}
			return Subject{ID: "everything", ContentHash: bind(b.Folder)}.say("Into one file in %s", folder), true, nil
		},
		func(ctx context.Context, _ *none, b *wire.DataExport) (*reply[wire.DataExported], error) {
			return answered(d.Export(ctx, b.Folder))
		})
	registerConfirmed(s, post("erase-data", "/api/data/erase", tagData,
		"Take every skill out of the agents' folders, delete all that is kept, and end", userWrites.confirmed("erase-data"), abilityCodes...),
		all("everything", "Recordings, drafts, skills, records, logs and the browser's profile; agents lose the skills"),
		func(ctx context.Context, _ *none, b *wire.Nothing) (*reply[wire.DataErased], error) {
			return answered(d.Erase(ctx, meta(ctx, IfMatch{}, b.ClientRequestID)))
		})
}

package imports

import (
	"context"
	"slices"

	"showhow/daemon/ability"
)

// missingPart says which part of an installed import is not in its place (DOC3 0C.28 LearnPartialDeploymentState); nil while
// all of it is, and for what is not installed or was removed since.
func (s *Views) missingPart(ctx context.Context, i Item) (*PartialDeployment, error) {
	if i.AbilityID == "" || i.StageState != InstalledPrivate && i.StageState != Approved {
		return nil, nil
	}
	snap, err := s.o.Installer.Availability(ctx)
	if err != nil {
		return nil, err
	}
	catalog, err := s.o.Installer.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	bridge, err := s.o.Installer.BridgeEntries(ctx)
	if err != nil {
		return nil, err
	}
	p := deployment(i.AbilityID, snap, catalog, bridge)
	if p == nil {
		return nil, nil
	}
	p.UpdatedAt, p.SchemaVersion = snap.SnapshotAsOf, 1
	return p, nil
}

// deployment compares the places an installed ability must be in. It is blocking when agents cannot use the ability for it.
func deployment(id string, snap ability.AvailabilitySnapshot, catalog ability.Catalog, bridge ability.Bridge) *PartialDeployment {
	at := slices.IndexFunc(snap.Abilities, func(e ability.AvailabilityEntry) bool { return e.AbilityID == id })
	listed := slices.ContainsFunc(catalog.Items, func(e ability.CatalogEntry) bool { return e.AbilityID == id })
	switch {
	case at < 0 && !listed:
		return nil // removed
	case at < 0:
		return &PartialDeployment{State: "availability_pending", Blocking: true, ReasonCode: "not_in_snapshot"}
	}
	e := snap.Abilities[at]
	routed := slices.ContainsFunc(bridge.Entries, func(b ability.BridgeEntry) bool { return b.CapabilityID == e.PrimaryCapabilityID })
	switch {
	case e.ReasonCode == "missing" || e.ReasonCode == "projection_missing":
		return &PartialDeployment{State: "degraded", Blocking: true, ReasonCode: e.ReasonCode}
	case e.UsableNow && !routed:
		return &PartialDeployment{State: "bridge_pending", Blocking: true, ReasonCode: "not_in_bridge"}
	case bridge.State == "degraded":
		return &PartialDeployment{State: "bridge_pending", ReasonCode: "bridge_degraded"}
	case snap.Stale:
		return &PartialDeployment{State: "availability_pending", ReasonCode: "snapshot_stale"}
	case !listed:
		return &PartialDeployment{State: "catalog_pending", ReasonCode: "not_in_catalog"}
	}
	return nil
}

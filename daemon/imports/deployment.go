package imports

import (
	"context"
	"slices"

	"showhow/daemon/ability"
)

// missingPart names the part of an installed import that is missing (DOC3 0C.28 LearnPartialDeploymentState); nil when
// none is, and for an import that is not installed or was removed since.
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

// deployment checks the places where an installed ability must be. It is blocking when the ability is unusable for
// agents because of it.
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

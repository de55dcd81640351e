package ability_test

import (
	"testing"

	"showhow/daemon/journal"
)

// R9 0.3: the events by which routers follow manifests and promotions.
func TestManifestAndPromotionEvents_0_3(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	h.install(r)
	next := changed(r)
	next.Replaces = "export-orders"
	h.install(next) // other files, the same manifest
	expect := func(created, updated, deleted, promoted int) {
		t.Helper()
		n := h.events()
		if n[journal.ManifestCreated] != created || n[journal.ManifestUpdated] != updated || n[journal.ManifestDeleted] != deleted ||
			n[journal.SkillPromoted] != promoted {
			t.Errorf("%v", n)
		}
	}
	expect(1, 0, 0, 0)
	other := changed(next)
	other.Manifest.Title, other.Replaces = "Export all orders", "export-orders"
	h.install(other)
	expect(1, 1, 0, 0)
	_, err := h.s.PromoteShared(h.ctx(), "export-orders", nil)
	h.ok(err)
	h.ok(h.s.Delete(h.ctx(), "export-orders", nil))
	expect(1, 1, 1, 1)
}

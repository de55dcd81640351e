package registry

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/connector/policy"
	"showhow/daemon/connector/preset"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/mcpconfig"
)

// change commits a connector with its receipt, and then publishes it in memory.
func (r *Registry) change(ctx context.Context, s *connector.Server, rec connector.Receipt) error {
	s.LastReceiptID = rec.ReceiptID
	s.Revision++
	err := r.o.Store.Update(ctx, func(tx connector.Tx) error {
		if err := tx.PutRecord(connector.KindServer, s.ID(), s); err != nil {
			return err
		}
		if err := r.note(tx, rec); err != nil {
			return err
		}
		return r.putRegistry(tx)
	})
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.servers[s.ID()] = s
	r.mu.Unlock()
	r.changed()
	return nil
}

// note stores a receipt and publishes it to streams.
func (r *Registry) note(tx connector.Tx, rec connector.Receipt) error {
	if err := tx.AddConnectorReceipt(rec); err != nil {
		return err
	}
	if rec.ReceiptKind == "policy_update" {
		if err := tx.Emit(journal.Event{Kind: journal.MCPPolicy, Payload: map[string]any{"server_id": rec.ServerID,
			"receipt_id": rec.ReceiptID}}); err != nil {
			return err
		}
	}
	return tx.Emit(journal.Event{Kind: journal.ConnectorChanged, Payload: map[string]any{"server_id": rec.ServerID, "kind": rec.ReceiptKind,
		"status": rec.Status, "receipt_id": rec.ReceiptID}})
}

func (r *Registry) receipt(kind, server, status, summary string) connector.Receipt {
	return connector.NewReceipt(r.o.NewID(), kind, server, status, summary, "", r.o.Now())
}

var headerName = lazyre.New(`^[A-Za-z][A-Za-z0-9-]{0,60}$`)

// Check returns what is wrong with a registration; nil for nothing.
func (r *Registry) Check(ctx context.Context, q wire.MCPServerCreateRequest) error {
	if err := r.ready(ctx); err != nil {
		return err
	}
	q, err := ofMicrosoft(r, q)
	if err != nil {
		return err
	}
	if err := r.checkName(q.DisplayName); err != nil {
		return err
	}
	invalid := func(text, hint string) error { return fault.New(fault.InvalidRequest, text).WithHint(hint) }
	switch q.Transport {
	case "remote_http":
		if _, err := link.Address(q.EndpointURL); err != nil {
			return err
		}
		if q.LocalBridge != nil {
			return invalid("a connector is an address or a program, not both", "leave local_bridge out")
		}
	case "local_bridge":
		if err := r.checkBridge(q.LocalBridge); err != nil || q.EndpointURL != "" {
			if err == nil {
				err = invalid("a connector is an address or a program, not both", "leave endpoint_url out")
			}
			return err
		}
	}
	for name := range q.HeaderSecrets {
		if !headerName.MatchString(name) || slices.Contains([]string{"host", "content-length", "cookie"}, strings.ToLower(name)) {
			return invalid("a header of this name cannot be sent", "letters, digits and dashes")
		}
	}
	if q.AuthProfileID != "" {
		if _, ok := r.profileOf(connector.Entry{AuthProfileID: q.AuthProfileID}); !ok {
			return fault.New(fault.NotFound, "there is no such auth profile")
		}
	}
	return nil
}

// checkName refuses a new name that reads as Showhow's own: a person would take the connector's calls for calls of its tools.
func (r *Registry) checkName(name string) error {
	reads := name
	if r.o.Reads != nil {
		reads = r.o.Reads(name)
	}
	if connector.IsSelf(name) || connector.IsSelf(reads) {
		return fault.New(fault.ConnectorNameReserved, "the name reads as that of Showhow's own tools").
			WithHint("choose another name for the connector, one that does not begin like it")
	}
	return nil
}

func (r *Registry) checkBridge(b *wire.MCPLocalBridge) error {
	if b == nil || len(b.Command) == 0 || b.Command[0] == "" {
		return fault.New(fault.InvalidRequest, "a connector on this computer names its program").WithHint("local_bridge.command")
	}
	if b.Package != nil {
		return fault.New(fault.InvalidRequest, "what is installed for a connector is not for the caller to say").
			WithHint("leave local_bridge.package out")
	}
	if mcpconfig.Fetches(b.Command[0]) {
		if _, err := mcpconfig.PackageOf(b.Command); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(b.Folders, b.ReadFolders) {
		if r.o.Private != "" && (connector.Within(p, r.o.Private) || connector.Within(r.o.Private, p)) {
			return fault.New(fault.InvalidRequest, "a connector cannot be lent Showhow's own data, nor a folder that contains it").
				WithHint("name the folder that it needs, not all of your home")
		}
		if !filepath.IsAbs(p) || filepath.Clean(p) == "/" {
			return fault.New(fault.InvalidRequest, "a folder that a connector is lent is named with its whole path, and is not all of the disk")
		}
	}
	return nil
}

// Register registers a connector and lists what it offers, calling none of it. A service that does not answer yet is
// registered all the same, and its health says why.
func (r *Registry) Register(ctx context.Context, q wire.MCPServerCreateRequest) (wire.MCPServerMutationResponse, error) {
	out := wire.MCPServerMutationResponse{Updated: true, Accepted: true, SchemaVersion: 1}
	if err := r.Check(ctx, q); err != nil {
		return out, err
	}
	q, err := ofMicrosoft(r, q)
	made := ""
	if err == nil && q.AuthProfileID == "" && len(q.OperationFamilies) > 0 {
		var p connector.Profile
		p, err = profileFor(ctx, r, q)
		q.AuthProfileID, made = p.AuthProfileID, p.AuthProfileID
	}
	if err != nil {
		return out, err
	}
	s, rec, err := r.install(ctx, q)
	if err != nil {
		if made != "" {
			_, _ = r.DeleteProfile(ctx, made) // nobody would find it
		}
		return out, err
	}
	if s.Entry.Enabled && s.Entry.ActiveBuildSurface {
		out.Trouble, _ = r.look(ctx, s) // the outcome is in its health, too
	}
	out.ReceiptID = rec.ReceiptID
	out.Server, err = r.Item(ctx, s.ID())
	return out, err
}

// install registers a connector, with the package that its command names, if any.
func (r *Registry) install(ctx context.Context, q wire.MCPServerCreateRequest) (*connector.Server, connector.Receipt, error) {
	b := q.LocalBridge
	if b == nil || !mcpconfig.Fetches(b.Command[0]) {
		return r.add(ctx, q)
	}
	if r.o.Packages == nil {
		return nil, connector.Receipt{}, fault.New(fault.UnsupportedInBuild, "packages are not installed here").
			WithHint("name an installed program")
	}
	r.installs.Lock()
	defer r.installs.Unlock()
	defer r.sweep() // what another connector left, and this one when it is not registered
	installed, err := r.o.Packages.Install(ctx, *b)
	if err != nil {
		return nil, connector.Receipt{}, err
	}
	q.LocalBridge = &installed
	return r.add(ctx, q)
}

// PackageSource is the address of the registry that a registration's package would come from; "" when it names none.
func (r *Registry) PackageSource(ctx context.Context, q wire.MCPServerCreateRequest) (string, error) {
	if b := q.LocalBridge; r.o.Packages != nil && b != nil && len(b.Command) > 0 && mcpconfig.Fetches(b.Command[0]) {
		return r.o.Packages.Source(ctx, *b)
	}
	return "", nil
}

func (r *Registry) add(ctx context.Context, q wire.MCPServerCreateRequest) (*connector.Server, connector.Receipt, error) {
	r.write.Lock()
	defer r.write.Unlock()
	now := r.o.Now()
	r.mu.RLock()
	id := connector.ServerID(q.DisplayName, func(id string) bool { return r.servers[id] != nil })
	r.mu.RUnlock()
	s := &connector.Server{Entry: connector.Entry{ServerID: id, Provider: q.Provider, DisplayName: q.DisplayName, EndpointURL: q.EndpointURL,
		Transport: q.Transport, InteractionMode: orElse(q.InteractionMode, "interactive_user"), AuthProfileID: q.AuthProfileID,
		RateLimitProfile: "unknown", DataClasses: list(q.DataClasses), SupportedTools: list(q.SupportedTools),
		Enabled: q.Enabled == nil || *q.Enabled, ActiveBuildSurface: q.Transport != "provider_native",
		SupportsSmokeTest: q.Transport != "provider_native", LocalBridge: q.LocalBridge, HeaderSecrets: q.HeaderSecrets, TimeoutMs: q.TimeoutMs,
		CreatedAt: now, UpdatedAt: now, SchemaVersion: 1}, Tools: []connector.Definition{}}
	if len(q.OperationFamilies) > 0 {
		s.Entry.M365 = &q.M365Registration
	}
	rec := r.receipt("server_create", id, "ok", "A connector was registered.")
	return s, rec, r.change(ctx, s, rec)
}

// look connects and accepts what is listed, as far as a person has not seen anything yet. It says why that failed, but not
// where a person has to sign in: the health says that.
func (r *Registry) look(ctx context.Context, s *connector.Server) (*wire.MCPTrouble, error) {
	ctx, seen := link.Watching(ctx)
	heard := link.Hear(seen)
	defer heard.Close()
	l := r.Link(s)
	listed, err := l.List(ctx)
	r.listed(ctx, s, err, seen)
	if err == nil || s.Entry.M365 != nil && len(listed.Tools) > 0 { // those are known before anybody signs in
		r.heard(s.ID(), l, listed)
	}
	if connector.Trouble(r.HealthOf(s).AuthState) {
		return nil, err
	}
	return troubleOf(s.Entry, err, seen, heard, r.o.Mask), err
}

// keep accepts a list that a server sent by itself.
func (r *Registry) keep(id string, from *link.Link, l link.Listed) {
	r.write.Lock()
	defer r.write.Unlock()
	r.mu.RLock()
	late := !slices.Contains(r.links.of(id), from) // of a service that stood there before
	r.mu.RUnlock()
	if late {
		return
	}
	r.take(context.Background(), id, l)
}

// take stores what a server lists. The first list is accepted at once; later changes wait for a person. r.write is
// held.
func (r *Registry) take(ctx context.Context, id string, l link.Listed) {
	r.mu.RLock()
	old := r.servers[id]
	r.mu.RUnlock()
	if old == nil {
		return
	}
	s := *old
	l.Tools = classify(s.Entry, preset.Classify(s.Entry, l.Tools))
	hash := connector.HashOf(l.Tools)
	switch {
	case len(s.Tools) == 0 && s.Entry.ToolSchemaHash == "":
		s.Tools, s.Entry.ToolSchemaHash, s.Seen = l.Tools, hash, nil
	case hash == s.Entry.ToolSchemaHash && s.Seen == nil:
		return
	case hash == s.Entry.ToolSchemaHash:
		s.Seen = nil
	case s.Seen != nil && connector.HashOf(s.Seen) == hash:
		return
	default:
		s.Seen = append([]connector.Definition{}, l.Tools...)
	}
	s.Entry.ProtocolRevision, s.Entry.UpdatedAt = l.Protocol, r.o.Now()
	s.Findings = r.scan(ctx, &s)
	status, summary := "ok", fmt.Sprintf("A connector's tools were listed: %d.", len(l.Tools))
	if s.Seen != nil {
		status, summary = "degraded", "A connector's tools are others than a person saw; those that differ are out of sight."
	}
	if err := r.change(ctx, &s, r.receipt("server_patch", id, status, summary)); err != nil {
		r.o.Log.Warn("a connector's tools could not be kept", "code", string(fault.CodeOf(err)))
	}
}

func (r *Registry) scan(ctx context.Context, s *connector.Server) []wire.ScanFinding {
	if r.o.Scan == nil {
		return nil
	}
	var all []connector.Definition
	read := map[string]bool{}
	for _, d := range slices.Concat(s.Tools, s.Seen) {
		if !read[d.Hash] {
			read[d.Hash], all = true, append(all, d)
		}
	}
	found, err := r.o.Scan(ctx, s.ID(), all)
	if err != nil {
		r.o.Log.Warn("a connector's descriptions could not be scanned", "code", string(fault.CodeOf(err)))
	}
	return found
}

// sweep removes packages that no connector uses any more. r.installs is held.
func (r *Registry) sweep() {
	if r.o.Packages == nil {
		return
	}
	var used []wire.MCPLocalPackage
	r.mu.RLock()
	for _, s := range r.servers {
		if b := s.Entry.LocalBridge; b != nil && b.Package != nil {
			used = append(used, *b.Package)
		}
	}
	r.mu.RUnlock()
	if err := r.o.Packages.Sweep(used); err != nil {
		r.o.Log.Warn("packages that no connector uses could not be removed", "code", string(fault.CodeOf(err)))
	}
}

// Patch changes a connector.
func (r *Registry) Patch(ctx context.Context, id string, q wire.MCPServerPatchRequest, rev *int) (wire.MCPServerMutationResponse, error) {
	out := wire.MCPServerMutationResponse{Updated: true, Accepted: true, SchemaVersion: 1}
	s, rec, err := r.patch(ctx, id, q, rev)
	if err != nil {
		return out, err
	}
	if s.Entry.ToolSchemaHash == "" && s.Entry.Enabled && s.Entry.ActiveBuildSurface {
		out.Trouble, _ = r.look(ctx, s)
	}
	out.ReceiptID = rec.ReceiptID
	out.Server, err = r.Item(ctx, id)
	return out, err
}

func (r *Registry) patch(ctx context.Context, id string, q wire.MCPServerPatchRequest, rev *int) (*connector.Server, connector.Receipt,
	error) {
	var none connector.Receipt
	r.write.Lock()
	defer r.write.Unlock()
	s, err := r.Server(ctx, id)
	if err != nil {
		return nil, none, err
	}
	if rev != nil && *rev != s.Revision {
		return nil, none, fault.New(fault.RevisionConflict,
			"the connector was changed meanwhile").WithHint("look at it again and repeat").WithDetail(
			"current_revision", s.Revision)
	}
	before := s.Entry
	if q.DisplayName != nil && *q.DisplayName != s.Entry.DisplayName {
		if err := r.checkName(*q.DisplayName); err != nil {
			return nil, none, err
		}
	}
	set(&s.Entry.DisplayName, q.DisplayName)
	set(&s.Entry.Enabled, q.Enabled)
	set(&s.Entry.DataClasses, q.DataClasses)
	set(&s.Entry.SupportedTools, q.SupportedTools)
	set(&s.Entry.TimeoutMs, q.TimeoutMs)
	set(&s.Entry.AuthProfileID, q.AuthProfileID)
	if q.EndpointURL != nil {
		if _, err := link.Address(*q.EndpointURL); err != nil || s.Entry.Transport != "remote_http" {
			return nil, none, orFault(err, fault.New(fault.InvalidRequest, "this connector has no address"))
		}
		if *q.EndpointURL != s.Entry.EndpointURL { // it is another service now: what was seen of the old one does not count
			s.Tools, s.Seen, s.Entry.ToolSchemaHash = []connector.Definition{}, nil, ""
			s.Entry.AllowSampling, s.Entry.AllowElicitation, s.Entry.AllowRoots = false, false, false
		}
		s.Entry.EndpointURL = *q.EndpointURL
	}
	set(&s.Entry.AllowSampling, q.AllowSampling)
	set(&s.Entry.AllowElicitation, q.AllowElicitation)
	set(&s.Entry.AllowRoots, q.AllowRoots)
	p, ok := r.profileOf(s.Entry)
	if s.Entry.AuthProfileID != "" && !ok {
		return nil, none, fault.New(fault.NotFound, "there is no such auth profile")
	}
	if err := stillValid(s.Entry, p, ok); err != nil && (q.AuthProfileID != nil || q.EndpointURL != nil) {
		return nil, none, err
	}
	if q.AcceptTools && s.Seen != nil {
		s.Tools, s.Seen = s.Seen, nil
		s.Entry.ToolSchemaHash = connector.HashOf(s.Tools)
	}
	s.Entry.UpdatedAt = r.o.Now()
	rec := r.receipt("server_patch", id, "ok", "A connector was changed.")
	if err := r.change(ctx, &s, rec); err != nil {
		return nil, none, err
	}
	if before.EndpointURL != s.Entry.EndpointURL || before.AuthProfileID != s.Entry.AuthProfileID || before.TimeoutMs != s.Entry.TimeoutMs ||
		before.Enabled != s.Entry.Enabled || before.AllowSampling != s.Entry.AllowSampling ||
		before.AllowElicitation != s.Entry.AllowElicitation || before.AllowRoots != s.Entry.AllowRoots {
		r.unlink(id)
	}
	return &s, rec, nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func orFault(err error, f error) error {
	if err != nil {
		return err
	}
	return f
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func list(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

// Delete removes a connector with its policies, unless a call of its tools is under way: nobody would learn how that
// ended. Its auth profile stays: another connector may use it, or the person may want it again (DOC3 0.2D; Showhow marks
// none as disposable).
func (r *Registry) Delete(ctx context.Context, id string) (wire.MCPServerDeleteResponse, error) {
	out := wire.MCPServerDeleteResponse{ServerID: id, AuthProfileAction: "none", SchemaVersion: 1}
	r.write.Lock()
	defer r.write.Unlock()
	s, err := r.Server(ctx, id)
	if err != nil {
		return out, err
	}
	if p := s.Entry.AuthProfileID; p != "" {
		out.AuthProfileAction = "retained_unreferenced"
		if len(r.users(p)) > 1 {
			out.AuthProfileAction = "retained_shared"
		}
		out.DetachedAuthProfileID = p
	}
	r.leave(id)
	defer r.leave("")
	if !r.unused(id) {
		return out, fault.New(fault.MCPServerDeleteBlocked, "an agent's call of the connector is under way").
			WithHint("remove it when the call has ended, or turn it off first, which ends the call: `showhow connector remove NAME --now`")
	}
	defer r.unlink(id) // also when it stays: its link takes no calls any more
	rec := r.receipt("server_delete", id, "ok", "A connector was removed.")
	r.mu.RLock()
	var mine []string
	for k, p := range r.book.Policies {
		if p.Target.ServerID == id {
			mine = append(mine, k)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(r.book.Switches), func(x connector.Switch) bool { return x.ServerID == id })
	r.mu.RUnlock()
	err = r.o.Store.Update(ctx, func(tx connector.Tx) error {
		if err := tx.DeleteRecord(connector.KindServer, id); err != nil {
			return err
		}
		if err := tx.DeleteRecord(connector.KindHealth, id); err != nil {
			return err
		}
		for _, k := range mine {
			if err := tx.DeleteRecord(connector.KindPolicy, k); err != nil {
				return err
			}
		}
		for _, x := range r.switches() {
			if x.ServerID == id {
				if err := tx.DeleteRecord(connector.KindSwitch, policy.SwitchKey(x)); err != nil {
					return err
				}
			}
		}
		if err := r.note(tx, rec); err != nil {
			return err
		}
		if err := r.putPolicy(tx); err != nil {
			return err
		}
		return r.putRegistry(tx)
	})
	if err != nil {
		return out, err
	}
	r.mu.Lock()
	delete(r.servers, id)
	delete(r.health, id)
	for _, k := range mine {
		delete(r.book.Policies, k)
	}
	r.book.Switches = kept
	r.mu.Unlock()
	if r.installs.TryLock() { // else the installation under way sweeps
		r.sweep()
		r.installs.Unlock()
	}
	r.changed()
	out.Deleted, out.ReceiptID = true, rec.ReceiptID
	return out, nil
}

func (r *Registry) switches() []connector.Switch {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.book.Switches)
}

// users lists the connectors that use an auth profile.
func (r *Registry) users(profile string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := []string{}
	for _, s := range r.servers {
		if s.Entry.AuthProfileID == profile {
			out = append(out, s.ID())
		}
	}
	slices.Sort(out)
	return out
}

package ability

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sync"

	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Bounds of an intent's payload: a configuration is a page, not a store.
const (
	maxConfigBytes = 64 << 10
	maxConfigDepth = 8
)

var configKey = lazyre.New(`^[A-Za-z0-9_.-]{1,120}$`)

// Settings stores the configuration of skills.
type Settings struct {
	*registry
	intents sync.Mutex // one after the other
}

// ApplyConfigIntent validates an intent and writes its configuration under system/skills/config (baseline 0.2G). The payload
// is merged key by key; null removes a key. byUser is false for an agent or a wrapper, which may only ask for skill_config
// (decisions D4). The same intent_id is applied once.
func (s *Settings) ApplyConfigIntent(ctx context.Context, in ConfigIntent, byUser bool) (ConfigDocument, error) {
	digest, err := checkIntent(in, byUser)
	if err != nil {
		return ConfigDocument{}, err
	}
	if s.holdsSecret(in.Payload) {
		return ConfigDocument{}, fault.New(fault.InvalidRequest, "the payload holds a secret, and configuration is kept readable").
			WithHint("`showhow credential add` keeps one in the keychain; configure its name")
	}
	s.intents.Lock()
	defer s.intents.Unlock()
	var doc ConfigDocument
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		if done, ok, err := tx.Intent(in.IntentID); err != nil || ok {
			if err == nil && done.IntentDigest != digest {
				err = fault.New(fault.IdempotencyMismatch, "this intent_id was used for another intent")
			}
			doc = done.ConfigDocument
			return err
		}
		if err := knownCapability(tx, in); err != nil {
			return err
		}
		doc, err = s.writeConfig(tx, in, digest)
		return err
	})
	if err == nil {
		s.reread(ctx)
	}
	return doc, err
}

// reread refreshes what agents see after a configuration change. If that fails, the next reader does it again.
func (s *Settings) reread(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.current(ctx); err != nil {
		s.o.Log.Warn("availability could not be brought up to date", "code", fault.CodeOf(err))
	}
}

func checkIntent(in ConfigIntent, byUser bool) (digest string, err error) {
	switch {
	case !slices.Contains(configTargets, in.Target):
		return "", fault.New(fault.InvalidRequest, "the target is none that can be configured")
	case in.Target != configSkill && !byUser:
		return "", fault.New(fault.Forbidden, "only the user changes this configuration").WithHint("agents and wrappers may ask for skill_config")
	case in.IntentID == "":
		return "", fault.New(fault.InvalidRequest, "an intent needs an intent_id")
	case in.CapabilityID != "" && !capabilityID.MatchString(in.CapabilityID):
		return "", fault.New(fault.InvalidRequest, "the capability_id is not a valid one")
	case in.CapabilityID == "" && in.Target == configSkill:
		return "", fault.New(fault.InvalidRequest, "skill_config needs a capability_id")
	case len(in.Payload) == 0:
		return "", fault.New(fault.InvalidRequest, "the intent changes nothing")
	}
	if !keysAllowed(in.Payload, 0) {
		return "", fault.New(fault.InvalidRequest, "the payload has keys that are no names, or is nested too deeply").WithHint(
			"letters, digits, _ . - and at most 8 levels")
	}
	b, err := json.Marshal([]any{in.Target, in.CapabilityID, in.Payload})
	if err != nil || len(b) > maxConfigBytes {
		return "", fault.Wrap(err, fault.InvalidRequest, "the payload is larger than 64 KB")
	}
	if err := checkPayload(in); err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

func keysAllowed(v any, depth int) bool {
	if depth > maxConfigDepth {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if !configKey.MatchString(k) || !keysAllowed(x, depth+1) {
				return false
			}
		}
	case []any:
		for _, x := range v {
			if !keysAllowed(x, depth+1) {
				return false
			}
		}
	}
	return true
}

// holdsSecret reports whether a text in a payload is a secret, judging by its value or by its key.
func (s *Settings) holdsSecret(v any) bool {
	if s.o.Secret == nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return s.o.Secret(v)
	case []any:
		return slices.ContainsFunc(v, s.holdsSecret)
	case map[string]any:
		for k, x := range v {
			if text, ok := x.(string); s.holdsSecret(x) || ok && s.o.Secret(k+"="+text) {
				return true
			}
		}
	}
	return false
}

// knownCapability refuses configuration of what is not installed.
func knownCapability(tx Tx, in ConfigIntent) error {
	if in.CapabilityID == "" {
		return nil
	}
	all, err := tx.Abilities()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(a Ability) bool { return a.CapabilityID == in.CapabilityID }) {
		return fault.New(fault.NotFound, "there is no such capability").WithHint("`showhow ability list` names them")
	}
	return nil
}

func (s *Settings) writeConfig(tx Tx, in ConfigIntent, digest string) (ConfigDocument, error) {
	path := "system/skills/config/" + in.Target + ".json"
	if in.CapabilityID != "" {
		path = "system/skills/config/" + in.Target + "/" + in.CapabilityID + ".json"
	}
	rec, _, err := tx.Config(path)
	if err != nil {
		return rec.ConfigDocument, err
	}
	if rec.Config == nil {
		rec.Config = map[string]any{}
	}
	for k, v := range in.Payload {
		if v == nil {
			delete(rec.Config, k)
		} else {
			rec.Config[k] = v
		}
	}
	if b, err := json.Marshal(rec.Config); err != nil || len(b) > maxConfigBytes {
		return rec.ConfigDocument, fault.Wrap(err, fault.InvalidRequest, "the configuration would be larger than 64 KB")
	}
	rec.ConfigDocument = ConfigDocument{Target: in.Target, CapabilityID: in.CapabilityID, Config: rec.Config, Path: path,
		IntentID: in.IntentID,
		Revision: rec.Revision + 1, UpdatedAt: s.now(), SchemaVersion: 1}
	rec.IntentDigest = digest
	if err := tx.PutConfig(rec); err != nil {
		return rec.ConfigDocument, err
	}
	if err := tx.PutIntent(in.IntentID, rec); err != nil {
		return rec.ConfigDocument, err
	}
	if err := tx.PutFile(path, rec.ConfigDocument); err != nil {
		return rec.ConfigDocument, err
	}
	return rec.ConfigDocument, record(tx, journal.Receipt{Kind: journal.ConfigIntentApplied, CorrelationID: in.CorrelationID,
		Summary: "A setting of the skill was changed."},
		map[string]any{"intent_id": in.IntentID, "target": in.Target, "capability_id": in.CapabilityID, "requested_by": in.RequestedBy})
}

package custody

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"

	"showhow/daemon/ability"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Outside lists what Showhow made outside its own folders, by the install ledger (decisions D8).
func (c *Custody) Outside(ctx context.Context) (wire.Leaving, error) {
	out := wire.Leaving{Outside: []wire.Outside{}, SchemaVersion: 1}
	rows, err := c.o.Abilities.Ledger(ctx)
	if err != nil {
		return out, err
	}
	kinds := map[string]string{ability.PathCopy: "skill", ability.PathFolder: "folder"}
	for _, r := range rows {
		out.Outside = append(out.Outside, wire.Outside{Kind: kinds[r.Kind], Path: r.Path, For: r.Target})
	}
	hooks, err := c.o.Store.Hooks(ctx)
	if err != nil {
		return out, err
	}
	for _, h := range hooks {
		out.Outside = append(out.Outside, wire.Outside{Kind: "hook", Path: h.Path, For: h.Agent})
	}
	if chained, err := c.o.Keys.Chained(); err != nil {
		return out, err
	} else if chained {
		out.Outside = append(out.Outside, wire.Outside{Kind: "keys"})
	}
	tokens, err := c.o.Tokens(ctx)
	if err != nil {
		return out, err
	}
	for _, name := range tokens {
		out.Outside = append(out.Outside, wire.Outside{Kind: "tokens", For: name})
	}
	if c.o.Signs(ctx) {
		out.Outside = append(out.Outside, wire.Outside{Kind: "signing_key"})
	}
	b, err := json.Marshal(out.Outside)
	if err != nil {
		return out, err
	}
	sum := sha256.Sum256(b)
	out.ContentHash = "sha256:" + hex.EncodeToString(sum[:])
	return out, nil
}

// Leave removes what Outside lists, as far as requested. What cannot be removed stays, with the reason, and the rest
// continues, so that a second attempt is not needed.
func (c *Custody) Leave(ctx context.Context, m observe.Meta, r wire.LeaveRequest) (wire.Left, error) {
	before, err := c.Outside(ctx)
	if err != nil {
		return wire.Left{}, err
	}
	why := map[string]string{} // by kind and path
	note := func(kind, path string, err error) {
		if err != nil {
			why[kind+path] = fault.From(err).Message
		}
	}
	if !r.KeepSkills {
		note("skill", "", c.o.Abilities.Leave(ctx))
	}
	for _, x := range before.Outside {
		if x.Kind == "hook" {
			note("hook", x.Path, c.o.Intake.RemoveHook(ctx, m, x.For))
		}
	}
	if r.DestroyKeys {
		note("keys", "", c.o.Keys.DestroyAll(ctx))
		locked := fault.New(fault.AdapterUnavailable, "the keychain does not let it go")
		tokens, err := c.o.ForgetTokens(ctx)
		note("tokens", "", err)
		for _, name := range tokens {
			note("tokens", name, locked)
		}
		if len(c.o.ForgetSigningKey(ctx)) > 0 {
			note("signing_key", "", locked)
		}
	}
	left := wire.Left{Removed: []wire.Outside{}, Kept: []wire.Outside{}}
	for _, x := range before.Outside {
		if x.Why = c.stays(x, r, why); x.Why != "" {
			left.Kept = append(left.Kept, x)
		} else {
			left.Removed = append(left.Removed, x)
		}
	}
	return left, nil
}

// stays returns why something is still there; "" when it is not.
func (c *Custody) stays(x wire.Outside, r wire.LeaveRequest, why map[string]string) string {
	there := func(reason, otherwise string) string {
		if _, err := os.Lstat(x.Path); err != nil {
			return ""
		}
		if reason != "" {
			return reason
		}
		return otherwise
	}
	switch {
	case x.Kind == "hook":
		return why["hook"+x.Path]
	case x.Kind == "keys" && !r.DestroyKeys:
		return "the recordings stay, and need them"
	case (x.Kind == "tokens" || x.Kind == "signing_key") && !r.DestroyKeys:
		return "you keep what is Showhow's"
	case x.Kind == "keys", x.Kind == "signing_key":
		return why[x.Kind]
	case x.Kind == "tokens":
		return cmp.Or(why["tokens"+x.For], why["tokens"])
	case r.KeepSkills:
		return there("", "you keep the skills")
	case x.Kind == "folder":
		return there(why["skill"], "something else is in it")
	}
	return there(why["skill"], "somebody changed it: it is not Showhow's alone any more")
}

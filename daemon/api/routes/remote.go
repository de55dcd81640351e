package routes

import (
	"context"
	"slices"

	"showhow/daemon/agentrun"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagRemote = "remote callers"

// Remote lets callers from elsewhere in; *remote.Service implements it.
type Remote interface {
	Status(ctx context.Context) (wire.RemoteStatus, error)
	Check(r wire.RemoteOn) (wire.RemoteOn, error)
	On(ctx context.Context, r wire.RemoteOn) (wire.RemoteStatus, error)
	Off(ctx context.Context) (wire.RemoteStatus, error)
	Called(ctx context.Context, request string, d wire.RemoteDecision, machine *wire.RemoteMachineAdd) (name, at string, err error)
	Asked(request string, d wire.RemoteDecision) (wire.RemoteRequest, error)
	Decide(ctx context.Context, request string, d wire.RemoteDecision) (wire.RemoteStatus, error)
	AddMachine(ctx context.Context, r wire.RemoteMachineAdd) (wire.RemoteMachine, error)
	Revoke(ctx context.Context, id string) (wire.RemoteRevoked, error)
	Rotate(ctx context.Context) (wire.RemoteKeys, error)
	SetA2A(ctx context.Context, r wire.RemoteA2A) (wire.RemoteStatus, error)
}

// Tasks are what callers ask to have run; *a2a.Service implements it.
type Tasks interface {
	Asked(ctx context.Context, id string) (wire.RemoteTask, agentrun.Plan, error)
	Decide(ctx context.Context, id string, allow bool, plan string) error
}

var _ Remote = (*remote.Service)(nil)

// RemoteRoutes are the routes by which a person lets callers from elsewhere in. All of them are for persons; what
// opens something needs a confirmation.
type RemoteRoutes struct {
	Remote Remote
	Tasks  Tasks
}

type remoteRequest struct {
	Request string `path:"request" maxLength:"16" pattern:"^([0-9a-f]{16}|any)$" doc:"or any: the one whose code is given"`
}

type remoteTask struct {
	ID string `path:"task" format:"uuid" maxLength:"36"`

	plan string // hash of the one that was confirmed
}

type remoteCaller struct {
	ID string `path:"caller" minLength:"1" maxLength:"80"`
}

// Register adds the routes.
func (rs RemoteRoutes) Register(g *engine.Engine) {
	r := rs.Remote
	engine.Register(g, engine.Get("get-remote", "/api/remote", tagRemote,
		"Whether callers from elsewhere are let in, who they are and who asks",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.RemoteStatus], error) {
			return engine.Answered(r.Status(ctx))
		})
	engine.RegisterConfirmed(g, engine.Post("turn-remote-on", "/api/remote/on", tagRemote,
		"Let callers from elsewhere in at the named addresses, each after a person's yes", engine.UserWrites.Confirmed("open-remote"),
		fault.AdapterUnavailable),
		func(_ context.Context, _ *engine.None, b *wire.RemoteOn) (presence.Subject, bool, error) {
			x := presence.Subject{ID: "remote"}
			said, err := r.Check(*b)
			if err != nil {
				return x, true, err
			}
			for _, a := range said.Addresses {
				x = x.Say("It listens at %s", a)
			}
			if said.URL != "" {
				x = x.Say("Callers know it as %s", said.URL)
			}
			if b.CertFile == "" || b.KeyFile == "" {
				return x, true, nil
			}
			c, err := remote.ReadCertified(b.CertFile, b.KeyFile)
			return x.Say("The certificate is in %s", b.CertFile).Say("Its key is in %s", b.KeyFile).
				Say("SHA-256 of the certificate: %s", c.SHA256).SayList("It is for", c.Names), true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.RemoteOn) (*engine.Reply[wire.RemoteStatus], error) {
			return engine.Answered(r.On(ctx, *b))
		})
	engine.Register(g, engine.Post("turn-remote-off", "/api/remote/off", tagRemote, "Let nobody in any more, at once", engine.UserWrites),
		func(ctx context.Context, _ *engine.None, _ *wire.Post) (*engine.Reply[wire.RemoteStatus], error) {
			return engine.Answered(r.Off(ctx))
		})
	engine.RegisterConfirmed(g, engine.Post("decide-remote-request", "/api/remote/requests/{request}", tagRemote,
		"Let a caller in that waits, by the code that the browser shows, or refuse it",
		engine.UserWrites.Confirmed("allow-remote"), fault.NotFound),
		func(ctx context.Context, p *remoteRequest, b *wire.RemoteDecision) (presence.Subject, bool, error) {
			q, err := r.Asked(p.Request, *b)
			if err != nil || !b.Allow {
				return presence.Subject{ID: q.RequestID}, false, err
			}
			name, at, err := r.Called(ctx, p.Request, *b, nil)
			x := presence.Subject{ID: q.RequestID}.Say("It calls itself “%s”, which nobody checked, and asked from %s", q.ClientName, q.From).
				Say("The browser that shows the code you typed is sent on to %s", q.SendsTo).
				Say("It will be called %s, at %s", name, at)
			scopes := q.Scopes
			if len(b.Scopes) > 0 {
				scopes = b.Scopes
			}
			return sayOpening(sayScopes(x, scopes), name), true, err
		},
		func(ctx context.Context, p *remoteRequest, b *wire.RemoteDecision) (*engine.Reply[wire.RemoteStatus], error) {
			return engine.Answered(r.Decide(ctx, p.Request, *b))
		})
	machine := engine.Post("add-remote-machine", "/api/remote/machines", tagRemote,
		"Let a program in that signs in with a secret of its own, which is shown once", engine.UserWrites.Confirmed("allow-remote"),
		fault.RemoteOff, fault.NotFound)
	machine.Secret = true
	engine.RegisterConfirmed(g, machine,
		func(ctx context.Context, _ *engine.None, b *wire.RemoteMachineAdd) (presence.Subject, bool, error) {
			name, at, err := r.Called(ctx, "", wire.RemoteDecision{}, b)
			return sayOpening(sayScopes(presence.Subject{ID: b.Name}.Say("The program “%s”, with a secret of its own", b.Name).
				Say("It will be called %s, at %s", name, at), b.Scopes), name), true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.RemoteMachineAdd) (*engine.Reply[wire.RemoteMachine], error) {
			return engine.Answered(r.AddMachine(ctx, *b))
		})
	engine.Register(g, engine.Post("revoke-remote-caller", "/api/remote/callers/{caller}/revoke", tagRemote,
		"Shut a caller out, with all of its tokens and what it is doing", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, p *remoteCaller, _ *wire.Post) (*engine.Reply[wire.RemoteRevoked], error) {
			return engine.Answered(r.Revoke(ctx, p.ID))
		})
	engine.Register(g, engine.Post("rotate-remote-keys", "/api/remote/keys/rotate", tagRemote,
		"Sign machines' tokens by a new key; the old one is published until they have expired", engine.UserWrites, fault.RemoteOff),
		func(ctx context.Context, _ *engine.None, _ *wire.Post) (*engine.Reply[wire.RemoteKeys], error) {
			return engine.Answered(r.Rotate(ctx))
		})
	rs.registerA2A(g)
}

// registerA2A adds the routes for A2A: the switch, and the person's decision about a run.
func (rs RemoteRoutes) registerA2A(g *engine.Engine) {
	engine.RegisterConfirmed(g, engine.Post("set-remote-a2a", "/api/remote/a2a", tagRemote,
		"Answer callers from elsewhere in A2A, or not any more, and name the program that performs their tasks",
		engine.UserWrites.Confirmed("open-remote-a2a")),
		func(_ context.Context, _ *engine.None, b *wire.RemoteA2ASet) (presence.Subject, bool, error) {
			x := presence.Subject{ID: "remote-a2a"}
			if len(b.Command) == 0 {
				return x.Say("They can look skills up, and have none run"), b.On, nil
			}
			return x.SayList("This program performs their tasks, in the sandbox, each after your yes", b.Command), b.On, nil
		},
		func(ctx context.Context, _ *engine.None, b *wire.RemoteA2ASet) (*engine.Reply[wire.RemoteStatus], error) {
			return engine.Answered(rs.Remote.SetA2A(ctx, b.RemoteA2A))
		})
	engine.RegisterConfirmed(g, engine.Post("decide-remote-task", "/api/remote/tasks/{task}", tagRemote,
		"Have the skill run that a caller from elsewhere asks for, once, or not", engine.UserWrites.Confirmed("allow-remote-task"),
		append(slices.Clone(startRunCodes), fault.NotFound)...),
		func(ctx context.Context, p *remoteTask, b *wire.RemoteTaskDecision) (presence.Subject, bool, error) {
			t, plan, err := rs.Tasks.Asked(ctx, p.ID)
			p.plan = plan.Hash
			if !b.Allow {
				if t.TaskID != "" {
					err = nil // what cannot be planned can be refused
				}
				return presence.Subject{ID: p.ID}, false, err
			}
			x := presence.Subject{ID: p.ID, ContentHash: plan.Hash}.Say("%s asks to have “%s” run here", t.Caller, t.Title)
			return sayRun(x.Say("It says: %s", t.Goal).Say("What the run prints goes to it"), plan), true, err
		},
		func(ctx context.Context, p *remoteTask, b *wire.RemoteTaskDecision) (*engine.Reply[wire.RemoteStatus], error) {
			if err := rs.Tasks.Decide(ctx, p.ID, b.Allow, p.plan); err != nil {
				return nil, err
			}
			return engine.Answered(rs.Remote.Status(ctx))
		})
}

// sayScopes tells what a caller may do.
func sayScopes(x presence.Subject, scopes []string) presence.Subject {
	for _, s := range scopes {
		if what := remote.About(s); what != "" {
			x = x.Say("It may %s", what)
		}
	}
	return x
}

// sayOpening tells that being let in opens no skill.
func sayOpening(x presence.Subject, name string) presence.Subject {
	return x.Say("It finds only skills that you open to it, each by: %s", remote.Opening(name))
}

// sayRun tells which agent performs a run, and what it gets.
func sayRun(x presence.Subject, p agentrun.Plan) presence.Subject {
	x = x.Say("The agent “%s”", p.Agent).SayList("It gets the credentials", p.Credentials).SayList("It may reach", p.Hosts)
	x = x.SayList("It may read", p.ReadOnly)
	for _, d := range p.Dependencies {
		x = x.Say("Packages (%s) that %s names: %d", d.Kind, d.Manifest, d.Packages)
	}
	return x
}

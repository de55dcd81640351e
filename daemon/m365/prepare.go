package m365

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Prepare makes a call definite before a person is asked: the arguments that it returns are what is asked about and what
// is sent, and about says in names what their ids stand for. It changes nothing in Microsoft 365. An error says that the
// call cannot be made; a name that the account may not see is no error. It may take as long as the call itself.
func (n *Native) Prepare(ctx context.Context, c Clients, tool string, args json.RawMessage) (out json.RawMessage, about []string,
	err error) {
	p := n.profile()
	q, err := check(n.entry, p, tool, args)
	if err != nil {
		return args, nil, n.blocked(tool, err)
	}
	timed, cancel := q.timed(ctx)
	defer cancel()
	a := Account{Entry: n.entry, Profile: p, Clients: c}
	j := n.s.job(a, "", tool, q)
	defer j.close()
	out, about, err = j.prepare(timed, args)
	if err != nil {
		err = n.s.explain(graphFailed(ctx, timed, err), &Response{OperationFamily: tool}, a)
		return args, nil, n.blocked(tool, err)
	}
	return out, about, nil
}

func (j *job) prepare(ctx context.Context, args json.RawMessage) (json.RawMessage, []string, error) {
	switch j.family {
	case DraftReply:
		return j.prepareReply(ctx, args)
	case UpdateEvent:
		about, err := j.aboutEvent(ctx)
		return args, about, err
	case PostMessage:
		about, err := j.aboutTarget(ctx)
		return args, about, err
	}
	return args, nil, nil
}

// prepareReply names the message that is answered: of a conversation it is the last one now, whatever comes meanwhile.
func (j *job) prepareReply(ctx context.Context, args json.RawMessage) (json.RawMessage, []string, error) {
	id := j.q.MessageID
	if id == "" {
		last, err := j.lastOfThread(ctx)
		if err != nil {
			return args, nil, err
		}
		id = last
		var all map[string]json.RawMessage
		if err := json.Unmarshal(args, &all); err != nil {
			return args, nil, err
		}
		delete(all, "thread_id")
		if all["message_id"], err = json.Marshal(id); err == nil {
			args, err = json.Marshal(all)
		}
		if err != nil {
			return args, nil, err
		}
	}
	m, err := segment(id, "the message")
	if err != nil {
		return args, nil, err
	}
	var x letter
	err = j.g.get(ctx, at("me", "messages", m), selecting("id,subject,from,receivedDateTime", 0), &x)
	from := plain.Quoted(x.From.Address.Address, maxName)
	if name := x.From.Address.Name; name != "" {
		from += " (" + plain.Quoted(name, maxName) + ")"
	}
	about, err := named(err, "message", x.Subject, "from", from)
	return args, about, err
}

func (j *job) aboutEvent(ctx context.Context) ([]string, error) {
	id, err := segment(j.q.EventID, "the event")
	if err != nil {
		return nil, err
	}
	type moment struct {
		DateTime string `json:"dateTime"`
		TimeZone string `json:"timeZone"`
	}
	var x struct {
		Subject   string `json:"subject"`
		Start     moment `json:"start"`
		Attendees []struct {
			Address struct {
				Address string `json:"address"`
			} `json:"emailAddress"`
		} `json:"attendees"`
	}
	err = j.g.get(ctx, at("me", "events", id), selecting("id,subject,start,attendees", 0), &x)
	var who []string
	for _, a := range x.Attendees {
		who = append(who, plain.Quoted(a.Address.Address, maxName))
	}
	about, err := named(err, "event", x.Subject, "with", who...)
	if x.Start.DateTime != "" {
		zone := x.Start.TimeZone
		if zone != "UTC" {
			zone = "in " + plain.Quoted(zone, maxName)
		}
		about = append(about, "Starts "+readable(x.Start.DateTime)+" "+zone+".")
	}
	return about, err
}

// readable is a time of Graph's as people write it. What is no such time is quoted.
func readable(dateTime string) string {
	t, err := time.Parse("2006-01-02T15:04:05", dateTime) // with any fraction of a second
	if err != nil {
		return plain.Quoted(dateTime, maxName)
	}
	return t.Format("2 January 2006, 15:04")
}

func (j *job) aboutTarget(ctx context.Context) ([]string, error) {
	if j.q.TargetKind == "channel" {
		team, channel, err := channelOf(j.q.TargetRef)
		if err != nil {
			return nil, err
		}
		var x struct {
			Name string `json:"displayName"`
		}
		err = j.g.get(ctx, at("teams", team, "channels", channel), selecting("id,displayName", 0), &x)
		return named(err, "channel", x.Name, "")
	}
	id, err := segment(j.q.TargetRef, "the chat")
	if err != nil {
		return nil, err
	}
	var x struct {
		Topic   string `json:"topic"`
		Members []struct {
			Name string `json:"displayName"`
		} `json:"members"`
	}
	query := selecting("id,topic", 0)
	query.Set("$expand", "members")
	err = j.g.get(ctx, at("chats", id), query, &x)
	var who []string
	for _, m := range x.Members {
		who = append(who, plain.Quoted(m.Name, maxName))
	}
	return named(err, "chat", x.Topic, "with", who...)
}

// Bounds of a line that tells what an id stands for: wire.MCPAskFirstDispatchRecord.About takes none of more than 480
// characters.
const (
	maxName  = 70 // of one person
	maxWho   = 250
	maxTitle = 160
)

// named says what an id stands for: the people first, already quoted, since they are what matters and a title may be long.
// What is not there cannot be acted on; a name that only cannot be seen is said to be so.
func named(err error, what, title, how string, who ...string) ([]string, error) {
	switch status := statusOf(err); {
	case status == http.StatusNotFound, status == http.StatusGone, status == http.StatusUnauthorized,
		fault.Is(err, fault.MCPAuthChallengeRequired):
		return nil, err
	case err != nil:
		return []string{"The name of the " + what + " could not be looked up."}, nil
	}
	line := "The " + what
	if len(who) > 0 {
		line += " " + how + " " + plain.Listed(who, maxWho)
	}
	if title == "" {
		return []string{line + " has no title."}, nil
	}
	return []string{line + " is " + plain.Quoted(title, maxTitle) + "."}, nil
}

// reachable asks Graph something that an application may be refused, and is known for: only a sign-in is checked by it.
func reachable(ctx context.Context, g *graph, app bool) error {
	path := "/me"
	if app {
		path = "/organization"
	}
	err := g.once(ctx, http.MethodGet, g.base+path+"?"+url.Values{"$select": {"id"}}.Encode(), nil, nil)
	if statusOf(err) == http.StatusForbidden { // what was granted does not cover it: but it knows who asks
		return nil
	}
	return err
}

package m365

import (
	"context"
	"net/url"

	"showhow/internal/plain"
)

func (j *job) postMessage(ctx context.Context) (any, error) {
	where := ""
	if j.q.TargetKind == "channel" {
		team, channel, err := channelOf(j.q.TargetRef)
		if err != nil {
			return nil, err
		}
		where = at("teams", team, "channels", channel, "messages")
	} else {
		chat, err := segment(j.q.TargetRef, "the chat")
		if err != nil {
			return nil, err
		}
		where = at("chats", chat, "messages")
	}
	x, err := j.g.write(ctx, "POST", where, map[string]any{"body": text(j.q.MessageMarkdown)}, false)
	return postResult{PostMessage, x.ID, j.q.TargetKind, j.q.TargetRef}, err
}

// mostRecent is how many messages of a channel are counted.
const mostRecent = 50

func (j *job) channelContext(ctx context.Context) (any, error) {
	team, err := segment(j.q.TeamID, "the team")
	if err != nil {
		return nil, err
	}
	channel, err := segment(j.q.ChannelID, "the channel")
	if err != nil {
		return nil, err
	}
	var x struct {
		Name string `json:"displayName"`
	}
	where := at("teams", team, "channels", channel)
	if err := j.g.get(ctx, where, selecting("id,displayName", 0), &x); err != nil {
		return nil, err
	}
	out := channelResult{OperationFamily: ChannelContext, TeamID: team, ChannelID: channel, ChannelName: plain.Clip(x.Name, 240)}
	if j.q.IncludeRecentMessages {
		recent, err := all(ctx, j.g, where+at("messages"), url.Values{"$top": {"50"}}, mostRecent, func(made) bool { return true })
		if err != nil {
			return nil, err
		}
		out.RecentMessageCount = len(recent)
	}
	return out, nil
}

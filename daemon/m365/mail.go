package m365

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

// letter is a message, as far as it is read.
type letter struct {
	ID           string `json:"id"`
	Conversation string `json:"conversationId"`
	Subject      string `json:"subject"`
	Received     string `json:"receivedDateTime"`
	From         struct {
		Address struct {
			Name    string `json:"name"`
			Address string `json:"address"`
		} `json:"emailAddress"`
	} `json:"from"`
}

func (j *job) mailSearch(ctx context.Context) (any, error) {
	most := cmp.Or(j.q.MaxResults, 25)
	query := selecting("id,subject,from,receivedDateTime", min(most, 100))
	query.Set("$search", `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(j.q.Query)+`"`)
	where := at("me", "messages")
	if j.q.Folder != "" {
		id, err := segment(j.q.Folder, "the folder")
		if err != nil {
			return nil, err
		}
		where = at("me", "mailFolders", id, "messages")
	}
	letters, err := all(ctx, j.g, where, query, most, func(x letter) bool { return x.ID != "" })
	out := mailResult{OperationFamily: MailSearch, Messages: []message{}}
	for _, x := range letters {
		from := x.From.Address.Address
		if name := x.From.Address.Name; name != "" && from != "" {
			from = name + " <" + from + ">"
		}
		out.Messages = append(out.Messages, message{MessageID: x.ID, Subject: plain.Clip(x.Subject, 240), From: plain.Clip(from, 240),
			ReceivedAt: when(x.Received)})
	}
	return out, err
}

// mostInThread bounds the messages of a conversation.
const mostInThread = 500

// thread is the conversation that is asked about, with its messages, oldest first.
func (j *job) thread(ctx context.Context) (id string, letters []letter, err error) {
	id = j.q.ThreadID
	if j.q.MessageID != "" {
		m, err := segment(j.q.MessageID, "the message")
		if err != nil {
			return "", nil, err
		}
		var x letter
		if err := j.g.get(ctx, at("me", "messages", m), selecting("id,conversationId", 0), &x); err != nil {
			return "", nil, err
		}
		id = x.Conversation
	}
	if id == "" {
		return "", nil, fault.New(fault.NotFound, "the message belongs to no conversation")
	}
	query := url.Values{"$filter": {"conversationId eq '" + strings.ReplaceAll(id, "'", "''") + "'"}, "$top": {"100"},
		"$select": {"id,conversationId,receivedDateTime"}}
	letters, err = all(ctx, j.g, at("me", "messages"), query, mostInThread, func(x letter) bool { return x.ID != "" })
	slices.SortStableFunc(letters, func(a, b letter) int { return cmp.Compare(a.Received, b.Received) })
	return id, letters, err
}

func (j *job) getThread(ctx context.Context) (any, error) {
	id, letters, err := j.thread(ctx)
	out := threadResult{OperationFamily: GetThread, ThreadID: id, MessageIDs: []string{}}
	for _, x := range letters {
		out.MessageIDs = append(out.MessageIDs, x.ID)
	}
	if err == nil && len(letters) == 0 {
		err = fault.New(fault.NotFound, "the mailbox has no message of this conversation")
	}
	return out, err
}

// lastOfThread is the latest message of a conversation.
func (j *job) lastOfThread(ctx context.Context) (string, error) {
	_, letters, err := j.thread(ctx)
	if err == nil && len(letters) == 0 {
		err = fault.New(fault.NotFound, "the mailbox has no message of this conversation")
	}
	if err != nil {
		return "", err
	}
	return letters[len(letters)-1].ID, nil
}

// draftReply makes a draft in the person's own mailbox. It sends nothing to anybody.
func (j *job) draftReply(ctx context.Context) (any, error) {
	id := j.q.MessageID
	if id == "" { // Prepare has named it where a person was asked
		last, err := j.lastOfThread(ctx)
		if err != nil {
			return nil, err
		}
		id = last
	}
	id, err := segment(id, "the message")
	if err != nil {
		return nil, err
	}
	draft := map[string]any{"body": text(*j.q.BodyMarkdown)}
	if j.q.SubjectOverride != "" {
		draft["subject"] = j.q.SubjectOverride
	}
	x, err := j.g.write(ctx, "POST", at("me", "messages", id, "createReply"), map[string]any{"message": draft}, false)
	if err != nil {
		return nil, err
	}
	return draftResult{OperationFamily: DraftReply, DraftID: x.ID, ThreadID: x.Conversation, Status: "draft_created"}, nil
}

// text is a body that is sent as it was written: Markdown is not rendered, so that a person sees before what is sent.
func text(body string) map[string]any { return map[string]any{"contentType": "text", "content": body} }

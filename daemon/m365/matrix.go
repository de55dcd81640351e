package m365

import (
	"slices"
	"strings"

	"showhow/daemon/wire"
)

// The operations.
const (
	Search         = "search"
	ListDocuments  = "sharepoint_list_documents"
	FetchFile      = "onedrive_fetch_file"
	LatestDocument = "project_get_latest_document"
	MailSearch     = "outlook_mail_search"
	GetThread      = "outlook_get_thread"
	DraftReply     = "outlook_draft_reply"
	Availability   = "calendar_check_availability"
	CreateEvent    = "calendar_create_event"
	UpdateEvent    = "calendar_update_event"
	WordContent    = "word_fetch_content"
	WordComments   = "word_fetch_comments"
	PostMessage    = "teams_post_message"
	ChannelContext = "teams_get_channel_context"
)

// The modes of a connector and of a call.
const (
	Interactive = "interactive_user"
	Background  = "background_service"
)

// operation is what is known of an operation. me means that it is about the account that is signed in.
type operation struct {
	wire.M365Operation
	title, about string
	me           bool
}

func scopes(list string) []string { return append([]string{}, strings.Fields(list)...) }

// op is an operation that needs min, uses opt where it has it, and belongs to a class.
func op(family, class, min, opt, title, about, sends string, data ...string) operation {
	o := wire.M365Operation{OperationFamily: family, MinimumDelegatedScopes: scopes(min), OptionalScopes: scopes(opt), ActionClass: class,
		Sends: sends, DataClasses: data, SchemaVersion: 1}
	return operation{M365Operation: o, title: title, about: about}
}

func (o operation) admin() operation    { o.AdminConsentLikely = true; return o }
func (o operation) personal() operation { o.me = true; return o }
func (o operation) delegated() operation {
	o.DelegatedOnly = true
	return o
}

// operations is the scope matrix (DOC3 0.2E), in the specification's order.
func operations() []operation {
	const files, draft = "Files.Read.All Sites.Read.All", "Nothing is sent to anybody: the draft waits in Outlook."
	return []operation{
		op(Search, "read", "User.Read Files.Read.All Sites.Read.All", "Mail.Read People.Read", "Search Microsoft 365",
			"Finds files and sites, and mail and people where the sign-in covers them.", "the words that are searched for", "files", "mail").admin(),
		op(ListDocuments, "read", "Sites.Read.All Files.Read.All", "", "List a SharePoint library",
			"Lists the documents in a folder of a site's library.", "which site, library and folder", "files").admin(),
		op(FetchFile, "read", "Files.Read.All", "Files.Read", "Fetch a file of OneDrive or SharePoint",
			"Says what a file is; with include_content keeps its content here for a day, as content_ref.", "which file", "files"),
		op(LatestDocument, "read", "Sites.Read.All Files.Read.All", "User.Read", "Find a project's latest document",
			"Looks where `showhow project` says that the project's documents are, else searches.",
			"the bound places; where they have none, the project's name, the role and the title as words to search", "files").admin(),
		op(MailSearch, "read", "Mail.Read", "", "Search mail", "Finds messages of the mailbox.", "the words and the folder", "mail").personal(),
		op(GetThread, "read", "Mail.Read", "", "List the messages of a conversation", "Names the messages of one conversation, oldest first.",
			"the conversation or one of its messages", "mail").personal(),
		op(DraftReply, "write", "Mail.ReadWrite", "Mail.Send", "Draft a reply",
			"Drafts a reply to a message, or to the latest of a conversation. "+draft,
			"the draft's text as plain text, and its subject if one is given, to your own Drafts folder", "mail").personal(),
		op(Availability, "read", "Calendars.Read", "", "See who is free", "Says when people are free or busy; without names, when you are.",
			"the addresses and the time", "calendar").personal(),
		op(CreateEvent, "send", "Calendars.ReadWrite", "OnlineMeetings.ReadWrite", "Create an event",
			"Puts an event into the calendar. Those who are named get an invitation.",
			"title, times, place and text, as plain text; Microsoft sends them to everybody who is invited", "calendar").personal(),
		op(UpdateEvent, "send", "Calendars.ReadWrite", "OnlineMeetings.ReadWrite", "Change an event",
			"Changes what is given of an event. Those who are invited are told.",
			"what is to change, as plain text; Microsoft sends it to everybody who is invited", "calendar").personal(),
		op(WordContent, "read", files, "", "Read a Word document", "Keeps the document here for a day, as content_ref, and counts its comments.",
			"which document", "files").admin(),
		op(WordComments, "read", files, "", "Read the comments of a Word document", "Lists the comments with their authors.", "which document",
			"files").admin(),
		op(PostMessage, "send", "ChannelMessage.Send Chat.ReadWrite", "Team.ReadBasic.All Channel.ReadBasic.All ChatMessage.Send",
			"Post in Teams", "Posts a message in a channel (target_ref TEAM/CHANNEL) or a chat (its id), in your name.",
			"the message, as plain text, to everybody in the channel or chat", "chat").personal().delegated(),
		op(ChannelContext, "read", "Team.ReadBasic.All Channel.ReadBasic.All", "ChannelMessage.Read.All", "Look at a Teams channel",
			"Names a channel; with include_recent_messages counts its latest messages, 50 at most.", "which channel", "chat").admin(),
	}
}

func find(family string) (operation, bool) {
	all := operations()
	i := slices.IndexFunc(all, func(o operation) bool { return o.OperationFamily == family })
	if i < 0 {
		return operation{}, false
	}
	return all[i], true
}

// Operations lists the operations for the API.
func Operations() wire.M365OperationList {
	out := wire.M365OperationList{Operations: []wire.M365Operation{}, SchemaVersion: 1}
	for _, o := range operations() {
		out.Operations = append(out.Operations, o.M365Operation)
	}
	return out
}

// ScopesOf is the union of what operations need at least, without repeats.
func ScopesOf(families []string) []string {
	out := []string{}
	for _, o := range operations() {
		if !slices.Contains(families, o.OperationFamily) {
			continue
		}
		for _, s := range o.MinimumDelegatedScopes {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// DataOf is which kinds of data operations are about.
func DataOf(families []string) []string {
	out := []string{}
	for _, o := range operations() {
		if slices.Contains(families, o.OperationFamily) {
			out = append(out, o.DataClasses...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ClassOf is what an operation does; "" for an unknown one.
func ClassOf(family string) string {
	o, _ := find(family)
	return o.ActionClass
}

// Missing lists the scopes of want that are not in have. Microsoft compares them without regard to case, and names those
// of Graph with or without its address.
func Missing(want, have []string) []string {
	out := []string{}
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(Short(h), Short(w)) }) {
			out = append(out, w)
		}
	}
	return out
}

// Short is a scope without the address of Graph.
func Short(scope string) string {
	if i := strings.LastIndexByte(scope, '/'); i >= 0 && strings.HasPrefix(scope, "https://") {
		return scope[i+1:]
	}
	return scope
}

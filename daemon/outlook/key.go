package outlook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/textproto"
	"strconv"
	"strings"
)

// key is a message_id of R9 2.2: {account}:{folder}:{internetMessageId}. A colon or a percent sign in the first two is spelled.
type key struct {
	account, folder string
	message         string // the Message-ID header, or a hash where there is none
}

var spelled = strings.NewReplacer("%", "%25", ":", "%3A")
var unspelled = strings.NewReplacer("%3A", ":", "%25", "%")

func (k key) String() string {
	return spelled.Replace(k.account) + ":" + spelled.Replace(k.folder) + ":" + k.message
}

// maxKey bounds a key: names are at most so long, and a header's line at most 998.
const maxKey = 2000

func parseKey(s string) (key, error) {
	parts := strings.SplitN(s, ":", 3)
	if len(parts) < 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" || len(s) > maxKey || line("", s, maxKey) != nil {
		return key{}, invalid("message_id is none of Outlook's", "take it from the results of a search")
	}
	return key{unspelled.Replace(parts[0]), unspelled.Replace(parts[1]), parts[2]}, nil
}

// hashed is how a key begins whose message has no Message-ID header.
const hashed = "sha256-"

// fallback is the hash that stands for a message without a Message-ID header. Outlook's dictionary tells no size of a
// message, so the size counts as 0.
func (r row) fallback() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d", r.Subject, r.From, int64(r.At), 0))
	return hashed + hex.EncodeToString(sum[:12])
}

// messageID is what stands for a message in its key.
func (r row) messageID() string {
	if id := header(r.Headers, "Message-Id"); id != "" && line("", id, maxLine) == nil && !strings.HasPrefix(id, hashed) {
		return id
	}
	return r.fallback()
}

// header is the value of a header, of several lines made one.
func header(all, name string) string {
	found, value := false, ""
	for l := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(all, "\r\n", "\n"), "\r", "\n")), "\n") {
		switch {
		case l == "":
			return strings.TrimSpace(value)
		case found && (l[0] == ' ' || l[0] == '\t'):
			value += " " + strings.TrimSpace(l)
		case found:
			return strings.TrimSpace(value)
		default:
			if n, v, ok := strings.Cut(l, ":"); ok && textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(n)) == name {
				found, value = true, v
			}
		}
	}
	return strings.TrimSpace(value)
}

// Events and drafts have Outlook's own numbers.
const (
	eventPrefix = "outlook_evt_"
	draftPrefix = "outlook_msg_"
)

func eventKey(id int) string { return eventPrefix + strconv.Itoa(id) }

func parseEvent(s string) (int, error) {
	digits, ok := strings.CutPrefix(s, eventPrefix)
	id, err := strconv.Atoi(digits)
	if !ok || err != nil || id <= 0 || id > 1<<31-1 {
		return 0, invalid("event_id is none of Outlook's", "take it from the events that were read")
	}
	return id, nil
}

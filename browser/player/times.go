package player

import "time"

// How long an act's consequences are waited for at most before the act counts as done: a caller
// that expects more calls Settle.
const (
	navigationTime = 30 * time.Second       // a page that was asked for
	loadTime       = 10 * time.Second       // what a page loads
	requestTime    = 5 * time.Second        // other requests
	unreadTime     = 400 * time.Millisecond // the rest of an answer that a script has and may not want to read
	replyTime      = time.Second            // what a site says through a socket when it opens, or when something was sent
	restlessTime   = 600 * time.Millisecond // changes of the page
	quiet          = 30 * time.Millisecond
	tick           = 50 * time.Millisecond
	answerTime     = 10 * time.Second // a page to answer at all
)

const closeTime = 5 * time.Second

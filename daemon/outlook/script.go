package outlook

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"time"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

//go:embed scripts/*.applescript
var scripts embed.FS

// script is the program text of an operation: the library, and its wrapper. It depends on nothing but the operation's name.
func script(operation string) (string, error) {
	library, err := scripts.ReadFile("scripts/library.applescript")
	if err != nil {
		return "", err
	}
	wrapper, err := scripts.ReadFile("scripts/" + operation + ".applescript")
	if err != nil {
		return "", err
	}
	return string(library) + "\n" + string(wrapper), nil
}

const (
	usualLimit = 10 * time.Second // of a script (R9 2.4)
	maxAnswer  = 8 << 20          // bytes
	inside     = 2 * time.Second  // a script gives up so much before it is ended, and says why
)

// runner runs scripts with osascript.
type runner struct {
	program string
	limit   time.Duration
}

// refusal is an answer of a script that says what went wrong.
type refusal struct {
	Error  bool    `json:"error"`
	Number float64 `json:"number"`
}

// run runs the script of an operation with what it is to work on, and reads its answer. writes says that the script may have
// done something by the time it fails.
func (r runner) run(ctx context.Context, operation string, asked map[string]any, writes bool, answer any) error {
	program, err := exec.LookPath(r.program)
	if err != nil {
		return missing()
	}
	text, err := script(operation)
	if err != nil {
		return err
	}
	asked["seconds"] = max(r.limit-inside, r.limit/2).Seconds()
	in, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	timed, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	out, errs := &bounded{most: maxAnswer, full: cancel}, &bounded{most: 64 << 10, full: func() {}}
	cmd := exec.CommandContext(timed, program, "-e", text)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), out, errs
	cmd.WaitDelay = time.Second // for whatever holds its output
	ownGroup(cmd)
	err = cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = silent()
	case ctx.Err() != nil:
		err = fault.New(fault.Cancelled, "the caller went away")
	case out.over:
		err = failed(0)
	case timed.Err() != nil:
		err = silent()
	case err != nil:
		err = explained(numberAtTheEnd(errs.String()))
	default:
		err = read(out.Bytes(), answer)
	}
	return unknownAfter(err, writes)
}

// read parses what a script printed.
func read(out []byte, answer any) error {
	var no refusal
	if err := json.Unmarshal(out, &no); err != nil {
		return failed(0)
	}
	if no.Error {
		return explained(int(no.Number))
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return failed(0)
	}
	return nil
}

// number is how osascript ends what it says of an error.
var number = lazyre.New(`\((-?[0-9]{1,6})\)\s*$`)

func numberAtTheEnd(said string) int {
	m := number.FindStringSubmatch(said)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Numbers of AppleScript's errors, and those of the scripts' own (scripts/library.applescript).
const (
	noPermission      = -1743
	wouldAsk          = -1744
	noPrivilege       = -10004
	noAnswer          = -1712
	notUnderstood     = -1708
	applicationAbsent = -10814
	processAbsent     = -600
	connectionInvalid = -609
	notRunning        = 9000
	noAccount         = 9001
	noFolder          = 9002
	noMessage         = 9003
	noCalendar        = 9004
	noEvent           = 9005
	otherEvent        = 9006
	notAsAsked        = 9010
)

// explained is the error that a number stands for. Nothing of AppleScript's own words is in it: they quote what a script
// works on.
func explained(n int) error {
	var f *fault.Error
	switch n {
	case notRunning, processAbsent, connectionInvalid:
		f = fault.New(fault.OutlookNotRunning, "Outlook is not running. Please open Microsoft Outlook and try again.").
			WithHint("ask the person to open Outlook; it is not opened unasked")
	case noPermission, wouldAsk, noPrivilege:
		f = fault.New(fault.OutlookNotAllowed, "macOS does not let Showhow automate Outlook").
			WithHint("System Settings, Privacy & Security, Automation: allow Microsoft Outlook for the program that runs Showhow")
	case noAnswer:
		f = silent()
	case applicationAbsent:
		f = missing()
	case noAccount:
		f = fault.New(fault.OutlookNoAccount, "Outlook has no such account").WithHint("`showhow outlook accounts` lists them")
	case noFolder:
		f = fault.New(fault.OutlookNoFolder, "the account has no such folder").
			WithHint("Inbox, Sent Items, Drafts, Deleted Items, Junk Email, or a folder's name; a folder in another is PARENT/NAME")
	case noMessage:
		f = lost()
	case noCalendar:
		f = fault.New(fault.OutlookNoCalendar, "there is no such calendar").WithHint("`showhow outlook calendars` lists them")
	case noEvent:
		f = fault.New(fault.OutlookNoEvent, "there is no such event any more").WithHint("read the calendar again")
	case otherEvent:
		f = fault.New(fault.OutlookNotAsAllowed, "the event was changed after it was looked at; nothing was done").
			WithHint("read the calendar again")
	case notAsAsked:
		f = fault.New(fault.OutlookFailed, "Outlook did not make the message with this sender and these recipients; nothing was sent").
			WithHint("look in Outlook whether the account can send")
	case notUnderstood:
		f = failed(n).WithHint("the new Outlook for Mac knows little AppleScript: the person can switch to the legacy one in its Help menu")
	default:
		return failed(n)
	}
	return f.WithDetail(scriptError, n)
}

// scriptError is the detail of an error that has AppleScript's number.
const scriptError = "applescript_error"

func failed(n int) *fault.Error {
	f := fault.New(fault.OutlookFailed, "Outlook did not do it, or answered with something else").
		WithHint("look whether Outlook shows a question or an error, then try again")
	if n != 0 {
		f = f.WithDetail(scriptError, n)
	}
	return f
}

func silent() *fault.Error {
	return fault.New(fault.OutlookTimeout, "Outlook did not answer in time").
		WithHint("look whether Outlook shows a question or is busy, then try again")
}

func lost() *fault.Error {
	return fault.New(fault.OutlookNoMessage, "the message was not found: it was moved or deleted").WithHint("search for it again")
}

func missing() *fault.Error {
	return fault.New(fault.OutlookMissing, "Outlook can be used only on a Mac that has Microsoft Outlook: "+absent()).
		WithHint("elsewhere Microsoft 365 reaches the same mail and calendar: showhow m365 connect mail calendar --client-id ID")
}

// OutcomeUnknown is the reason of an error after which nobody knows whether a write was done.
const OutcomeUnknown = "outcome_unknown"

// unknownAfter says of an error that the write may have been done all the same, unless the error tells that it was not.
func unknownAfter(err error, writes bool) error {
	if err == nil || !writes {
		return err
	}
	f := *fault.From(err)
	switch f.Code {
	case fault.OutlookTimeout, fault.Cancelled:
	case fault.OutlookFailed:
		if f.Details[scriptError] == notAsAsked {
			return err
		}
	default:
		return err
	}
	return (&f).WithDetail("reason", OutcomeUnknown).WithHint("it may have been done all the same: look in Outlook before you repeat it")
}

// bounded keeps what a program prints, up to a limit.
type bounded struct {
	bytes.Buffer
	most int
	full func()
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over || b.Len()+len(p) > b.most {
		b.over = true
		b.full()
		return len(p), nil // what comes until it ends is not kept
	}
	return b.Buffer.Write(p)
}

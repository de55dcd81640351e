package outlook

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/internal/fault"
	"showhow/internal/plain"
	"showhow/internal/single"
)

// Switches say what a person switched off for an account.
type Switches struct {
	EmailSend, CalendarWrite bool
}

// Options is what a Service stands on.
type Options struct {
	Program string // osascript: the system's own on a Mac, else looked for on PATH
	Lock    string // a file: whoever holds it writes; "" only this service writes
	Home    string
	// Switches are read before each write; nil: nothing is switched off.
	Switches func() (func(names ...string) Switches, error)
	// Instructs returns the rules by which a text gives an agent orders; nil: nobody checks.
	Instructs func(text string) []string
	Now       func() time.Time
	Zone      *time.Location
	Limit     time.Duration // of a script; 0: 10 s
	Patience  time.Duration // of a search, after which it answers with what it has; 0: 5 s
}

// Service does the operations.
type Service struct {
	when
	o   Options
	run runner

	writing chan struct{} // held while something is written
	mu      sync.Mutex
	known   map[string]int // numbers of messages that were seen, by their keys
}

// New makes a service. It starts nothing.
func New(o Options) *Service {
	if runtime.GOOS == "darwin" { // the system's own, whatever PATH says
		o.Program = cmp.Or(o.Program, "/usr/bin/osascript")
	}
	o.Program, o.Limit, o.Patience = cmp.Or(o.Program, "osascript"), cmp.Or(o.Limit, usualLimit), cmp.Or(o.Patience, 5*time.Second)
	o.Zone = cmp.Or(o.Zone, time.Local)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{when: when{o.Zone, o.Now}, o: o, run: runner{o.Program, o.Limit}, writing: make(chan struct{}, 1), known: map[string]int{}}
}

// Ready reports whether Outlook can be used here, and why not. It asks Outlook nothing.
func (s *Service) Ready() (bool, string) {
	if _, err := exec.LookPath(s.o.Program); err != nil {
		return false, absent()
	}
	if runtime.GOOS == "darwin" && !installed(s.o.Home) {
		return false, "Microsoft Outlook is not installed"
	}
	return true, ""
}

// absent says why osascript cannot be found.
func absent() string {
	if runtime.GOOS == "darwin" {
		return "osascript is not there"
	}
	return "this is no Mac"
}

// installed reports whether Outlook is where programs are on a Mac.
func installed(home string) bool {
	return slices.ContainsFunc([]string{"/Applications", filepath.Join(home, "Applications")}, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "Microsoft Outlook.app"))
		return err == nil
	})
}

// Detail is the detail of an error that has it in R9 2.5's form.
const Detail = "operation"

// Failure is an error in the form that R9 2.5 has for every operation.
type Failure struct {
	Error   bool    `json:"error"`
	Tool    string  `json:"tool"`
	Message string  `json:"message"`
	Stderr  *string `json:"stderr"`
}

// failing gives the error of an operation its form.
func failing(operation string, err *error) {
	if *err == nil {
		return
	}
	f := *fault.From(*err)
	f.Details = maps.Clone(f.Details)
	told := Failure{Error: true, Tool: operation + ".applescript", Message: f.Message}
	if n, ok := f.Details[scriptError].(int); ok && n < 0 {
		said := fmt.Sprintf("AppleScript error %d", n)
		told.Stderr = &said
	}
	*err = (&f).WithDetail(Detail, told)
}

// Accounts lists the accounts (email_list_accounts).
func (s *Service) Accounts(ctx context.Context) (out Accounts, err error) {
	defer failing("email_list_accounts", &err)
	all, err := s.accounts(ctx)
	if err != nil {
		return out, err
	}
	switches, err := s.switches()
	out.Accounts = []Account{}
	for _, a := range all {
		sw := switches(a.Name, a.Address)
		out.Accounts = append(out.Accounts, Account{a.Name, a.Address, a.Type, sw.EmailSend, sw.CalendarWrite})
	}
	return out, err
}

// account is one of Outlook's.
type account struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Type    string `json:"type"`
}

// in adds an account to what a script is to work on.
func (a account) in(asked map[string]any) map[string]any {
	asked["account"], asked["address"] = a.Name, a.Address
	return asked
}

func (a account) told() string {
	if a.Address == "" {
		return plain.Quoted(a.Name, 80)
	}
	return plain.Quoted(a.Name, 80) + " (" + plain.Quoted(a.Address, 120) + ")"
}

func (s *Service) accounts(ctx context.Context) ([]account, error) {
	var out struct {
		Accounts []account `json:"accounts"`
	}
	err := s.run.run(ctx, "email_list_accounts", map[string]any{}, false, &out)
	return out.Accounts, err
}

// chosen are the accounts that a name or an address stands for; all for "".
func (s *Service) chosen(ctx context.Context, named string) ([]account, error) {
	all, err := s.accounts(ctx)
	if err != nil || named == "" {
		return all, err
	}
	var found []account
	for _, a := range all {
		if strings.EqualFold(a.Address, named) {
			return []account{a}, nil
		}
		if strings.EqualFold(a.Name, named) {
			found = append(found, a)
		}
	}
	if len(found) == 0 {
		return nil, explained(noAccount)
	}
	if len(found) > 1 {
		return nil, fault.New(fault.OutlookNoAccount, "several accounts have this name").WithHint("name the account by its address")
	}
	return found, nil
}

// account is the one account that is named.
func (s *Service) account(ctx context.Context, named string) (account, error) {
	if named == "" {
		return account{}, invalid("account is missing", "")
	}
	found, err := s.chosen(ctx, named)
	if err != nil {
		return account{}, err
	}
	return found[0], nil
}

func (s *Service) switches() (func(names ...string) Switches, error) {
	if s.o.Switches == nil {
		return func(...string) Switches { return Switches{true, true} }, nil
	}
	return s.o.Switches()
}

// The switches of R9 2.2.
const (
	emailSend     = "email_send"
	calendarWrite = "calendar_write"
)

// may reports an error if a person switched off what an account is to do.
func (s *Service) may(a account, switches ...string) error {
	of, err := s.switches()
	if err != nil {
		return err
	}
	sw := of(a.Name, a.Address)
	for _, name := range switches {
		if name == emailSend && !sw.EmailSend || name == calendarWrite && !sw.CalendarWrite {
			what := map[string]string{emailSend: "sending", calendarWrite: "changes of the calendar"}[name]
			return fault.Newf(fault.OutlookSwitchedOff, "the person switched %s off for this account (%s = false in config.toml)", what, name).
				WithDetail("switch", name).WithHint("ask the person; do not do it another way")
		}
	}
	return nil
}

// alone does what writes while nothing else does, here or in another program.
func (s *Service) alone(ctx context.Context, do func() error) error {
	busy := fault.New(fault.TooManyRequests, "something else is being written in Outlook").WithHint("try again when that is done")
	ctx, cancel := context.WithTimeout(ctx, 3*s.o.Limit)
	defer cancel()
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return busy
	}
	for s.o.Lock != "" {
		held, first, err := single.Take(s.o.Lock)
		if err != nil {
			return fault.Wrap(err, fault.Internal, "it cannot be made sure that nothing else is written in Outlook").
				WithHint("check the permissions of Showhow's folders")
		}
		if first {
			defer held.Release()
			break
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return busy
		}
	}
	return do()
}

// write runs a script that writes, alone, if the switches still allow it.
func (s *Service) write(ctx context.Context, operation string, a account, needs []string, asked map[string]any, answer any) error {
	return s.alone(ctx, func() error {
		if err := s.may(a, needs...); err != nil {
			return err
		}
		return s.run.run(ctx, operation, asked, true, answer)
	})
}

// marked says of an answer that others wrote it, and whether a text in it gives orders.
func (s *Service) marked(texts ...string) Marked {
	m := Marked{Untrusted: true, Warnings: []string{}}
	if s.o.Instructs != nil && len(s.o.Instructs(strings.Join(texts, "\n"))) > 0 {
		m.Warnings = append(m.Warnings, "gives_orders")
	}
	return m
}

func invalid(what, hint string) error { return fault.New(fault.InvalidRequest, what).WithHint(hint) }

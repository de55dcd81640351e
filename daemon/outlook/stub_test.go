package outlook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The tests play osascript with Outlook behind it: this test binary again, which TestMain tells by a variable. It takes what
// osascript would get, refuses any text that is not exactly one of the fixed scripts, and plays what Outlook would do from a
// world in a file. What it cannot show is whether AppleScript would understand the scripts.

const (
	asOutlook  = "SHOWHOW_TEST_OUTLOOK" // the file with the world
	outlookPID = "pid"
)

// world is what the Outlook of a test holds.
type world struct {
	Accounts  []account
	Messages  []mail
	Calendars []calendar
	Events    []event

	Closed  bool           // Outlook is not running
	Hangs   string         // the operation that never ends; its child neither
	Garbage string         // what it prints instead of an answer
	Fails   map[string]int // AppleScript's number, by operation
	Crashes map[string]int // the same as osascript says it: on standard error, with exit code 1
	Slow    map[string]time.Duration
	Cut     int // how many rows a list gives before it says that it is not complete; 0: all

	Sent    []map[string]any
	Drafts  []map[string]any
	Calls   []string // operations, in order; with the step
	Written int      // writes that are going on
	Overlap bool     // two were going on at once
}

type mail struct {
	row
	Account string
	Folder  string
	Data    [][]byte // of the files
}

type calendar struct {
	Name    string `json:"name"`
	Account string `json:"account"`
	Address string `json:"address"`
	Default bool   `json:"default"`
}

func TestMain(m *testing.M) {
	if file := os.Getenv(asOutlook); file != "" {
		os.Exit(play(file, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// play is osascript.
func play(file string, args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) != 2 || args[0] != "-e" {
		fmt.Fprintln(errs, "stub: nothing but the script is an argument")
		return 2
	}
	operation := ""
	names, _ := scripts.ReadDir("scripts")
	for _, n := range names {
		op := strings.TrimSuffix(n.Name(), ".applescript")
		if text, err := script(op); err == nil && op != "library" && text == args[1] {
			operation = op
		}
	}
	if operation == "" {
		fmt.Fprintln(errs, "0:1: syntax error: this is none of the scripts. (-2741)")
		return 1
	}
	asked := map[string]any{}
	data, err := io.ReadAll(in)
	if err != nil || json.Unmarshal(data, &asked) != nil {
		return tell(out, map[string]any{"error": true, "number": 9009, "message": string(data)})
	}
	var answer any
	var crash, garbage, hang = 0, "", false
	var slow time.Duration
	change(file, func(w *world) {
		call := operation
		if step, ok := asked["step"].(string); ok {
			call += " " + step
		}
		w.Calls = append(w.Calls, call)
		crash, garbage, hang, slow = w.Crashes[operation], w.Garbage, w.Hangs == call || w.Hangs == operation, w.Slow[call]
		if n := w.Fails[operation]; n != 0 {
			answer = no(n)
		} else if w.Closed {
			answer = no(9000)
		} else if !hang {
			answer = w.do(operation, asked)
		}
		if writes(operation) {
			w.Written++
			w.Overlap = w.Overlap || w.Written > 1
		}
	})
	if hang {
		child := exec.Command("sleep", "600")
		child.Stdout = out.(*os.File)
		if child.Start() == nil {
			os.WriteFile(filepath.Join(filepath.Dir(file), outlookPID), []byte(fmt.Sprint(child.Process.Pid)), 0o600)
		}
		child.Wait()
	}
	time.Sleep(slow) // pace: an Outlook that takes its time
	if writes(operation) {
		change(file, func(w *world) { w.Written-- })
	}
	switch {
	case crash != 0:
		fmt.Fprintf(errs, "12:40: execution error: Microsoft Outlook got an error: “%s” is refused. (%d)\n", asked["subject"], crash)
		return 1
	case garbage != "":
		fmt.Fprintln(out, garbage)
		return 0
	}
	return tell(out, answer)
}

func writes(operation string) bool {
	return slices.Contains([]string{"email_draft", "email_send", "email_save_attachments", "calendar_create", "calendar_update",
		"calendar_delete"}, operation)
}

func tell(out io.Writer, answer any) int {
	json.NewEncoder(out).Encode(answer)
	return 0
}

// no is a refusal, with words that quote what they should not.
func no(n int) map[string]any {
	return map[string]any{"error": true, "number": n, "message": "Can’t get mail folder “" + canary + "”."}
}

// change reads the world, changes it and writes it, one process after another.
func change(file string, do func(*world)) {
	for end := time.Now().Add(20 * time.Second); ; {
		f, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			f.Close()
			break
		}
		if !errors.Is(err, os.ErrExist) || time.Now().After(end) {
			panic(err)
		}
		time.Sleep(time.Millisecond) // poll:
	}
	defer os.Remove(file + ".lock")
	b, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	var w world
	if err := json.Unmarshal(b, &w); err != nil {
		panic(err)
	}
	do(&w)
	b, _ = json.Marshal(w)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		panic(err)
	}
}

func text(asked map[string]any, name string) string { s, _ := asked[name].(string); return s }

func num(asked map[string]any, name string) float64 { n, _ := asked[name].(float64); return n }

// do is what the script of an operation does.
func (w *world) do(operation string, asked map[string]any) any {
	switch operation {
	case "email_list_accounts":
		return map[string]any{"accounts": w.Accounts}
	case "email_search":
		return w.search(asked)
	case "email_read":
		for _, m := range w.Messages {
			if m.ID == int(num(asked, "id")) {
				return m.row
			}
		}
		return no(9003)
	case "email_draft", "email_send":
		if !w.has(asked) {
			return no(9001)
		}
		if operation == "email_draft" {
			w.Drafts = append(w.Drafts, asked)
			return map[string]any{"id": 9000 + len(w.Drafts)}
		}
		w.Sent = append(w.Sent, asked)
		return map[string]any{"sent": true}
	case "email_save_attachments":
		return w.save(asked)
	case "calendar_list":
		return map[string]any{"calendars": w.Calendars}
	case "calendar_read":
		return w.events(asked)
	case "calendar_create":
		return w.create(asked)
	}
	for i, e := range w.Events {
		if e.ID != int(num(asked, "id")) {
			continue
		}
		was := asked["was"].(map[string]any)
		if text(was, "title") != e.Title || num(was, "start") != e.Start || num(was, "end") != e.End {
			return no(9006)
		}
		if operation == "calendar_delete" {
			w.Events = slices.Delete(w.Events, i, i+1)
			return e
		}
		w.Events[i] = fill(e, asked)
		return w.Events[i]
	}
	return no(9005)
}

func (w *world) has(asked map[string]any) bool {
	return slices.ContainsFunc(w.Accounts, func(a account) bool {
		return a.Name == text(asked, "account") && a.Address == text(asked, "address")
	})
}

func (w *world) search(asked map[string]any) any {
	if text(asked, "step") == "describe" {
		rows := []row{}
		for _, id := range asked["ids"].([]any) {
			for _, m := range w.Messages {
				if m.ID == int(id.(float64)) {
					rows = append(rows, m.row)
				}
			}
		}
		return map[string]any{"rows": rows}
	}
	if !w.has(asked) {
		return no(9001)
	}
	folder := map[string]string{"inbox": "Posteingang", "sent": "Gesendet"}[text(asked, "known_folder")]
	if parts, ok := asked["folder"].([]any); ok {
		folder = ""
		for _, p := range parts {
			folder = strings.TrimPrefix(folder+"/"+p.(string), "/")
		}
	}
	rows, ids, there := []row{}, []int{}, false
	for _, m := range w.Messages {
		if m.Account != text(asked, "account") || m.Folder != folder {
			continue
		}
		there = true
		if m.At < num(asked, "from") || m.At >= num(asked, "to") || asked["unread_only"] == true && m.Read {
			continue
		}
		light := row{ID: m.ID, Subject: m.Subject, From: m.From, FromName: m.FromName, At: m.At, Read: m.Read}
		rows = append(rows, light)
		if h := text(asked, "header"); h != "" && strings.Contains(m.Headers, h) {
			ids = append(ids, m.ID)
		}
	}
	if !there && text(asked, "known_folder") == "" {
		return no(9002)
	}
	if text(asked, "step") == "find" {
		return map[string]any{"ids": ids}
	}
	complete := true
	if w.Cut > 0 && len(rows) > w.Cut {
		rows, complete = rows[:w.Cut], false
	}
	return map[string]any{"rows": rows, "complete": complete, "folder": folder}
}

func (w *world) save(asked map[string]any) any {
	saved := []int{}
	for _, m := range w.Messages {
		if m.ID != int(num(asked, "id")) {
			continue
		}
		for _, x := range asked["files"].([]any) {
			f := x.(map[string]any)
			n := int(num(f, "number"))
			if n <= len(m.Files) && m.Files[n-1].Name == text(f, "name") && os.WriteFile(text(f, "path"), m.Data[n-1], 0o644) == nil {
				saved = append(saved, n)
			}
		}
		return map[string]any{"saved": saved}
	}
	return no(9003)
}

func (w *world) events(asked map[string]any) any {
	found := []event{}
	for _, e := range w.Events {
		if asked["id"] != nil {
			if e.ID == int(num(asked, "id")) {
				found = append(found, e)
			}
			continue
		}
		if n := text(asked, "calendar"); n != "" && e.Calendar != n || asked["account"] != nil && e.Account != text(asked, "account") {
			continue
		}
		from, to := num(asked, "from"), num(asked, "to")
		if e.Start < to && e.End > from || e.Rule != nil && e.Start < to || e.Original >= from && e.Original < to && e.Master != 0 {
			found = append(found, e)
		}
	}
	switch {
	case asked["id"] != nil && len(found) == 0:
		return no(9005)
	case text(asked, "calendar") != "" &&
		!slices.ContainsFunc(w.Calendars, func(c calendar) bool { return c.Name == text(asked, "calendar") }):
		return no(9004)
	}
	return map[string]any{"events": found, "complete": true}
}

func (w *world) create(asked map[string]any) any {
	for _, c := range w.Calendars {
		if c.Account != text(asked, "account") || c.Address != text(asked, "address") ||
			asked["calendar"] == nil && !c.Default || asked["calendar"] != nil && c.Name != text(asked, "calendar") {
			continue
		}
		e := fill(event{ID: 500 + len(w.Events), Account: c.Account, Address: c.Address, Calendar: c.Name}, asked)
		w.Events = append(w.Events, e)
		if asked["invite"] == true {
			w.Sent = append(w.Sent, asked)
		}
		return e
	}
	return no(9004)
}

// categories are those that this Outlook has.
var categories = []string{"Court", "Henderson"}

func fill(e event, asked map[string]any) event {
	for name, at := range map[string]*string{"title": &e.Title, "location": &e.Location, "content": &e.Notes} {
		if v, ok := asked[name].(string); ok {
			*at = v
		}
	}
	for name, at := range map[string]*float64{"start": &e.Start, "end": &e.End} {
		if v, ok := asked[name].(float64); ok {
			*at = v
		}
	}
	if v, ok := asked["all_day"].(bool); ok {
		e.AllDay = v
	}
	if v, ok := asked["reminder"].(float64); ok {
		if n := int(v); n < 0 {
			e.Reminder = nil
		} else {
			e.Reminder = &n
		}
	}
	e.Lacking = nil
	if v, ok := asked["categories"].([]any); ok {
		e.Categories = nil
		for _, c := range v {
			if slices.Contains(categories, c.(string)) {
				e.Categories = append(e.Categories, c.(string))
			} else {
				e.Lacking = append(e.Lacking, c.(string))
			}
		}
	}
	if v, ok := asked["attendees"].([]any); ok {
		e.Attendees = nil
		for _, a := range v {
			e.Attendees = append(e.Attendees, a.(string))
		}
	}
	if v, ok := asked["rule"]; ok {
		b, _ := json.Marshal(v)
		e.Rule = &rule{}
		if err := json.Unmarshal(b, e.Rule); err != nil {
			panic(err)
		}
	}
	return e
}

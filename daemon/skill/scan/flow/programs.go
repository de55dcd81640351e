package flow

import (
	"path"
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// programs of a shell, by what they do to values.
var (
	shells       = source.Words("sh bash zsh dash ksh ash fish csh tcsh")
	interpreters = source.Words(
		"sh bash zsh dash ksh ash fish csh tcsh python python2 python3 perl ruby node nodejs deno bun php lua osascript " +
			"pwsh powershell powershell.exe tclsh Rscript iex")
	agents   = source.Words("claude codex openclaw gemini copilot cursor-agent aider amp opencode qwen goose droid kilo crush")
	Fetchers = source.Words("curl wget http https xh aria2c fetch axel lynx w3m links iwr irm Invoke-WebRequest Invoke-RestMethod")
	filters  = source.Words(
		"cat head tail grep egrep fgrep zgrep rg ag awk gawk sed sort uniq cut tr tee jq yq less more strings nl tac paste " +
			"column fold fmt expand od hexdump base32 openssl gpg age gzip bzip2 xz zstd lz4 zip tar cpio 7z xxd base64 uuencode pv dd xargs " +
			"while rev iconv split wc sponge find ls bat batcat bsdtar plutil sqlite3 pr shuf")
	Senders = source.Words(
		"nc ncat netcat socat telnet ssh mail mailx sendmail mutt swaks msmtp ftp tftp lftp dig nslookup host ping websocat " +
			"wscat mosquitto_pub kcat pastebinit gist wormhole croc transfer telegram-send slackcat apprise")
)

func (s *sh) program(args []arg, in taint, content string, line int) taint {
	name := path.Base(args[0].text)
	rest := args[1:]
	all := in
	for _, a := range rest {
		all = all.and(a.taint)
	}
	full := join(args)
	s.U.F.Uses.Programs[name] = true
	s.dangers(name, full, rest, line)
	if t, ok := s.funcs[s.key(name)][s.U.F.Path]; ok {
		for _, a := range rest {
			s.set("1", a.taint)
			s.set("@", a.taint)
		}
		s.set("<"+name, in)
		return t.and(all)
	}
	switch {
	case name == "eval":
		s.execute(all, line)
		return s.inner(join(rest), in, line)
	case name == "source" || name == "." || name == "wine":
		if len(rest) > 0 {
			s.execute(rest[0].taint.and(s.holds(rest[0].text)), line)
		}
		return all
	case Fetchers[name]:
		return s.fetch(name, rest, in, line)
	case interpreters[name]:
		return s.interpret(name, rest, in, content, line)
	case agents[name] && asksNobody.MatchString(full): // what it is told is done
		s.execute(all, line)
		return taint{}
	case openers[name]:
		return s.opened(rest, line)
	case Senders[name]:
		return s.sender(name, rest, all, line)
	case name == "scp" || name == "rsync" || name == "sftp" || name == "rclone" || name == "aws" || name == "gsutil" || name == "s3cmd" ||
		name == "mc":
		return s.copyAway(name, rest, all, line)
	case name == "cp" || name == "mv" || name == "install" || name == "ln" || name == "link" || name == "ditto":
		return s.copies(rest, line)
	case name == "printenv" || name == "set" || name == "env" || name == "compgen":
		return s.env(name, rest, line)
	case name == "echo" || name == "printf":
		t := all
		if name == "printf" && strings.Count(join(rest), `\x`) > 6 {
			t = t.and(taint{label: decoded})
		}
		return t
	case name == "read" || name == "mapfile" || name == "readarray":
		for _, a := range rest {
			if !strings.HasPrefix(a.text, "-") {
				s.set(a.text, in)
			}
		}
		return taint{}
	case name == "export" || name == "declare" || name == "local":
		return taint{}
	case name == "chmod":
		return s.chmod(rest, line)
	case name == "git":
		return s.git(rest, all, line)
	case name == "security" || name == "secret-tool" || name == "pass" || name == "op" || name == "bw" || name == "gopass" ||
		name == "keyring" || name == "lpass" || name == "vault":
		return s.vault(name, rest, line)
	case (name == "kubectl" || name == "oc") && strings.Contains(full, "get") && strings.Contains(full, "secret") &&
		(strings.Contains(full, "-o") || strings.Contains(full, "-A")):
		return taint{label: secret, what: "the cluster's secrets", where: s.here(line)}
	case name == "pbpaste" || name == "xclip" && strings.Contains(full, "-o") || name == "wl-paste" ||
		name == "xsel" && strings.Contains(full, "-o"):
		return taint{label: secret, what: "the clipboard", where: s.here(line)}
	case name == "screencapture" || name == "scrot" || name == "import" || name == "gnome-screenshot" || name == "grim" || name == "arecord" ||
		name == "imagesnap":
		s.add("surveillance", line, report.With{Severity: report.Low, Meaning: "It takes a picture of the screen or a recording."})
		t := taint{label: secret, what: "a picture of the screen", where: s.here(line)}
		for _, a := range rest {
			if !strings.HasPrefix(a.text, "-") {
				s.grow(s.files, fileKey(a.text), t)
			}
		}
		return taint{}
	case (name == "gh" && strings.HasPrefix(join(rest), "auth token")) || name == "gcloud" && strings.Contains(full, "print-access-token"):
		c := map[string]string{"gh": "GITHUB_TOKEN", "gcloud": "GOOGLE_TOKEN"}[name]
		s.U.F.Uses.Credentials[c] = true
		return taint{label: cred, creds: []string{c}, where: s.here(line)}
	case name == "gh" && strings.HasPrefix(join(rest), "gist create"):
		return s.sender(name, rest, all, line)
	case packageManagers[name]:
		s.packages(name, rest, line)
		return taint{}
	case filters[name]:
		return s.filter(name, rest, in, line)
	}
	s.started(args[0], line)
	return all
}

func join(args []arg) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.text)
	}
	return b.String()
}

// openers give a file to the program that its kind belongs to.
var openers = source.Words("open xdg-open start gio-open")

// opened: a file that was fetched runs when it is opened, unless it is a document, a picture or the like.
func (s *sh) opened(args []arg, line int) taint {
	for _, a := range args {
		if t := s.holds(a.text); t.is(remote) && !shown(a.text) {
			s.execute(t, line)
		}
	}
	return taint{}
}

// shown: what the name's ending says is displayed, and never run.
func shown(p string) bool { return documents[strings.ToLower(path.Ext(p))] }

var documents = source.Words(".html .htm .pdf .png .jpg .jpeg .gif .webp .svg .txt .md .csv .tsv .json .xml .mp3 .mp4 .wav .mov .webm " +
	".ics .eml .docx .xlsx .pptx .odt .ods .odp .epub")

// started is a program named by a path: one that was fetched or unpacked here is what matters.
func (s *sh) started(a arg, line int) {
	s.execute(a.taint, line)
	if !strings.ContainsAny(a.text, "/$") && !strings.HasPrefix(a.text, ".") {
		return
	}
	if t, ok := s.made(a.text); ok {
		s.execute(t, line)
		return
	}
	if s.unpacked.label != 0 && !s.ours[path.Base(a.text)] &&
		(strings.HasPrefix(a.text, "./") || strings.HasPrefix(a.text, "/tmp/") || !strings.HasPrefix(a.text, "/")) {
		s.execute(s.unpacked, line)
	}
}

var headerFlags = source.Words(
	"-H --header -u --user -b --cookie --oauth2-bearer -A --user-agent -e --proxy-user --aws-sigv4 --http-user --http-password")

var dataFlags = source.Words(
	"-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file " +
		"--post-file --post-data --body-data --body-file --url-query")

var otherFlags = source.Words("-X --request -m --max-time --retry --connect-timeout -w --write-out --cacert --cert --key -x --proxy -P " +
	"--directory-prefix -t --tries --method -c --cookie-jar --retry-delay --limit-rate -r --range --resolve --interface -E -D " +
	"--dump-header -K --config -T --timeout")

// curlFlags are flags of curl in one word of which only the last takes a value.
var curlFlags = lazyre.New(`^-[sSfLkivgqNjIG#0-9]+([HubAeKdFTX])$`)

// manner is how people name a kind of command without an address: curl ... | sh
var manner = lazyre.New(`^(?:-[sSfLkq]+ |--(?:silent|location|fail|show-error|quiet) )*(?:\.\.\.|…)$`)

// fetch is a request: what it carries leaves, what it answers comes in.
func (s *sh) fetch(name string, args []arg, in taint, line int) taint {
	if manner.MatchString(join(args)) {
		return taint{}
	}
	s.U.F.Uses.Tools["network"] = true
	var head, body taint
	urls, file, stdout := []string{}, "", name != "wget" && name != "aria2c"
	for i := 0; i < len(args); i++ {
		t := args[i].text
		flag, value, glued := strings.Cut(t, "=")
		if !strings.HasPrefix(t, "--") {
			flag, glued = t, false
			if m := curlFlags.FindStringSubmatch(t); m != nil && name == "curl" {
				flag = "-" + m[1] // the last of a few in one word takes the next word
			}
		}
		next := func() arg {
			if glued {
				return arg{value, args[i].taint, args[i].known}
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return arg{}
		}
		switch {
		case name == "wget" && (flag == "-O" || flag == "--output-document") ||
			name != "wget" && (flag == "-o" || flag == "--output" || flag == "-OutFile"):
			file = next().text
			stdout = file == "-" || file == "/dev/stdout"
		case name == "wget" && (strings.HasPrefix(t, "-qO") || strings.HasPrefix(t, "-O")) && len(t) > 2 && t[0] == '-' && t[1] != '-':
			if strings.HasSuffix(t, "O") {
				file = next().text
			} else {
				file = t[strings.IndexByte(t, 'O')+1:]
			}
			stdout = file == "-"
		case flag == "-O" || flag == "--remote-name" || name == "curl" && len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.HasSuffix(t, "O") &&
			len(t) < 8:
			file = "*"
			stdout = false
		case name == "curl" && len(t) > 2 && t[0] == '-' && t[1] != '-' && strings.HasSuffix(t, "o") && len(t) < 8:
			file = next().text
			stdout = file == "-"
		case headerFlags[flag]:
			a := next()
			head = head.and(a.taint)
		case dataFlags[flag] && !(name == "wget" && flag == "-T"):
			body = body.and(s.carried(next(), in, flag == "-T" || flag == "--upload-file" || flag == "--post-file" || flag == "--body-file", line))
		case len(t) > 2 && t[0] == '-' && t[1] != '-' && (t[1] == 'd' || t[1] == 'F' || t[1] == 'T') && name == "curl" &&
			(strings.ContainsAny(t, "@=$") || args[i].taint.label != 0):
			body = body.and(s.carried(arg{t[2:], args[i].taint, true}, in, t[1] == 'T', line))
		case otherFlags[flag]:
			a := next()
			if flag == "-K" || flag == "--config" {
				body = body.and(a.taint)
			}
		case strings.HasPrefix(t, "-"):
			body = body.and(args[i].taint)
		default:
			body = body.and(args[i].taint)
			if strings.Contains(t, ".") || strings.Contains(t, "://") || strings.Contains(t, "$") {
				urls = append(urls, t)
			} else if name == "http" || name == "https" || name == "xh" {
				body = body.and(s.carried(args[i], in, false, line))
			}
		}
	}
	url := strings.Join(urls[:min(1, len(urls))], "")
	for _, u := range urls {
		if strings.Contains(u, "://") && !placeholder.MatchString(u) {
			s.U.F.Address(u, s.U.Line+line-1, s.U.Place)
		}
	}
	s.send(body, url, false, line)
	s.send(taint{label: head.label, creds: head.creds, what: head.what, where: head.where}, url, true, line)
	if h := source.HostOf(url); h != "" && source.Local(h) {
		return taint{}
	}
	got := fetched(url)
	if file == "*" || file == "" && !stdout {
		for _, u := range urls {
			p, _, _ := strings.Cut(u, "?")
			s.grow(s.files, fileKey(p), got)
		}
		return taint{}
	}
	if file != "" && !stdout {
		s.write(file, "", got, line)
		return taint{}
	}
	return got
}

// carried is what a request's data holds: @file is that file, @- the standard input.
func (s *sh) carried(a arg, in taint, file bool, line int) taint {
	t := a.taint
	text := a.text
	if i := strings.IndexByte(text, '@'); i >= 0 && !strings.Contains(text[:i], "://") && !strings.Contains(text[:i], " ") {
		p, _, _ := strings.Cut(text[i+1:], ";")
		if p == "-" {
			return t.and(in)
		}
		return t.and(s.read(p, line))
	}
	if i := strings.LastIndex(text, "=<"); i >= 0 {
		return t.and(s.read(text[i+2:], line))
	}
	if file {
		if text == "-" {
			return t.and(in)
		}
		return t.and(s.read(text, line))
	}
	return t
}

// interpret is a program given to an interpreter: as text, as a file, or through a pipe.
func (s *sh) interpret(name string, args []arg, in taint, content string, line int) taint {
	for i, a := range args {
		t := a.text
		code := t == "-c" || t == "-e" || t == "-r" || t == "--eval" || t == "-E" || t == "-lc" || t == "-ic" || t == "-xc" || t == "-p" ||
			t == "-Command" || t == "-command" || t == "eval" || t == "-ec" || t == "-euc"
		if code && i+1 < len(args) {
			s.execute(args[i+1].taint, line)
			return s.nested(name, args[i+1].text, in, line)
		}
		if strings.EqualFold(t, "-enc") || strings.EqualFold(t, "-EncodedCommand") || strings.EqualFold(t, "-e") &&
			strings.HasPrefix(strings.ToLower(name), "p") && strings.Contains(name, "sh") {
			s.add("encoded-execute", line, report.With{})
		}
		if strings.HasPrefix(t, "-") && t != "-" {
			continue
		}
		if a.taint.label != 0 {
			s.execute(a.taint, line)
		}
		if strings.HasPrefix(t, "http") && strings.Contains(t, "://") &&
			(name == "deno" || name == "node" || name == "bun" || name == "osascript" || name == "pwsh") {
			s.execute(taint{label: remote, url: t}, line)
		}
		if f, ok := s.made(t); ok && t != "-" && t != "run" {
			s.execute(f, line)
		} else if s.unpacked.label != 0 && !s.ours[path.Base(t)] && strings.Contains(t, ".") {
			s.execute(s.unpacked, line)
		}
		if t != "-" && t != "run" && t != "/dev/stdin" {
			return in.and(a.taint)
		}
	}
	s.execute(in, line)
	if content != "" {
		return s.nested(name, content, taint{}, line)
	}
	return in
}

// nested is code inside shell text.
func (s *sh) nested(name, text string, in taint, line int) taint {
	if shells[name] {
		return s.inner(text, in, line)
	}
	if s.depth > 3 {
		return taint{}
	}
	k := map[string]source.Kind{"python": source.Python, "python2": source.Python, "python3": source.Python, "node": source.Script,
		"nodejs": source.Script, "deno": source.Script,
		"bun": source.Script}[name]
	if k == "" {
		k = source.Other
	}
	sub := &Pass{World: s.World, U: &Unit{F: s.U.F, Line: s.U.Line + line - 1, Place: s.U.Place, Scope: s.U.Scope + "\x01", Note: s.U.Note},
		depth: s.depth + 1}
	CodeUnit(k, text)(sub)
	return sub.get("<stdout")
}

func (s *sh) sender(name string, args []arg, all taint, line int) taint {
	s.U.F.Uses.Tools["network"] = true
	host := ""
	for i, a := range args {
		t := a.text
		if (t == "-e" || t == "-c" || t == "--exec" || t == "--sh-exec") && (name == "nc" || name == "ncat" || name == "netcat") {
			s.add("reverse-shell", line, report.With{})
		}
		if name == "socat" && strings.Contains(strings.ToLower(t), "exec:") && strings.Contains(join(args), "tcp") {
			s.add("reverse-shell", line, report.With{})
		}
		if i > 0 && (args[i-1].text == "-i" || args[i-1].text == "-F" || args[i-1].text == "-o") || strings.HasPrefix(t, "-") {
			continue
		}
		if host == "" && strings.Contains(t, ".") {
			host = source.HostOf(t)
		}
		if name == "mail" || name == "mutt" || name == "mailx" || name == "gh" || name == "gist" || name == "croc" || name == "wormhole" {
			all = all.and(s.read(t, line))
		}
	}
	if name == "ping" && all.label == cred {
		return taint{}
	}
	s.send(all, "tcp://"+host, false, line)
	if host != "" && name == "ssh" {
		return taint{}
	}
	if name == "nc" || name == "ncat" || name == "netcat" || name == "dig" || name == "nslookup" || name == "host" {
		return taint{label: remote, url: "tcp://" + host}
	}
	return taint{}
}

// copyAway copies to another machine or a bucket.
func (s *sh) copyAway(name string, args []arg, all taint, line int) taint {
	far := ""
	var t taint
	for i, a := range args {
		if i > 0 && (args[i-1].text == "-i" || args[i-1].text == "-e" || args[i-1].text == "--rsh" || args[i-1].text == "--key") ||
			strings.HasPrefix(a.text, "-") {
			continue
		}
		if strings.Contains(a.text, "://") || strings.Contains(a.text, ":") && !strings.HasPrefix(a.text, "/") &&
			!strings.HasPrefix(a.text, "~") {
			far = a.text
			continue
		}
		if far == "" { // what comes before the far place is the source
			t = t.and(s.holds(a.text))
			if what, usual := s.private(a.text); what != "" {
				if !usual {
					t = t.and(taint{label: secret, what: what, where: s.here(line)})
				}
			}
		}
	}
	if far != "" {
		s.U.F.Uses.Tools["network"] = true
		host := source.HostOf(far)
		if !strings.Contains(far, "://") {
			host = source.HostOf(far[:strings.IndexByte(far, ':')])
		}
		s.send(t.and(all), "tcp://"+host, false, line)
	}
	return taint{}
}

func (s *sh) copies(args []arg, line int) taint {
	var ops []arg
	for _, a := range args {
		if !strings.HasPrefix(a.text, "-") {
			ops = append(ops, a)
		}
	}
	if len(ops) < 2 {
		return taint{}
	}
	dst := ops[len(ops)-1]
	for _, o := range ops[:len(ops)-1] {
		t := o.taint.and(s.holds(o.text))
		if what, usual := s.private(o.text); what != "" && !usual {
			t = t.and(s.read(o.text, line))
		}
		name := dst.text
		if strings.HasSuffix(name, "/") {
			name += path.Base(o.text)
		}
		s.write(name, "", t, line)
		if t.is(secret) && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") {
			s.set("<worktree", t)
		}
	}
	return taint{}
}

func (s *sh) env(name string, args []arg, line int) taint {
	var named []string
	for _, a := range args {
		if !strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "+") {
			named = append(named, a.text)
		}
	}
	if len(named) == 0 && (name != "set" || len(args) == 0) {
		return s.environment(line)
	}
	var t taint
	if name == "printenv" {
		for _, n := range named {
			if source.CredentialName(n) {
				s.U.F.Uses.Credentials[n] = true
				t = t.and(taint{label: cred, creds: []string{n}, where: s.here(line)})
			}
		}
	}
	return t
}

var octalSuid = lazyre.New(`^[0-7]?[4-7][0-7]{3}$`)

func (s *sh) chmod(args []arg, line int) taint {
	for i, a := range args {
		if strings.Contains(a.text, "+s") || len(a.text) == 4 && octalSuid.MatchString(a.text) && a.text[0] >= '4' {
			s.add("privilege-permanent", line, report.With{})
		}
		if i > 0 && !strings.HasPrefix(a.text, "-") {
			if args[0].text == "+x" || strings.ContainsAny(args[0].text, "x7") || args[0].text == "755" {
				s.execute(s.holds(a.text), line)
			}
		}
	}
	return taint{}
}

func (s *sh) git(args []arg, all taint, line int) taint {
	t := join(args)
	switch {
	case strings.HasPrefix(t, "clone"):
		for _, a := range args[1:] {
			if strings.Contains(a.text, "://") || strings.HasPrefix(a.text, "git@") {
				if h := source.HostOf(a.text); !source.TrustedHost(h) && !source.Local(h) && !strings.ContainsAny(h, "<$") {
					s.unpacked = taint{label: remote, url: a.text}
				}
			}
		}
	case strings.Contains(t, "core.hookspath") || strings.Contains(t, "core.hooksPath") || strings.Contains(t, "core.fsmonitor") ||
		strings.Contains(t, "core.sshCommand"):
		sev := report.Medium
		if strings.Contains(t, "--global") || strings.Contains(t, "--system") {
			sev = report.High
		}
		s.add("persistence", line, report.With{Meaning: "It sets what git runs by itself.", Severity: sev})
	case strings.HasPrefix(t, "config") && strings.Contains(t, "!") &&
		(strings.Contains(t, "alias.") || strings.Contains(t, "credential.helper")):
		s.add("persistence", line, report.With{Meaning: "It sets a command that git runs by itself.", Severity: report.Medium})
	case strings.HasPrefix(t, "add"):
		for _, a := range args[1:] {
			all = all.and(s.holds(a.text))
		}
		s.set("<worktree", all)
	case strings.HasPrefix(t, "push") || strings.HasPrefix(t, "remote"):
		s.send(all, "", true, line)
		if held := s.get("<worktree"); held.is(secret) && strings.HasPrefix(t, "push") { // what was copied beside the code goes with it
			s.send(held, "", false, line)
		}
	}
	return taint{}
}

// vault reads a secret from where secrets are kept, one by name or all of them.
func (s *sh) vault(name string, args []arg, line int) taint {
	t := join(args)
	if strings.Contains(t, "dump-keychain") || strings.Contains(t, "export") || strings.Contains(t, "list items") ||
		name == "bw" && strings.Contains(t, "list") {
		s.add("secret-access", line, report.With{Meaning: "It reads everything that the keychain or the password manager holds."})
		return taint{label: secret, what: "the keychain", where: s.here(line)}
	}
	if strings.Contains(t, "-w") || strings.Contains(t, "-g") || strings.Contains(t, "lookup") || strings.Contains(t, "read") ||
		strings.Contains(t, "get") || strings.Contains(t, "show") {
		return taint{label: cred, creds: []string{name}, where: s.here(line)}
	}
	return taint{}
}

func (s *sh) found(args []arg, line int) {
	t := join(args)
	if i := strings.Index(t, "-exec "); i >= 0 && s.deep < 40 {
		cmd := strings.TrimRight(t[i+6:], " ;+\\")
		if len(args) > 0 {
			cmd = strings.ReplaceAll(cmd, "{}", args[0].text)
		}
		s.inner(cmd, taint{}, line)
	}
}

// keyFiles are names that somebody looks for who looks for keys.
var keyFiles = source.Re(
	`-i?name\s+\S*(?:\.pem|id_|\.key|\.env|\.kdbx|wallet|\.ppk|\.p12|\.pfx|credentials|\.npmrc|\.netrc|\.keystore|cookies|login data)`)

func rotated(a, b string) bool {
	return strings.Contains(a, "A-Z") && strings.Contains(b, "N-ZA-M") || strings.Contains(a, "A-Za-z") && strings.Contains(b, "N-Z")
}

package scan

import (
	"strings"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// together judges a program by what it names side by side: a place of keys or private data, a way to read it, and a
// way to send data to an untrusted host. It covers what values cannot be followed through: lists that are walked,
// objects that collect, languages that are only scanned for words. Shell text is followed well enough without it.
func (f *file) together(text string, line int, p source.Place) {
	if len(text) > source.MaxCode || !hint.Any(text, sinkHints) || !hint.Any(text, sourceHints) {
		return
	}
	code := uncommented(text)
	at := sinks.FindStringIndex(code)
	if at == nil || !reads.MatchString(code) {
		return
	}
	host, known := farHost(code)
	if known {
		return
	}
	what, offset := named(code)
	if what == "" {
		return
	}
	sev := report.High
	if p.Quoted && p.Cue() || f.Teaches && p.Quoted {
		sev = report.Medium
	}
	meaning := flow.Upper(what) + " and a way to send data stand in one program."
	if host != "" {
		meaning = flow.Upper(what) + " and data sent to " + source.Short(host, 60) + " stand in one program."
	}
	f.Add("secret-exfiltration", line+strings.Count(code[:offset], "\n"), "", report.With{Meaning: meaning, Severity: sev})
}

// sinkHints and sourceHints are what every match holds, looked for first, for speed.
var (
	sinkHints = []string{"post", "Post", "POST", "put", "PUT", "ocket", "SMTP", "smtp", "mail", "FTP", "ftp", "equest", "fetch", "pload",
		"nvoke-", "irm ", "iwr ", "dns", "Dns", "curl", "push", "send", "Beacon", "http.client"}
	sourceHints = []string{".ssh", "id_rsa", "id_ed25519", "id_ecdsa", ".aws", ".gnupg", ".kube", ".docker", ".netrc", "credential", ".npmrc",
		".pypirc", "Login Data", "ookies", "ocal State", "hrome", "irefox", "rave", "wallet", "lectrum", "xodus", "olana", "etamask", "hantom",
		"_history", "openclaw", "clawdbot", "moltbot", ".claude", ".codex", "eychain", "eyring", "kdbx", "itwarden", "1assword", "essages",
		"elegram", "hunderbird", "keystore", "Local Ext", "ENV", "nviron", "Env:", "env:", "getenv", "env::vars", "gcloud", ".azure", "iscord"}

	sinks = source.Re(
		`(?i)\b(?:requests|httpx|session|client|axios|got|needle|superagent|http|https?arty|restclient|faraday|ky|conn|ua|agent|`+
			`reqwest\S{0,40})(?:\.|::|->)(?:post|put|patch|request|post_form)\b`,
		`|->(?:post|put|post_form|request)\b|net::http(?:\.|::)(?:post|put|new|start)|http::tiny|`+
			`lwp::useragent|\bhttps?connection\s*\(|\burlopen\s*\(|\brequest\s*\([^)]{0,200}\bdata\s*=|method\s*[:=]\s*["'](?:post|`+
			`put)["']|\bhttps?\.request\s*\(`,
		`|\bsmtplib\b|\bnet::smtp\b|\bnodemailer\b|send-mailmessage|\bsendmail\b|\bftplib\b|\bstorbinary\b|`+
			`net::ftp|\.sendall\s*\(|\.sendto\s*\(|\bsendbeacon\b|\bxmlhttprequest\b|new websocket\b`,
		`|(?:invoke-restmethod|invoke-webrequest|\birm\b|\biwr\b)[^\n]{0,300}-(?:infile|body|method\s+["']?(?:post|put))|\bupload(?:string|`+
			`file|data|values)(?:async)?\b|\bpostasync\b|curlopt_post|stream_context_create|\bhttp\.post(?:form)?\s*\(`,
		`|\bgethostby\w+\s*\(|\bgetaddrinfo\s*\(|resolve-dnsname|\bdns\w*\.(?:promises\.)?(?:resolve|lookup)|\bcurl\b[^\n]{0,200}\s(?:-d|-F|`+
			`-T|--data\S*|--form|--upload-file)\b|["']push["']\s*,|\bgit push\b|tcpsocket|tcpclient`)

	reads = source.Re(`(?i)\bopen\b|read|slurp|\bfile\b|\bglob|copy|\bcp\b|\bcat\b|zip|\btar\b|archive|get-content|\bgc\b|-infile|<\$?\w+>` +
		`|getenv|environ|\benv\b|\btype\b|walk|listdir|readdir`)

	// wholeEnv is the environment as a whole, in languages whose values are not followed.
	wholeEnv = source.Re(`\bENV\.(?:to_h|to_a|each|map|to_json|inspect)|%ENV\b(?:\s*[;)},]|$)|\bgetenv\(\)|json_encode\(\$_(?:ENV|` +
		`SERVER)\)|\bos\.Environ\(\)|\bSystem\.getenv\(\)|\benv::vars\(|(?i:(?:get-childitem|gci|dir|` +
		`ls)\s+env:)|\[environment\]::getenvironmentvariables\(\)`)

	// glued are the joints of a path that is put together from pieces.
	glued = lazyre.New(`["']\s*[/,]\s*["']`)
)

// farHost is the first host outside that a program names; known says that all of them answer for their names.
func farHost(code string) (host string, known bool) {
	any := false
	for _, u := range source.UrlRE.FindAllString(code, 60) {
		h := source.HostOf(u)
		if h == "" || source.Local(h) || strings.HasPrefix(h, "www.w3.org") {
			any = any || h != ""
			continue
		}
		any = true
		if drop := strings.Contains(u, "/gists") || source.ChatHook(u); drop || !source.TrustedHost(h) &&
			!strings.HasSuffix(h, "googleapis.com") {
			return h, false
		}
	}
	return "", any
}

// named is the first private place that a program's text names, and where.
func named(code string) (what string, offset int) {
	if m := wholeEnv.FindStringIndex(code); m != nil {
		return "the environment", m[0]
	}
	joined := glued.ReplaceAllString(code, "/")
	for _, tok := range strings.FieldsFunc(joined, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;()[]{}<>|=", r) }) {
		if len(tok) < 4 || strings.HasPrefix(tok, `\.`) || strings.Contains(tok, "://") || !strings.ContainsAny(tok, `./\_`) &&
			!strings.Contains(tok, "hrome") {
			continue
		}
		w, usual := flow.Private(tok)
		if w == "" || usual || w == "the user's documents" || ordinary(w, code) {
			continue
		}
		piece := tok
		if i := strings.LastIndexAny(tok, `/\`); i >= 0 {
			piece = tok[i+1:]
		}
		return w, max(0, strings.Index(code, piece))
	}
	for _, name := range []string{"Login Data", "Local State", "Web Data"} { // names with a blank
		if i := strings.Index(code, name); i >= 0 {
			return "a browser's profile", i
		}
	}
	return "", 0
}

// ordinary: the key is given to the program whose key it is.
func ordinary(what, code string) bool {
	switch what {
	case "SSH keys":
		return hint.Any(code, []string{"paramiko", "key_filename", "asyncssh", "IdentityFile", "fabric", "ssh2", "privateKeyPath"})
	case "Kubernetes credentials":
		return hint.Any(code, []string{"load_kube_config", "KUBECONFIG", "loadFromDefault", "clientcmd"})
	case "AWS credentials":
		return hint.Any(code, []string{"boto3", "aws-sdk", "AWS_SHARED_CREDENTIALS_FILE"})
	}
	return false
}

// uncommented is a program without the lines that are comments; lines keep their numbers.
func uncommented(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for l := range strings.Lines(text) {
		if t := strings.TrimLeft(l, " \t"); strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "#!") || strings.HasPrefix(t, "//") ||
			strings.HasPrefix(t, "* ") {
			b.WriteByte('\n')
			continue
		}
		b.WriteString(l)
	}
	return b.String()
}

// commands of a shell that stand in programs whose language has no parser here.
var inShell = source.Re(
	"(?:do shell script\\s+\"((?:[^\"\\\\]|\\\\.){8,600})\"|`((?:curl|wget|sh|bash|cat|tar|base64|python3?|nc|sudo|echo|" +
		"crontab)\\s[^`]{4,600})`|%x[({\\[]([^)}\\]]{8,400})[)}\\]]|\\bqx[({/|]([^)}/|]{8,400})[)}/|])")

func (f *file) shellInside(text string, line int, p source.Place) {
	if !strings.Contains(text, "`") && !strings.Contains(text, "do shell script") && !strings.Contains(text, "%x") &&
		!strings.Contains(text, "qx") {
		return
	}
	for _, m := range inShell.FindAllStringSubmatchIndex(text, 40) {
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 {
				cmd := strings.ReplaceAll(text[m[g]:m[g+1]], `\"`, `"`)
				f.code = append(f.code, &flow.Unit{F: f.File, Line: line + strings.Count(text[:m[g]], "\n"), Place: p, Scope: f.Path + "\x04",
					Run: flow.ShellUnit(cmd, false)})
			}
		}
	}
}

// turned is text that was shifted by thirteen letters. It is read only where a program says so.
func turned(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func (f *file) turnedLiterals(text string, toks []flow.Token, line int, p source.Place) {
	if !strings.Contains(text, "rot13") && !strings.Contains(text, "rot_13") && !strings.Contains(text, "ROT13") {
		return
	}
	for _, t := range toks {
		if t.Kind == flow.Literal && len(t.Text) > 12 {
			f.payload([]byte(turned(t.Text)), "shifted letters", line+t.Line-1, p, 0)
		}
	}
}

// graveNames are names that programs which hide what they do put together from pieces.
var graveNames = source.Words(`exec eval execSync execFile execFileSync spawn spawnSync child_process subprocess system popen os.system ` +
	`__import__ importlib require import compile Function marshal loads b64decode base64 fromCharCode Popen check_output shell_exec ` +
	`passthru DownloadString Invoke-Expression IEX WebClient curl wget /bin/sh /bin/bash bash .ssh .aws id_rsa constructor`)

// pipedFetch is a literal that is a command by which a download is run.
var pipedFetch = lazyre.New(`^\s*(?:\(|nohup |sudo |(?:ba|z)?sh -c ` +
	`["'])?\s*(?:curl|wget|iwr|irm)\s[^|\n\[\]*]{4,300}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|node|python[23]?|perl|ruby|iex)\b`)

// graveCommand is a command that destroys.
var graveCommand = lazyre.New(`^\s*(?:sudo\s+)?rm\s+-\w*[rf]`)

// puttogether finds literals that are joined to a grave name, and commands in literals that no call was seen to take.
func (f *file) puttogether(toks []flow.Token, line int, p source.Place) {
	for i := 0; i < len(toks); i++ {
		if toks[i].Kind != flow.Literal || len(toks[i].Inside) > 0 {
			continue
		}
		if t := toks[i].Text; len(t) > 12 && !f.Teaches && pipedFetch.MatchString(t) {
			f.code = append(f.code, &flow.Unit{F: f.File, Line: line + toks[i].Line - 1, Place: p, Scope: f.Path + "\x04",
				Run: flow.ShellUnit(t, false)})
		}
		text, pieces, j := toks[i].Text, 1, i
		for j+2 < len(toks) && pieces < 40 && toks[j+1].Kind == flow.Sign &&
			(toks[j+1].Text == "+" || toks[j+1].Text == "." && j+2 < len(toks) && toks[j+2].Kind == flow.Literal) && toks[j+2].Kind == flow.Literal {
			text += toks[j+2].Text
			j += 2
			pieces++
		}
		list := toks[i].Text
		k := i
		for k+2 < len(toks) && toks[k+1].Text == "," && toks[k+2].Kind == flow.Literal && k-i < 40 {
			list += "\x00" + toks[k+2].Text
			k += 2
		}
		if k > i && k+5 < len(toks) && toks[k+1].Text == "]" && toks[k+2].Text == "." && toks[k+3].Text == "join" && toks[k+4].Text == "(" {
			by := ""
			if toks[k+5].Kind == flow.Literal {
				by = toks[k+5].Text
			}
			text, pieces, j = strings.ReplaceAll(list, "\x00", by), 2, k
		}
		if pieces > 1 && (pipedFetch.MatchString(text) || graveCommand.MatchString(text)) {
			f.code = append(f.code, &flow.Unit{F: f.File, Line: line + toks[i].Line - 1, Place: p, Scope: f.Path + "\x04",
				Run: flow.ShellUnit(text, false)})
		}
		if pieces > 1 && graveNames[text] {
			sev := report.High
			if p.Quoted && p.Cue() || f.Teaches {
				sev = report.Medium
			}
			f.Add("obfuscated-code", line+toks[i].Line-1, "",
				report.With{Meaning: "A name that runs or reads something is put together from pieces.", Severity: sev})
		}
		i = j
	}
}

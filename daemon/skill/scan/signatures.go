package scan

import (
	"strings"
	"sync"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// signature is a form that is telling by itself, in any language: mostly those of PowerShell and batch files, which have no
// parser here, and reverse shells, which look alike everywhere.
type signature struct {
	rule     string
	severity report.Severity
	hints    []string
	re       *lazyre.Regexp
}

var signatureList = []signature{
	{"reverse-shell", "", []string{"/dev/tcp/"},
		source.Re(`(?i)(?:bash|sh|zsh)\s+-i\b[^\n]{0,40}/dev/tcp/|0<&\d+-?;?\s*exec\s+\d+<>/dev/tcp/|exec\s+\d+<>\s*/dev/tcp/`)},
	{"reverse-shell", "", []string{"TCPClient", "tcpclient", "TcpClient"},
		source.Re(`(?i)net\.sockets\.tcpclient[\s\S]{0,600}(?:iex|invoke-expression|\.getstream\(\)[\s\S]{0,300}(?:cmd|powershell))`)},
	{"reverse-shell", "", []string{"fsockopen", "TCPSocket", "TCPServer", "IO::Socket"},
		source.Re(`(?i)(?:fsockopen|tcpsocket\.(?:new|open)|io::socket::inet)[\s\S]{0,300}(?:/bin/(?:ba)?sh|exec|proc_open|popen)`)},
	{"reverse-shell", "", []string{"net.", "Socket"}, source.Re(`(?i)net\.(?:connect|socket|createconnection)[\s\S]{0,300}(?:/bin/(?:ba)?sh|` +
		`cmd\.exe)[\s\S]{0,300}(?:\.pipe\(|stdin|stdout)|(?:/bin/(?:ba)?sh|cmd\.exe)[\s\S]{0,400}net\.(?:connect|socket|` +
		`createconnection)[\s\S]{0,300}\.pipe\(`)},
	{"fetch-execute", "", []string{"iex", "IEX", "nvoke-", "INVOKE-"},
		source.Re(`(?i)(?:\biex\b|invoke-expression)[^\n]{0,120}(?:downloadstring|` +
			`invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|net\.webclient|https?://)|(?:downloadstring|invoke-webrequest|` +
			`invoke-restmethod|\biwr\b|\birm\b|net\.webclient)[^\n]{0,160}\|\s*(?:iex|invoke-expression)\b`)},
	{"fetch-execute", "", []string{"iex", "IEX", "nvoke-Expression", "nvoke-expression"}, source.Re(`(?i)(?:downloadstring|` +
		`downloaddata|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod)[\s\S]{0,500}(?:\biex\b|invoke-expression)\s*[($"']`)},
	{"fetch-execute", "", []string{"tart-", "aunch", "START", "start "}, source.Re(`(?i)(?:downloadfile|invoke-webrequest|\biwr\b|` +
		`start-bitstransfer|bitsadmin|certutil)[\s\S]{0,400}(?:start-process|\bstart\s|&\s*["']?\$|\binvoke-item\b|\bcmd /c\b)`)},
	{"fetch-execute", "", []string{"mshta", "regsvr32", "rundll32", "msiexec", "wscript", "cscript"},
		source.Re(`(?i)\b(?:mshta|regsvr32|rundll32|msiexec|wscript|cscript)(?:\.exe)?\b[^\n]{0,80}https?://`)},
	{"fetch-execute", "", []string{"certutil", "bitsadmin"},
		source.Re(`(?i)\bcertutil(?:\.exe)?\b[^\n]{0,60}-urlcache|\bbitsadmin\b[^\n]{0,40}/transfer`)},
	{"encoded-execute", "", []string{"-e", "-E", "/e"}, source.Re(`(?i)\bpowershell(?:\.exe)?\b[^\n]{0,80}\s[-/]e(?:nc|ncodedcommand|` +
		`c)?\s+[A-Za-z0-9+/=]{16,}|\bpwsh\b[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{16,}`)},
	{"encoded-execute", "", []string{"rombase64", "romBase64", "ROMBASE64"}, source.Re(`(?i)(?:\biex\b|invoke-expression|` +
		`assembly\]::load)[\s\S]{0,160}frombase64string|frombase64string[\s\S]{0,200}\|\s*(?:iex|invoke-expression)\b`)},
	{"protection-off", "", []string{"MpPreference", "mppreference", "Defender", "defender", "Firewall", "firewall", "xecution", "AmsiUtils",
		"amsi"}, source.Re(`(?i)(?:set|add)-mppreference\b[^\n]{0,80}(?:-disable\w+\s+\$?(?:true|1)|-exclusion\w+)|disableantispyware|` +
		`set-netfirewallprofile[^\n]{0,80}-enabled\s+false|netsh\s+advfirewall\s+set[^\n]{0,40}off|amsiutils|sc(?:\.exe)?\s+(?:stop|` +
		`delete)\s+windefend`)},
	{"protection-off", report.Medium, []string{"xecutionPolicy", "xecutionpolicy", "-ep "},
		source.Re(`(?i)set-executionpolicy\s+(?:-\w+\s+\w+\s+)*(?:bypass|unrestricted)`)},
	{"persistence", "", []string{"schtasks", "ScheduledTask", "scheduledtask", "CurrentVersion", "currentversion", "Startup"},
		source.Re(`(?i)\bschtasks(?:\.exe)?\b[^\n]{0,60}/create|register-scheduledtask|new-scheduledtaskaction|currentversion\\+run(?:once)?\b|` +
			`reg(?:\.exe)?\s+add\s+[^\n]{0,60}\\run\b|start menu\\+programs\\+startup|new-service\b`)},
	{"persistence", "", []string{"RunAtLoad", "KeepAlive"}, source.Re(`<key>(?:RunAtLoad|KeepAlive)</key>`)},
	{"persistence", "", []string{"WantedBy=", "OnCalendar="}, source.Re(`(?m)^(?:WantedBy|OnCalendar|OnBootSec)=`)},
	{"secret-access", report.High, []string{"ebcredential", "windows vault", "vaultcmd", "mimikatz", "lsass", "sekurlsa", "CredEnum", "SAM "},
		source.Re(
			`(?i)mimikatz|sekurlsa|lsass\.(?:exe|dmp)|procdump[^\n]{0,40}lsass|reg\s+save\s+hklm\\+sam|vaultcmd\s+/list|invoke-webcredential`)},
	{"secret-exfiltration", "", []string{"Get-ChildItem", "get-childitem", "gci ", "Env:", "env:", "Get-Content", "gc "},
		source.Re(`(?i)(?:get-childitem|gci|dir|ls)\s+env:[^\n]{0,160}(?:invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|uploadstring)|` +
			`(?:get-content|gc|cat|readalltext)\b[^\n]{0,60}(?:\.ssh|\.aws|id_rsa|login ` +
			`data|\.env\b)[^\n]{0,200}(?:invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|uploadstring|uploaddata)|(?:invoke-webrequest|` +
			`invoke-restmethod|\biwr\b|\birm\b|uploadstring|uploadfile)\b[^\n]{0,200}(?:get-childitem env:|gci ` +
			`env:|\.ssh[\\/]|\.aws[\\/]|id_rsa|login data)`)},
	{"secret-access", report.High, []string{"hidden answer"}, source.Re(`(?i)display dialog[\s\S]{0,300}hidden answer`)},
	{"package-source", report.High, []string{"trusted=yes", "allow-unauthenticated", "no-gpg-check", "nogpgcheck", "gpgcheck=0"},
		source.Re(`\[[^\]\n]*trusted=yes|\bapt(?:-get)?\b[^\n]{0,200}--allow-unauthenticated|--no-?gpg-?checks?|gpgcheck=0`)},
	{"crypto-miner", "", []string{"xmrig", "stratum+", "minerd", "coinhive", "cpuminer"}, flow.UnseenBySeller},
	{"surveillance", "", []string{"GetAsyncKeyState", "SetWindowsHookEx", "keyboard.Listener", "keyboard.on_press", "logkeys", "CGEventTap"},
		source.Re(`GetAsyncKeyState|SetWindowsHookEx|keyboard\.Listener|keyboard\.on_press|\blogkeys\b|CGEventTapCreate`)},
	{"privilege-permanent", "", []string{"NOPASSWD"}, source.Re(`ALL\s*=\s*\(?[^\n]{0,20}NOPASSWD`)},
	{"destructive", "", []string{"format ", "cipher ", "vssadmin", "Remove-Item", "rd /s", "del /"},
		source.Re(`(?i)\bvssadmin\s+delete\s+shadows` +
			`|\bformat\s+[c-z]:\s*/|remove-item\s+[^\n]{0,40}(?:\$home|\$env:userprofile|c:\\+(?:users|windows)?\\*["']?\s)[^\n]{0,` +
			`40}-recurse|\brd\s+/s\s+/q\s+(?:c:\\|%userprofile%)|wbadmin delete`)},
	{"agent-permissions", "", []string{"dangerously", "bypassPermissions", "--yolo", "full-auto", "enableAllProjectMcpServers",
		"trust-all-tools", "allow-all-tools"}, flow.AgentPermissions},
	{"agent-redirect", "", []string{"BASE_URL", "base_url", "BASE=", "API_URL"}, source.Re(`(?i)\b(?:export |set |setx ` +
		`|\$env:|["'])?(?:ANTHROPIC_BASE_URL|OPENAI_BASE_URL|OPENAI_API_BASE)["']?\s*[=:\s]\s*["']?https?://(?:[\w.-]*\.)?(?:example|invalid|` +
		`xyz|top|icu|ru|cn|tk|click|evil)\b`)},
	{"image-beacon", "", []string{"new Image", ".src"},
		source.Re(`new Image\(\)[\s\S]{0,80}\.src\s*=\s*["'\x60]https?://[^"'\x60]+["'\x60]\s*\+`)},
}

// signatures looks for telling forms in code of any language.
func (f *file) signatures(k source.Kind, text string, line int, p source.Place) {
	seen := signedBy().Find(text)
	for i := range signatureList {
		if !seen.Has(i) {
			continue
		}
		s := &signatureList[i]
		m := s.re.FindStringIndex(text)
		if m == nil || s.rule == "agent-permissions" && (k == source.Shell || k == source.Python || k == source.Script) {
			continue // the latter is told there by what is started and what is written
		}
		if s.rule == "reverse-shell" && listens.MatchString(text[m[0]:min(len(text), m[1]+20)]) {
			continue
		}
		sev := s.severity
		if sev == "" {
			sev = report.ByID[s.rule].Severity
		}
		start := strings.LastIndexByte(text[:m[0]], '\n') + 1
		lineStart := strings.TrimSpace(text[start:m[0]])
		search := strings.HasPrefix(lineStart, "grep") || strings.HasPrefix(lineStart, "rg ") || strings.Contains(lineStart, "re.compile") ||
			strings.Contains(lineStart, "regex")
		rule := s.rule
		if rule == "fetch-execute" && installs(text[start:m[1]]) {
			rule, sev = "known-installer", report.Medium
		}
		if p.Quoted && p.Cue() || f.Teaches && (p.Quoted || search) {
			sev = report.AtMost(sev, report.Medium)
		}
		if s.rule == "persistence" && (flow.Recurring.Service.MatchString(f.Purpose()) || flow.Recurring.Schedule.MatchString(f.Purpose())) {
			sev = report.AtMost(sev, report.Medium)
		}
		f.Add(rule, line+strings.Count(text[:m[0]], "\n"), "", report.With{Severity: sev})
	}
}

// permissions: a program sets an agent to ask nobody, or holds what one is started with to that end. A comment does neither.
func (f *file) permissions(code string, toks []flow.Token, line int) {
	if at := flow.PermissionSetting(code); at >= 0 {
		f.Add("agent-permissions", line+strings.Count(code[:at], "\n"), "", report.With{})
	}
	for _, t := range toks {
		if t.Kind == flow.Literal && flow.AgentPermissions.MatchString(t.Text) {
			f.Add("agent-permissions", line+t.Line-1, t.Text, report.With{Severity: report.Medium})
		}
	}
}

// withoutComments is shell text without the lines that are comments, and a program without what the lexer takes for one.
func withoutComments(k source.Kind, text string, toks []flow.Token) string {
	if k == source.Shell {
		return commentLine.ReplaceAllString(text, "")
	}
	for _, t := range toks {
		if t.Kind == flow.Comment && flow.PermissionSetting(t.Text) >= 0 {
			text = strings.Replace(text, t.Text, strings.Repeat("\n", strings.Count(t.Text, "\n")), 1)
		}
	}
	return text
}

var commentLine = lazyre.New(`(?m)^[ \t]*#.*$`)

// installs: all that is fetched are projects' own installers.
func installs(text string) bool {
	found := source.UrlRE.FindAllString(text, 6)
	for _, u := range found {
		if !source.Installer(u) {
			return false
		}
	}
	return len(found) > 0
}

var signedBy = sync.OnceValue(func() *hint.Finder {
	x := &hint.Finder{}
	for i := range signatureList {
		x.Add(signatureList[i].hints)
	}
	return x
})

// listens: what is opened is a port of this computer, without a shell on it.
var listens = lazyre.New(`^exec\s+\d+<>\s*/dev/tcp/(?:127\.0\.0\.1|localhost)/`)

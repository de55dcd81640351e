package scan

import (
	"showhow/internal/lazyre"
	"strings"
)

// signature is a form that is telling by itself, in any language: mostly those of PowerShell and batch files, which have no
// parser here, and reverse shells, which look alike everywhere.
type signature struct {
	rule     string
	severity Severity
	hints    []string
	re       *lazyre.Regexp
}

var signatureList = []signature{
	{"reverse-shell", "", []string{"/dev/tcp/"},
		re(`(?i)(?:bash|sh|zsh)\s+-i\b[^\n]{0,40}/dev/tcp/|0<&\d+-?;?\s*exec\s+\d+<>/dev/tcp/|exec\s+\d+<>\s*/dev/tcp/`)},
	{"reverse-shell", "", []string{"TCPClient", "tcpclient", "TcpClient"},
		re(`(?i)net\.sockets\.tcpclient[\s\S]{0,600}(?:iex|invoke-expression|\.getstream\(\)[\s\S]{0,300}(?:cmd|powershell))`)},
	{"reverse-shell", "", []string{"fsockopen", "TCPSocket", "TCPServer", "IO::Socket"},
		re(`(?i)(?:fsockopen|tcpsocket\.(?:new|open)|io::socket::inet)[\s\S]{0,300}(?:/bin/(?:ba)?sh|exec|proc_open|popen)`)},
	{"reverse-shell", "", []string{"net.", "Socket"}, re(`(?i)net\.(?:connect|socket|createconnection)[\s\S]{0,300}(?:/bin/(?:ba)?sh|` +
		`cmd\.exe)[\s\S]{0,300}(?:\.pipe\(|stdin|stdout)|(?:/bin/(?:ba)?sh|cmd\.exe)[\s\S]{0,400}net\.(?:connect|socket|` +
		`createconnection)[\s\S]{0,300}\.pipe\(`)},
	{"fetch-execute", "", []string{"iex", "IEX", "nvoke-", "INVOKE-"}, re(`(?i)(?:\biex\b|invoke-expression)[^\n]{0,120}(?:downloadstring|` +
		`invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|net\.webclient|https?://)|(?:downloadstring|invoke-webrequest|` +
		`invoke-restmethod|\biwr\b|\birm\b|net\.webclient)[^\n]{0,160}\|\s*(?:iex|invoke-expression)\b`)},
	{"fetch-execute", "", []string{"iex", "IEX", "nvoke-Expression", "nvoke-expression"}, re(`(?i)(?:downloadstring|` +
		`downloaddata|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod)[\s\S]{0,500}(?:\biex\b|invoke-expression)\s*[($"']`)},
	{"fetch-execute", "", []string{"tart-", "aunch", "START", "start "}, re(`(?i)(?:downloadfile|invoke-webrequest|\biwr\b|` +
		`start-bitstransfer|bitsadmin|certutil)[\s\S]{0,400}(?:start-process|\bstart\s|&\s*["']?\$|\binvoke-item\b|\bcmd /c\b)`)},
	{"fetch-execute", "", []string{"mshta", "regsvr32", "rundll32", "msiexec", "wscript", "cscript"},
		re(`(?i)\b(?:mshta|regsvr32|rundll32|msiexec|wscript|cscript)(?:\.exe)?\b[^\n]{0,80}https?://`)},
	{"fetch-execute", "", []string{"certutil", "bitsadmin"},
		re(`(?i)\bcertutil(?:\.exe)?\b[^\n]{0,60}-urlcache|\bbitsadmin\b[^\n]{0,40}/transfer`)},
	{"encoded-execute", "", []string{"-e", "-E", "/e"}, re(`(?i)\bpowershell(?:\.exe)?\b[^\n]{0,80}\s[-/]e(?:nc|ncodedcommand|` +
		`c)?\s+[A-Za-z0-9+/=]{16,}|\bpwsh\b[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{16,}`)},
	{"encoded-execute", "", []string{"rombase64", "romBase64", "ROMBASE64"}, re(`(?i)(?:\biex\b|invoke-expression|` +
		`assembly\]::load)[\s\S]{0,160}frombase64string|frombase64string[\s\S]{0,200}\|\s*(?:iex|invoke-expression)\b`)},
	{"protection-off", "", []string{"MpPreference", "mppreference", "Defender", "defender", "Firewall", "firewall", "xecution", "AmsiUtils",
		"amsi"}, re(`(?i)(?:set|add)-mppreference\b[^\n]{0,80}(?:-disable\w+\s+\$?(?:true|1)|-exclusion\w+)|disableantispyware|` +
		`set-netfirewallprofile[^\n]{0,80}-enabled\s+false|netsh\s+advfirewall\s+set[^\n]{0,40}off|amsiutils|sc(?:\.exe)?\s+(?:stop|` +
		`delete)\s+windefend`)},
	{"protection-off", Medium, []string{"xecutionPolicy", "xecutionpolicy", "-ep "},
		re(`(?i)set-executionpolicy\s+(?:-\w+\s+\w+\s+)*(?:bypass|unrestricted)`)},
	{"persistence", "", []string{"schtasks", "ScheduledTask", "scheduledtask", "CurrentVersion", "currentversion", "Startup"},
		re(`(?i)\bschtasks(?:\.exe)?\b[^\n]{0,60}/create|register-scheduledtask|new-scheduledtaskaction|currentversion\\+run(?:once)?\b|` +
			`reg(?:\.exe)?\s+add\s+[^\n]{0,60}\\run\b|start menu\\+programs\\+startup|new-service\b`)},
	{"persistence", "", []string{"RunAtLoad", "KeepAlive"}, re(`<key>(?:RunAtLoad|KeepAlive)</key>`)},
	{"persistence", "", []string{"WantedBy=", "OnCalendar="}, re(`(?m)^(?:WantedBy|OnCalendar|OnBootSec)=`)},
	{"secret-access", High, []string{"ebcredential", "windows vault", "vaultcmd", "mimikatz", "lsass", "sekurlsa", "CredEnum", "SAM "},
		re(`(?i)mimikatz|sekurlsa|lsass\.(?:exe|dmp)|procdump[^\n]{0,40}lsass|reg\s+save\s+hklm\\+sam|vaultcmd\s+/list|invoke-webcredential`)},
	{"secret-exfiltration", "", []string{"Get-ChildItem", "get-childitem", "gci ", "Env:", "env:", "Get-Content", "gc "},
		re(`(?i)(?:get-childitem|gci|dir|ls)\s+env:[^\n]{0,160}(?:invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|uploadstring)|` +
			`(?:get-content|gc|cat|readalltext)\b[^\n]{0,60}(?:\.ssh|\.aws|id_rsa|login ` +
			`data|\.env\b)[^\n]{0,200}(?:invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|uploadstring|uploaddata)|(?:invoke-webrequest|` +
			`invoke-restmethod|\biwr\b|\birm\b|uploadstring|uploadfile)\b[^\n]{0,200}(?:get-childitem env:|gci ` +
			`env:|\.ssh[\\/]|\.aws[\\/]|id_rsa|login data)`)},
	{"secret-access", High, []string{"hidden answer"}, re(`(?i)display dialog[\s\S]{0,300}hidden answer`)},
	{"package-source", High, []string{"trusted=yes", "allow-unauthenticated", "no-gpg-check", "nogpgcheck", "gpgcheck=0"},
		re(`\[[^\]\n]*trusted=yes|--allow-unauthenticated|--no-?gpg-?checks?|gpgcheck=0`)},
	{"crypto-miner", "", []string{"xmrig", "stratum+", "minerd", "coinhive", "cpuminer"}, unseenBySeller},
	{"surveillance", "", []string{"GetAsyncKeyState", "SetWindowsHookEx", "keyboard.Listener", "keyboard.on_press", "logkeys", "CGEventTap"},
		re(`GetAsyncKeyState|SetWindowsHookEx|keyboard\.Listener|keyboard\.on_press|\blogkeys\b|CGEventTapCreate`)},
	{"privilege-permanent", "", []string{"NOPASSWD"}, re(`ALL\s*=\s*\(?[^\n]{0,20}NOPASSWD`)},
	{"destructive", "", []string{"format ", "cipher ", "vssadmin", "Remove-Item", "rd /s", "del /"}, re(`(?i)\bvssadmin\s+delete\s+shadows` +
		`|\bformat\s+[c-z]:\s*/|remove-item\s+[^\n]{0,40}(?:\$home|\$env:userprofile|c:\\+(?:users|windows)?\\*["']?\s)[^\n]{0,` +
		`40}-recurse|\brd\s+/s\s+/q\s+(?:c:\\|%userprofile%)|wbadmin delete`)},
	{"agent-permissions", "", []string{"dangerously", "bypassPermissions", "--yolo", "full-auto", "enableAllProjectMcpServers",
		"trust-all-tools", "allow-all-tools"}, agentPermissions},
	{"agent-redirect", "", []string{"BASE_URL", "base_url", "BASE=", "API_URL"}, re(`(?i)\b(?:export |set |setx ` +
		`|\$env:|["'])?(?:ANTHROPIC_BASE_URL|OPENAI_BASE_URL|OPENAI_API_BASE)["']?\s*[=:\s]\s*["']?https?://(?:[\w.-]*\.)?(?:example|invalid|` +
		`xyz|top|icu|ru|cn|tk|click|evil)\b`)},
	{"image-beacon", "", []string{"new Image", ".src"}, re(`new Image\(\)[\s\S]{0,80}\.src\s*=\s*["'\x60]https?://[^"'\x60]+["'\x60]\s*\+`)},
}

// signatures looks for telling forms in code of any language.
func (f *file) signatures(text string, line int, p place) {
	seen := signedBy().find(text)
	for i := range signatureList {
		if !seen.has(i) {
			continue
		}
		s := &signatureList[i]
		m := s.re.FindStringIndex(text)
		if m == nil {
			continue
		}
		sev := s.severity
		if sev == "" {
			sev = byID[s.rule].Severity
		}
		start := strings.LastIndexByte(text[:m[0]], '\n') + 1
		lineStart := strings.TrimSpace(text[start:m[0]])
		search := strings.HasPrefix(lineStart, "grep") || strings.HasPrefix(lineStart, "rg ") || strings.Contains(lineStart, "re.compile") ||
			strings.Contains(lineStart, "regex")
		if p.quoted && p.cue() || f.teaches && (p.quoted || search) {
			sev = atMost(sev, Medium)
		}
		if s.rule == "persistence" && (re0.service.MatchString(f.purpose()) || re0.cron.MatchString(f.purpose())) {
			sev = atMost(sev, Medium)
		}
		f.add(s.rule, line+strings.Count(text[:m[0]], "\n"), "", with{severity: sev})
	}
}

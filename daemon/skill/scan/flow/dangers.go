package flow

import (
	"path"
	"strings"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// What an agent is started with to ask nobody, and what a setting says so that none does.
const (
	permissionFlags = `--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--permission-mode[= ]bypassPermissions|` +
		`--allow-all-tools|--trust-all-tools`
	permissionSettings = `\bbypassPermissions\b|enableAllProjectMcpServers["']?\s*[:=]\s*true|skipDangerousModePermissionPrompt`
)

var (
	AgentPermissions = source.Re(permissionFlags + `|` + permissionSettings)
	asksNobody       = source.Re(permissionFlags)
	settings         = source.Re(permissionSettings)
	modeFlag         = source.Re(`--permission-mode["',\s=]*$`)
	changesSettings  = lazyre.New(`(?:^|\s)(?:config|mcp|plugin|plugins|settings|hooks|extensions)(?:\s|$)`)
)

// PermissionSetting is where a text sets an agent to ask nobody from now on, -1 for nowhere. The value of a flag sets nothing.
func PermissionSetting(text string) int {
	for _, m := range settings.FindAllStringIndex(text, 50) {
		if !modeFlag.MatchString(text[max(0, m[0]-40):m[0]]) {
			return m[0]
		}
	}
	return -1
}

// dangers are commands that keep rights, switch protection off, stay or destroy.
func (s *sh) dangers(name, full string, args []arg, line int) {
	rest := join(args)
	low := strings.ToLower(full)
	switch name {
	case "rm", "shred", "srm":
		s.removed(name, args, line)
	case "dd":
		if strings.Contains(full, "of=/dev/sd") || strings.Contains(full, "of=/dev/nvme") || strings.Contains(full, "of=/dev/disk") {
			s.add("destructive", line, report.With{})
		}
	case "crontab":
		if !Contains([]string{"-l", "-r", "-v"}, strings.TrimSpace(rest)) && !strings.HasPrefix(rest, "-l") {
			s.stays("the schedule", Recurring.Schedule, line)
		}
	case "at", "batch":
		if name == "batch" && (len(args) == 0 || args[0].text == "-f") || name == "at" && len(args) > 0 && atTime.MatchString(rest) {
			s.stays("the schedule", Recurring.Schedule, line)
		}
	case "launchctl":
		if len(args) > 0 && Contains([]string{"load", "bootstrap", "submit", "enable"}, args[0].text) {
			s.stays("a login item", Recurring.Service, line)
		}
	case "systemctl", "update-rc.d", "rc-update", "chkconfig":
		if strings.Contains(" "+rest, " enable") || strings.Contains(rest, "link") || strings.Contains(rest, "defaults") {
			s.stays("a service", Recurring.Service, line)
		}
		if stopsGuard.MatchString(rest) {
			s.add("protection-off", line, report.With{})
		}
	case "loginctl":
		if strings.Contains(rest, "enable-linger") {
			s.stays("a service", Recurring.Service, line)
		}
	case "setcap":
		s.add("privilege-permanent", line, report.With{})
	case "usermod", "gpasswd", "adduser", "dseditgroup":
		switch {
		case wheel.MatchString(rest):
			s.add("privilege-permanent", line, report.With{})
		case strings.Contains(rest, "docker"):
			s.add("privilege-permanent", line, report.With{Severity: report.Medium, Meaning: "Who is in the group docker is master of the machine."})
		}
	case "useradd", "chpasswd", "passwd":
		if len(args) > 0 && rest != "--help" {
			s.add("privilege-permanent", line, report.With{Severity: report.Medium})
		}
	case "docker", "podman", "nerdctl":
		if strings.Contains(rest, "--privileged") || strings.Contains(rest, "docker.sock") || strings.Contains(rest, "-v /:") ||
			strings.Contains(rest, "--pid=host") || strings.Contains(rest, "source=/,") {
			sev := report.Medium
			if strings.Contains(rest, "-v /:") || strings.Contains(rest, "source=/,") || strings.Contains(rest, "--privileged") &&
				strings.Contains(rest, "-v /") {
				sev = report.High
			}
			s.add("privilege-permanent", line, report.With{Severity: sev, Meaning: "A container gets the machine's own files or rights."})
		}
	case "ufw", "iptables", "nft", "pfctl", "firewall-cmd", "setenforce", "spctl", "csrutil", "xattr", "auditctl", "auditd", "netsh",
		"tccutil", "aa-disable", "aa-teardown", "sestatus", "codesign":
		if protection.MatchString(low) {
			s.add("protection-off", line, report.With{})
		}
	case "history", "unset", "export", "wevtutil", "journalctl":
		if wipesLog.MatchString(low) {
			s.add("protection-off", line, report.With{Severity: report.Medium, Meaning: "It empties or stops a record of what was done."})
		}
	case "kubectl", "oc":
		if strings.Contains(rest, "cluster-admin") {
			s.add("privilege-permanent", line, report.With{Severity: report.Medium, Meaning: "An account of the cluster becomes its master."})
		}
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		if len(args) > 0 && !strings.Contains(rest, "--no-install") {
			s.unpinned(name, args, line)
		}
	case "defaults":
		if strings.Contains(low, "loginwindow") || strings.Contains(low, "lsquarantine") || strings.Contains(low, "loginhook") {
			s.add("persistence", line, report.With{})
		}
	case "osascript":
		if strings.Contains(low, "display dialog") && (strings.Contains(low, "password") || strings.Contains(low, "hidden answer")) {
			s.add("secret-access", line, report.With{Severity: report.High,
				Meaning: "It asks for a password in a dialog that imitates the system's."})
		}
		if strings.Contains(low, "login item") {
			s.add("persistence", line, report.With{})
		}
	}
	if agents[name] && hint.Any(rest, []string{"mcp add", "config set", "plugin install", "hooks"}) {
		s.add("agent-memory", line, report.With{Severity: report.Medium, Meaning: "It changes an agent's settings."})
	}
	if hint.Any(full, permissionHints) && AgentPermissions.MatchString(full) {
		v := report.With{}
		if agents[name] && PermissionSetting(full) < 0 && !changesSettings.MatchString(rest) { // with no more rights than its caller
			v = report.With{Severity: report.Medium, Meaning: "It starts an agent that asks nobody."}
		}
		s.add("agent-permissions", line, v)
	}
	if hint.Any(full, minerHints) && UnseenBySeller.MatchString(full) {
		s.add("crypto-miner", line, report.With{})
	}
	if strings.Contains(full, "NOPASSWD") {
		s.add("privilege-permanent", line, report.With{})
	}
	if strings.Contains(full, "mkfifo") && fifo.MatchString(full) {
		s.add("reverse-shell", line, report.With{})
	}
	if strings.HasPrefix(path.Base(name), "mkfs") {
		s.add("destructive", line, report.With{})
	}
}

var permissionHints = []string{"dangerously", "--yolo", "full-auto", "ermission", "allow-all", "trust-all", "enableAllProject"}

var minerHints = []string{"xmrig", "minerd", "cpuminer", "stratum", "nicehash", "coinhive", "donate-level"}

// re0 are the purposes that make something that stays a matter of review.
var Recurring = struct{ Schedule, Service *lazyre.Regexp }{source.Re(`(?i)\bcron|schedul|nightly|daily|every (?:day|hour|night)`),
	source.Re(`(?i)systemd|launchd|\bservice\b|daemon|deploy|autostart|at login|server`)}

func (w *Pass) stays(what string, purpose *lazyre.Regexp, line int) {
	v := report.With{Meaning: "It writes " + what + "."}
	if purpose.MatchString(w.U.F.Purpose()) {
		v.Severity = report.Medium
	}
	w.add("persistence", line, v)
}

var (
	stopsGuard = source.Re(
		`\b(?:stop|disable|mask)\b.*\b(?:auditd|firewalld|ufw|apparmor|falcon-sensor|clamav\S*|crowdstrike|rsyslog|osqueryd|` +
			`wazuh\S*|fail2ban|sentinel\S*|mdatp)`)
	atTime     = source.Re(`(?i)^\s*(?:-[fmq]|now\b|noon|midnight|teatime|tomorrow|\+\d|\d{1,2}(?::\d\d)?\s*(?:am|pm|$|\s)|\$|\d{4}\b|next\b)`)
	wheel      = source.Re(`\b(?:sudo|wheel|admin|root)\b`)
	protection = source.Re(
		`\bufw (?:--force )?(?:disable|reset)|iptables (?:-f|-p input accept|--flush)|nft flush|pfctl -d|setenforce 0|spctl ` +
			`--(?:master|global)-disable|spctl --add|csrutil disable|xattr .*(?:-c\b|-cr\b|-d.*quarantine|-rc\b)|auditctl -e ?0|auditctl -d|netsh ` +
			`.*state off|netsh .*firewall.*disable|tccutil|aa-disable|aa-teardown|firewall-cmd .*--panic-off|codesign --remove|codesign .*-f.*-s -`)
	wipesLog = source.Re(`history -c|unset histfile|histfile=/dev/null|histsize=0|wevtutil cl|journalctl --vacuum-time=1s|histcontrol`)
	fifo     = source.Re(`mkfifo .*(?:nc|ncat|netcat|openssl s_client)\b`)
	homes    = lazyre.New(`^(?:/|/\*|~|~/|~/\*|~/\.\*|\$\{?HOME\}?/?\*?|/home(?:/\*)?|/Users(?:/\*)?|/etc/?|/usr/?|/var/?|~/(?:Documents|` +
		`Desktop|Pictures|Downloads)/?\*?|--no-preserve-root|~/\.(?:ssh|gnupg|aws|git)/?|/home/\w+/?|C:\\?)$`)
)

func (s *sh) removed(name string, args []arg, line int) {
	for _, a := range args {
		t := strings.TrimSuffix(a.text, "/")
		if t == "" && a.known && a.text != "" {
			t = "/"
		}
		if homes.MatchString(t) {
			s.add("destructive", line, report.With{Severity: report.High})
			return
		}
	}
}

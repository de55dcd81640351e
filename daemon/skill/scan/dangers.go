package scan

import (
	"path"
	"showhow/internal/lazyre"
	"strings"
)

var agentPermissions = re(`--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--full-auto\b|--permission-mode[= ` +
	`]bypassPermissions|--allow-all-tools|\bbypassPermissions\b|enableAllProjectMcpServers["']?\s*[:=]\s*true|--trust-all-tools|` +
	`skipDangerousModePermissionPrompt`)

// dangers are commands that keep rights, switch protection off, stay or destroy.
func (s *sh) dangers(name, full string, args []arg, line int) {
	rest := join(args)
	low := strings.ToLower(full)
	switch name {
	case "rm", "shred", "srm":
		s.removed(name, args, line)
	case "dd":
		if strings.Contains(full, "of=/dev/sd") || strings.Contains(full, "of=/dev/nvme") || strings.Contains(full, "of=/dev/disk") {
			s.add("destructive", line, with{})
		}
	case "crontab":
		if !contains([]string{"-l", "-r", "-v"}, strings.TrimSpace(rest)) && !strings.HasPrefix(rest, "-l") {
			s.stays("the schedule", re0.cron, line)
		}
	case "at", "batch":
		if len(args) > 0 && (name == "batch" || atTime.MatchString(rest)) {
			s.stays("the schedule", re0.cron, line)
		}
	case "launchctl":
		if strings.Contains(rest, "load") || strings.Contains(rest, "bootstrap") || strings.Contains(rest, "submit") {
			s.stays("a login item", re0.service, line)
		}
	case "systemctl", "update-rc.d", "rc-update", "chkconfig":
		if strings.Contains(rest, "enable") || strings.Contains(rest, "link") || strings.Contains(rest, "defaults") {
			s.stays("a service", re0.service, line)
		}
		if stopsGuard.MatchString(rest) {
			s.add("protection-off", line, with{})
		}
	case "loginctl":
		if strings.Contains(rest, "enable-linger") {
			s.stays("a service", re0.service, line)
		}
	case "setcap":
		s.add("privilege-permanent", line, with{})
	case "usermod", "gpasswd", "adduser", "dseditgroup":
		switch {
		case wheel.MatchString(rest):
			s.add("privilege-permanent", line, with{})
		case strings.Contains(rest, "docker"):
			s.add("privilege-permanent", line, with{severity: Medium, meaning: "Who is in the group docker is master of the machine."})
		}
	case "useradd", "chpasswd", "passwd":
		if len(args) > 0 && rest != "--help" {
			s.add("privilege-permanent", line, with{severity: Medium})
		}
	case "docker", "podman", "nerdctl":
		if strings.Contains(rest, "--privileged") || strings.Contains(rest, "docker.sock") || strings.Contains(rest, "-v /:") ||
			strings.Contains(rest, "--pid=host") || strings.Contains(rest, "source=/,") {
			sev := Medium
			if strings.Contains(rest, "-v /:") || strings.Contains(rest, "source=/,") || strings.Contains(rest, "--privileged") &&
				strings.Contains(rest, "-v /") {
				sev = High
			}
			s.add("privilege-permanent", line, with{severity: sev, meaning: "A container gets the machine's own files or rights."})
		}
	case "ufw", "iptables", "nft", "pfctl", "firewall-cmd", "setenforce", "spctl", "csrutil", "xattr", "auditctl", "auditd", "netsh",
		"tccutil", "aa-disable", "aa-teardown", "sestatus", "codesign":
		if protection.MatchString(low) {
			s.add("protection-off", line, with{})
		}
	case "history", "unset", "export", "wevtutil", "journalctl":
		if wipesLog.MatchString(low) {
			s.add("protection-off", line, with{severity: Medium, meaning: "It empties or stops a record of what was done."})
		}
	case "kubectl", "oc":
		if strings.Contains(rest, "cluster-admin") {
			s.add("privilege-permanent", line, with{severity: Medium, meaning: "An account of the cluster becomes its master."})
		}
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		if len(args) > 0 && !strings.Contains(rest, "--no-install") {
			s.unpinned(name, args, line)
		}
	case "claude", "codex", "openclaw", "gemini", "copilot", "cursor-agent", "aider", "amp":
		if strings.Contains(rest, "mcp add") || strings.Contains(rest, "config set") || strings.Contains(rest, "plugin install") ||
			strings.Contains(rest, "hooks") {
			s.add("agent-memory", line, with{severity: Medium, meaning: "It changes an agent's settings."})
		}
	case "defaults":
		if strings.Contains(low, "loginwindow") || strings.Contains(low, "lsquarantine") || strings.Contains(low, "loginhook") {
			s.add("persistence", line, with{})
		}
	case "osascript":
		if strings.Contains(low, "display dialog") && (strings.Contains(low, "password") || strings.Contains(low, "hidden answer")) {
			s.add("secret-access", line, with{severity: High, meaning: "It asks for a password in a dialog that imitates the system's."})
		}
		if strings.Contains(low, "login item") {
			s.add("persistence", line, with{})
		}
	}
	if hinted(full, permissionHints) && agentPermissions.MatchString(full) {
		s.add("agent-permissions", line, with{})
	}
	if hinted(full, minerHints) && unseenBySeller.MatchString(full) {
		s.add("crypto-miner", line, with{})
	}
	if strings.Contains(full, "NOPASSWD") {
		s.add("privilege-permanent", line, with{})
	}
	if strings.Contains(full, "mkfifo") && fifo.MatchString(full) {
		s.add("reverse-shell", line, with{})
	}
	if strings.HasPrefix(path.Base(name), "mkfs") {
		s.add("destructive", line, with{})
	}
}

var permissionHints = []string{"dangerously", "--yolo", "full-auto", "ermission", "allow-all", "trust-all", "enableAllProject"}

var minerHints = []string{"xmrig", "minerd", "cpuminer", "stratum", "nicehash", "coinhive", "donate-level"}

// re0 are the purposes that make something that stays a matter of review.
var re0 = struct{ cron, service *lazyre.Regexp }{re(`(?i)\bcron|schedul|nightly|daily|every (?:day|hour|night)`),
	re(`(?i)systemd|launchd|\bservice\b|daemon|deploy|autostart|at login|server`)}

func (w *flow) stays(what string, purpose *lazyre.Regexp, line int) {
	v := with{meaning: "It writes " + what + "."}
	if purpose.MatchString(w.u.f.purpose()) {
		v.severity = Medium
	}
	w.add("persistence", line, v)
}

var (
	stopsGuard = re(`\b(?:stop|disable|mask)\b.*\b(?:auditd|firewalld|ufw|apparmor|falcon-sensor|clamav\S*|crowdstrike|rsyslog|osqueryd|` +
		`wazuh\S*|fail2ban|sentinel\S*|mdatp)`)
	atTime     = re(`(?i)^\s*(?:-[fmq]|now\b|noon|midnight|teatime|tomorrow|\+\d|\d{1,2}(?::\d\d)?\s*(?:am|pm|$|\s)|\$|\d{4}\b|next\b)`)
	wheel      = re(`\b(?:sudo|wheel|admin|root)\b`)
	protection = re(`\bufw (?:--force )?(?:disable|reset)|iptables (?:-f|-p input accept|--flush)|nft flush|pfctl -d|setenforce 0|spctl ` +
		`--(?:master|global)-disable|spctl --add|csrutil disable|xattr .*(?:-c\b|-cr\b|-d.*quarantine|-rc\b)|auditctl -e ?0|auditctl -d|netsh ` +
		`.*state off|netsh .*firewall.*disable|tccutil|aa-disable|aa-teardown|firewall-cmd .*--panic-off|codesign --remove|codesign .*-f.*-s -`)
	wipesLog = re(`history -c|unset histfile|histfile=/dev/null|histsize=0|wevtutil cl|journalctl --vacuum-time=1s|histcontrol`)
	fifo     = re(`mkfifo .*(?:nc|ncat|netcat|openssl s_client)\b`)
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
			s.add("destructive", line, with{severity: High})
			return
		}
	}
}

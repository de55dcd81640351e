package flow

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// personal are places of keys and of private life. what is said of them in findings.
var personal = []struct {
	re    *lazyre.Regexp
	what  string
	usual bool // a project's own file that programs do read
}{
	{source.Re(`(?i)(?:^|[/\\~\s"'])\.ssh(?:[/\\]+(?:\*|id_|\w+$|\w+\.pem|[\w.-]*key[\w.-]*$)|[/\\]*$)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b`),
		"SSH keys",
		false},
	{source.Re(`(?i)\.aws[/\\]+(?:credentials|config)|\.aws[/\\]*$`), "AWS credentials", false},
	{source.Re(`(?i)\.gnupg`), "GnuPG keys", false},
	{source.Re(`(?i)\.kube(?:[/\\]+config|[/\\]*$)`), "Kubernetes credentials", false},
	{source.Re(`(?i)\.docker[/\\]+config\.json|\.netrc\b|\.git-credentials|(?:^|[/\\])\.pypirc|(?:~|home|` +
		`users)[^\n]*[/\\]\.npmrc|\.cargo[/\\]+credentials|\.gem[/\\]+credentials|\.m2[/\\]+settings|\.composer[/\\]+auth\.json|\.config[` +
		`/\\]+rclone|\.s3cfg|\.boto\b|\.databrickscfg|\.huggingface[/\\]+token|huggingface[/\\]+token|` +
		`filezilla[/\\]|\.config[/\\]+op\b|\.config[/\\]+github-copilot|\.terraform\.d|\.vault-token|\.password-store|\.pgpass|\.my\.cnf`),
		"stored credentials", false},
	{source.Re(`(?i)\.config[/\\]+(?:gcloud|gh(?:[/\\]+hosts|[/\\]*$))|\.oci[/\\]+config|application_default_credentials|\.azure(?:[/\\]|$)|` +
		`service-account[\w-]*\.json`), "cloud credentials", false},
	{source.Re(`(?i)/etc/shadow|/etc/master\.passwd|[/\\]config[/\\]sam\b|ntds\.dit`), "password hashes", false},
	{source.Re(`(?i)login data|cookies\.sqlite|logins\.json|key[34]\.db|web data$|local ` +
		`state$|(?:google[/\\]+chrome|google-chrome|chromium|bravesoftware|brave-browser|microsoft[/\\]+edge|\.mozilla[/\\]+firefox|` +
		`firefox[/\\]+profiles|application support[/\\]+firefox|opera software|vivaldi)(?:[/\\]|$)|[/\\]cookies$`), "a browser's profile", false},
	{source.Re(`(?i)library[/\\]+keychains|login\.keychain|\.local/share/keyrings|kwallet`), "the keychain", false},
	{source.Re(`(?i)wallet\.dat|\.electrum|\.bitcoin[/\\]|\.ethereum|keystore[/\\]utc|exodus[/\\.]+exodus|solana[/\\]+id\.json|` +
		`nkbihfbeogaeaoehlefnkodbefgpgknn|metamask|phantom[/\\.]|local extension ` +
		`settings|exodus[/\\]|\.config[/\\]+solana|\.sui[/\\]|\.foundry[/\\]+keystores|atomic[/\\]+local storage|` +
		`\bseed\.txt|\.monero|ledger live`), "a wallet", false},
	{source.Re(`(?i)\.(?:bash|zsh|python|psql|mysql|node_repl|sh)_history|fish_history|consolehost_history`), "the shell's history", false},
	{source.Re(`(?i)\.claude[/\\]+\.credentials|\.claude\.json|\.codex[/\\]+auth|\.(?:openclaw|clawdbot|moltbot)[/\\]+(?:credentials|` +
		`openclaw\.json|clawdbot\.json|\.env|auth|config)|\b(?:openclaw|clawdbot|` +
		`moltbot)\.json\b|\.gemini[/\\]+oauth|\.config[/\\]+(?:anthropic|openai)`), "an agent's own credentials", false},
	{source.Re(`(?i)\.claude[/\\]+projects|\.codex[/\\]+sessions|\.(?:openclaw|clawdbot|moltbot)[/\\]+(?:sessions|agents|` +
		`memory)|\.claude[/\\]+history`), "conversations with agents", false},
	{source.Re(`(?i)/proc/(?:self|\d+|\*|\$\w+)/environ`), "a process's environment", false},
	{source.Re(`(?i)library[/\\]+messages|chat\.db\b|library[/\\]+mail|\.thunderbird|addressbook|signal[/\\]+(?:config|sql)|telegram ` +
		`desktop|discord[/\\]+local storage|tdata\b|slack[/\\]+(?:storage|cookies)|whatsapp`), "private messages", false},
	{source.Re(`(?i)1password|bitwarden|keepass|\.kdbx`), "a password manager", false},
	{source.Re(`(?i)(?:^|[/\\~\s"'=@])(?:~|\$home|\$\{home\}|%userprofile%|/home/\w+|/users/\w+|/root|home)[/\\]+(?:documents|desktop|` +
		`pictures)[/\\]*\*?$`), "the user's documents", false},
	{source.Re(`^/etc/passwd$`), "the list of this computer's users", true},
	{source.Re(`(?i)(?:^|[/\\\s"'=@.])\.env(?:\.(?:local|production|prod|development|dev|staging))?$|^\.env$`), "a project's secrets (.env)",
		true},
}

// Private says what is kept at a path, "" for an ordinary one.
func Private(p string) (what string, usual bool) {
	if len(p) < 4 || len(p) > 400 || strings.HasSuffix(p, ".pub") || strings.Contains(p, "known_hosts") || strings.HasSuffix(p, "://") {
		return "", false
	}
	low := strings.Trim(p, "\"'`")
	for i := range personal {
		if personal[i].re.MatchString(low) {
			return personal[i].what, personal[i].usual
		}
	}
	return "", false
}

// aboutAgents: setting an agent up is what the description is about.
var aboutAgents = source.Wording("about.agents")

// agentReads begins what agents read by themselves in their folders. What else stands below a folder there is a program's data.
const agentReads = `(?i:settings|hooks|agents|commands|rules|output-styles|plugins|extensions|memor|prompts|projects|skills|mcp|config|` +
	`scripts|statusline|policies|workflows|CLAUDE|AGENTS|GEMINI|\$|\{|\*)`

// Lasting are places where something written starts by itself, speaks to agents, or gives rights.
var Lasting = []struct {
	RE      *lazyre.Regexp
	Rule    string
	what    string
	purpose *lazyre.Regexp // a description that says so makes it a matter of review
}{
	{source.Re(`/etc/sudoers`), "privilege-permanent", "who may act as administrator", nil},
	{source.Re(`(?i)authorized_keys`), "persistence", "who may log in", nil},
	{source.Re(`/etc/ld\.so\.preload`), "persistence", "a library that every program loads", nil},
	{source.Re(`/etc/(?:cron|anacron)|/var/spool/cron`), "persistence", "the schedule", source.Re(`(?i)\bcron\b|schedul`)},
	{source.Re(`(?i)systemd/(?:system|user)\b|/etc/init\.d|/etc/rc\.local|/etc/rc\d?\.d`), "persistence", "a service",
		source.Re(`(?i)systemd|\bservice|daemon|deploy|schedul`)},
	{source.Re(`(?i)library/launch(?:agents|daemons)`), "persistence", "a login item",
		source.Re(`(?i)launchd|launch ?agent|login item|at login|daemon`)},
	{source.Re(`(?i)\.config/autostart|start menu.{0,20}startup|programs[/\\]+startup|currentversion\\+run`), "persistence", "a login item",
		source.Re(`(?i)autostart|at login|startup`)},
	{
		source.Re(
			`(?i)(?:^|[/\\~])\.(?:bashrc|zshrc|profile|bash_profile|zshenv|zprofile|zlogin|bash_login|bash_aliases|xinitrc|xprofile|inputrc)\b|` +
				`fish/config\.fish|fish/conf\.d|/etc/profile|/etc/bash\.bashrc|/etc/environment|/etc/zsh|` +
				`powershell[/\\].{0,30}profile\.ps1|\$profile\b`),
		"persistence", "a shell's start file", source.Re(`(?i)dotfiles|shell (?:config|setup|profile)|bashrc|zshrc`)},
	{source.Re(`(?i)\.git/hooks/|git/hooks/|githooks/(?:pre|post)-`), "persistence", "a git hook", source.Re(`(?i)hook|pre-?commit`)},
	{source.Re(`(?i)\.vscode/(?:tasks|settings|launch)\.json|sitecustomize\.py|usercustomize\.py|` +
		`site-packages/[^/]*\.pth|\.vim/plugin|\.vimrc|\.emacs|\.config/nvim/init`), "persistence", "a program's start file",
		source.Re(`(?i)vs ?code|editor|vim|tasks`)},
	{source.Re(`(?i)/etc/hosts\b|/etc/resolv\.conf`), "persistence", "where names lead to", source.Re(`(?i)hosts file|dns|local domain`)},
	{
		source.Re(
			`(?i)(?:~|home|users)[^\n]*/\.(?:gitconfig|npmrc|pip/pip\.conf|condarc|curlrc|wgetrc)\b|\.config/pip/pip\.conf|\.config/git/config`),
		"persistence", "a tool's settings for all projects", source.Re(`(?i)config|dotfiles|registry|setup`)},
	{source.Re(`(?:^|[/\\])(?:SOUL|IDENTITY|HEARTBEAT|BOOTSTRAP|MEMORY|USER|TOOLS)\.md\b`), "agent-memory", "an agent's memory or identity",
		source.Re(`(?i)\bmemor(?:y|ies)\b|\bidentity\b|\bpersona\b`)},
	{source.Re(`\.(?:openclaw|clawdbot|moltbot|claude|codex|gemini|cursor|agents)/(?:skills|extensions|plugins)(?:/|$)`), "agent-memory",
		"an agent's skills", source.Re(`.`)},
	{source.Re(`\.(?:openclaw|clawdbot|moltbot)(?:/|$)`), "agent-memory", "an agent's own folder", source.Re(`.`)},
	{source.Re(`(?:~|HOME|home|Users|homedir)[^\n]*[/\\]\.(?:claude|codex|gemini|cursor)[/\\]+(?:[^/\\\n]*$|` + agentReads + `)|` +
		`(?:^|/)\.claude/(?:settings[\w.]*json|hooks|` +
		`CLAUDE\.md|agents|commands)|\.claude\.json|(?:^|/)\.mcp\.json|\.cursor/(?:rules|mcp\.json)|\.codex/config\.toml|` +
		`claude_desktop_config\.json`), "agent-memory", "an agent's settings or instructions", aboutAgents},
	{source.Re(`(?:^|[/\\])(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md\b|\.cursorrules|\.windsurfrules|\.clinerules|copilot-instructions\.md`),
		"agent-memory-project", "a project's instructions for agents", nil},
	{source.Re(`^/(?:usr|bin|sbin|lib|boot)/`), "privilege", "the system's own files", source.Re(`(?i)install`)},
	{source.Re(`^/dev/(?:sd|nvme|hd|disk|mem)`), "destructive", "a disk", nil},
}

// harmlessLine: what installation guides put into a shell's start file.
var harmlessLine = source.Re(`^\s*(?:export PATH=|PATH=|fpath|source [~$/.\w-]*complet|autoload|compinit|alias \w+=["']?\w+["']?$|eval ` +
	`"\$\([\w./~-]+ (?:init|hook|completion|shellenv|env|activate)\b|export \w+=["']?[^$` + "`" + `(;|&]*["']?\s*$)`)

var baseURL = source.Re(`(?i)\b(?:ANTHROPIC_BASE_URL|OPENAI_(?:API_)?BASE(?:_URL)?|CLAUDE_API_URL|ANTHROPIC_API_URL|GEMINI_BASE_URL|` +
	`HTTPS?_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS)\b["']?\s*[=:]\s*["']?(?:https?|socks5h?)://([^\s"'/:]+)`)

var UnseenBySeller = source.Re(`(?i)\bxmrig\b|\bminerd\b|\bcpuminer\b|stratum\+(?:tcp|ssl)://|\bnicehash\b|\bcoinhive\b|--donate-level`)

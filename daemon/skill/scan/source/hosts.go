package source

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"unicode"
)

// Words makes a set of a list.
func Words(lists ...string) map[string]bool {
	out := map[string]bool{}
	for _, l := range lists {
		for w := range strings.FieldsSeq(l) {
			out[w] = true
		}
	}
	return out
}

// installers are sites from which projects themselves tell people to pipe into a shell.
var installers = Words(`sh.rustup.rs static.rust-lang.org get.docker.com astral.sh bun.sh deno.land deno.com fnm.vercel.app get.pnpm.io ` +
	`install.python-poetry.org nixos.org
	brew.sh starship.rs get.helm.sh get.k3s.io ollama.com cli.run.nu claude.ai opencode.ai install.determinate.systems mise.run ` +
	`mise.jdx.dev raw.githubusercontent.com/homebrew raw.githubusercontent.com/nvm-sh
	raw.githubusercontent.com/helm raw.githubusercontent.com/ohmyzsh raw.githubusercontent.com/rbenv raw.githubusercontent.com/pyenv ` +
	`sdk.cloud.google.com get.sdkman.io fly.io foundry.paradigm.xyz get.volta.sh cli.github.com dl.google.com awscli.amazonaws.com
	deb.nodesource.com packages.microsoft.com apt.releases.hashicorp.com download.docker.com pixi.sh get.haskellup.haskell.org ` +
	`get-ghcup.haskell.org tailscale.com get.pulumi.com bootstrap.pypa.io openclaw.ai moonrepo.dev cli.tavily.com chatgpt.com ` +
	`get.duckdb.org install.duckdb.org ` +
	`just.systems get.scoop.sh community.chocolatey.org mamba.pm micro.mamba.pm get.jetify.com cursor.com antigravity.google app.factory.ai`)

// trusted are hosts whose names answer for what they serve: registries, forges' releases, vendors' own downloads.
var trusted = Words(`github.com gitlab.com codeberg.org bitbucket.org pypi.org files.pythonhosted.org registry.npmjs.org npmjs.com ` +
	`crates.io rubygems.org proxy.golang.org go.dev golang.org nodejs.org python.org
	docker.com docker.io ghcr.io quay.io debian.org ubuntu.com fedoraproject.org archlinux.org alpinelinux.org apple.com microsoft.com ` +
	`google.com amazonaws.com jetbrains.com mozilla.org gnu.org kernel.org apache.org
	download.pytorch.org huggingface.co sqlite.org ffmpeg.org brew.sh rust-lang.org rustup.rs hashicorp.com libreoffice.org anthropic.com
	claude.ai claude.com chatgpt.com ` +
	`openai.com cloudflare.com maven.org conda.io anaconda.org postgresql.org`)

// catchers are services where anybody can leave or fetch something anonymously.
var catchers = map[string]string{
	"webhook.site": "request catcher", "requestbin.com": "request catcher", "requestbin.net": "request catcher",
	"pipedream.net": "request catcher", "requestcatcher.com": "request catcher", "beeceptor.com": "request catcher",
	"hookbin.com": "request catcher", "mockbin.org": "request catcher",
	"interact.sh": "request catcher", "oast.fun": "request catcher", "oast.pro": "request catcher", "oast.live": "request catcher",
	"oast.site": "request catcher", "oast.online": "request catcher", "oast.me": "request catcher", "burpcollaborator.net": "request catcher",
	"oastify.com": "request catcher", "dnslog.cn": "request catcher", "ceye.io": "request catcher", "canarytokens.com": "request catcher",
	"webhook.cool": "request catcher", "ptsv3.com": "request catcher",
	"pastebin.com": "paste site", "paste.ee": "paste site", "rentry.co": "paste site", "rentry.org": "paste site", "glot.io": "paste site",
	"hastebin.com": "paste site", "dpaste.com": "paste site", "dpaste.org": "paste site", "ix.io": "paste site", "sprunge.us": "paste site",
	"termbin.com": "paste site", "0x0.st": "paste site", "paste.rs": "paste site", "ghostbin.com": "paste site", "controlc.com": "paste site",
	"justpaste.it": "paste site", "bpa.st": "paste site", "privatebin.net": "paste site", "hastebin.skyra.pw": "paste site",
	"transfer.sh": "drop site", "file.io": "drop site", "gofile.io": "drop site", "anonfiles.com": "drop site", "catbox.moe": "drop site",
	"temp.sh": "drop site", "bashupload.com": "drop site", "oshi.at": "drop site", "tmpfiles.org": "drop site", "filebin.net": "drop site",
	"mega.nz": "drop site", "wetransfer.com": "drop site", "pixeldrain.com": "drop site",
	"ngrok.io": "tunnel", "ngrok.app": "tunnel", "ngrok-free.app": "tunnel", "ngrok-free.dev": "tunnel", "trycloudflare.com": "tunnel",
	"loca.lt": "tunnel", "localhost.run": "tunnel", "serveo.net": "tunnel", "lhr.life": "tunnel", "pagekite.me": "tunnel",
	"telebit.io": "tunnel", "bore.pub": "tunnel", "playit.gg": "tunnel", "devtunnels.ms": "tunnel",
	"bit.ly": "shortener", "tinyurl.com": "shortener", "t.co": "shortener", "goo.gl": "shortener", "is.gd": "shortener",
	"cutt.ly": "shortener", "rb.gy": "shortener", "ow.ly": "shortener", "shorturl.at": "shortener", "v.gd": "shortener", "t.ly": "shortener",
	"s.id": "shortener", "tiny.cc": "shortener",
	"duckdns.org": "changing address", "no-ip.org": "changing address", "ddns.net": "changing address", "hopto.org": "changing address",
	"zapto.org": "changing address", "nip.io": "changing address", "sslip.io": "changing address",
	"onion": "hidden service", "i2p": "hidden service",
}

// HostOf is the host of an address, lower case, without user, port and brackets.
func HostOf(u string) string {
	u = authority(u)
	if h, _, err := net.SplitHostPort(u); err == nil {
		u = h
	}
	return strings.Trim(u, "[]. :")
}

// authority is an address's host with its port, if it names one.
func authority(u string) string {
	if i := strings.Index(u, "://"); i >= 0 {
		u = u[i+3:]
	}
	if i := strings.IndexAny(u, "/?#\\ "); i >= 0 {
		u = u[:i]
	}
	if i := strings.LastIndexByte(u, '@'); i >= 0 {
		u = u[i+1:]
	}
	return strings.ToLower(strings.Trim(u, ". :"))
}

// under finds a host or one of its parents in a table.
func domainIn[V any](table map[string]V, host string) (V, bool) {
	for h := host; h != ""; {
		if v, ok := table[h]; ok {
			return v, true
		}
		_, rest, ok := strings.Cut(h, ".")
		if !ok {
			break
		}
		h = rest
	}
	var zero V
	return zero, false
}

func TrustedHost(h string) bool { _, ok := domainIn(trusted, h); return ok }

// Installer: the address is one of a project's own installers.
func Installer(u string) bool {
	h := HostOf(u)
	if h == "raw.githubusercontent.com" {
		_, p, _ := strings.Cut(strings.ToLower(u), "raw.githubusercontent.com/")
		owner, _, _ := strings.Cut(p, "/")
		return installers[h+"/"+owner]
	}
	_, ok := domainIn(installers, h)
	ok = ok || h == "github.com" && ownRelease(u)
	return ok && strings.HasPrefix(strings.ToLower(u), "https://")
}

// ownRelease: the file is an installer that a project's release is known by: github.com/x/prek/releases/.../prek-installer.sh.
func ownRelease(u string) bool {
	parts := strings.Split(strings.ToLower(u), "/")
	if len(parts) < 7 || parts[5] != "releases" || len(parts[4]) < 3 {
		return false
	}
	name := parts[len(parts)-1]
	return strings.HasPrefix(name, parts[4]) && strings.Contains(name, "install")
}

// Catcher returns which kind of anonymous service an address belongs to, "" for any other host.
func Catcher(h string) string {
	if h == "" || Local(h) {
		return ""
	}
	if what, ok := domainIn(catchers, h); ok {
		return what
	}
	if a, err := netip.ParseAddr(h); err == nil && a.IsValid() {
		return "bare number"
	}
	if isNumber(h) {
		return "bare number"
	}
	return ""
}

// ChatHook: addresses of chat services that take a message from anybody who knows them.
func ChatHook(u string) bool {
	l := strings.ToLower(u)
	return strings.Contains(l, "discord.com/api/webhooks") || strings.Contains(l, "discordapp.com/api/webhooks") ||
		strings.Contains(l, "api.telegram.org/bot") || strings.Contains(l, "hooks.slack.com/services/t")
}

func isNumber(h string) bool {
	if strings.HasPrefix(h, "0x") {
		return true
	}
	return len(h) > 6 && strings.Trim(h, "0123456789") == ""
}

func Local(h string) bool {
	if h == "localhost" || strings.HasSuffix(h, ".localhost") || strings.HasSuffix(h, ".local") || h == "host.docker.internal" {
		return true
	}
	a, err := netip.ParseAddr(h)
	return err == nil && (a.IsLoopback() || a.IsPrivate() || a.IsUnspecified())
}

// targets are names that are imitated.
var imitated = strings.Fields(`github.com githubusercontent.com gitlab.com google.com googleapis.com microsoft.com apple.com ` +
	`anthropic.com openai.com claude.ai pypi.org npmjs.com npmjs.org docker.com amazonaws.com amazon.com slack.com
	stripe.com paypal.com cloudflare.com openclaw.ai clawhub.ai notion.so atlassian.com bitbucket.org dropbox.com facebook.com ` +
	`huggingface.co pythonhosted.org microsoftonline.com icloud.com telegram.org discord.com linkedin.com`)

// Imitation is the well-known name that a host only looks like, "" for an honest one.
func Imitation(h string) string {
	if h == "" || Local(h) {
		return ""
	}
	plain := Latin(h)
	if plain != h && strings.IndexFunc(h, func(r rune) bool {
		_, ok := Confusable[r]
		return ok && r > unicode.MaxASCII && r != '‐' && r != '‑'
	}) >= 0 {
		return plain
	}
	labels := strings.Split(h, ".")
	for _, t := range imitated {
		if h == t || strings.HasSuffix(h, "."+t) {
			return ""
		}
	}
	for _, t := range imitated {
		if strings.Contains(h, t+".") { // github.com.evil.example
			return t
		}
		if len(labels) < 2 {
			continue
		}
		site := strings.Join(labels[len(labels)-2:], ".")
		name, zone, _ := strings.Cut(t, ".")
		sld := labels[len(labels)-2]
		if len(name) >= 5 && site != t && (Near(site, t) && labels[len(labels)-1] == zone || Digits(sld) == name && sld != name) {
			return t
		}
		if len(name) >= 6 && (strings.HasPrefix(sld, name+"-") || strings.HasSuffix(sld, "-"+name)) && suspiciousTail(sld) {
			return t
		}
	}
	return ""
}

func suspiciousTail(s string) bool {
	for _, w := range []string{"login", "secure", "verify", "account", "download", "update", "auth", "support", "cdn", "raw", "install",
		"release"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// Digits undoes the exchange of letters for digits that look like them.
func Digits(s string) string {
	return strings.NewReplacer("0", "o", "1", "l", "3", "e", "5", "s", "rn", "m", "vv", "w").Replace(s)
}

// Near: one slip apart, by a missing, added, exchanged or swapped letter.
func Near(a, b string) bool {
	if a == b || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	x, y := a[i:], b[i:]
	switch {
	case len(x) == len(y):
		return len(x) > 0 && x[1:] == y[1:] || len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]
	case len(x) > len(y):
		return x[1:] == y
	}
	return x == y[1:]
}

// vendors: whose key a variable is, and where it belongs.
var vendors = []struct {
	prefix string
	hosts  []string
}{
	{"GITHUB_", []string{"github"}}, {"GH_", []string{"github", "ghe", "git"}}, {"GITLAB_", []string{"gitlab", "git"}},
	{"OPENAI_", []string{"openai", "azure"}}, {"ANTHROPIC_", []string{"anthropic", "claude"}}, {"CLAUDE_", []string{"anthropic", "claude"}},
	{"AWS_", []string{"amazonaws", "aws"}}, {"STRIPE_", []string{"stripe"}}, {"SLACK_", []string{"slack"}}, {"NPM_", []string{"npm"}},
	{"PYPI_", []string{"pypi"}}, {"TWILIO_", []string{"twilio"}}, {"SENDGRID_", []string{"sendgrid"}},
	{"NOTION_", []string{"notion"}}, {"LINEAR_", []string{"linear"}}, {"CLOUDFLARE_", []string{"cloudflare"}},
	{"HF_", []string{"huggingface", "hf.co"}}, {"HUGGINGFACE_", []string{"huggingface"}}, {"GEMINI_", []string{"google"}},
	{"GOOGLE_", []string{"google"}},
	{"DIGITALOCEAN_", []string{"digitalocean"}}, {"VERCEL_", []string{"vercel"}}, {"NETLIFY_", []string{"netlify"}},
	{"DATADOG_", []string{"datadog"}}, {"SENTRY_", []string{"sentry"}}, {"AIRTABLE_", []string{"airtable"}},
	{"MISTRAL_", []string{"mistral"}}, {"DISCORD_", []string{"discord"}}, {"HEROKU_", []string{"heroku"}},
	{"AZURE_", []string{"azure", "microsoft", "windows.net"}},
}

// Elsewhere: the key belongs to a service that the host is not.
func Elsewhere(credential, host string) string {
	if host == "" || Local(host) {
		return ""
	}
	name := strings.ToUpper(credential)
	for _, v := range vendors {
		if !strings.HasPrefix(name, v.prefix) {
			continue
		}
		for _, h := range v.hosts {
			if strings.Contains(host, h) && Imitation(host) == "" {
				return ""
			}
		}
		return fmt.Sprintf("%s goes to %s.", credential, Short(host, 60))
	}
	return ""
}

// CredentialName: a variable whose value opens something.
func CredentialName(s string) bool {
	u := strings.ToUpper(s)
	if len(u) < 3 || strings.HasSuffix(u, "_URL") || strings.HasSuffix(u, "_ID") && !strings.Contains(u, "ACCESS_KEY") ||
		strings.Contains(u, "MAX_TOKENS") || strings.HasSuffix(u, "_TOKENS") || strings.HasSuffix(u, "_DIR") ||
		strings.HasSuffix(u, "_PATH") || strings.HasSuffix(u, "_NAME") {
		return false
	}
	for _, w := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "_PAT",
		"AUTH_KEY", "WEBHOOK", "_KEY", "MNEMONIC", "DATABASE_URL"} {
		if strings.Contains(u, w) {
			return true
		}
	}
	return false
}

package scan

import (
	"strings"

	"golang.org/x/net/publicsuffix"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

var commandLike = lazyre.New(`(?m)^[ \t]*(?:\$ |\d{1,2}[.)] +|[-*] +)?(?:sudo |env ` +
	`)?(?:/(?:usr/)?(?:local/)?bin/)?(?:curl|wget|bash|zsh|sh|python3?|node|npx|npm|pip3?|git|cd|export|cat|echo|chmod|source|docker|` +
	`kubectl|brew|apt(?:-get)?|uvx?|jq|ssh|scp|rm|cp|mv|mkdir|tar|nc|eval|base64|openssl|crontab)\b`)

// typed is a paragraph that is a command without being marked as code.
var typed = lazyre.New(
	`^(?:\$ )?(?:sudo )?(?:curl|wget|bash|sh|python3?|node|npx|pip3?|eval|powershell|iwr|irm|nc|openssl|base64|chmod|crontab) [-\w./"'~$(]`)

var pythonLike = lazyre.New(`(?m)^(?:import [a-z_][\w.]*(?:,|$| as )|from [a-z_][\w.]* import )`)

// guess is the language of code that does not say it.
func guess(code string) source.Kind {
	switch {
	case commandLike.MatchString(code):
		return source.Shell
	case pythonLike.MatchString(code):
		return source.Python
	case strings.HasPrefix(strings.TrimSpace(code), "{"):
		return source.DataFile
	case strings.Contains(code, "import ") && strings.Contains(code, "\n") && !strings.Contains(code, ";"):
		return source.Python
	case strings.Contains(code, "require(") || strings.Contains(code, "=> ") && strings.Contains(code, ";"):
		return source.Script
	}
	return source.Plain
}

// realHost: the last part of the name is one that hosts are registered under.
func realHost(h string) bool {
	last := h[strings.LastIndexByte(h, '.')+1:]
	_, known := publicsuffix.PublicSuffix(h)
	return known || last == "example" || last == "test" || last == "invalid"
}

func site(h string) string {
	l := strings.Split(h, ".")
	if len(l) < 2 {
		return h
	}
	return strings.Join(l[len(l)-2:], ".")
}

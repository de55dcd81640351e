package flow

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// filter passes on what it reads.
func (s *sh) filter(name string, args []arg, in taint, line int) taint {
	out := in
	full := join(args)
	decode := name == "base64" && (strings.Contains(full, "-d") || strings.Contains(full, "-D")) ||
		name == "base32" && strings.Contains(full, "-d") || name == "xxd" && strings.Contains(full, "-r") ||
		name == "openssl" && strings.Contains(full, "-d") && !strings.Contains(full, "dgst") ||
		(name == "gpg" || name == "age") && strings.Contains(full, "-d") || name == "rev" || name == "tr" && len(args) > 1 &&
		rotated(args[0].text, args[1].text)
	pick := name == "grep" || name == "sed" || name == "awk" || name == "rg" || name == "jq" || name == "cut" || name == "gawk" ||
		name == "egrep" || name == "yq"
	creates := ""
	for i, a := range args {
		out = out.and(a.taint)
		t := a.text
		if strings.HasPrefix(t, "-") && name != "tar" {
			continue
		}
		if name == "find" || name == "ls" {
			if i == 0 && name == "find" {
				s.found(args, line)
				if keyFiles.MatchString(full) {
					out = out.and(taint{label: secret, what: "files that hold keys", where: s.here(line)})
				}
			}
			continue
		}
		if name == "dd" {
			if p, ok := strings.CutPrefix(t, "of="); ok {
				s.write(p, "", out, line)
			}
			t = strings.TrimPrefix(t, "if=")
		}
		if name == "tee" || name == "sponge" {
			s.write(t, "", out, line)
			continue
		}
		if t == "-" && creates == "" && i > 0 {
			creates = t // what is packed goes to the output
			continue
		}
		if (name == "tar" || name == "zip" || name == "7z" || name == "bsdtar") && creates == "" && (i > 0 || name == "zip") &&
			!strings.HasPrefix(t, "-") && (strings.Contains(t, ".") || t == "-") &&
			(name != "tar" && name != "bsdtar" || strings.Contains(args[0].text, "f") || strings.Contains(full, "-f ")) &&
			(name == "zip" || strings.Contains(args[0].text, "c") || args[0].text == "a") {
			creates = t
			continue
		}
		if pick && i == 0 {
			continue
		}
		what, usual := s.private(t)
		if what == "" && !strings.ContainsAny(t, "/.") {
			continue
		}
		if what != "" && usual && pick {
			out = out.and(taint{label: cred, creds: []string{".env"}, where: s.here(line)})
			continue
		}
		out = out.and(s.read(t, line))
	}
	if decode {
		out = out.and(taint{label: decoded})
	}
	if name == "sed" && strings.Contains(full, "-i") || name == "awk" && strings.Contains(full, "inplace") {
		if len(args) > 0 {
			s.write(args[len(args)-1].text, full, taint{}, line)
		}
	}
	if creates != "" && creates != "-" {
		s.grow(s.files, fileKey(creates), taint{label: out.label & (secret | envAll), what: out.what, where: out.where})
	}
	if (name == "tar" || name == "7z" || name == "bsdtar" || name == "cpio") && strings.Contains(full, "x") || name == "unzip" {
		src := in
		for _, a := range args {
			src = src.and(s.holds(a.text))
		}
		if src.is(remote) && !source.TrustedHost(source.HostOf(src.url)) {
			s.unpacked = src
		}
		return taint{}
	}
	if name == "wc" {
		return taint{}
	}
	return out
}

// Prompts are what stands before a command in a text that shows a terminal.
var Prompts = lazyre.New(`(?m)^[ \t]*(?:\d{1,2}[.)]|[-*]|\$|%|>|#|❯|[\w.-]+@[\w.-]+:[^\n$#]{0,60}[$#]) +`)

package sandbox

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// seatbelt lists what a box on macOS may touch: everything else is denied. Paths are absolute and without symlinks, as
// the kernel compares them.
type seatbelt struct {
	write   []string // folders that are the box's own
	read    []string // further files and folders
	sockets []string // Unix sockets outside that it may connect to
	port    int      // of this machine, which it may connect to, 0: none
}

// What programs need of macOS to start. None of it is personal; keychains and preferences of the machine stay outside.
var (
	systemPaths = []string{"/bin", "/sbin", "/usr", "/System", "/Library/Apple", "/Library/Developer", "/Library/Frameworks", "/Library/Java",
		"/private/etc/localtime", "/private/etc/protocols", "/private/etc/services", "/private/etc/ssl", "/private/var/db/dyld",
		"/private/var/db/timezone",
		"/private/var/select/sh", "/private/var/db/xcode_select_link"}
	systemLinks = []string{"/etc", "/tmp", "/var"}
	hiddenPaths = []string{"/System/Volumes/Data", "/usr/local/var"} // people's files once more, and their services' data
	deviceFiles = []string{"/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"}
	sysctls     = strings.Fields("hw.activecpu hw.byteorder hw.cachelinesize_compat hw.cpufamily hw.cputype hw.logicalcpu " +
		"hw.logicalcpu_max hw.machine hw.memsize hw.model hw.ncpu hw.pagesize hw.pagesize_compat hw.physicalcpu hw.physicalcpu_max " +
		"kern.argmax kern.maxfilesperproc kern.osproductversion kern.osrelease kern.ostype kern.osvariant_status kern.osversion " +
		"kern.secure_kernel kern.usrstack64 kern.version sysctl.proc_cputype")
)

var errNoProfile = errors.New("a path cannot be put into the sandbox's profile")

// profile is the profile for sandbox-exec. Of two rules the later one counts. Hard links are not allowed: with one in
// its own folder, a program could write to a file that it may only read.
func (s seatbelt) profile() (string, error) {
	var b strings.Builder
	var bad error
	rule := func(head string, filters ...string) {
		if len(filters) > 0 {
			b.WriteString("(" + head + "\n\t" + strings.Join(filters, "\n\t") + ")\n")
		}
	}
	each := func(kind string, texts []string) (out []string) {
		for _, t := range texts {
			q, err := quoted(t)
			bad = errors.Join(bad, err)
			out = append(out, "("+kind+" "+q+")")
		}
		return out
	}
	paths := slices.Concat(systemPaths, s.read, s.write)
	for _, p := range slices.Concat(paths, s.sockets) {
		if !path.IsAbs(p) || path.Clean(p) != p || p == "/" {
			bad = errNoProfile
		}
	}
	b.WriteString("(version 1)\n(deny default)\n(allow process-fork)\n(allow signal (target same-sandbox))\n(allow process-info* (target " +
		"same-sandbox))\n")
	rule("allow sysctl-read", append(each("sysctl-name", sysctls), `(sysctl-name-prefix "hw.optional.")`,
		`(sysctl-name-prefix "hw.perflevel")`)...)
	rule("allow mach-lookup", `(global-name "com.apple.system.opendirectoryd.libinfo")`) // names of accounts: most programs ask for their own
	rule("allow file-read* file-test-existence", append(each("literal", append([]string{"/"}, deviceFiles...)), `(subpath "/dev/fd")`)...)
	rule("allow file-write-data", each("literal", []string{"/dev/null", "/dev/zero"})...)
	rule("allow file-read-metadata file-test-existence",
		each("literal", append(slices.Clone(systemLinks), leadingTo(slices.Concat(paths, s.sockets))...))...)
	reading := "file-read* file-test-existence file-map-executable process-exec*"
	rule("allow "+reading, each("subpath", systemPaths)...)
	rule("deny "+reading, each("subpath", hiddenPaths)...)
	rule("allow "+reading, each("subpath", slices.Concat(s.read, s.write))...)
	rule("allow file-write*", each("subpath", s.write)...)
	rule("deny file-write-setugid", each("subpath", s.write)...)
	out := each("literal", s.sockets)
	if s.port > 0 {
		out = append(out, `(remote ip "localhost:`+strconv.Itoa(s.port)+`")`)
	}
	rule("allow network-outbound", out...)
	if bad != nil {
		return "", errNoProfile
	}
	return b.String(), nil
}

// leadingTo lists the folders above paths: their existence may be known, but not their content.
func leadingTo(paths []string) []string {
	var out []string
	for _, p := range paths {
		for dir := path.Dir(p); dir != "/" && dir != "."; dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// quoted is a text as a string literal of a profile.
func quoted(text string) (string, error) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", errNoProfile
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`, nil
}

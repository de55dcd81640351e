package danger

import (
	"strings"
	"sync"

	"showhow/internal/plain"
)

// readers only look, whatever their arguments.
var readers = plain.Set(`ls ll la l dir vdir exa eza lsd tree cat bat batcat head tail less more most view grep egrep fgrep rg ag ack ` +
	`ack-grep ugrep zgrep zegrep pgrep
	wc cut tr nl paste column comm diff colordiff sdiff diff3 cmp delta stat file du df ncdu duf dust ps top htop btop pstree uptime w who ` +
	`whoami id groups users last lastlog logname
	hostname hostnamectl uname arch nproc getconf getent cal ncal echo printf print pwd cd true false : test [ [[ sleep basename dirname ` +
	`realpath readlink which whereis type man info
	apropos whatis help tldr locale seq yes expr bc dc factor units numfmt md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum ` +
	`b2sum cksum sum hexdump od strings base32 base64 basenc tac
	rev fold fmt expand unexpand join look shuf tsort jq gojq jaq xmllint xsltproc lsof ss netstat free vmstat iostat mpstat pidstat sar ` +
	`lscpu lsmem lsblk lsusb lspci lsmod lshw lsns blkid findmnt inxi neofetch fastfetch
	tput clear reset tty stty zcat bzcat xzcat zstdcat gzcat lzcat zless zmore ldd nm objdump readelf size addr2line c++filt otool pidof ` +
	`pmap locate mlocate plocate
	ping ping6 dig host nslookup whois traceroute tracepath mtr fzf sk gum figlet cowsay lolcat tokei cloc scc shellcheck pylint flake8 ` +
	`hadolint actionlint yamllint
	export set unset local declare typeset readonly read return shift exit logout wait jobs fg bg disown umask ulimit pushd popd dirs ` +
	`getopts times hash let bind complete compgen compopt shopt setopt unsetopt autoload bindkey zstyle caller mapfile readarray break ` +
	`continue test history
	identify exiftool mediainfo ffprobe pdfinfo pdffonts pdfimages qpdf-info csvlook csvstat csvcut csvgrep csvsort csvjson in2csv xsv qsv ` +
	`mlr datamash gron fx jo dasel
	cmatrix sensors acpi upower vainfo glxinfo xdpyinfo xprop xwininfo iconv ascii uuidgen pbpaste wl-paste`)

// writers make or change files of the person's own. What they overwrite is not known from their names.
var writers = plain.Set(`mkdir touch ln patch gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzop compress uncompress pigz 7z 7za rar ` +
	`unrar zip unzip ar cpio split csplit rename mmv vidir
	rmdir mkfifo mktemp chgrp convert magick mogrify ffmpeg sox lame oggenc flac pandoc pdftotext pdftk qpdf pdfunite pdfseparate gs ` +
	`wkhtmltopdf weasyprint libreoffice soffice unoconv tectonic pdflatex xelatex latexmk
	dos2unix unix2dos ctags cscope prettier black isort gofmt goimports rustfmt clang-format shfmt autopep8 ruff eslint stylelint biome
	vi vim nvim nano emacs micro hx kak ed ex joe mcedit code subl gedit kate
	pbcopy xclip xsel wl-copy trash trash-put gio mysqldump pg_dump pg_dumpall mongodump sqldiff ssh-keygen cp install genisoimage mkisofs ` +
	`xorriso pngquant optipng jpegoptim exiv2 rsvg-convert inkscape dot neato plantuml mmdc gnuplot montage pdfcrop
	gcc g++ cc c++ clang clang++ ld as rustc javac tsc strip objcopy protoc bison flex yacc lex`)

// gone are programs whose work cannot be undone.
var gone = map[string]string{
	"rm": "rm deletes files", "unlink": "unlink deletes a file", "shred": "shred overwrites files", "srm": "srm overwrites files",
	"wipe": "wipe overwrites files", "truncate": "truncate cuts files",
	"wipefs": "wipefs erases a disk's contents", "mkswap": "mkswap overwrites a disk", "fdisk": "fdisk changes a disk's partitions",
	"sfdisk": "sfdisk changes a disk's partitions", "cfdisk": "cfdisk changes a disk's partitions",
	"gdisk": "gdisk changes a disk's partitions", "sgdisk": "sgdisk changes a disk's partitions",
	"parted": "parted changes a disk's partitions", "blkdiscard": "blkdiscard erases a disk", "badblocks": "badblocks can overwrite a disk",
	"lvremove": "lvremove removes a volume", "vgremove": "vgremove removes volumes", "pvremove": "pvremove removes volumes",
	"lvreduce": "lvreduce cuts a volume", "cryptsetup": "cryptsetup can erase a disk's keys", "hdparm": "hdparm can erase a disk",
	"dropdb": "dropdb deletes a database", "dropuser": "dropuser deletes a database user",
	"kill": "kill ends a program, with what it has not saved", "pkill": "pkill ends programs, with what they have not saved",
	"killall": "killall ends programs, with what they have not saved", "xkill": "xkill ends a program", "skill": "skill ends programs",
	"fuser":    "fuser can end programs",
	"shutdown": "shutdown stops the machine", "reboot": "reboot stops the machine", "halt": "halt stops the machine",
	"poweroff": "poweroff stops the machine", "init": "init stops the machine", "telinit": "telinit stops the machine",
	"userdel": "userdel deletes an account", "deluser": "deluser deletes an account", "groupdel": "groupdel deletes a group",
	"delgroup": "delgroup deletes a group", "trash-empty": "trash-empty deletes what was thrown away", "rimraf": "rimraf deletes files",
	"format": "format erases a disk", "diskpart": "diskpart changes a disk's partitions", "del": "del deletes files",
	"fstrim": "fstrim discards blocks", "bleachbit": "bleachbit deletes files", "tmpreaper": "tmpreaper deletes files",
	"tmpwatch": "tmpwatch deletes files",
}

// senders reach other people or services.
var senders = map[string]string{
	"mail": "mail sends a message", "mailx": "mailx sends a message", "s-nail": "s-nail sends a message", "mutt": "mutt sends a message",
	"neomutt": "neomutt sends a message", "sendmail": "sendmail sends a message", "msmtp": "msmtp sends a message",
	"ssmtp": "ssmtp sends a message", "swaks": "swaks sends a message", "mpack": "mpack sends a message",
	"himalaya": "himalaya sends a message", "sendemail": "sendemail sends a message", "exim": "exim sends a message",
	"exim4": "exim4 sends a message", "postdrop": "postdrop sends a message",
	"write": "write sends a message", "wall": "wall sends a message", "talk": "talk sends messages", "signal-cli": "signal-cli sends messages",
	"telegram-cli": "telegram-cli sends messages", "toot": "toot publishes", "twurl": "twurl publishes", "slackcat": "slackcat sends messages",
	"sendxmpp": "sendxmpp sends a message",
	"nc":       "nc talks to another machine", "ncat": "ncat talks to another machine", "netcat": "netcat talks to another machine",
	"socat": "socat talks to another program or machine", "telnet": "telnet talks to another machine", "ftp": "ftp talks to another machine",
	"lftp": "lftp talks to another machine",
	"sftp": "sftp works on another machine", "tftp": "tftp talks to another machine", "ssh-copy-id": "ssh-copy-id changes another machine",
	"rsh": "rsh works on another machine", "rlogin": "rlogin works on another machine", "lp": "lp prints", "lpr": "lpr prints",
	"smbclient": "smbclient works on another machine",
	"ansible":   "ansible works on other machines", "ansible-playbook": "ansible-playbook works on other machines",
	"fab": "fab works on other machines", "cap": "cap works on other machines", "pdsh": "pdsh works on other machines",
	"pssh": "pssh works on other machines", "salt": "salt works on other machines", "puppet": "puppet changes machines",
	"twine": "twine publishes a package", "vercel": "vercel publishes", "netlify": "netlify publishes", "flyctl": "flyctl publishes",
	"fly": "fly publishes", "heroku": "heroku works on another machine", "wrangler": "wrangler publishes", "firebase": "firebase publishes",
	"surge": "surge publishes", "eas": "eas publishes", "fastlane": "fastlane publishes", "serverless": "serverless publishes",
	"sls": "sls publishes", "cdk": "cdk changes an account that others use", "pulumi": "pulumi changes an account that others use",
	"kamal": "kamal publishes", "doctl": "doctl changes an account that others use",
	"croc": "croc sends files", "wormhole": "wormhole sends files", "magic-wormhole": "magic-wormhole sends files",
	"transfer": "transfer sends files", "ngrok": "ngrok opens this machine to others",
	"cloudflared": "cloudflared opens this machine to others", "gist": "gist publishes", "pastebinit": "pastebinit publishes",
	"stripe": "stripe moves money", "mosquitto_pub": "mosquitto_pub sends a message", "wscat": "wscat talks to another machine",
	"websocat": "websocat talks to another machine", "grpcurl": "grpcurl calls another machine", "kcat": "kcat sends messages",
	"rabbitmqadmin": "rabbitmqadmin sends messages",
}

// escalators change the machine itself or the rights on it.
var escalators = map[string]string{
	"passwd": "passwd changes a password", "chpasswd": "chpasswd changes passwords", "chsh": "chsh changes an account",
	"chfn": "chfn changes an account", "usermod": "usermod changes an account", "useradd": "useradd makes an account",
	"adduser": "adduser makes an account", "groupadd": "groupadd makes a group", "addgroup": "addgroup makes a group",
	"gpasswd": "gpasswd changes a group", "newgrp": "newgrp changes rights", "visudo": "visudo changes who may do what",
	"vipw":  "vipw changes accounts",
	"mount": "mount changes the file system", "umount": "umount changes the file system", "swapon": "swapon changes the machine",
	"swapoff": "swapoff changes the machine", "losetup": "losetup changes the machine's devices", "modprobe": "modprobe changes the kernel",
	"insmod": "insmod changes the kernel", "rmmod": "rmmod changes the kernel", "setcap": "setcap gives a program rights",
	"setfacl": "setfacl changes rights", "chattr": "chattr changes a file's rights",
	"iptables": "iptables changes the firewall", "ip6tables": "ip6tables changes the firewall", "nft": "nft changes the firewall",
	"ufw": "ufw changes the firewall", "firewall-cmd": "firewall-cmd changes the firewall", "pfctl": "pfctl changes the firewall",
	"service": "service changes what runs on the machine", "launchctl": "launchctl changes what runs on the machine",
	"update-rc.d": "update-rc.d changes what runs on the machine", "rc-service": "rc-service changes what runs on the machine",
	"rc-update": "rc-update changes what runs on the machine", "initctl": "initctl changes what runs on the machine",
	"update-alternatives": "update-alternatives changes the machine's programs", "ldconfig": "ldconfig changes the machine's libraries",
	"grub-install": "grub-install changes how the machine starts", "update-grub": "update-grub changes how the machine starts",
	"efibootmgr": "efibootmgr changes how the machine starts", "mkinitcpio": "mkinitcpio changes how the machine starts",
	"update-initramfs": "update-initramfs changes how the machine starts", "setenforce": "setenforce changes the machine's protection",
	"setsebool": "setsebool changes the machine's protection", "semanage": "semanage changes the machine's protection",
	"at": "at runs a program later", "batch": "batch runs a program later", "renice": "renice changes how programs run",
	"debugfs": "debugfs changes a file system from below", "tune2fs": "tune2fs changes a file system",
	"resize2fs": "resize2fs changes a file system", "fsck": "fsck changes a file system", "e2fsck": "e2fsck changes a file system",
	"defaults": "defaults changes settings", "gsettings": "gsettings changes settings", "dconf": "dconf changes settings",
	"nmcli": "nmcli changes the network", "ifconfig": "ifconfig changes the network", "route": "route changes the network",
	"wg-quick": "wg-quick changes the network", "updatedb": "updatedb changes the machine's index", "chage": "chage changes an account",
	"doveadm": "doveadm changes mailboxes",
}

// judge judges a program, other than a wrapper, with its arguments.
func judge(name string, args call, in input, exists func(string) bool) Finding {
	if asksAbout(args) {
		return finding(Reads, "it asks a program about itself")
	}
	if sub, ok := byFlags()[name]; ok {
		return sub(name, args, in, exists)
	}
	if v, ok := verbs[name]; ok {
		return v.judge(name, args)
	}
	if strings.HasPrefix(name, "mkfs") || strings.HasPrefix(name, "mke2fs") || strings.HasPrefix(name, "newfs") {
		return finding(Destroys, "it makes a new file system, and what was there is lost")
	}
	if why, ok := gone[name]; ok {
		return finding(Destroys, why)
	}
	if why, ok := senders[name]; ok {
		return finding(Sends, why)
	}
	if why, ok := escalators[name]; ok {
		return finding(Escalates, why)
	}
	switch {
	case readers[name]:
		return finding(Reads, "it looks")
	case writers[name]:
		return finding(Writes, "it makes or changes files")
	}
	return finding(Unknown, "what the program does is not known")
}

// asksAbout: --help and --version alone only print.
func asksAbout(args call) bool {
	return len(args) == 1 && args[0].known && (args[0].text == "--help" || args[0].text == "--version")
}

func looks(name string) Finding   { return finding(Reads, name+" looks") }
func changes(name string) Finding { return finding(Writes, name+" changes files") }

type judgement = func(name string, args call, in input, exists func(string) bool) Finding

// byFlags judges programs whose flags decide. init fills it in, so that the judgements can refer to each other.
var byFlags func() map[string]judgement

func init() {
	byFlags = sync.OnceValue(func() map[string]judgement {
		return map[string]judgement{
			"sed": sed, "gsed": sed, "awk": awk, "gawk": awk, "mawk": awk, "nawk": awk, "goawk": awk, "sort": sorts, "uniq": uniq,
			"date":  dates,
			"dmesg": dmesg, "xxd": xxd, "yq": inPlace, "journalctl": journalctl,
			"dd": dd, "cp": copies, "mv": copies, "tee": tee, "tar": tar, "bsdtar": tar, "chmod": chmod, "chown": chown, "crontab": crontab,
			"ip":     ip,
			"sysctl": sysctl, "kill": kill, "fuser": fuser, "unzip": unzip, "zip": zip, "gpg": gpg, "gpg2": gpg, "openssl": openssl,
			"rsync": rsync, "rclone": rclone, "scp": scp, "rcp": scp, "curl": curl, "wget": wget, "http": httpie, "https": httpie,
			"xh":  httpie,
			"xhs": httpie, "mount": bare, "history": history, "ifconfig": bare, "route": bare, "swapon": bare, "chage": chage,
			"fdisk":  fdisk,
			"parted": fdisk, "sfdisk": fdisk,
			"psql": sqlClient, "mysql": sqlClient, "mariadb": sqlClient, "sqlite3": sqlClient, "duckdb": sqlClient,
			"clickhouse-client": sqlClient,
			"sqlcmd":            sqlClient, "cockroach": sqlClient, "usql": sqlClient, "pgcli": sqlClient, "litecli": sqlClient,
			"redis-cli": redis, "valkey-cli": redis, "mongosh": mongo, "mongo": mongo, "git": git, "aws": aws, "gcloud": cloud, "az": cloud,
			"gh":   gh,
			"glab": gh, "tree": tree, "hostname": hostname, "iconv": outFlag, "shuf": outFlag, "xmllint": outFlag, "rm": rm,
			"exiftool": exiftool,
			"hdparm":   fdisk, "cryptsetup": cryptsetup, "gio": gio,
			"defaults": readWord, "gsettings": readWord, "dconf": readWord, "nmcli": readWord, "ufw": readWord, "iptables": listFlag,
			"ip6tables": listFlag, "nft": readWord, "service": serviceStatus, "update-alternatives": readWord,
		}
	})
}

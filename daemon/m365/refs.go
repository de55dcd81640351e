package m365

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strings"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

// segment refuses an id that would not be one segment of an address.
func segment(id, what string) (string, error) {
	if id == "" || id == "." || id == ".." || strings.ContainsAny(id, "\r\n\x00\\") {
		return "", fault.New(fault.InvalidRequest, what+" is no id of Microsoft 365").WithHint("take it from an earlier answer")
	}
	return id, nil
}

// refOf is the reference of an item in a drive.
func refOf(drive, item string) string {
	if drive == "" {
		return item
	}
	return "drives/" + drive + "/items/" + item
}

// itemAt is the address of a file or folder: a reference from an earlier answer, an id in one's own OneDrive, or the link
// that a person would open.
func itemAt(ref string) (string, error) {
	if isLink(ref) {
		return at("shares", "u!"+base64.RawURLEncoding.EncodeToString([]byte(ref)), "driveItem"), nil
	}
	if rest, ok := strings.CutPrefix(ref, "drives/"); ok {
		drive, item, ok := strings.Cut(rest, "/items/")
		if !ok || strings.Contains(item, "/") || strings.Contains(drive, "/") {
			return "", fault.New(fault.InvalidRequest, "this is no reference of a document").WithHint("drives/DRIVE/items/ITEM")
		}
		if _, err := segment(drive, "the drive"); err != nil {
			return "", err
		}
		if _, err := segment(item, "the item"); err != nil {
			return "", err
		}
		return at("drives", drive, "items", item), nil
	}
	id, err := segment(ref, "the document")
	return at("me", "drive", "items", id), err
}

func isLink(ref string) bool { return strings.HasPrefix(ref, "https://") }

// siteAt is the address of a site: its id, HOST:/sites/NAME, or the link that a person would open.
func siteAt(ref string) (string, error) {
	host, path := "", ""
	if isLink(ref) {
		u, err := url.Parse(ref)
		if err != nil || u.Host == "" {
			return "", fault.New(fault.InvalidRequest, "this is no address of a site")
		}
		host, path = u.Host, u.Path
	} else if h, p, ok := strings.Cut(ref, ":/"); ok {
		host, path = h, "/"+p
	} else {
		id, err := segment(ref, "the site")
		return at("sites", id), err
	}
	host, err := segment(host, "the site")
	if err != nil || strings.Contains(host, "/") {
		return "", fault.New(fault.InvalidRequest, "this is no address of a site")
	}
	path = strings.Trim(path, "/")
	if path == "" {
		return at("sites", host), nil
	}
	parts := strings.Split(path, "/")
	if len(parts) > 2 { // a page or a library of the site
		parts = parts[:2]
	}
	for _, p := range parts {
		if _, err := segment(p, "the site"); err != nil {
			return "", err
		}
	}
	return at("sites", host+":") + at(parts...) + ":", nil
}

// plainAddress refuses an e-mail address that can look like another one: a person says yes to what is shown of it.
func plainAddress(a string) error {
	if why := plain.Misleading(a); why != "" {
		return errors.New("an attendee's address " + why)
	}
	return nil
}

// channelOf parses the target of a channel's message.
func channelOf(ref string) (team, channel string, err error) {
	team, channel, _ = strings.Cut(strings.TrimPrefix(ref, "teams/"), "/")
	channel = strings.TrimPrefix(channel, "channels/")
	if _, err = segment(team, "the team"); err == nil {
		_, err = segment(channel, "the channel")
	}
	if err != nil || strings.Contains(channel, "/") {
		return "", "", fault.New(fault.InvalidRequest, "a channel is named with its team").WithHint("TEAM/CHANNEL, both ids")
	}
	return team, channel, nil
}

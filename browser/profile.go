package browser

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"showhow/internal/fault"
)

// preferences keep a browser from remembering what a person types (decisions B4).
var preferences = map[string]map[string]any{
	"":         {"credentials_enable_service": false, "credentials_enable_autosignin": false},
	"profile":  {"password_manager_enabled": false, "exit_type": "Normal"},
	"autofill": {"enabled": false, "profile_enabled": false, "credit_card_enabled": false},
	"session":  {"restore_on_startup": 5}, // 5: the new tab page
	"signin":   {"allowed": false},
	"search":   {"suggest_enabled": false},
	"browser":  {"has_seen_welcome_page": true, "check_default_browser": false},
	"download": {"prompt_for_download": false},
	// no prefetching (measured: a page's speculation rules escape every interception)
	"net": {"network_prediction_options": 2},
}

// prepareProfile creates the directory, private to the user, and sets its preferences; other
// preferences are left alone.
func prepareProfile(dir string) error {
	_, err := os.Stat(filepath.Join(dir, "Default"))
	fresh := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o700); err != nil {
		return fault.Wrap(err, fault.Internal, "the browser's profile directory cannot be created")
	}
	if fresh {
		if err := os.WriteFile(filepath.Join(dir, welcomePage), welcomeHTML, 0o600); err != nil {
			return fault.Wrap(err, fault.Internal, "the browser's profile directory cannot be written")
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fault.Wrap(err, fault.Internal, "the browser's profile directory belongs to somebody else")
	}
	file := filepath.Join(dir, "Default", "Preferences")
	prefs := map[string]any{}
	if b, err := os.ReadFile(file); err == nil {
		if json.Unmarshal(b, &prefs) != nil {
			prefs = map[string]any{} // the browser would discard it as well
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(err, fault.Internal, "the browser's preferences cannot be read")
	}
	for group, values := range preferences {
		at := prefs
		if group != "" {
			sub, ok := prefs[group].(map[string]any)
			if !ok {
				sub = map[string]any{}
				prefs[group] = sub
			}
			at = sub
		}
		for k, v := range values {
			at[k] = v
		}
	}
	b, err := json.Marshal(prefs)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the browser's preferences cannot be written")
	}
	tmp := file + ".showhow"
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return fault.Wrap(err, fault.Internal, "the browser's preferences cannot be written")
	}
	return os.Rename(tmp, file)
}

// RemoveProfile deletes a profile directory. It retries for a while, because a browser's last
// helpers may still be writing.
func RemoveProfile(dir string) error {
	for end := time.Now().Add(closeTime); ; time.Sleep(20 * time.Millisecond) {
		if err := os.RemoveAll(dir); err == nil || time.Now().After(end) {
			return err
		}
	}
}

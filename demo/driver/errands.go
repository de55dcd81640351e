package driver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// download saves the order and waits until the file is complete.
func (p *person) download(ctx context.Context) error {
	before := p.saved()
	if err := p.click(ctx, "link", "Download CSV", ""); err != nil {
		return err
	}
	return p.tab.until(ctx, "the downloaded file", func() bool {
		for name, at := range p.saved() {
			if old, there := before[name]; !there || at.After(old) {
				p.file = name
				return true
			}
		}
		return false
	})
}

// saved are the exports of this order in the download folder, with their modification times.
func (p *person) saved() map[string]time.Time {
	out := map[string]time.Time{}
	entries, err := os.ReadDir(p.plan.DownloadDir)
	if err != nil {
		return out
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err == nil && fi.Size() > 0 && strings.HasPrefix(e.Name(), "order-"+p.plan.OrderID) && filepath.Ext(e.Name()) == ".csv" {
			out[e.Name()] = fi.ModTime()
		}
	}
	return out
}

// enterFolder changes to the download folder in the shell, by the short path if it is below home.
func (p *person) enterFolder(ctx context.Context) error {
	dir := p.plan.DownloadDir
	text := word(dir)
	if rel, err := filepath.Rel(p.shell.home, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
		text = "~/" + word(rel)
		if strings.HasPrefix(word(rel), "'") {
			text = word(dir)
		}
	}
	return p.shell.run(ctx, "cd "+text)
}

func (p *person) runCommands(ctx context.Context) error {
	for _, c := range p.plan.Commands {
		if err := p.shell.run(ctx, p.plan.command(c, p.file)); err != nil {
			return err
		}
	}
	p.watched = p.shell.watched()
	return nil
}

func (p *person) setToken(ctx context.Context) error {
	return p.shell.run(ctx, "export API_TOKEN="+word(p.plan.Canaries.Token))
}

func (p *person) runPrivate(ctx context.Context) error {
	return p.shell.run(ctx, " "+p.plan.Canaries.Private)
}

// logIn types a name and a password into the desk's login form, right or wrong, and returns to the list.
func (p *person) logIn(ctx context.Context) error {
	if err := p.click(ctx, "link", "Log in", ""); err != nil {
		return err
	}
	if err := p.heading(ctx, "Log in"); err != nil {
		return err
	}
	user := p.plan.Canaries.User
	if user == "" {
		user = "clerk"
	}
	if err := p.enter(ctx, "User name", user); err != nil {
		return err
	}
	if err := p.enter(ctx, "Password", p.plan.Canaries.Password); err != nil {
		return err
	}
	if err := p.click(ctx, "button", "Log in", ""); err != nil {
		return err
	}
	_, err := p.tab.see(ctx, "the log-in's outcome", func(v view) bool {
		return v.heading() == "Reports" || len(v.Alerts) > 0
	})
	if err != nil {
		return err
	}
	if err := p.click(ctx, "link", "Orders", ""); err != nil {
		return err
	}
	return p.heading(ctx, "Orders")
}

// lookElsewhere opens another site in a new tab, types something there, and comes back.
func (p *person) lookElsewhere(ctx context.Context) error {
	c := p.plan.Canaries
	other, err := p.tab.newTab(ctx, c.OffSiteURL)
	if err != nil {
		return err
	}
	if err := other.front(ctx); err != nil {
		return err
	}
	if _, err := other.see(ctx, "the other site", func(v view) bool { return sameHost(v.URL, c.OffSiteURL) }); err != nil {
		return err
	}
	if c.OffSiteText != "" {
		e, err := other.find(ctx, "textfield", "", "")
		if err != nil {
			return err
		}
		if err := other.press(ctx, e, 0.5, 0.5); err != nil {
			return err
		}
		if err := other.keys(ctx, c.OffSiteText+"\r"); err != nil {
			return err
		}
	}
	if err := other.close(ctx); err != nil {
		return errors.New("the other tab does not close")
	}
	return p.tab.front(ctx)
}

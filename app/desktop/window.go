//go:build desktop

package desktop

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"net/http"

	"showhow/internal/paths"
)

// window is the one window of this process.
type window struct {
	roots paths.Roots
	shown func() // called once the pages are there

	ready   chan struct{} // closed when ctx is set: dialogs and raising wait for it
	ctx     context.Context
	dialogs sync.Mutex  // one question at a time
	again   atomic.Bool // it closes to be reopened by the updated program
}

// run shows the window until it is closed.
func (w *window) run(pages http.Handler, revive func(context.Context) error) error {
	g := (&Gateway{Pages: pages, Socket: w.roots.Socket(), Ask: w.ask, Revive: revive, Began: func() {
		overlay(w.roots)
	}, Other: w.outdated}).Open()
	s := Load(w.roots.State)
	start := options.Normal
	if s.Maximised {
		start = options.Maximised
	}
	return wails.Run(&options.App{
		Title: "Showhow", Width: s.Width, Height: s.Height, MinWidth: minWidth, MinHeight: minHeight,
		WindowStartState: start,
		AssetServer:      &assetserver.Options{Handler: g},
		Logger:           silent{}, LogLevel: logger.ERROR, LogLevelProduction: logger.ERROR,
		EnableDefaultContextMenu: true, // copy and paste
		Linux:                    &linux.Options{ProgramName: "showhow", Icon: icon, WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		OnStartup: func(ctx context.Context) {
			w.ctx = ctx
			close(w.ready)
			w.place(s)
		},
		OnDomReady:    func(context.Context) { w.shown() },
		OnBeforeClose: w.beforeClose,
	})
}

// place moves the window to where it was, if that is still on the screen.
func (w *window) place(s State) {
	screens, err := runtime.ScreenGetAll(w.ctx)
	if err != nil || s.Maximised {
		return
	}
	for _, x := range screens {
		if fit := s.Within(x.Size.Width, x.Size.Height); x.IsCurrent {
			runtime.WindowSetSize(w.ctx, fit.Width, fit.Height)
			if fit.Placed {
				runtime.WindowSetPosition(w.ctx, fit.X, fit.Y)
			}
			return
		}
	}
}

// raise brings the window to the front.
func (w *window) raise() {
	<-w.ready
	runtime.WindowShow(w.ctx)
	runtime.WindowUnminimise(w.ctx) // presents it, minimised or not
}

// ask shows a question outside the page. The toolkit treats its text as a format, so a percent sign is doubled.
func (w *window) ask(_ context.Context, question string) bool {
	return w.dialog(runtime.QuestionDialog, "Showhow asks you", question) == "Yes"
}

func (w *window) dialog(kind runtime.DialogType, title, text string) string {
	<-w.ready
	w.dialogs.Lock()
	defer w.dialogs.Unlock()
	answer, err := runtime.MessageDialog(w.ctx, runtime.MessageDialogOptions{Type: kind, Title: title,
		Message: strings.ReplaceAll(text, "%", "%%")})
	if err != nil {
		return ""
	}
	return answer
}

// beforeClose saves the window's geometry, and says what happens to a capture that it indicated.
func (w *window) beforeClose(ctx context.Context) (stay bool) {
	w.keep()
	if w.again.Load() {
		return false // the next one shows what is watched
	}
	look, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	text := closing(look, w.roots.Socket())
	return text != "" && w.dialog(runtime.QuestionDialog, "Close Showhow?", text) != "Yes"
}

// keep saves the state; a maximised window keeps its previous size.
func (w *window) keep() {
	s := Load(w.roots.State)
	s.Maximised = runtime.WindowIsMaximised(w.ctx)
	if !s.Maximised && !runtime.WindowIsMinimised(w.ctx) {
		s.Width, s.Height = runtime.WindowGetSize(w.ctx)
		s.X, s.Y = runtime.WindowGetPosition(w.ctx)
		s.Placed = true
	}
	s.Save(w.roots.State) // on failure it opens at its earlier position
}

// outdated says that Showhow was updated under the window, whose confirmations a daemon of another version does not
// accept, and reopens the window if the person wants that.
func (w *window) outdated(version string) {
	go func() { // ends with the dialog, or with this program
		text := "Showhow is now " + version +
			"; this window is still the one before, and cannot confirm anything for you.\n\nClose it and open the new one? Nothing is lost."
		if w.dialog(runtime.QuestionDialog, "Showhow was updated", text) == "Yes" {
			w.again.Store(true)
			runtime.Quit(w.ctx)
		}
	}()
}

// silent discards the toolkit's log, which may contain addresses and messages of pages.
type silent struct{}

func (silent) Print(string)   {}
func (silent) Trace(string)   {}
func (silent) Debug(string)   {}
func (silent) Info(string)    {}
func (silent) Warning(string) {}
func (silent) Error(string)   {}
func (silent) Fatal(string)   {}

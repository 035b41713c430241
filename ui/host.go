package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/presence"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

// host gives the dialogs, the replay and the connection to other viewers access to the board.
type host struct{ board *Model }

var (
	_ dialog.Host    = host{}
	_ presence.Board = host{}
	_ replay.Board   = host{}
)

// Look implements [dialog.Host].
func (h host) Look() *style.Look { return h.board.scene.look }

// Platform implements [dialog.Host].
func (h host) Platform() string {
	if h.board.scene.platforms == nil || h.board.pages.OnSites() {
		return ""
	}
	return h.board.scene.Title
}

// Width implements [dialog.Host].
func (h host) Width() int { return h.board.width }

// Now implements [dialog.Host].
func (h host) Now() time.Time { return h.board.scene.floor.LocalNow }

// Context implements [dialog.Host].
func (h host) Context() context.Context { return h.board.scene.Context }

// Say implements [dialog.Host].
func (h host) Say(text string) tea.Cmd { return h.board.say(text) }

// Show implements [presence.Board]. A kiosk shows the page for a while and then continues its
// rotation.
func (h host) Show(p hub.Place) {
	m := h.board
	if m.scene.kiosk != nil {
		m.scene.kiosk.ShowPage(p.Page)
		return
	}
	page, ok := m.pages.Named(p.Page)
	if !ok {
		return
	}
	if page != m.pages.Current {
		m.filter.End()
		m.pages.Show(page)
	}
	if slices.Contains(m.scene.floor.Channels(), p.Channel) {
		m.scene.floor.SetChannel(p.Channel)
	}
}

// Place implements [presence.Board].
func (h host) Place() hub.Place {
	return hub.Place{Page: h.board.pages.NameOf(h.board.pages.Current), Channel: h.board.scene.floor.Channel}
}

// AlertsChanged implements [presence.Board].
func (h host) AlertsChanged() { h.board.scene.alerts.RefreshCached() }

// FindPage implements [presence.Board].
func (h host) FindPage(name string) (string, bool) {
	page, ok := h.board.pages.Named(name)
	return h.board.pages.NameOf(page), ok
}

// Names implements [replay.Board].
func (h host) Names() model.Names { return h.board.scene.Names }

// SetEngine implements [replay.Board].
func (h host) SetEngine(e alerts.Engine, evaluate bool) tea.Cmd {
	sc := h.board.scene
	if !sc.floor.FrozenAt.IsZero() { // the frozen snapshot is from before the jump
		sc.floor.Unfreeze()
		sc.alerts.Unfreeze()
	}
	o := *sc.Options
	o.Alerts = e
	cmd := h.board.applyOptions(o, true)
	if !evaluate {
		return cmd
	}
	return tea.Batch(cmd, h.board.evaluate())
}

// Refresh implements [replay.Board].
func (h host) Refresh() { h.board.invalidate() }

// SetHistory implements [replay.Board].
func (h host) SetHistory(past *situation.Tracker) {
	h.board.scene.alerts.SetHistory(past)
	h.board.scene.alerts.Refresh()
}

// newReplay returns the replay for a board whose source is a recording, or nil if the source is
// live.
func newReplay(o *Options, board host) *replay.Replay {
	recording, ok := o.Source.(replay.Recording)
	if !ok {
		return nil
	}
	engine := o.Archive.Engine
	if engine == nil {
		engine = func() (alerts.Engine, error) { return defaultEngine(Options{}), nil }
	}
	return replay.New(replay.Options{Recording: recording, Board: board, Engine: engine, Queue: o.Archive.Queue, StartAt: o.Archive.StartAt})
}

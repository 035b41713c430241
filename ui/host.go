package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/presence"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

// boardHost gives the dialogs, the replay and the connection to other viewers access to the board.
type boardHost struct{ board *Model }

var (
	_ dialog.Host    = boardHost{}
	_ presence.Board = boardHost{}
	_ replay.Board   = boardHost{}
)

// Look implements [dialog.Host].
func (h boardHost) Look() *style.Look { return h.board.scene.look }

// Platform implements [dialog.Host].
func (h boardHost) Platform() string {
	if h.board.scene.platforms == nil || h.board.pages.OnSites() {
		return ""
	}
	return h.board.scene.Title
}

// Width implements [dialog.Host].
func (h boardHost) Width() int { return h.board.width }

// Now implements [dialog.Host].
func (h boardHost) Now() time.Time { return h.board.scene.floor.LocalNow }

// Context implements [dialog.Host].
func (h boardHost) Context() context.Context { return h.board.scene.Context }

// Say implements [dialog.Host].
func (h boardHost) Say(text string) tea.Cmd { return h.board.say(text) }

// Show implements [presence.Board]. A kiosk shows the page for a while and then continues its
// rotation.
func (h boardHost) Show(p hub.Place) {
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
func (h boardHost) Place() hub.Place {
	return hub.Place{Page: h.board.pages.NameOf(h.board.pages.Current), Channel: h.board.scene.floor.Channel}
}

// AlertsChanged implements [presence.Board].
func (h boardHost) AlertsChanged() { h.board.scene.alerts.RefreshCached() }

// FindPage implements [presence.Board].
func (h boardHost) FindPage(name string) (string, bool) {
	page, ok := h.board.pages.Named(name)
	return h.board.pages.NameOf(page), ok
}

// SetEngine implements [replay.Board].
func (h boardHost) SetEngine(e alerts.Engine, evaluate bool) tea.Cmd {
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
func (h boardHost) Refresh() { h.board.invalidate() }

// RereadAlerts implements [replay.Board].
func (h boardHost) RereadAlerts() { h.board.scene.alerts.Refresh() }

// EngineOptions implements [replay.Board].
func (h boardHost) EngineOptions() hub.Options { return engineOptions(h.board.scene.Options) }

// newReplay returns the replay for a board that shows a recording, or nil on a live board.
func newReplay(o *Options, board boardHost) *replay.Replay {
	recording := o.Archive.Shown
	if recording == nil {
		return nil
	}
	return replay.New(replay.Options{Recording: recording, Board: board, Queue: o.Archive.Queue, StartAt: o.Archive.StartAt})
}

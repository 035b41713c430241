package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

// boardHost gives the dialogs of a floor, its replay and its connection to other viewers access to
// the board.
type boardHost struct{ *floorState }

var (
	_ dialog.Host              = boardHost{}
	_ boarddialogs.ViewerBoard = boardHost{}
	_ replay.Board             = boardHost{}
)

// Look implements [dialog.Host].
func (h boardHost) Look() *style.Look { return h.scene.look }

// Platform implements [dialog.Host].
func (h boardHost) Platform() string {
	if h.scene.platforms == nil || h.pages.OnSites() {
		return ""
	}
	return h.scene.Title
}

// Width implements [dialog.Host].
func (h boardHost) Width() int { return h.board.width }

// Now implements [dialog.Host].
func (h boardHost) Now() time.Time { return h.scene.floor.LocalNow }

// Context implements [dialog.Host].
func (h boardHost) Context() context.Context { return h.scene.Context }

// ShowMessage implements [dialog.Host].
func (h boardHost) ShowMessage(text string) tea.Cmd { return h.showMessage(text) }

// OpenPage implements [boarddialogs.ViewerBoard]. A kiosk shows the page for a while and then continues its
// rotation.
func (h boardHost) OpenPage(p hub.Location) {
	if h.scene.kiosk != nil {
		h.scene.kiosk.ShowPage(p.Page)
		return
	}
	page, ok := h.pages.FindPage(p.Page)
	if !ok {
		return
	}
	if page != h.pages.Current {
		if h.isShown() {
			h.board.filter.End()
		}
		h.pages.Show(page)
	}
	if slices.Contains(h.scene.floor.Channels(), p.Channel) {
		h.scene.floor.SetChannel(p.Channel)
	}
}

// Location implements [boarddialogs.ViewerBoard].
func (h boardHost) Location() hub.Location {
	return hub.Location{Page: h.pages.NameOf(h.pages.Current), Channel: h.scene.floor.Channel}
}

// AlertsChanged implements [boarddialogs.ViewerBoard].
func (h boardHost) AlertsChanged() { h.scene.alerts.RefreshCached() }

// FindPage implements [boarddialogs.ViewerBoard].
func (h boardHost) FindPage(name string) (string, bool) {
	page, ok := h.pages.FindPage(name)
	return h.pages.NameOf(page), ok
}

// SetEngine implements [replay.Board].
func (h boardHost) SetEngine(e alerts.Engine, sameInstant, evaluate bool) tea.Cmd {
	sc := h.scene
	if !sameInstant && !sc.floor.FrozenAt.IsZero() { // the frozen snapshot is from before the jump
		sc.floor.Unfreeze()
		sc.alerts.Unfreeze()
	}
	o := *sc.Options
	o.Alerts = e
	cmd := h.applyOptions(o, !sameInstant)
	if !evaluate {
		return cmd
	}
	return tea.Batch(cmd, h.evaluate())
}

// Refresh implements [replay.Board].
func (h boardHost) Refresh() { h.invalidate() }

// RereadAlerts implements [replay.Board].
func (h boardHost) RereadAlerts() { h.scene.alerts.Refresh() }

// EngineOptions implements [replay.Board].
func (h boardHost) EngineOptions() hub.Options { return h.scene.localEngineOptions().HubOptions() }

// newReplay returns the replay for a board with a recording, or nil on a live board.
func newReplay(o *Options, board boardHost) *replay.Replay {
	recording := o.Archive.Replayed
	if recording == nil {
		return nil
	}
	return replay.New(replay.Options{Recording: recording, Board: board, Queue: o.Archive.Queue, StartAt: o.Archive.StartAt})
}

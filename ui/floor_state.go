package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

// floorState holds the data of a board about one floor, whether or not the floor is on the screen:
// the newest snapshot and the alerts, the pages with their selections and filters, the open dialogs
// and the running actions.
type floorState struct {
	board *Model
	scene *scene
	keys  *pages.KeyMap

	pages         *pages.Set
	dialogs       *dialog.Stack
	actions       *actions.Actions
	alertHandler  alertHandler
	controlStatus frame.Control  // whether actions are possible
	replay        *replay.Replay // nil on a live floor
	configProblem words.Text     // why the changed configuration is not used; zero: it is used
}

// newFloorState returns the state of a floor without a snapshot. See [Options.withDefaults] for the
// error.
func newFloorState(o Options, board *Model) (*floorState, error) {
	o, err := o.withDefaults()
	sc := newScene(&o)
	f := &floorState{board: board, scene: sc, keys: new(pages.KeyMap)}
	f.setKeys()
	host := boardHost{f}
	f.dialogs = dialog.NewStack(host)
	f.pages = pages.New(pages.Setup{
		Specs: o.Navigation.Pages, Floor: &sc.floor, Keys: f.keys,
		Create: func(s panes.PageSpec) panes.Page { return newPage(sc, f.dialogs, f.keys, s) },
	})
	f.alertHandler = alertHandler{scene: sc, keys: f.keys, pages: f.pages, dialogs: f.dialogs, showMessage: f.showMessage, viewerActivity: &board.viewerActivity}
	sc.otherViewers = boarddialogs.NewViewerConnection(o.OtherViewers, f.dialogs, host)
	sc.viewerMessages = sc.otherViewers
	f.actions = actions.New(f.dialogs, &sc.floor, &f.keys.Actions)
	f.actions.SetController(o.Actions.Controller)
	f.actions.OnActionFinished(sc.recordEvent)
	f.actions.SetEffectsFunc(func() analysis.EffectsFunc { return sc.archive(nil).EffectFunc(false) })
	f.actions.SetExtraActions(func(t floorview.Target) []actions.LocalAction {
		return sc.launcher(actions.CommandRecord(&sc.floor, t.Kind, t.Key, "")).MenuActions()
	})
	if o.Kiosk != nil {
		sc.kiosk = kiosk.New(sc.kioskSetup(), &sc.floor, pages.KioskPages{Pages: f.pages})
	}
	sc.keyHints = f.pages.PaneHints(f.keys)
	f.pages.Current, _ = f.pages.FindPage(o.Navigation.StartPage)
	if sc.kiosk != nil {
		sc.kiosk.Start()
	}
	f.controlStatus = controlOf(o.Actions.Controller, sc.look)
	f.replay = newReplay(&o, host)
	return f, err
}

// useLook gives the floor a look with the options o. If its language differs from that of the previous
// look, useLook replaces the texts that the floor keeps, such as the help of its keys.
func (f *floorState) useLook(o style.Options) {
	sc := f.scene
	previous := sc.floor.Words
	sc.setLook(o)
	if sc.floor.Words == previous {
		return
	}
	pageKeys := f.keys.Page.Keys()
	f.setKeys()
	f.keys.Page.SetKeys(pageKeys...)
	f.actions.SetController(sc.Actions.Controller) // disables the keys of actions on a read-only board
	sc.keyHints = f.pages.PaneHints(f.keys)
	f.controlStatus = controlOf(sc.Actions.Controller, sc.look)
}

// setKeys sets the keys of the floor to those of its options, with their help in the language of its look.
func (f *floorState) setKeys() {
	o := f.scene.Options
	*f.keys = pages.ChangedKeyMap(o.Navigation.Keys, f.scene.floor.Words)
	f.keys.Alert.TakeOver.SetEnabled(!o.Actions.ViewOnly)
	f.keys.Alert.Snooze.SetEnabled(!o.Actions.ViewOnly)
	f.keys.Reconnect.SetEnabled(o.Actions.Reconnect != nil)
	f.keys.NextPlatform.SetEnabled(len(o.OtherPlatforms) > 0)
}

// start returns the commands that wait for snapshots, for changed configurations and for messages of other
// viewers, and the command that begins a replay.
func (f *floorState) start() tea.Cmd {
	sc := f.scene
	return tea.Batch(f.awaitSnapshot(), f.waitReload(), f.replay.Begin(), sc.otherViewers.Wait(sc.Context))
}

// isShown reports whether the floor is on the screen.
func (f *floorState) isShown() bool { return f == f.board.shownFloor }

// invalidate sets the clock of the floor to the current time. If the floor is on the screen, it
// marks the frame as outdated.
func (f *floorState) invalidate() {
	f.scene.floor.LocalNow = f.scene.Now()
	f.scene.floor.ReplayAge = f.replay.DelayBehindLive(f.scene.floor.LocalNow)
	f.markDirty()
}

// markDirty marks the frame as outdated if the floor is on the screen.
func (f *floorState) markDirty() { f.board.dirty = f.board.dirty || f.isShown() }

// showMessage shows a message in the footer for a while.
func (f *floorState) showMessage(text string) tea.Cmd {
	return f.showColoredMessage(themes.Accent, text)
}

// showColoredMessage shows a message in the footer for a while, in the color of a theme token. A message of
// a hidden floor begins with the name of its platform, or with "Now" during a replay. A message of
// a hidden floor is dropped if the same message is already on the screen, because several platforms
// may send it.
func (f *floorState) showColoredMessage(token themes.Token, text string) tea.Cmd {
	m, about := f.board, f
	switch {
	case f.isShown():
	case !m.hasFloor(f) || m.notice.IsShowing(text):
		return nil
	default:
		text, about = f.withPlatformPrefix(text), nil
	}
	f.invalidate()
	m.dirty, m.noticeFloor = true, about
	return m.notice.Show(m.liveFloor.scene.Context, token, text)
}

// withPlatformPrefix returns a text of the floor, with a prefix if the floor is hidden: "Now: " for the live
// floor during a replay, otherwise the name of the platform.
func (f *floorState) withPlatformPrefix(text string) string {
	switch {
	case f.isShown():
		return text
	case f == f.board.liveFloor:
		return f.scene.translate(words.DialogNow(text))
	}
	return f.scene.Title + ": " + text
}

// openDetail opens the detail page of the record in msg. If msg.ShowActions is true, it also opens
// the menu of actions on the record.
func (f *floorState) openDetail(msg panes.OpenMsg) tea.Cmd {
	f.invalidate()
	f.board.filter.End()
	f.pages.OpenDetail(f.scene.paneScene(), msg.Kind, msg.Key, msg.Channel)
	if msg.ShowActions {
		return f.actions.OpenMenu(f.pages.Selection().Target(&f.scene.floor))
	}
	return nil
}

package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/keymap"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/presence"
	"wallboard/ui/replay"
	"wallboard/ui/situations"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// New returns a board with the options o. The board has no snapshot yet. If it cannot use the options,
// it quits at the first message, and [Run] returns the error.
func New(o Options) *Model {
	o, err := o.withDefaults()
	keys := keymap.WithChanges(o.Navigation.Keys)
	keys.Reconnect.SetEnabled(o.Actions.Reconnect != nil)
	keys.NextPlatform.SetEnabled(len(o.OtherPlatforms) > 0)
	m := &Model{scene: newScene(&o), keys: &keys, failure: err}
	m.painter = painter{board: m, drawn: frame.NewDrawn("…")}
	m.themer = style.NewThemer(o.Display.themeSet())
	m.dialogs = dialog.NewStack(boardHost{m})
	m.pages = pages.New(pages.Setup{
		Specs: o.Navigation.Pages, Floor: &m.scene.floor, Keys: m.keys,
		Create: func(s panes.PageSpec) panes.Page { return newPage(m.scene, m.dialogs, m.keys, s) },
	})
	m.alertHandler = alertHandler{scene: m.scene, keys: &keys, pages: m.pages, dialogs: m.dialogs, say: m.say}
	m.scene.otherViewers = presence.New(o.OtherViewers, m.dialogs, boardHost{m})
	m.scene.viewerMessages = m.scene.otherViewers
	m.actions = actions.New(m.dialogs, &m.scene.floor, &keys.Act)
	m.actions.SetController(o.Actions.Controller)
	m.actions.OnFinished(m.scene.recordEvent)
	m.actions.SetMeasure(func() analysis.MeasureFunc { return m.scene.archive(nil).Effects() })
	m.actions.SetExtraActions(func(t snapshot.Target) []actions.LocalAction {
		return m.scene.launcher(actions.CommandRecord(&m.scene.floor, t.Kind, t.Key, "")).MenuActions()
	})
	if o.Kiosk != nil {
		m.scene.kiosk = kiosk.New(m.scene.kioskSetup(), &m.scene.floor, pages.ForKiosk{Pages: m.pages})
	}
	m.scene.setKeyHints(&keys, m.pages)
	m.pages.Current, _ = m.pages.Named(o.Navigation.StartPage)
	if sc := m.scene; sc.kiosk != nil {
		sc.kiosk.Start()
	}
	m.control = controlOf(o.Actions.Controller)
	m.replay = newReplay(&o, boardHost{m})
	m.filter = pages.NewFilterPrompt()
	m.palette = dialog.NewPalette()
	m.restyle()
	return m
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	sc := m.scene
	return tea.Batch(sc.waitSecond(), m.scene.awaitSnapshot(), waitReload(sc.Context, sc.Process.Reloads), m.themer.QueryBackground(), m.replay.Begin(), sc.otherViewers.Wait(sc.Context))
}

// Update implements [tea.Model]. If Update panics, the board quits and [Run] returns the error.
func (m *Model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	if m.failure != nil {
		return m, tea.Quit
	}
	defer func() {
		if r := recover(); r != nil {
			m.failure = dialog.PanicError(r)
			next, cmd = m, tea.Quit
		}
	}()
	messages, ok := msg.(term.Messages)
	if !ok {
		messages = term.Messages{msg}
	}
	ticked := false
	for _, msg := range messages {
		ticked = ticked || isClockMsg(msg)
		for ; msg != nil; msg = m.scene.requests.Next() {
			cmd = tea.Batch(cmd, m.dispatch(msg))
		}
	}
	m.scene.actionMarks = m.actions.PendingMarks()
	if m.dialogs.Len() > 0 {
		m.filter.End()
	}
	if m.dirty && !m.hidden {
		cmd = tea.Batch(cmd, m.pages.UpdateRequests(), m.scene.otherViewers.ReportPage())
		m.dirty = false
		m.painter.paint()
		if m.painter.drawn.SetPage(int(m.pages.Current)) && m.scene.kiosk != nil {
			cmd = tea.Batch(cmd, requestRepaint) // removes foreign output before the next page
		}
		cmd = tea.Batch(cmd, m.scene.readShifts())
		if ticked && m.scene.kiosk != nil && m.scene.Process.Heartbeat != nil && m.scene.kiosk.FeedIsAlive() {
			m.scene.Process.Heartbeat()
		}
		if m.scene.Display.paced {
			m.ticks.schedule(m.Page(), m.scene.Now())
		} else {
			cmd = tea.Batch(cmd, m.ticks.start(m.scene.Context, m.Page()))
		}
	}
	return m, cmd
}

// dispatch passes a message to the part of the board that handles it. It sets m.dirty only if the
// message changes the screen.
func (m *Model) dispatch(msg tea.Msg) tea.Cmd {
	if m.scene.kiosk.Ignores(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.pages.Restyle(m.scene.paneScene())
		m.invalidate()
	case tea.KeyPressMsg:
		m.invalidate()
		m.alertHandler.lastInput = m.scene.Now()
		return m.press(msg)
	case tea.PasteMsg:
		m.invalidate()
		return m.handleText(msg)
	case tea.MouseClickMsg:
		m.invalidate()
		m.alertHandler.lastInput = m.scene.Now()
		return m.click(msg)
	case tea.MouseWheelMsg:
		m.invalidate()
		return m.wheel(msg)
	case tea.EnvMsg:
		m.alertHandler.terminalEnv = msg
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		if o, changed := m.themer.HandleReport(msg, m.scene.look.Options); changed {
			m.setLook(o)
		}
	case presence.Msg:
		m.invalidate()
		return tea.Batch(m.scene.otherViewers.HandleEvent(msg), m.scene.otherViewers.Wait(m.scene.Context))
	default:
		return m.dispatchOwn(msg)
	}
	return nil
}

// dispatchOwn handles messages that do not come from the terminal or from other viewers.
func (m *Model) dispatchOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapshotMsg:
		return m.showSnapshot(msg.Snapshot)
	case ClockMsg, term.FrameMsg, evaluateMsg, flashEndMsg, animateMsg:
		return m.dispatchTick(msg)
	case panes.OpenMsg:
		return m.openDetail(msg)
	case panes.OpenSubjectMsg:
		m.openSubject(msg.Subject)
	case panes.ShowChartMsg:
		return m.alertHandler.openChart()
	case panes.ShowStateMsg:
		m.pages.JumpTo(pages.Agents, "") // the key esc returns to the previous page
		if t := m.Page().Focused(); t != nil {
			t.SetFilter(strings.ToLower(msg.State))
		}
	case situations.OpenTodayMsg:
		return m.alertHandler.openToday()
	case sourceFailedMsg:
		return tea.Batch(m.say("No picture of the floor: "+msg.err.Error()),
			dialog.After(m.scene.Context, retryDelay, retrySourceMsg{}))
	case retrySourceMsg:
		return m.scene.awaitSnapshot()
	case frame.NoticeExpiredMsg:
		if m.notice.Expire(msg) {
			m.invalidate()
		}
	case dialog.AnswerMsg:
		m.invalidate()
		return m.dialogs.Deliver(msg)
	case actions.OutcomeMsg:
		m.invalidate()
		return m.actions.HandleOutcome(msg)
	case resultMsg:
		cmd := msg.Arrive()
		m.invalidate()
		return cmd
	case dialog.NoticeMsg:
		return m.say(msg.Text)
	case replay.RewindMsg, retryRewindMsg, nextPlatformMsg, pages.OpenPlatformMsg:
		m.viewerRequest = msg
	case reloadMsg:
		return m.reload(msg.reload)
	case dialog.FailedMsg:
		m.failure = msg.Err
		return tea.Quit
	}
	return nil
}

package ui

import (
	"maps"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
)

// Reload is a changed configuration for a running board.
type Reload struct {
	// Options are the options of the new configuration. The board keeps its own Source, Context,
	// Now, OtherPlatforms, Tables, Archive.Replayed and Archive.IsPreparing. It also keeps the
	// fields Reloads, Heartbeat and RecordEvent of Process, and Reconnect, Save, Commands, Recorder
	// and Sender of Actions. It keeps Location except on a kiosk, and PastActions unless
	// OtherPlatform is true. A reload cannot add Archive.Open, and cannot turn an interactive board
	// into a kiosk or back.
	Options Options
	// OtherPlatform is true if the source now belongs to another platform, so that the board must
	// drop known alerts and figures.
	OtherPlatform bool
	// Problem is the error in the new configuration. If Problem is not zero, the board ignores
	// Options and shows Problem. The zero Text removes the problem of an earlier reload from the
	// screen.
	Problem words.Text
	// Question must be answered before the new configuration is used; nil: there is no question. An
	// open question of an earlier reload is closed.
	Question *Question
	// Notice is shown in the footer unless it is zero.
	Notice words.Text
	// Unchanged is true if the configuration is equivalent to the previous one.
	Unchanged bool
	// OnApplied, if not nil, is called after the board has handled the reload, even if Problem is
	// set.
	OnApplied func()
}

// Question is a question for the viewer.
type Question struct {
	Title, Text words.Text
	Lines       []words.Text // facts that help the viewer answer
	Yes, No     words.Text   // labels of the buttons
	ConfirmWord string       // word that the viewer must type to confirm; "": none
	OnYes       func()       // called if the viewer answers yes; must not block
}

// reloadTopic is the topic of the question about a changed configuration.
const reloadTopic = "configuration"

// ask closes the open question of an earlier reload and opens q. If q is nil, it opens no question.
func (q *Question) ask(dialogs *dialog.Stack) tea.Cmd {
	if previous := dialogs.OpenQuestion(reloadTopic); previous != nil {
		dialogs.Close(previous)
	}
	if q == nil {
		return nil
	}
	l := dialogs.Look().Format.Words
	out := dialog.Question{
		Topic: reloadTopic,
		Name:  q.Title.In(l), Text: q.Text.In(l), YesLabel: q.Yes.In(l), NoLabel: q.No.In(l), ConfirmWord: q.ConfirmWord,
		OnYes: func(bool) tea.Cmd { q.OnYes(); return nil },
	}
	for _, line := range q.Lines {
		out.Lines = append(out.Lines, dialogs.Look().Wrap(themes.Text, line.In(l), dialog.QuestionWidth)...)
	}
	return dialogs.OpenQuestionDialog(out)
}

// reloadMsg carries a changed configuration.
type reloadMsg struct {
	reload Reload
	floorTarget
}

// waitReload returns a command that waits for the next changed configuration. It returns nil if the
// board cannot receive any.
func (f *floorState) waitReload() tea.Cmd {
	ctx, reloads := f.scene.Context, f.scene.Process.Reloads
	if reloads == nil {
		return nil
	}
	return dialog.RecoverPanic(func() tea.Msg {
		select {
		case r, ok := <-reloads:
			if ok {
				return reloadMsg{r, floorTarget{f}}
			}
		case <-ctx.Done():
		}
		return nil
	})
}

// reload applies a changed configuration to the floor, and to a replay of the floor. The floor
// keeps the viewer's page, selections, filters, detail pages and frozen snapshot.
func (f *floorState) reload(r Reload) tea.Cmd {
	cmds := []tea.Cmd{f.waitReload()}
	if !f.configProblem.Equal(r.Problem) {
		f.configProblem = r.Problem
		f.invalidate()
	}
	if r.Problem.IsZero() && !r.Unchanged {
		cmds = append(cmds, f.applyOptions(r.Options, r.OtherPlatform))
		if m := f.board; f == m.liveFloor && m.isReplaying() && !r.OtherPlatform {
			cmds = append(cmds, m.rewinder.reload())
		}
	}
	if r.Question != nil || f.dialogs.OpenQuestion(reloadTopic) != nil {
		f.invalidate()
	}
	if f.scene.kiosk == nil { // a kiosk has no viewer to answer
		cmds = append(cmds, r.Question.ask(f.dialogs))
	}
	if !r.Notice.IsZero() {
		cmds = append(cmds, f.showMessage(f.scene.translate(r.Notice)))
	}
	if r.OnApplied != nil {
		r.OnApplied()
	}
	return tea.Batch(cmds...)
}

// withFixedOptions returns a copy of o with the options of old that a reload does not change. [Reload] lists
// these options. See [Options.withDefaults] for the error.
func (o Options) withFixedOptions(old *Options, otherPlatform bool) (Options, error) {
	o.Source, o.Context, o.Now, o.OtherPlatforms = old.Source, old.Context, old.Now, old.OtherPlatforms
	o.Process.Reloads, o.Process.Heartbeat, o.Process.RecordEvent = old.Process.Reloads, old.Process.Heartbeat, old.Process.RecordEvent
	o.Actions.Reconnect, o.Actions.Save, o.Actions.Commands = old.Actions.Reconnect, old.Actions.Save, old.Actions.Commands
	o.Actions.Recorder, o.Navigation.Tables = old.Actions.Recorder, old.Navigation.Tables
	o.Archive.Replayed, o.Archive.IsPreparing = old.Archive.Replayed, old.Archive.IsPreparing
	if o.Archive.Open != nil && old.Archive.Open == nil { // whether the board can open a recording is decided at the start
		o.Archive.Open = nil
	}
	o.Actions.Sender = old.Actions.Sender
	if !otherPlatform {
		o.Actions.PastActions = old.Actions.PastActions
	}
	if o.Kiosk == nil || old.Kiosk == nil { // whether the board is a kiosk is decided at the start
		o.Kiosk, o.Display.Location = old.Kiosk, old.Display.Location
	}
	return o.withDefaults()
}

// applyOptions makes the floor use the options o. otherPlatform is true if the floor's source now
// belongs to another platform.
func (f *floorState) applyOptions(o Options, otherPlatform bool) tea.Cmd {
	sc, m := f.scene, f.board
	old := *sc.Options
	o, err := o.withFixedOptions(&old, otherPlatform)
	if err != nil {
		return f.showMessage(sc.translate(words.BoardConfigurationUnused(words.TextOf(err))))
	}
	if otherPlatform {
		sc.resetPlatform()
	}
	rebuild := sc.alerts.SetEngine(o.Alerts) || o.Display.ASCII != old.Display.ASCII || o.Display.Flash != old.Display.Flash ||
		!reflect.DeepEqual(o.Navigation.Pages, old.Navigation.Pages) || o.History != old.History
	otherKeys := !maps.Equal(o.Navigation.Keys, old.Navigation.Keys)
	if otherKeys {
		rebuild = true
	}
	if o.History != old.History {
		sc.baseline.SetReader(o.History, o.Archive.NoHistoryReason)
	}
	*sc.Options = o
	if otherKeys {
		f.setKeys()
	}
	if !otherPlatform {
		sc.refreshSnapshot()
	}
	sc.forecaster.UseObservations(o.Alerts.Observations())
	sc.shiftCache.DropAll()
	sc.floor.Names = o.Names
	f.actions.SetController(o.Actions.Controller)
	f.controlStatus = controlOf(o.Actions.Controller, sc.look)
	look := m.shownFloor.scene.look.Options
	var cmd tea.Cmd
	if f == m.floors()[0] { // its options determine the themes of the board
		if o.Display.Language != old.Display.Language {
			look.Words = o.Display.Language
		}
		look, cmd = m.themeSelector.Reconfigure(o.Display.themeSet(), look)
		m.setLook(look)
	} else {
		f.useLook(look)
		m.restyle()
	}
	if rebuild {
		sameHistory := !otherKeys && o.History == old.History && o.Display.ASCII == old.Display.ASCII && o.Display.Flash == old.Display.Flash
		s := sc.paneScene()
		s.KeepRowMarks = !otherPlatform
		f.pages.Recreate(s, o.Navigation.Pages, sameHistory)
		sc.keyHints = f.pages.PaneHints(f.keys)
	}
	if sc.kiosk != nil {
		sc.kiosk.ApplySetup(sc.kioskSetup())
	}
	if f.replay.Evaluates() {
		sc.alerts.Refresh()
	} else {
		sc.alerts.Clear()
	}
	f.invalidate()
	return cmd
}

// refreshSnapshot reads the newest snapshot from the source again, because a reload may have
// changed the names in it.
func (sc *scene) refreshSnapshot() {
	if sc.Source == nil {
		return
	}
	if s := sc.Source.Latest(); s != nil {
		sc.floor.ReplaceNewest(s)
	}
}

// resetPlatform drops the state of the previous platform. The board shows the last snapshot of that
// platform, marked as old, until the first snapshot of the new platform arrives.
func (sc *scene) resetPlatform() {
	sc.alerts.Reset()
	sc.forecaster.DropForecasts()
	sc.shiftCache.DropAll()
	if sc.Source == nil {
		return
	}
	sc.floor.ReplaceAtOtherTime(sc.Source.Latest())
}

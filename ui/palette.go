package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/report/figureproof"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

func (m *Model) openPalette() tea.Cmd {
	m.mode = modePalette
	return m.palette.Open(m.commands(), func(line string) []dialog.Command {
		f := m.shown
		sc, board, zone := f.scene, f.scene.archive(f.replay), f.scene.look.Zone()
		return slices.Concat(
			board.ParseRewind(line, f.say), board.ParseTry(f.dialogs, line), sc.comparison.ParseCompare(line, board, f.say),
			sc.otherViewers.ParseCommand(line), sc.notes().ParseCommand(line, zone, f.say), sc.tolerances().ParseCommand(line, zone, f.say),
			sc.alerts.ParseSnooze(f.dialogs, line, f.alertHandler.selectedAlerts(), sc.Actions.User), f.asker().ParseCommands(line),
		)
	})
}

// handleChoice handles the result of a key or a click in the palette. It hides a closed palette,
// and runs the chosen command. If no command was chosen, it returns cmd.
func (m *Model) handleChoice(cmd tea.Cmd, c dialog.PaletteResult) tea.Cmd {
	if c.Closed {
		m.mode = modeBoard
	}
	if c.Run != nil {
		return c.Run()
	}
	return cmd
}

// commands returns all commands that the palette currently offers, sorted by group.
func (m *Model) commands() []dialog.Command {
	var out dialog.GroupedCommands
	f := m.shown
	sc, k, stack, tell := f.scene, f.keys, f.dialogs, f.scene.tell
	selected, l := f.alertHandler.selectedAlerts(), sc.look.Format.Words
	keyed := func(g dialog.CommandGroup, name, keywords words.Text, b key.Binding, run func() tea.Cmd) {
		out.Add(g, dialog.Command{Name: tell(name), Keywords: tell(keywords), Run: run, Key: b.Help().Key})
	}
	none := words.Text{}

	out.Add(dialog.GroupGo, slices.Concat(f.pages.Commands(), sc.platforms.commands(&k.NextPlatform, sc), pages.ChannelCommands(&sc.floor))...)
	out.Add(dialog.GroupTable, f.pages.TableCommands(k, &m.filter, func(pane *panes.RecordTable) tea.Cmd {
		return boarddialogs.OpenColumns(stack, pane, sc.Navigation.Tables)
	}, func(pane *panes.RecordTable) tea.Cmd {
		return pages.TogglePin(pane, sc.Navigation.Tables, sc.floor.Words, f.say)
	})...)
	board, subject := sc.archive(f.replay), f.pages.Selection().ChartSubject(sc.paneScene())
	f.addAlertCommands(&out, board, selected)
	keyed(dialog.GroupBoard, words.BoardCommandChart(), none, k.Chart, f.alertHandler.openChart)
	keyed(dialog.GroupBoard, words.BoardCommandHandover(), none, k.Handover, func() tea.Cmd { return sc.openHandover(stack, f.replay) })
	if sc.History != nil {
		keyed(dialog.GroupBoard, words.BoardCommandTypical(), words.BoardKeywordsTypical(), k.Baseline, func() tea.Cmd { return sc.baseline.Open(stack, sc.restOfDay) })
		out.Add(dialog.GroupBoard, history.Commands(l, f.pages.ShowHistory)...)
	}
	out.Add(dialog.GroupBoard, slices.Concat(
		board.RewindCommands(&k.Rewind), board.IncidentCommands(&k.Rewind, stack, selected, f.alertHandler.review(f.replay)),
		sc.comparison.Commands(&k.Rewind, board, f.say), board.SimilarCommands(stack, subject), board.RuleReportCommands(stack),
		sc.otherViewers.Commands(l, f.say), sc.notes().Commands(f.say), sc.tolerances().Commands(f.say), f.asker().Commands(),
	)...)
	freeze := words.KeysFreeze()
	if !sc.floor.FrozenAt.IsZero() {
		freeze = words.KeysResume()
	}
	keyed(dialog.GroupBoard, freeze, none, k.Freeze, func() tea.Cmd { return sc.freeze(f.say) })
	looks := pages.LookCommands{Current: func() *style.Look { return sc.look }, Use: m.setLook, Say: f.say}
	out.Add(dialog.GroupBoard, slices.Concat(looks.Themes(&m.themer), looks.Languages())...)
	if sc.Actions.Reconnect != nil {
		keyed(dialog.GroupBoard, words.KeysReconnect(), words.BoardKeywordsReconnect(), k.Reconnect, func() tea.Cmd { return sc.reconnect(f.say) })
	}
	if sc.Actions.Controller != nil && !f.pages.OnSites() {
		onTarget, anywhere := f.actions.Commands(f.pages.Selection().Target(&sc.floor))
		out.Add(dialog.GroupSelected, onTarget...)
		out.Add(dialog.GroupAct, anywhere...)
	}
	out.Add(dialog.GroupSelected, boarddialogs.ReceiptCommands(l, sc.Actions.Save, sc.floor.Shown, subject, sc.receiptRules())...)
	out.Add(dialog.GroupSelected, sc.selectedLauncher(f.pages).Commands()...)
	keyed(dialog.GroupBoard, words.KeysHelp(), none, k.Help, func() tea.Cmd { m.mode, m.help = modeHelp, pages.KeyHelp{}; return nil })
	keyed(dialog.GroupBoard, words.KeysQuit(), none, k.Quit, m.askQuit)
	out.Add(dialog.GroupOpen, pages.OpenCommands(&sc.floor, &sc.requests)...)
	return out.All(l)
}

// addAlertCommands adds the commands about alerts and the selected record to out. selected holds the
// alerts about this record.
func (f *floorState) addAlertCommands(out *dialog.GroupedCommands, board *replay.BoardArchive, selected []alert.Alert) {
	sc, k := f.scene, f.keys
	if len(selected) > 0 {
		out.Add(dialog.GroupSelected, dialog.Command{Name: sc.tell(words.KeysWhyAndHelp()), Run: f.alertHandler.askWhy, Key: k.Why.Help().Key})
		if !sc.floor.Replay && k.Alert.TakeOver.Enabled() {
			out.Add(dialog.GroupSelected, dialog.Command{Name: sc.tell(words.BoardCommandTakeOver()), Keywords: sc.tell(words.BoardKeywordsTakeOver()), Run: f.alertHandler.takeOver, Key: k.Alert.TakeOver.Help().Key})
		}
	}
	out.Add(dialog.GroupSelected, f.alertHandler.clipboard().Commands(k.Rows.Copy, f.pages.CurrentPage().Focused(), f.pages.Selection().Situation(sc.paneScene()))...)
	out.Add(dialog.GroupSelected, board.BacktestCommands(f.dialogs, selected)...)
	if !sc.floor.Replay && k.Alert.Snooze.Enabled() { // alerts of a recording cannot be snoozed
		snoozes, onSelected := sc.alerts.SnoozeCommands(f.dialogs, selected, sc.Actions.User, k.Alert.Snooze), 0
		if len(selected) > 0 {
			onSelected = 1 // the other commands do not depend on the selection
		}
		out.Add(dialog.GroupSelected, snoozes[:onSelected]...)
		out.Add(dialog.GroupBoard, snoozes[onSelected:]...)
	}
}

// receiptRules returns the rules by which the board computes figures. Figures of [[kpi]] are computed
// again, because the board evaluates newer snapshots than the one that it shows while it is frozen.
func (sc *scene) receiptRules() figureproof.Rules {
	newEngine := sc.privateEngine().HubOptions().Engine
	return figureproof.Rules{Goal: sc.Alerts.Goal, Custom: func(s *model.Snapshot) figureproof.Explainer {
		e, err := newEngine(model.Part{})
		if err != nil {
			return nil
		}
		e.Evaluate(s, s.At)
		return e
	}}
}

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
		f := m.shownFloor
		sc, board, zone := f.scene, f.scene.archive(f.replay), f.scene.look.Zone()
		return slices.Concat(
			board.ParseRewind(line, f.showMessage), board.ParseBacktest(f.dialogs, line), sc.comparison.ParseCompare(line, board, f.showMessage),
			sc.otherViewers.ParseCommand(line), sc.notes().ParseCommand(line, zone, f.showMessage), sc.tolerances().ParseCommand(line, zone, f.showMessage),
			sc.alerts.ParseSnooze(f.dialogs, line, f.alertHandler.selectedAlerts(), sc.Actions.User), f.answerer().ParseCommands(line),
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
	f := m.shownFloor
	sc, k, stack, tell := f.scene, f.keys, f.dialogs, f.scene.translate
	selected, l := f.alertHandler.selectedAlerts(), sc.look.Format.Words
	keyed := func(g dialog.CommandGroup, name, keywords words.Text, b key.Binding, run func() tea.Cmd) {
		out.Add(g, dialog.Command{Name: tell(name), Keywords: tell(keywords), Run: run, Key: b.Help().Key})
	}
	none := words.Text{}

	out.Add(dialog.GroupNavigation, slices.Concat(f.pages.Commands(), sc.platforms.commands(&k.NextPlatform, sc), pages.ChannelCommands(&sc.floor))...)
	out.Add(dialog.GroupTable, f.pages.TableCommands(k, &m.filter, func(pane *panes.RecordTable) tea.Cmd {
		return boarddialogs.OpenColumns(stack, pane, sc.Navigation.Tables)
	}, func(pane *panes.RecordTable) tea.Cmd {
		return pages.TogglePin(pane, sc.Navigation.Tables, sc.floor.Words, f.showMessage)
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
		sc.comparison.Commands(&k.Rewind, board, f.showMessage), board.SimilarMomentCommands(stack, subject), board.RuleReportCommands(stack),
		sc.otherViewers.Commands(l, f.showMessage), sc.notes().Commands(f.showMessage), sc.tolerances().Commands(f.showMessage), f.answerer().Commands(),
	)...)
	freeze := words.KeysFreeze()
	if !sc.floor.FrozenAt.IsZero() {
		freeze = words.KeysResume()
	}
	keyed(dialog.GroupBoard, freeze, none, k.Freeze, func() tea.Cmd { return sc.freeze(f.showMessage) })
	looks := pages.LookCommands{Current: func() *style.Look { return sc.look }, ApplyOptions: m.setLook, ShowMessage: f.showMessage}
	out.Add(dialog.GroupBoard, slices.Concat(looks.Themes(&m.themeSelector), looks.Languages())...)
	if sc.Actions.Reconnect != nil {
		keyed(dialog.GroupBoard, words.KeysReconnect(), words.BoardKeywordsReconnect(), k.Reconnect, func() tea.Cmd { return sc.reconnect(f.showMessage) })
	}
	if sc.Actions.Controller != nil && !f.pages.OnSites() {
		onTarget, anywhere := f.actions.Commands(f.pages.Selection().Target(&sc.floor))
		out.Add(dialog.GroupSelected, onTarget...)
		out.Add(dialog.GroupPlatformActions, anywhere...)
	}
	out.Add(dialog.GroupSelected, boarddialogs.FigureProofCommands(l, sc.Actions.Save, sc.floor.Shown, subject, sc.figureRules())...)
	out.Add(dialog.GroupSelected, sc.selectedLauncher(f.pages).Commands()...)
	keyed(dialog.GroupBoard, words.KeysHelp(), none, k.Help, func() tea.Cmd { m.mode, m.help = modeHelp, pages.KeyHelp{}; return nil })
	keyed(dialog.GroupBoard, words.KeysQuit(), none, k.Quit, m.askQuit)
	out.Add(dialog.GroupOpenRecords, pages.OpenCommands(&sc.floor, &sc.requests)...)
	return out.All(l)
}

// addAlertCommands adds the commands about alerts and the selected record to out. selected holds the
// alerts about this record.
func (f *floorState) addAlertCommands(out *dialog.GroupedCommands, board *replay.BoardArchive, selected []alert.Alert) {
	sc, k := f.scene, f.keys
	if len(selected) > 0 {
		out.Add(dialog.GroupSelected, dialog.Command{Name: sc.translate(words.KeysWhyAndHelp()), Run: f.alertHandler.explainSelected, Key: k.Why.Help().Key})
		if !sc.floor.Replay && k.Alert.TakeOver.Enabled() {
			out.Add(dialog.GroupSelected, dialog.Command{Name: sc.translate(words.BoardCommandTakeOver()), Keywords: sc.translate(words.BoardKeywordsTakeOver()), Run: f.alertHandler.takeOver, Key: k.Alert.TakeOver.Help().Key})
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

// figureRules returns the rules by which the board computes figures. Figures of [[kpi]] are computed
// again, because the board evaluates newer snapshots than the one that it shows while it is frozen.
func (sc *scene) figureRules() figureproof.Rules {
	newEngine := sc.localEngineOptions().HubOptions().Engine
	return figureproof.Rules{Goal: sc.Alerts.Goal, CustomExplainer: func(s *model.Snapshot) figureproof.Explainer {
		e, err := newEngine(model.FloorPart{})
		if err != nil {
			return nil
		}
		e.Evaluate(s, s.At)
		return e
	}}
}

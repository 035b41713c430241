package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/report/receipt"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/history"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

func (m *Model) openPalette() tea.Cmd {
	m.mode = modePalette
	return m.palette.Open(m.commands(), func(line string) []dialog.Command {
		board := m.shown.scene.archive(m.shown.replay)
		return slices.Concat(
			board.ParseRewind(line, m.shown.say), board.ParseTry(m.shown.dialogs, line), m.shown.scene.comparison.ParseCompare(line, board, m.shown.say),
			m.shown.scene.otherViewers.ParseCommand(line), m.shown.scene.notes().ParseCommand(line, m.shown.scene.look.Zone(), m.shown.say),
			m.shown.scene.tolerances().ParseCommand(line, m.shown.scene.look.Zone(), m.shown.say), m.shown.scene.alerts.ParseSnooze(m.shown.dialogs, line, m.shown.alertHandler.selectedAlerts(), m.shown.scene.Actions.User),
			m.shown.asker().parseCommands(line),
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
	out := setGroup(groupGo, slices.Concat(
		m.shown.pages.Commands(), m.shown.scene.platforms.commands(&m.shown.keys.NextPlatform, m.shown.scene), channelCommands(m.shown.scene),
	))
	group := groupHere
	tell := m.shown.scene.tell
	keyed := func(name words.Text, b key.Binding, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: tell(name), Run: run, Key: b.Help().Key, Group: group})
	}
	k, board := m.shown.keys, m.shown.scene.archive(m.shown.replay)
	out = append(out, setGroup(groupTable, m.shown.pages.TableCommands(k, &m.filter, func(pane *panes.RecordTable) tea.Cmd {
		return dialogs.OpenColumns(m.shown.dialogs, pane, m.shown.scene.Navigation.Tables)
	}, func(pane *panes.RecordTable) tea.Cmd {
		return pages.TogglePin(pane, m.shown.scene.Navigation.Tables, m.shown.scene.floor.Words, m.shown.say)
	}))...)
	if len(m.shown.alertHandler.selectedAlerts()) > 0 {
		keyed(words.BoardCommandWhy(), k.Why, m.shown.alertHandler.askWhy)
		if !m.shown.scene.floor.Replay {
			keyed(words.BoardCommandTakeOver(), k.Alert.TakeOver, m.shown.alertHandler.takeOver)
			out[len(out)-1].Keywords = tell(words.BoardKeywordsTakeOver())
		}
	}
	out = append(out, setGroup(groupHere, m.shown.alertHandler.clipboard().Commands(k.Rows.Copy, m.shown.pages.CurrentPage().Focused(), m.shown.pages.Selection().Situation(m.shown.scene.paneScene())))...)
	out = append(out, setGroup(groupHere, board.BacktestCommands(m.shown.dialogs, m.shown.alertHandler.selectedAlerts()))...)
	out = append(out, snoozeCommands(m.shown.dialogs, m.shown.scene, m.shown.alertHandler.selectedAlerts(), k.Alert.Snooze)...)
	group = groupBoard
	keyed(words.BoardCommandChart(), k.Chart, m.shown.alertHandler.openChart)
	keyed(words.BoardCommandHandover(), k.Handover, func() tea.Cmd { return m.shown.scene.openHandover(m.shown.dialogs, m.shown.replay) })
	if m.shown.scene.History != nil {
		keyed(words.BoardCommandTypical(), k.Baseline, func() tea.Cmd { return m.shown.scene.baseline.Open(m.shown.dialogs, m.shown.scene.restOfDay) })
		out[len(out)-1].Keywords = tell(words.BoardKeywordsTypical())
		out = append(out, setGroup(groupBoard, history.Commands(m.shown.scene.look.Format.Words, m.shown.pages.ShowHistory))...)
	}
	out = append(out, setGroup(groupBoard, slices.Concat(
		board.RewindCommands(&k.Rewind), board.IncidentCommands(&k.Rewind, m.shown.dialogs, m.shown.alertHandler.selectedAlerts(), m.shown.alertHandler.review(m.shown.replay)),
		m.shown.scene.comparison.Commands(&k.Rewind, board, m.shown.say),
		board.SimilarCommands(m.shown.dialogs, m.shown.pages.Selection().ChartSubject(m.shown.scene.paneScene())), board.RuleReportCommands(m.shown.dialogs),
		m.shown.scene.otherViewers.Commands(m.shown.scene.look.Format.Words, m.shown.say), m.shown.scene.notes().Commands(m.shown.say), m.shown.scene.tolerances().Commands(m.shown.say),
		m.shown.asker().commands(),
	))...)
	freeze := words.BoardCommandFreeze
	if !m.shown.scene.floor.FrozenAt.IsZero() {
		freeze = words.BoardCommandResume
	}
	keyed(freeze(), k.Freeze, func() tea.Cmd { return m.shown.scene.freeze(m.shown.say) })
	out = append(out, setGroup(groupBoard, slices.Concat(themeCommands(&m.themer, m.shown.scene, m.setLook, m.shown.say), languageCommands(m.shown.scene, m.setLook, m.shown.say)))...)
	if m.shown.scene.Actions.Reconnect != nil {
		keyed(words.BoardCommandReconnect(), k.Reconnect, func() tea.Cmd { return m.shown.scene.reconnect(m.shown.say) })
		out[len(out)-1].Keywords = tell(words.BoardKeywordsReconnect())
	}
	if m.shown.scene.Actions.Controller != nil && !m.shown.pages.OnSites() {
		onTarget, anywhere := m.shown.actions.Commands(m.shown.pages.Selection().Target(&m.shown.scene.floor))
		out = append(append(out, setGroup(groupHere, onTarget)...), setGroup(groupAct, anywhere)...)
	}
	out = append(out, setGroup(groupHere, dialogs.ReceiptCommands(m.shown.scene.look.Format.Words, m.shown.scene.Actions.Save, m.shown.scene.floor.Shown, m.shown.pages.Selection().ChartSubject(m.shown.scene.paneScene()), m.shown.scene.receiptRules()))...)
	out = append(out, setGroup(groupHere, m.shown.scene.selectedLauncher(m.shown.pages).Commands())...)
	keyed(words.BoardCommandHelp(), k.Help, func() tea.Cmd { m.mode, m.help = modeHelp, pages.KeyHelp{}; return nil })
	keyed(words.BoardCommandQuit(), k.Quit, m.askQuit)
	out = append(out, setGroup(groupOpen, pages.OpenCommands(&m.shown.scene.floor, &m.shown.scene.requests))...)
	return sortedByGroup(out, tell)
}

// sortedByGroup returns commands in the order of their groups, with the titles of the groups.
func sortedByGroup(out []dialog.Command, tell func(words.Text) string) []dialog.Command {
	slices.SortStableFunc(out, func(a, b dialog.Command) int {
		return slices.Index(commandGroups(), a.Group) - slices.Index(commandGroups(), b.Group)
	})
	for i := range out {
		out[i].Group = tell(groupTitle(out[i].Group))
	}
	return out
}

// receiptRules returns the rules by which the board computes figures. Figures of [[kpi]] are computed
// again, because the board evaluates newer snapshots than the one that it shows while it is frozen.
func (sc *scene) receiptRules() receipt.Rules {
	newEngine := engineOptions(sc.Options).Engine
	return receipt.Rules{Goal: sc.Alerts.Goal, Custom: func(s *model.Snapshot) receipt.Explainer {
		e, err := newEngine(model.Part{})
		if err != nil {
			return nil
		}
		e.Evaluate(s, s.At)
		return e
	}}
}

// channelCommands returns the palette commands for selecting a channel.
func channelCommands(sc *scene) []dialog.Command {
	var out []dialog.Command
	v := &sc.floor
	for _, ch := range v.Channels() {
		out = append(out, dialog.Command{
			Name: sc.tell(words.BoardCommandChannel(words.ChannelInSentence(ch))), Run: func() tea.Cmd { v.SetChannel(ch); return nil },
		})
	}
	return out
}

// themeCommands returns the palette commands for selecting a theme. They call use to draw the board
// with changed options, and say to show a message in the footer.
func themeCommands(t *style.Themer, sc *scene, use func(style.Options), say func(string) tea.Cmd) []dialog.Command {
	var out []dialog.Command
	for _, name := range t.Names() {
		out = append(out, dialog.Command{
			Name: sc.tell(words.BoardCommandTheme(name)), Keywords: sc.tell(words.BoardKeywordsTheme()),
			Run: func() tea.Cmd {
				use(t.Choose(name, sc.look.Options))
				return say(sc.tell(words.BoardTheme(sc.look.Theme.Name)))
			},
			Preview: func() func() {
				o, back := t.Preview(name, sc.look.Options)
				use(o)
				return func() { use(back()) }
			},
		})
	}
	return out
}

// languageCommands returns the palette commands for selecting a language. They call use to draw the board
// with changed options, and say to show a message in the footer.
func languageCommands(sc *scene, use func(style.Options), say func(string) tea.Cmd) []dialog.Command {
	var out []dialog.Command
	for _, tag := range words.Offered.Tags() {
		name, review := words.Offered.Describe(tag)
		before := sc.look.Options
		choose := func() *words.Language {
			o := before
			o.Words, _ = words.Offered.Lookup(tag) // parses the language, so not before it is chosen
			use(o)
			return o.Words
		}
		out = append(out, dialog.Command{
			Name: words.LanguageCommand(name, review).In(before.Words), Keywords: words.LanguageKeywords(tag).In(before.Words),
			Run: func() tea.Cmd {
				return say(words.LanguageChosen(name).In(choose()))
			},
			Preview: func() func() {
				choose()
				return func() { use(before) }
			},
		})
	}
	return out
}

// snoozeCommands returns the palette commands for snoozes. selected holds the alerts about the
// selected record. During a replay it returns nil, because alerts cannot be snoozed then.
func snoozeCommands(dialogs *dialog.Stack, sc *scene, selected []alert.Alert, snooze key.Binding) []dialog.Command {
	if sc.floor.Replay {
		return nil
	}
	out := setGroup(groupBoard, sc.alerts.SnoozeCommands(dialogs, selected, sc.Actions.User, snooze))
	if len(selected) > 0 {
		out[0].Group = groupHere // the other commands do not depend on the selection
	}
	return out
}

// Groups of commands in the palette.
const (
	groupHere  = "here"
	groupTable = "table"
	groupGo    = "go"
	groupBoard = "board"
	groupAct   = "act"
	groupOpen  = "open"
)

// commandGroups returns the groups of commands, in the order of the palette.
func commandGroups() []string {
	return []string{groupHere, groupTable, groupGo, groupBoard, groupAct, groupOpen}
}

// groupTitle returns the title of a group of commands.
func groupTitle(group string) words.Text {
	switch group {
	case groupHere:
		return words.BoardGroupHere()
	case groupTable:
		return words.BoardGroupTable()
	case groupGo:
		return words.BoardGroupGo()
	case groupBoard:
		return words.BoardGroupBoard()
	case groupAct:
		return words.BoardGroupAct()
	}
	return words.BoardGroupOpen()
}

// setGroup sets the group of each command in list and returns list.
func setGroup(group string, list []dialog.Command) []dialog.Command {
	for i := range list {
		list[i].Group = group
	}
	return list
}

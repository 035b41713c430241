package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/history"
	"wallboard/ui/keymap"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
)

func (m *Model) openPalette() tea.Cmd {
	m.mode = modePalette
	return m.palette.Open(m.commands(), func(line string) []dialog.Command {
		board := m.scene.archive(m.replay)
		return slices.Concat(
			board.ParseRewind(line, m.say), board.ParseTry(m.dialogs, line), m.scene.comparison.ParseCompare(line, board, m.say),
			m.scene.otherViewers.ParseCommand(line), m.scene.notes().ParseCommand(line, m.scene.look.Zone(), m.say),
			m.scene.tolerances().ParseCommand(line, m.scene.look.Zone(), m.say), m.scene.alerts.ParseSnooze(m.dialogs, line, m.alertHandler.selectedAlerts(), m.scene.User),
		)
	})
}

// handleChoice handles the result of a key or a click in the palette. It runs the chosen command;
// if there is none, it returns cmd.
func (m *Model) handleChoice(cmd tea.Cmd, c dialog.PaletteResult) tea.Cmd {
	if c.Closed {
		m.mode = modeBoard
	}
	if c.Run != nil {
		return c.Run()
	}
	return cmd
}

// commands returns all commands of the palette that are available now, sorted by group.
func (m *Model) commands() []dialog.Command {
	out := setGroup(groupGo, slices.Concat(m.pages.commands(), m.scene.platforms.commands(&m.keys.NextPlatform, m.scene)))
	group := groupGo
	add := func(name string, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: name, Run: run, Group: group})
	}
	keyed := func(name string, b key.Binding, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: name, Run: run, Key: b.Help().Key, Group: group})
	}
	k, board := m.keys, m.scene.archive(m.replay)
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd { f(); return nil }
	}
	for _, ch := range m.scene.floor.Channels() {
		add("channel "+strings.ToLower(phrases.ChannelName(ch)), do(func() { m.scene.floor.SetChannel(ch) }))
	}
	out = append(out, setGroup(groupTable, m.pages.tableCommands(k, &m.filter, func(pane *panes.RecordTable) tea.Cmd {
		return dialogs.OpenColumns(m.dialogs, pane, m.scene.Tables)
	}, func(pane *panes.RecordTable) tea.Cmd { return togglePin(pane, m.scene.Tables, m.say) }))...)
	group = groupHere
	if len(m.alertHandler.selectedAlerts()) > 0 {
		keyed("why, and what helps", k.Why, m.alertHandler.askWhy)
		if !m.scene.floor.Replay {
			keyed("take over an alert", k.Alert.TakeOver, m.alertHandler.takeOver)
			out[len(out)-1].Keywords = "note acknowledge mine"
		}
	}
	out = append(out, setGroup(groupHere, m.alertHandler.clipboard(m.say).commands(k.Rows.Copy, m.pages.currentPage().Focused(), m.pages.situation(m.scene.paneScene())))...)
	out = append(out, setGroup(groupHere, board.BacktestCommands(m.dialogs, m.alertHandler.selectedAlerts()))...)
	out = append(out, snoozeCommands(m.dialogs, m.scene, m.alertHandler.selectedAlerts(), k.Alert.Snooze)...)
	group = groupBoard
	keyed("chart of the last hours", k.Chart, m.alertHandler.openChart)
	keyed("shift handover", k.Handover, func() tea.Cmd { return m.scene.openHandover(m.dialogs, m.replay) })
	if m.scene.History != nil {
		keyed("what is usual by now", k.Baseline, func() tea.Cmd { return m.scene.baseline.Open(m.dialogs, m.scene.restOfDay) })
		out[len(out)-1].Keywords = "forecast typical normal expected"
		out = append(out, setGroup(groupBoard, history.Commands(m.pages.showHistory))...)
	}
	out = append(out, setGroup(groupBoard, slices.Concat(
		board.RewindCommands(&k.Rewind), board.IncidentCommands(&k.Rewind, m.dialogs, m.alertHandler.selectedAlerts(), m.alertHandler.review(m.replay)),
		m.scene.comparison.Commands(&k.Rewind, board, m.say),
		board.SimilarCommands(m.dialogs, m.pages.chartSubject(m.scene.paneScene())), board.RuleReportCommands(m.dialogs),
		m.scene.otherViewers.Commands(m.say), m.scene.notes().Commands(m.say), m.scene.tolerances().Commands(m.say),
	))...)
	keyed(map[bool]string{true: "freeze", false: "resume"}[m.scene.floor.FrozenAt.IsZero()], k.Freeze, m.freeze)
	out = append(out, setGroup(groupBoard, m.themer.commands(m.useTheme, m.restyle))...)
	if m.scene.Reconnect != nil {
		keyed("try to connect now", k.Reconnect, func() tea.Cmd { return m.scene.reconnect(m.say) })
	}
	if m.scene.Controller != nil && !m.pages.onSites() {
		onTarget, anywhere := m.actions.Commands(m.pages.selectedTarget(&m.scene.floor))
		out = append(append(out, setGroup(groupHere, onTarget)...), setGroup(groupAct, anywhere)...)
	}
	out = append(out, setGroup(groupHere, m.pages.launcher(m.scene).commands())...)
	keyed("help", k.Help, do(func() { m.mode, m.help = modeHelp, keymap.Help{} }))
	keyed("quit", k.Quit, func() tea.Cmd { return askQuit(m.dialogs, m.actions, m.scene.platforms) })
	out = append(out, setGroup(groupOpen, openCommands(&m.scene.floor, &m.scene.requests))...)
	slices.SortStableFunc(out, func(a, b dialog.Command) int {
		return slices.Index(groupTitles(), a.Group) - slices.Index(groupTitles(), b.Group)
	})
	return out
}

// snoozeCommands returns the palette's commands for snoozes. It returns none during a replay, where
// alerts are silent. selected holds the alerts about the selected record.
func snoozeCommands(dialogs *dialog.Stack, sc *scene, selected []alert.Alert, snooze key.Binding) []dialog.Command {
	if sc.floor.Replay {
		return nil
	}
	out := setGroup(groupBoard, sc.alerts.SnoozeCommands(dialogs, selected, sc.User, snooze))
	if len(selected) > 0 {
		out[0].Group = groupHere // the other commands do not depend on the selection
	}
	return out
}

// tableCommands returns the palette's commands for the focused table. choose opens the choice of
// columns, and pin pins the selected row.
func (p *pages) tableCommands(k *keymap.Map, f *filter, choose, pin func(*panes.RecordTable) tea.Cmd) []dialog.Command {
	pane := p.currentPage().Focused()
	if pane == nil {
		return nil
	}
	now := func(run func()) func() tea.Cmd {
		return func() tea.Cmd { run(); return nil }
	}
	var out []dialog.Command
	for _, c := range pane.Rows.Columns() {
		if !c.NoSort {
			out = append(out, dialog.Command{Name: "sort by " + strings.ToLower(c.Title), Run: now(func() { pane.SortBy(c.ID, c.SortDescending) })})
		}
	}
	if pane.HasAlerts {
		out = append(out, dialog.Command{Name: "only what has an alert", Keywords: "over limit trouble red", Key: k.Rows.OnlyAlerts.Help().Key, Run: now(func() { pane.ToggleOnlyAlerts() })})
	}
	if pane.CanGroup() {
		out = append(out,
			dialog.Command{Name: "group the agents by group, state or profile", Keywords: "team", Key: k.Rows.Group.Help().Key, Run: now(pane.NextGrouping)},
			dialog.Command{Name: "fold all groups", Keywords: "unfold", Key: k.Rows.FoldAll.Help().Key, Run: now(func() { pane.ToggleFold(true) })},
		)
	}
	return append(out,
		dialog.Command{Name: "pin the row to the top, or unpin it", Keywords: "favourite bookmark", Key: k.Rows.Pin.Help().Key, Run: func() tea.Cmd { return pin(pane) }},
		dialog.Command{Name: "choose the columns", Key: k.Rows.Columns.Help().Key, Run: func() tea.Cmd { return choose(pane) }},
		dialog.Command{Name: "sort reverse", Key: k.Rows.Reverse.Help().Key, Run: now(pane.SortReverse)},
		dialog.Command{Name: "filter", Key: k.Filter.Help().Key, Run: func() tea.Cmd { return f.open(pane) }},
	)
}

// The titles of the groups of commands in the palette.
const (
	groupHere  = "What is selected"
	groupTable = "This table"
	groupGo    = "Go to"
	groupBoard = "The board"
	groupAct   = "The platform"
	groupOpen  = "Open"
)

// groupTitles returns the titles of the groups of commands, in the order of the palette.
func groupTitles() []string {
	return []string{groupHere, groupTable, groupGo, groupBoard, groupAct, groupOpen}
}

// setGroup sets the group of all commands in list and returns list.
func setGroup(group string, list []dialog.Command) []dialog.Command {
	for i := range list {
		list[i].Group = group
	}
	return list
}

// openCommands returns a command for each service, group, agent and campaign. The command opens the
// detail page of the record.
func openCommands(v *snapshot.View, requests *dialog.MsgQueue) []dialog.Command {
	s, names := v.Shown, v.Names
	if s == nil {
		return nil
	}
	found := map[string]panes.OpenMsg{}
	note := func(word string, k snapshot.RecordKind, id, name string) {
		label := word + " " + name
		if name != id {
			label += " (" + id + ")"
		}
		found[label] = panes.OpenMsg{Kind: k, Key: id}
	}
	for r := range s.Services.All() {
		note("service", snapshot.Service, r.Key().Code, names.Of(model.NameService, r.Key().Code))
	}
	for r := range s.Groups.All() {
		note("group", snapshot.Group, r.Key().Code, names.Of(model.NameGroup, r.Key().Code))
	}
	for r := range s.Users.All() {
		note("agent", snapshot.Agent, r.Key(), v.AgentName(r.Key()))
	}
	for r := range s.Campaigns.All() {
		id := itoa(int(r.Key()))
		note("campaign", snapshot.Campaign, id, names.OfCampaign(r))
	}
	out := make([]dialog.Command, 0, len(found))
	for label, msg := range found {
		out = append(out, dialog.Command{Name: label, Run: func() tea.Cmd { requests.Add(msg); return nil }, Keywords: "open show search find"})
	}
	slices.SortFunc(out, func(a, b dialog.Command) int { return strings.Compare(a.Name, b.Name) })
	return out
}

package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/history"
	"wallboard/ui/palette"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

func (m *Model) openPalette() tea.Cmd {
	m.mode = modePalette
	return m.palette.Open(m.commands(), func(line string) []palette.Command {
		return m.scene.alerts.Typed(m.dialogs, line, m.here(), m.scene.User)
	})
}

// here are the alerts about what the viewer points at.
func (m *Model) here() []alert.Alert { return m.pages.alerts(m.scene.panes(), m.scene.alerts) }

// fromPalette goes on when the palette has been typed into or clicked.
func (m *Model) fromPalette(cmd tea.Cmd, c palette.Choice) tea.Cmd {
	if c.Closed {
		m.mode = modeBoard
	}
	if c.Run != nil {
		return c.Run()
	}
	return cmd
}

// commands returns everything there is now; agents and services come and go.
func (m *Model) commands() []palette.Command {
	out := m.pages.commands()
	add := func(name string, run func() tea.Cmd) { out = append(out, palette.Command{Name: name, Run: run}) }
	keyed := func(name string, b key.Binding, run func() tea.Cmd) {
		out = append(out, palette.Command{Name: name, Run: run, Key: b.Help().Key})
	}
	k := m.keys
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd { f(); return nil }
	}
	for _, ch := range m.scene.floor.Channels() {
		add("channel "+strings.ToLower(render.ChannelName(ch)), do(func() {
			m.scene.floor.Choose(ch)
		}))
	}
	if pane := m.pages.page().Focused(); pane != nil {
		for _, c := range pane.Rows.Columns() {
			if !c.NoSort {
				add("sort by "+strings.ToLower(c.Title), do(func() { pane.SortBy(c.ID, c.Desc) }))
			}
		}
		keyed("sort reverse", k.Reverse, do(func() { pane.SortReverse() }))
		keyed("filter", k.Filter, func() tea.Cmd { return m.filter.open(pane) })
	}
	if len(m.here()) > 0 {
		keyed("why is it red", k.Why, m.askWhy)
		keyed("take over an alert", k.Alert.TakeOver, m.takeOver)
	}
	out = append(out, m.scene.alerts.Commands(m.dialogs, m.here(), m.scene.User)...)
	keyed("chart of the last hours", k.Trend, m.openChart)
	keyed("shift handover", k.Handover, m.openHandover)
	if m.scene.History != nil {
		keyed("what is usual by now", k.Baseline, func() tea.Cmd { return m.scene.baseline.Open(m.dialogs) })
		out = append(out, history.Commands(m.pages.history)...)
	}
	freeze := "freeze"
	if !m.scene.floor.Frozen.IsZero() {
		freeze = "resume"
	}
	keyed(freeze, k.Freeze, m.freeze)
	for _, name := range m.themer.names() {
		out = append(out, palette.Command{
			Name: "theme " + name, Also: "colours colors", Run: func() tea.Cmd { return m.useTheme(name) },
			Try: func() func() { return m.themer.try(name, m.restyle) },
		})
	}
	if m.scene.Retry != nil {
		keyed("try to connect now", k.Retry, m.retry)
	}
	if m.scene.Controller != nil {
		out = append(out, m.actions.Commands(m.pages.target(&m.scene.floor))...)
	}
	keyed("help", k.Help, do(func() { m.mode, m.help = modeHelp, help{} }))
	keyed("quit", k.Quit, func() tea.Cmd { return askQuit(m.dialogs, m.actions) })
	return append(out, openable(m.scene.floor.Shown, m.scene.Names)...)
}

// openable returns a command for everything that can be opened by its name.
func openable(s *model.Snapshot, names model.Names) []palette.Command {
	if s == nil {
		return nil
	}
	found := map[string]panes.OpenMsg{}
	note := func(word string, k floor.Kind, id, name string) {
		label := word + " " + name
		if name != id {
			label += " (" + id + ")"
		}
		found[label] = panes.OpenMsg{Kind: k, Key: id}
	}
	for r := range s.Services.All() {
		note("service", floor.Service, r.Key().Code, names.Of(model.NameService, r.Key().Code))
	}
	for r := range s.Groups.All() {
		note("group", floor.Group, r.Key().Code, names.Of(model.NameGroup, r.Key().Code))
	}
	for r := range s.Users.All() {
		note("agent", floor.Agent, r.Key(), names.Of(model.NameUser, floor.FullName(r, r.Key())))
	}
	for r := range s.Campaigns.All() {
		id := itoa(int(r.Key()))
		note("campaign", floor.Campaign, id, names.Of(model.NameCampaign, id))
	}
	out := make([]palette.Command, 0, len(found))
	for label, msg := range found {
		out = append(out, palette.Command{Name: label, Run: func() tea.Cmd { return func() tea.Msg { return msg } }, Also: "open show search find"})
	}
	slices.SortFunc(out, func(a, b palette.Command) int { return strings.Compare(a.Name, b.Name) })
	return out
}

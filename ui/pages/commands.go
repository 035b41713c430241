package pages

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
)

// TableCommands returns the palette commands for the focused table. choose opens the dialog for
// choosing columns. pin pins the selected row.
func (p *Set) TableCommands(k *KeyMap, f *FilterPrompt, choose, pin func(*panes.RecordTable) tea.Cmd) []dialog.Command {
	pane := p.CurrentPage().Focused()
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
		out = append(out, dialog.Command{Name: "only rows with alerts", Keywords: "over limit trouble red only what has an alert", Key: k.Rows.OnlyAlerts.Help().Key, Run: now(func() { pane.ToggleOnlyAlerts() })})
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
		dialog.Command{Name: "filter", Key: k.Filter.Help().Key, Run: func() tea.Cmd { return f.Open(pane) }},
	)
}

// OpenCommands returns the palette commands that open the detail pages: one for each service,
// group, agent and campaign.
func OpenCommands(v *snapshot.View, requests *dialog.MsgQueue) []dialog.Command {
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
		id := strconv.Itoa(int(r.Key()))
		note("campaign", snapshot.Campaign, id, names.OfCampaign(r))
	}
	out := make([]dialog.Command, 0, len(found))
	for label, msg := range found {
		out = append(out, dialog.Command{Name: label, Run: func() tea.Cmd { requests.Add(msg); return nil }, Keywords: "open show search find"})
	}
	slices.SortFunc(out, func(a, b dialog.Command) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Commands returns the palette commands that open pages.
func (p *Set) Commands() []dialog.Command {
	out := make([]dialog.Command, 0, len(p.specs))
	showBreaks := func(page ID, focused int) func() tea.Cmd {
		return func() tea.Cmd {
			p.Show(page)
			if b, ok := p.Page(page).(*BreaksPage); ok {
				b.tables.Focus(focused)
			}
			return nil
		}
	}
	for i, spec := range p.specs {
		out = append(out, dialog.Command{Name: "page " + strings.ToLower(spec.Name), Keywords: keywords(spec), Key: p.keys[i], Run: func() tea.Cmd {
			p.Show(ID(i))
			return nil
		}})
		if spec.Builtin == BreaksName {
			out = append(out,
				dialog.Command{Name: "release planner: when breaks are cheapest", Keywords: "lunch half hour send agents", Run: showBreaks(ID(i), onBreakNow)},
				dialog.Command{Name: "who can leave, who can go", Keywords: "release spare now", Run: showBreaks(ID(i), canLeaveTable)})
		}
	}
	return out
}

// keywords returns the keywords by which the palette finds a standard page.
func keywords(spec panes.PageSpec) string {
	page, ok := FindStandard(spec.Builtin)
	if !ok {
		return ""
	}
	return map[ID]string{
		Overview:   "start home summary forecast target",
		Services:   "queues target sl sla waiting callers abandoned lines",
		Groups:     "skills teams",
		Agents:     "training people staff who wrap-up",
		Campaigns:  "dialer outbound",
		Attendants: "operators switchboard",
		Situations: "alerts trouble problems today note target",
		History:    "yesterday report past statistics",
		Feed:       "connection health",
		Wall:       "screen tv big forecast",
		Breaks:     "break lunch pause absent over allowed late",
	}[page]
}

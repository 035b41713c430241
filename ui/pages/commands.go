package pages

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
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
	l := p.floor.Words
	for _, c := range pane.Rows.Columns() {
		if !c.NoSort {
			out = append(out, dialog.Command{Name: words.PageCommandSort(c.Title).In(l), Run: now(func() { pane.SortBy(c.ID, c.SortDescending) })})
		}
	}
	if pane.HasAlerts {
		out = append(out, dialog.Command{Name: words.PageCommandAlerts().In(l), Keywords: words.PageKeywordsAlerts().In(l), Key: k.Rows.OnlyAlerts.Help().Key, Run: now(func() { pane.ToggleOnlyAlerts() })})
	}
	if pane.CanGroup() {
		out = append(out,
			dialog.Command{Name: words.PageCommandGroup().In(l), Keywords: words.PageKeywordsGroup().In(l), Key: k.Rows.Group.Help().Key, Run: now(pane.NextGrouping)},
			dialog.Command{Name: words.KeysFoldAll().In(l), Keywords: words.PageKeywordsFold().In(l), Key: k.Rows.FoldAll.Help().Key, Run: now(func() { pane.ToggleFold(true) })},
		)
	}
	return append(out,
		dialog.Command{Name: words.PageCommandPin().In(l), Keywords: words.PageKeywordsPin().In(l), Key: k.Rows.Pin.Help().Key, Run: func() tea.Cmd { return pin(pane) }},
		dialog.Command{Name: words.KeysColumns().In(l), Key: k.Rows.Columns.Help().Key, Run: func() tea.Cmd { return choose(pane) }},
		dialog.Command{Name: words.PageCommandReverse().In(l), Key: k.Rows.Reverse.Help().Key, Run: now(pane.SortReverse)},
		dialog.Command{Name: words.PageCommandFilter().In(l), Key: k.Filter.Help().Key, Run: func() tea.Cmd { return f.Open(pane) }},
	)
}

// OpenCommands returns the palette commands that open the detail pages: one for each service,
// group, agent and campaign.
func OpenCommands(v *floorview.View, requests *dialog.MsgQueue) []dialog.Command {
	s, names := v.Shown, v.Names
	if s == nil {
		return nil
	}
	found := map[string]panes.OpenMsg{}
	note := func(label func(string) words.Text, k floorview.RecordKind, id, name string) {
		if name != id {
			name += " (" + id + ")"
		}
		found[label(name).In(v.Words)] = panes.OpenMsg{Kind: k, Key: id}
	}
	for r := range s.Services.All() {
		note(words.PageCommandService, floorview.Service, r.Key().Code, names.NameOf(model.NameService, r.Key().Code))
	}
	for r := range s.Groups.All() {
		note(words.PageCommandGroupNamed, floorview.Group, r.Key().Code, names.NameOf(model.NameGroup, r.Key().Code))
	}
	for r := range s.Users.All() {
		note(words.PageCommandAgent, floorview.Agent, r.Key(), v.AgentName(r.Key()))
	}
	for r := range s.Campaigns.All() {
		id := strconv.Itoa(int(r.Key()))
		note(words.PageCommandCampaign, floorview.Campaign, id, names.CampaignName(r))
	}
	out, keywords := make([]dialog.Command, 0, len(found)), words.PageKeywordsOpen().In(v.Words)
	for label, msg := range found {
		out = append(out, dialog.Command{Name: label, Run: func() tea.Cmd { requests.Add(msg); return nil }, Keywords: keywords})
	}
	slices.SortFunc(out, func(a, b dialog.Command) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Commands returns the palette commands that open pages.
func (p *Set) Commands() []dialog.Command {
	out, l := make([]dialog.Command, 0, len(p.specs)), p.floor.Words
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
		out = append(out, dialog.Command{Name: words.PageCommandPage(titleOf(spec)).In(l), Keywords: keywords(spec).In(l), Key: p.keys[i], Run: func() tea.Cmd {
			p.Show(ID(i))
			return nil
		}})
		if spec.Builtin == BreaksName {
			out = append(out,
				dialog.Command{Name: words.PageCommandPlanner().In(l), Keywords: words.PageKeywordsPlanner().In(l), Run: showBreaks(ID(i), onBreakTable)},
				dialog.Command{Name: words.PageCommandWhoCanLeave().In(l), Keywords: words.PageKeywordsWhoCanLeave().In(l), Run: showBreaks(ID(i), leaveTable)})
		}
	}
	return out
}

// keywords returns the keywords by which the palette finds a standard page.
func keywords(spec panes.PageSpec) words.Text {
	page, ok := FindStandard(spec.Builtin)
	if !ok {
		return words.Text{}
	}
	return [...]func() words.Text{
		words.PageKeywordsOverview, words.PageKeywordsServices, words.PageKeywordsGroups, words.PageKeywordsAgents, words.PageKeywordsCampaigns,
		words.PageKeywordsAttendants, words.PageKeywordsSituations, words.PageKeywordsHistory, words.PageKeywordsFeed, words.PageKeywordsWall, words.PageKeywordsBreaks,
	}[page]()
}

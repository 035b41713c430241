package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/ui/render"
)

// tablePart is a table as a part of a page.
type tablePart struct {
	*pane
	name string
}

var _ part = (*tablePart)(nil)

// newTablePart makes the table's rows those of its spec.
func newTablePart(_ *scene, name string, p *pane, spec PaneSpec) *tablePart {
	p.setFilter("")
	id, desc := spec.Sort, false
	if id == "" {
		now, _ := p.table.Sort()
		if now != "" || len(spec.Columns) == 0 {
			return &tablePart{p, name}
		}
		id = spec.Columns[0] // the order of the standard page is by a column that is not there
	}
	for _, c := range p.rows.Columns() {
		if c.ID == id {
			desc = c.Desc
		}
	}
	if spec.Descending != nil {
		desc = *spec.Descending
	}
	p.sortBy(id, desc)
	return &tablePart{p, name}
}

// on applies to a pane what its spec says about its rows.
func (s *PaneSpec) on(p pane) pane {
	p.channel, p.fixed = s.Channel, s.Filter
	p.rows.Pick(s.Columns...)
	k := render.Keep{Site: s.Site}
	switch p.noun {
	case "agents":
		k.Services, k.Groups = s.Services, s.Groups
	case "services", "attendants":
		k.Codes = s.Services
	case "groups":
		k.Codes = s.Groups
	case "campaigns":
		k.Codes = s.Campaigns
	}
	if k.Site != 0 || len(k.Codes)+len(k.Services)+len(k.Groups) > 0 {
		p.keep = &k
	}
	return p
}

func (t *tablePart) title(*scene) string { return t.name }

func (t *tablePart) subs() []string { return t.pane.subs }

func (t *tablePart) update(_ *scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		if click.Button != tea.MouseLeft {
			return nil
		}
		cmd, _ := t.click(click.X, click.Y)
		return cmd
	}
	return t.table.Update(msg)
}

func (t *tablePart) press(*scene, tea.KeyPressMsg) (tea.Cmd, bool) { return nil, false }

// want is the titles and two rows at least: one row alone cannot be told from
// a line of text.
func (t *tablePart) want(*scene, int) room { return room{width: 24, least: 3, wanted: 6} }

func (t *tablePart) listens() bool { return true }

func (t *tablePart) focus(on bool) {
	if on {
		t.table.Focus()
	} else {
		t.table.Blur()
	}
}

func (t *tablePart) focused() *pane { return t.pane }

func (t *tablePart) flashing() bool { return t.table.Flashing() }

// tableKinds are the kinds of panes that are tables.
func tableKinds() []paneKind {
	rows := []string{"filter", "columns", "sort", "descending"}
	with := func(more ...string) []string { return append(slices.Clone(rows), more...) }
	return []paneKind{
		{
			name: "services", takes: with("channel", "services"), scope: alert.Service,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Services", servicesPane(sc, s), s) },
		},
		{
			name: "groups", takes: with("channel", "groups"), scope: alert.Group,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Groups", groupsPane(sc, s), s) },
		},
		{
			name: "agents", takes: with("channel", "services", "groups", "site"), scope: alert.User,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Agents", agentsPane(sc, s, "", ""), s) },
		},
		{
			name: "campaigns", takes: with("campaigns"), scope: alert.Campaign,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Campaigns", campaignsPane(sc, s), s) },
		},
		{
			name: "attendants", takes: with("channel", "services"),
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Attendants", attendantsPane(sc, s), s) },
		},
		{
			name: "operators", takes: with("channel", "site"),
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Operators", operatorsPane(sc, s), s) },
		},
		{
			name: "alerts", takes: rows,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Alerts", alertsPane(sc, s), s) },
		},
		{
			name: "feed", takes: rows,
			make: func(sc *scene, s PaneSpec) part { return newTablePart(sc, "Feed", feedPane(sc, s), s) },
		},
	}
}

package panes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

type tablePane struct {
	*RecordTable
	name     words.Text
	fitsRows bool // the table takes no more lines than it has rows
}

// newTablePane returns a pane with the table p, sorted and grouped according to spec.
func newTablePane(name words.Text, p *RecordTable, spec PaneSpec) *tablePane {
	p.SetFilter("")
	p.groupBy(floorview.GroupingCriterion(spec.GroupBy))
	id, desc := spec.Sort, false
	if id == "" {
		current, _ := p.Table.Sort()
		if current != "" || len(spec.Columns) == 0 {
			return &tablePane{RecordTable: p, name: name, fitsRows: spec.role.fitsRows}
		}
		id = spec.Columns[0] // the default sort column is not among the configured columns
	}
	for _, c := range p.Rows.Columns() {
		if c.ID == id {
			desc = c.SortDescending
		}
	}
	if spec.Descending != nil {
		desc = *spec.Descending
	}
	p.SortBy(id, desc)
	return &tablePane{RecordTable: p, name: name, fitsRows: spec.role.fitsRows}
}

// withRowSettings returns a copy of p with the settings of the spec for rows and columns.
func (s *PaneSpec) withRowSettings(p RecordTable) RecordTable {
	p.channel, p.configuredFilter = s.Channel, s.Filter
	p.Rows.Pick(s.Columns...)
	p.layout.columns = s.Columns
	k := render.Restriction{Site: s.Site}
	switch p.Noun {
	case "agents":
		k.Services, k.Groups = s.Services, s.Groups
	case "services", "attendants":
		k.RecordCodes = s.Services
	case "groups":
		k.RecordCodes = s.Groups
	case "campaigns":
		k.RecordCodes = s.Campaigns
	}
	if k.Site != 0 || len(k.RecordCodes)+len(k.Services)+len(k.Groups) > 0 {
		p.restriction = &k
	}
	return p
}

func (t *tablePane) title(sc *Scene) string { return sc.translate(t.name) }

func (t *tablePane) subscriptions() []model.Op { return t.subs }

func (t *tablePane) Update(_ *Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		if click.Button == tea.MouseLeft {
			t.click(click.X, click.Y)
		}
		return nil
	}
	t.Table.Update(msg)
	return nil
}

// SizeHint implements [Pane]. It wants room for the column titles and at least two rows, because a
// single row would look like a line of text.
func (t *tablePane) SizeHint(*Scene, int) frame.SizeHint {
	room := frame.SizeHint{MinWidth: 24, MinHeight: 3, WantedHeight: 6}
	if t.fitsRows {
		_, _, rows := t.Table.Position()
		total := max(rows+1, room.MinHeight)
		room.UsefulHeights = []int{room.MinHeight, min(room.WantedHeight, total), total}
	}
	return room
}

func (t *tablePane) Refresh(sc *Scene) { t.refresh(sc) }

func (t *tablePane) View(sc *Scene, x, y, w, h int) []string {
	return drawMain(t, sc, x, y, w, h, t.status)
}

// drawMain draws the table as the main part of its page. On a large screen, it is in a frame with
// the key of the page, the keys of the table and a status, otherwise below the title of the page.
func drawMain(t *tablePane, sc *Scene, x, y, w, h int, status func(*Scene) style.HeadingStatus) []string {
	if !sc.HasFrames {
		return style.FillLines(t.view(sc, x, y, w, h), w, h)
	}
	inner := sc.InnerArea(x, y, w, h)
	rows := t.view(sc, inner.X, inner.Y, inner.W, inner.H)
	title := sc.translate(t.name)
	part := style.PartFrame{Key: sc.KeyHints.Pages[title], Title: title, Status: status(sc), Hints: sc.KeyHints.forTable(t.RecordTable), OnlyPart: true}
	if t.channel != "" {
		part.Status.Prepend(sc.translate(words.ChannelName(t.channel)), " "+sc.Look.Glyphs.Dot+" ")
	}
	return t.screenPosition.frame.DrawFramed(sc.Look, w, h, part, rows)
}

func (t *tablePane) tables() []*RecordTable { return []*RecordTable{t.RecordTable} }

func (t *tablePane) focused() *RecordTable { return t.RecordTable }

func (t *tablePane) OnlyTable() *RecordTable { return t.RecordTable }

func tableKinds() []paneKind {
	rows := []string{"filter", "columns", "sort", "descending"}
	with := func(more ...string) []string { return append(slices.Clone(rows), more...) }
	return []paneKind{
		{
			name: "services", settings: with("channel", "services"), scope: alert.Service,
			make: func(sc *Scene, s PaneSpec) Pane {
				return newTablePane(words.PageServices(), servicesTable(sc, s), s)
			},
		},
		{
			name: "groups", settings: with("channel", "groups"), scope: alert.Group,
			make: func(sc *Scene, s PaneSpec) Pane { return newTablePane(words.PageGroups(), groupsTable(sc, s), s) },
		},
		{
			name: "agents", settings: with("channel", "services", "groups", "site", "by"), scope: alert.User,
			make: func(sc *Scene, s PaneSpec) Pane {
				return newTablePane(words.PageAgents(), agentsTable(sc, s, "", ""), s)
			},
		},
		{
			name: "campaigns", settings: with("campaigns"), scope: alert.Campaign,
			make: func(sc *Scene, s PaneSpec) Pane {
				return newTablePane(words.PageCampaigns(), campaignsTable(sc, s), s)
			},
		},
		{
			name: "attendants", settings: with("channel", "services"),
			make: func(sc *Scene, s PaneSpec) Pane {
				return newTablePane(words.PageAttendants(), attendantsTable(sc, s), s)
			},
		},
		{
			name: "operators", settings: with("channel", "site"),
			make: func(sc *Scene, s PaneSpec) Pane {
				return newTablePane(words.PaneOperators(), operatorsTable(sc, s), s)
			},
		},
		{
			name: "alerts", settings: rows,
			make: func(sc *Scene, s PaneSpec) Pane { return newTablePane(words.PaneAlerts(), alertsTable(sc, s), s) },
		},
		{
			name: "feed", settings: rows,
			make: func(sc *Scene, s PaneSpec) Pane { return newTablePane(words.PageFeed(), feedTable(sc, s), s) },
		},
	}
}

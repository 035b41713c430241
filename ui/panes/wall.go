package panes

const wallName = "Wall"

// wallPage is the standard page for a screen on the wall: what a passer-by must see
// from some metres away. With nobody at it services are cards, agents a strip below them,
// and what only somebody can read who stands before it is left out, as is what the ticker
// says.
func wallPage() PageSpec {
	return PageSpec{Name: wallName, Rows: []RowSpec{
		{Panes: []PaneSpec{{Kind: "now", role: role{near: true}}}}, // what needs a person, in sentences
		{Panes: []PaneSpec{{Kind: "tiles", role: role{afar: true}}}},
		{Weight: 2, Panes: []PaneSpec{
			{Kind: "services", Title: "Services", Weight: 3, Priority: 2, role: role{afar: true}},
			{Kind: "map", Weight: 2, Priority: 3, role: role{near: true}},
		}},
		{Panes: []PaneSpec{{Kind: "map", Priority: 3, role: role{wall: true}}}},
		{Panes: []PaneSpec{
			{ // what is wrong, and where, before anything else: without for how long
				Kind: "alerts", Weight: 3, Priority: 4, role: role{near: true},
				Columns: []string{"state", "rule", "name", "channel", "value", "since", "text", "by"},
			},
			{Kind: "chart", Weight: 2, Priority: 5, role: role{near: true}},
		}},
	}}
}

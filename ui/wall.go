package ui

// wallPage is the standard page for a screen on the wall: what a passer-by must
// see from some metres away.
func wallPage() PageSpec {
	return PageSpec{Name: pageWall.String(), Rows: []RowSpec{
		{Weight: 2, Panes: []PaneSpec{
			{Kind: "services", Weight: 3},
			{Kind: "agents", Weight: 2, Priority: 3},
		}},
		{Panes: []PaneSpec{
			{Kind: "alerts", Priority: 2},
		}},
	}}
}

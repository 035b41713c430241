package panes

import "wallboard/internal/words"

const wallName = "Wall"

// wallPage returns the spec of the standard page Wall, which is read from a distance. On a board
// without an operator, the page shows services as cards and the agents as a strip below the cards.
// Such a board omits parts with small text, and parts that the ticker also shows.
func wallPage() PageSpec {
	return PageSpec{Name: wallName, title: words.PageWall(), Rows: []RowSpec{
		{Panes: []PaneSpec{{Kind: "now", role: paneRole{interactiveOnly: true}}}}, // describes situations in sentences
		{Panes: []PaneSpec{{Kind: "tiles", role: paneRole{usesLargeFigures: true}}}},
		{Weight: 2, Panes: []PaneSpec{
			{Kind: "services", Weight: 3, Priority: 2, role: paneRole{usesLargeFigures: true}},
			{Kind: "map", Weight: 2, Priority: 3, role: paneRole{interactiveOnly: true}},
		}},
		{Panes: []PaneSpec{{Kind: "map", Priority: 3, role: paneRole{wallOnly: true}}}},
		{Panes: []PaneSpec{
			{Kind: "situations", Weight: 3, Priority: 4, role: paneRole{interactiveOnly: true}},
			{Kind: "chart", Weight: 2, Priority: 5, role: paneRole{interactiveOnly: true}},
		}},
	}}
}

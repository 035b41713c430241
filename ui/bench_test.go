package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/panes"
)

// benchFloors returns n snapshots in each of which some agents have changed.
func benchFloors(f *testFloor, n int, change func(step int)) []*model.Snapshot {
	out := make([]*model.Snapshot, n)
	for step := range out {
		change(step)
		out[step] = f.publish()
	}
	return out
}

// step shows a snapshot, a tenth of a second after the previous one.
func (b *board) step(i int, s *model.Snapshot) {
	b.scene.floor.Newest, b.scene.floor.Shown = s, s
	b.scene.floor.LocalNow = startTime().Add(time.Duration(i%10) * 100 * time.Millisecond)
	b.painter.paint()
}

func benchDraw(b *testing.B, board *board, pictures []*model.Snapshot) {
	var handed []byte // copy of the frame, as made by the code that writes it to the terminal
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		board.step(i, pictures[i%len(pictures)])
		handed = append(handed[:0], board.Frame()...)
	}
}

// BenchmarkOverview draws the overview of a large floor.
func BenchmarkOverview(b *testing.B) {
	f := newTestFloor(5000)
	board := newBoardOn(b, f, 200, 60)
	pictures := benchFloors(f, 32, func(step int) {
		for k := range 50 {
			f.putAgent((step*50+k)%5000, step)
		}
		f.putService(step%12, model.Call, int64(step%9))
	})
	benchDraw(b, board, pictures)
}

// BenchmarkWall draws the page Wall with a map, charts and tiles of the whole floor.
func BenchmarkWall(b *testing.B) {
	for _, changed := range []int{5, 5000} {
		b.Run(fmt.Sprintf("changed=%d", changed), func(b *testing.B) {
			board := newBoardOn(b, newTestFloor(5000), 200, 60)
			board.press("0")
			benchChanges(b, board, changed)
		})
	}
}

// BenchmarkPane draws configured pages of one pane each.
func BenchmarkPane(b *testing.B) {
	for name, pane := range map[string]panes.PaneSpec{
		"agents":       {Kind: "agents"},
		"agents-of":    {Kind: "agents", Services: []string{serviceCode(1)}},
		"agents-found": {Kind: "agents", Filter: "rossi"},
		"map":          {Kind: "map"},
		"map-by-group": {Kind: "map", GroupBy: "group"},
		"map-found":    {Kind: "map", Filter: "rossi"},
		"chart":        {Kind: "chart"},
		"tiles":        {Kind: "tiles"},
		"alerts":       {Kind: "alerts"},
		"text":         {Kind: "text", Text: strings.Repeat("Fire drill at noon. ", 30)},
		"clock":        {Kind: "clock"},
	} {
		b.Run(name, func(b *testing.B) {
			board := newBoardOn(b, newTestFloor(5000), 200, 60, paged(panes.RowSpec{Panes: []panes.PaneSpec{pane}}))
			benchChanges(b, board, 5)
		})
	}
}

// benchChanges draws snapshots in each of which a number of agents have changed.
func benchChanges(b *testing.B, board *board, changed int) {
	benchDraw(b, board, benchFloors(board.floor, 8, func(step int) {
		for k := range changed {
			board.floor.putAgent((step*changed+k)%5000, step)
		}
	}))
}

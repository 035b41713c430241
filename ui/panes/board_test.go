package panes_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/snapshot"
	"wallboard/ui/uitest"
)

func newBoard(t testing.TB, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	return newBoardOn(t, uitest.NewFloor(60), w, h, change...)
}

// newBoardOn opens a board that shows a floor.
func newBoardOn(t testing.TB, f *uitest.Floor, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := uitest.NewBoard(t, f, uitest.Messages{
		Snapshot: func(s *model.Snapshot) tea.Msg { return ui.SnapshotMsg{Snapshot: s} }, Clock: ui.ClockMsg{},
	})
	o := ui.Options{
		Names:   uitest.Names(),
		Title:   "Bolzano",
		Context: uitest.EndedContext(),
		Now:     b.Clock,
		Display: ui.Display{Flash: true, Mouse: true, Location: time.UTC},
	}
	for _, c := range change {
		c(&o)
	}
	b.Start(ui.New(o), w, h)
	return b
}

// displayName returns the name of an agent as the board shows it.
func displayName(b *uitest.Board, username string) string {
	view := snapshot.View{Shown: b.Floor.Snapshot(), Names: uitest.Names()}
	return view.AgentName(username)
}

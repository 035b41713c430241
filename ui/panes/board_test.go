package panes_test

import (
	"testing"

	"wallboard/ui"
	"wallboard/ui/floorview"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

func newBoard(t testing.TB, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	return boardtest.New(t, w, h, change...)
}

func newBoardOn(t testing.TB, f *uitest.Floor, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	return boardtest.NewWithFloor(t, f, w, h, change...)
}

// displayName returns the name of an agent as the board shows it.
func displayName(b *uitest.Board, username string) string {
	view := floorview.View{Shown: b.Floor.Snapshot(), Names: uitest.Names()}
	return view.AgentName(username)
}

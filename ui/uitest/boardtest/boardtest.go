// Package boardtest opens boards for the tests of the packages below package ui. It is separate
// from package uitest, which the tests of package ui import and which therefore cannot import
// package ui.
package boardtest

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/uitest"
)

// New opens a board of w by h cells that shows a floor with 60 agents. change changes its options.
func New(t testing.TB, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	return NewWithFloor(t, uitest.NewFloor(60), w, h, change...)
}

// NewWithFloor is like [New], but the board shows the floor f.
func NewWithFloor(t testing.TB, f *uitest.Floor, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := uitest.NewBoard(t, f, uitest.Messages{
		Snapshot: func(s *model.Snapshot) tea.Msg { return ui.SnapshotMsg{Snapshot: s} }, Clock: ui.ClockMsg{},
	})
	o := ui.Options{
		Names: uitest.Names(), Title: "Bolzano", Context: uitest.EndedContext(), Now: b.Clock,
		Display: ui.Display{Flash: true, Mouse: true, Location: time.UTC},
	}
	for _, c := range change {
		c(&o)
	}
	b.Start(ui.New(o), w, h)
	return b
}

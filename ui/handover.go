package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/handover"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
)

// shiftLength is how far back a handover goes: as long as the board remembers
// figures.
const shiftLength = 8 * time.Hour

// openHandover writes the shift so far and shows it. What the live picture
// tells is of this moment, frozen picture or not.
func (m *Model) openHandover() tea.Cmd {
	sc := m.scene
	at := sc.local(sc.floor.Server(sc.floor.Ours))
	if sc.History != nil {
		at = at.In(sc.History.Location())
	}
	report := handover.New(handover.Picture{
		Site: sc.Title, Snapshot: sc.floor.Newest, Alerts: sc.Alerts, Names: sc.Names,
		From: at.Add(-shiftLength), At: at, Watched: sc.floor.Server(m.begun).In(at.Location()), Kept: sc.Keep != nil, By: sc.User,
	})
	if sc.floor.Newest != nil {
		v, users := sc.panes().LiveView(), sc.floor.Newest.Users
		report.Where = func(k alert.Key) string { return v.Where(k, users) }
	}
	reader, deeds := sc.History, sc.Deeds
	s := &dialog.Sheet[string]{
		On: m.dialogs, Name: "Shift handover", None: "There is nothing to hand over.",
		Read: func(ctx context.Context) (string, error) {
			r := report
			r.Deeds, r.DeedsWhy = readDeeds(deeds, r.From)
			r.Usual, r.UsualWhy = handover.ReadUsual(ctx, reader, r.At)
			return handover.Markdown(r), nil
		},
		Draw: markdownLines,
	}
	if sc.Save != nil {
		name := "handover-" + at.Format("2006-01-02-1504") + ".md"
		s.Keys = []dialog.SheetKey[string]{{Key: "e", Does: "save as " + name, Run: func(text string) tea.Cmd {
			return dialog.Save(m.dialogs, sc.Save, name, []byte(text))
		}}}
	}
	return m.dialogs.Open(s)
}

// readDeeds returns what was done since a time, or why that is not known.
func readDeeds(deeds func(time.Time) ([]handover.Deed, error), since time.Time) ([]handover.Deed, string) {
	if deeds == nil {
		return nil, "This board has no record of actions."
	}
	list, err := deeds(since)
	if err != nil {
		return list, "The record of actions could not be read: " + look.OneLine(err.Error())
	}
	return list, ""
}

package explain

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/handover"
	"wallboard/model"
	"wallboard/recount"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// shiftLength is how far back a handover goes: as long as the board remembers
// figures.
const shiftLength = 8 * time.Hour

// Shift is what is handed over beside the live picture, and how.
type Shift struct {
	Site    string
	By      string                                         // who hands over; "": nobody knows
	Alerts  handover.Alerts                                // only read
	Watched time.Time                                      // since when the board has watched, on our clock
	Kept    bool                                           // alerts outlive the board
	Days    handover.Days                                  // nil: what is usual is not known
	Zone    *time.Location                                 // that times are told in
	Deeds   func(since time.Time) ([]handover.Deed, error) // on our clock
	Shown   *Recording                                     // what it is of; nil: of what is now
	Measure recount.Measure                                // what came of what was done; nil: nobody knows
	Save    dialog.Saver                                   // nil: nothing can be saved
}

// Recording is what a board shows of the past, as far as a handover goes by it.
type Recording struct {
	Begins time.Time // on the platform's clock
	Marks  []model.Mark
}

// Handover writes the shift so far and shows it. What the live picture tells is of
// this moment, frozen picture or not.
func Handover(on *dialog.Stack, sc *panes.Scene, of Shift) tea.Cmd {
	report := of.report(sc)
	s := &dialog.Sheet[string]{
		On: on, Name: "Shift handover", None: "There is nothing to hand over.",
		Read: func(ctx context.Context) (string, error) {
			r := report
			of.did(&r)
			r.Usual, r.UsualWhy = handover.ReadUsual(ctx, of.Days, r.At)
			if err := r.Measure(ctx, of.Measure); err != nil {
				r.DeedsWhy = strings.TrimSpace(r.DeedsWhy + " What came of them is not known: " + look.OneLine(err.Error()))
			}
			return handover.Markdown(r), nil
		},
		Draw: markdownLines,
	}
	if of.Save != nil {
		name := "handover-" + report.At.Format("2006-01-02-1504") + ".md"
		s.Keys = []dialog.SheetKey[string]{{Key: "e", Does: "save as " + name, Run: func(text string) tea.Cmd {
			return dialog.Save(on, of.Save, name, []byte(text))
		}}}
	}
	return on.Open(s)
}

// report is what the live picture tells.
func (s *Shift) report(sc *panes.Scene) handover.Report {
	at := sc.Floor.Server(sc.Floor.Ours).In(s.Zone)
	r := handover.New(handover.Picture{
		Site: s.Site, Snapshot: sc.Floor.Newest, Alerts: s.Alerts, Situations: sc.Alarms.Present, Names: sc.Floor.Names,
		From: at.Add(-shiftLength), At: at, Watched: sc.Floor.Server(s.Watched).In(s.Zone), Kept: s.Kept, By: s.By,
	})
	r.Recent = sc.Outlook.Misses(sc.Floor)
	return r
}

// did has a report tell what was done, or why that is not known.
func (s *Shift) did(r *handover.Report) {
	switch {
	case s.Shown != nil:
		r.Marked(s.Shown.Marks, s.Shown.Begins)
	case s.Deeds == nil:
		r.DeedsWhy = "This board has no record of actions."
	default:
		if err := r.Did(s.Deeds); err != nil {
			r.DeedsWhy = "The record of actions could not be read: " + look.OneLine(err.Error())
		}
	}
}

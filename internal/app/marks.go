package app

import (
	"context"
	"slices"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/model"
)

// MarkEvent adds a mark about an event on a board to the recording. It also marks events of the
// kinds [model.MarkAction] and [model.MarkNote] on the charts.
func (p *Platform) MarkEvent(e model.Event) {
	if e.Kind == model.MarkAction || e.Kind == model.MarkNote {
		at := e.At
		if at.IsZero() {
			at = time.Now()
		}
		p.Notes.MarkAction(at)
	}
	if p.Recorder.AddMark != nil {
		p.Recorder.AddMark(e)
	}
}

// watchActions adds marks for the actions of other programs until ctx ends. Actions from before the
// call are marked only on the charts, because another program may have recorded them already.
func (p *Platform) watchActions(ctx context.Context) {
	c, start := p.Config(), time.Now()
	name := func(campaign string) string {
		return c.Names().NameInSnapshot(p.Source.Latest(), model.NameCampaign, campaign)
	}
	newAuditWatch(c.Audit.Path(), c.RTD.URL, start.Add(-ShiftLength), name, func(e model.Event) {
		if e.At.Before(start) {
			p.Notes.MarkAction(e.At)
			return
		}
		p.MarkEvent(e)
	}).run(ctx)
}

// recordEarlierNotes adds marks to the recording for the notes that are active now and missing in
// the recording. Such a note may have been written while nothing was recorded.
func (p *Platform) recordEarlierNotes(ctx context.Context, notes []model.Note) {
	now, named := time.Now(), p.Config().Record.Names == string(model.NamesFull)
	active := slices.DeleteFunc(slices.Clone(notes), func(n model.Note) bool {
		return !n.IsActive(now) || !named && n.Tolerance == (model.AgreedTolerance{}) // without names, only tolerances are recorded
	})
	if len(active) == 0 || p.Recorder.AddMark == nil {
		return
	}
	if _, err := p.Source.Wait(ctx, 0); err != nil { // the first snapshot shows the difference between the clocks
		return
	}
	known := make(map[string]bool)
	if p.Recorder.Marks != nil {
		marks, _ := p.Recorder.Marks(ctx, time.Now())
		for i := range marks {
			if n := marks[i].Note; n != nil {
				known[n.ID] = true
			}
		}
	}
	for _, n := range active {
		if !known[n.ID] {
			p.recordNote(n)
		}
	}
}

// recordNote adds a mark about a note to the recording. If the note has ended, the mark is about
// its end.
func (p *Platform) recordNote(n model.Note) {
	if p.Recorder.AddMark != nil {
		p.Recorder.AddMark(statefile.NoteEvent(n, time.Now()))
	}
}

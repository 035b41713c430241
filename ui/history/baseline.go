package history

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
)

// Baseline compares today with earlier days, for each kind of contact on the channels that the
// viewer has opened.
type Baseline struct {
	floor         *floorview.View
	reader        Reader     // nil: there is no history
	missingReason words.Text // why there is no history
	days          map[contact.Kind]comparedDay
	pending       bool // a request is running

	// VolumeEstimator estimates typical call volumes from the comparisons of today with earlier days.
	VolumeEstimator *VolumeEstimator
}

var _ panes.Baseline = (*Baseline)(nil)

// NewBaseline returns a Baseline without data. Its source of data is set by [Baseline.SetReader].
func NewBaseline(v *floorview.View) *Baseline {
	return &Baseline{floor: v, VolumeEstimator: new(VolumeEstimator)}
}

// SetReader sets the source of data and discards the data of the previous source. A nil reader means that
// there is no history; missing is the reason, or zero if the history is not configured.
func (b *Baseline) SetReader(r Reader, missing words.Text) {
	if missing.IsZero() {
		missing = words.HistoryNoTypicalDay()
	}
	b.reader, b.missingReason, b.days, b.pending = r, missing, nil, false
	b.VolumeEstimator.setDays(nil)
}

// comparedDay is the comparison of today with earlier days for one kind of contact, or the error of
// the request for it.
type comparedDay struct {
	contact.Comparison
	err        error
	answeredAt time.Time // when the answer arrived, on the local clock
}

// baselineMsg carries the comparison of today with a typical day, for one kind of contact, or the
// error of the request.
type baselineMsg struct {
	baseline *Baseline
	reader   Reader
	kind     contact.Kind
	day      contact.Comparison
	err      error
}

// Kinds implements [panes.Baseline]. It returns the kind of contact on the channel of v. For calls,
// it returns inbound calls, and also outbound calls if the floor makes any. It returns nil if there
// is no history.
func (b *Baseline) Kinds(v *floorview.View) []contact.Kind {
	kind, ok := contact.KindForChannel(v.Channel)
	switch {
	case b.reader == nil || !ok:
		return nil
	case kind == contact.Inbound && makesOutboundCalls(v):
		return []contact.Kind{contact.Inbound, contact.Outbound}
	}
	return []contact.Kind{kind}
}

// makesOutboundCalls reports whether a service of the floor has had outbound calls today.
func makesOutboundCalls(v *floorview.View) bool {
	if v.Newest == nil {
		return false
	}
	for r := range v.Newest.Services.All() {
		if n, ok := r.ChannelStats.OutboundReceivedCalls.Get(); ok && n > 0 && r.Channel == model.Call {
			return true
		}
	}
	return false
}

// Update returns a command that requests a comparison of the current channel that is missing or
// outdated. It returns nil if there is none or a request is running. The requests have a low
// priority.
func (b *Baseline) Update(ctx context.Context) tea.Cmd {
	v := b.floor
	if v.Newest == nil || b.pending {
		return nil
	}
	for _, kind := range b.Kinds(v) {
		d, known := b.days[kind]
		if !known || v.LocalNow.Sub(d.answeredAt) >= maxAnswerAge || d.err == nil && !b.isToday(d.Day.At) {
			return b.request(ctx, kind)
		}
	}
	return nil
}

func (b *Baseline) request(ctx context.Context, kind contact.Kind) tea.Cmd {
	b.pending = true
	ctx, reader, now := contact.InBackground(ctx), b.reader, b.floor.ToServerTime(b.floor.LocalNow)
	return dialog.RecoverPanic(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, maxAnswerAge)
		defer cancel()
		c, err := reader.CompareDay(ctx, now, kind)
		return baselineMsg{b, reader, kind, c, err}
	})
}

// isToday reports whether the time t is today in the contact center's time zone.
func (b *Baseline) isToday(t time.Time) bool {
	x, y := t.In(b.reader.Location()), b.floor.ToServerTime(b.floor.LocalNow).In(b.reader.Location())
	return x.Year() == y.Year() && x.YearDay() == y.YearDay()
}

// Apply implements [Msg].
func (m baselineMsg) Apply() tea.Cmd {
	b := m.baseline
	if m.reader != b.reader {
		return nil // the reader was replaced after the request
	}
	b.pending = false
	if b.days == nil {
		b.days = make(map[contact.Kind]comparedDay)
	}
	b.days[m.kind] = comparedDay{m.day, m.err, b.floor.LocalNow}
	b.VolumeEstimator.setDays(b.days)
	return nil
}

// comparisonOfToday returns the comparison of today with a typical day, for a kind of contact. ok is false if
// there is no comparison of today yet, or if the request for it failed.
func (b *Baseline) comparisonOfToday(kind contact.Kind) (d comparedDay, ok bool) {
	if b.reader == nil {
		return d, false
	}
	d, ok = b.days[kind]
	return d, ok && d.err == nil && b.isToday(d.Day.At)
}

// Today implements [panes.Baseline].
func (b *Baseline) Today(kind contact.Kind) (c contact.Comparison, ok bool) {
	d, ok := b.comparisonOfToday(kind)
	return d.Comparison, ok
}

// IsRequesting implements [panes.Baseline].
func (b *Baseline) IsRequesting() bool { return b.pending }

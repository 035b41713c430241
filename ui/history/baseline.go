package history

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/task"
)

// Baseline is what is known of how today compares with other days, of the kinds of
// contact that somebody has looked at on the overview.
type Baseline struct {
	floor   *floor.View
	reader  Reader // nil: nothing is known
	days    map[past.Kind]comparedDay
	pending bool

	// Usual is made from them.
	Usual *Usual
}

var _ panes.Baseline = (*Baseline)(nil)

// NewBaseline returns the baseline of a board that has a view of the floor. Nothing is
// known until [Baseline.Use].
func NewBaseline(v *floor.View) *Baseline { return &Baseline{floor: v, Usual: new(Usual)} }

// Use has a service asked, and forgets what another one said; nil: nothing is known.
func (b *Baseline) Use(r Reader) {
	b.reader, b.days, b.pending = r, nil, false
	b.Usual.know(nil)
}

// comparedDay is today of one kind, or why nothing is known of it.
type comparedDay struct {
	past.Comparison
	err string
	at  time.Time // when it was asked for, on our clock
}

// baselineMsg brings what was asked for.
type baselineMsg struct {
	to   *Baseline
	from Reader
	kind past.Kind
	day  past.Comparison
	err  error
}

// Kinds implements [panes.Baseline]: it returns what the present channel receives, and
// the outbound calls of a floor that makes any.
func (b *Baseline) Kinds(v *floor.View) []past.Kind {
	kind, ok := past.KindOn(v.Channel)
	switch {
	case b.reader == nil || !ok:
		return nil
	case kind == past.Inbound && dials(v):
		return []past.Kind{past.Inbound, past.Outbound}
	}
	return []past.Kind{kind}
}

// dials reports whether the floor calls people.
func dials(v *floor.View) bool {
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

// Tend asks for the comparisons of the present channel that are old: one at a
// time, and leaving requests to what people ask for.
func (b *Baseline) Tend(ctx context.Context) tea.Cmd {
	v := b.floor
	if v.Newest == nil || b.pending {
		return nil
	}
	for _, kind := range b.Kinds(v) {
		d, known := b.days[kind]
		if !known || v.Ours.Sub(d.at) >= fresh || d.err == "" && !b.sameDay(d.Day.At) {
			return b.ask(ctx, kind)
		}
	}
	return nil
}

func (b *Baseline) ask(ctx context.Context, kind past.Kind) tea.Cmd {
	b.pending = true
	ctx, reader, now := past.InBackground(ctx), b.reader, b.floor.Server(b.floor.Ours)
	return task.Guard(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, fresh)
		defer cancel()
		c, err := reader.Day(ctx, now, kind)
		return baselineMsg{b, reader, kind, c, err}
	})
}

// sameDay reports whether a time is on the contact center's present day.
func (b *Baseline) sameDay(t time.Time) bool {
	x, y := t.In(b.reader.Location()), b.floor.Server(b.floor.Ours).In(b.reader.Location())
	return x.Year() == y.Year() && x.YearDay() == y.YearDay()
}

// Arrive implements [Msg].
func (m baselineMsg) Arrive() tea.Cmd {
	b := m.to
	if m.from != b.reader {
		return nil // what another service calls usual
	}
	b.pending = false
	if b.days == nil {
		b.days = make(map[past.Kind]comparedDay)
	}
	d := comparedDay{Comparison: m.day, at: b.floor.Ours}
	if m.err != nil {
		d.err = model.CleanText(look.OneLine(m.err.Error()), model.MaxBody)
	}
	b.days[m.kind] = d
	b.Usual.know(b.days)
	return nil
}

// today returns what is known of a kind today; ok is false when nothing is.
func (b *Baseline) today(kind past.Kind) (d comparedDay, ok bool) {
	if b.reader == nil {
		return d, false
	}
	d, ok = b.days[kind]
	return d, ok && d.err == "" && b.sameDay(d.Day.At)
}

// Today implements [panes.Baseline].
func (b *Baseline) Today(kind past.Kind) (c past.Comparison, ok bool) {
	d, ok := b.today(kind)
	return d.Comparison, ok
}

// Asking implements [panes.Baseline].
func (b *Baseline) Asking() bool { return b.pending }

package ui

import (
	"context"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/task"
)

// usual is what is known of how today compares with other days, of the kinds of
// contact that somebody has looked at on the overview.
type usual struct {
	reader  HistoryReader // nil: nothing is known
	of      map[past.Kind]usualDay
	pending bool
}

// usualDay is today of one kind, or why nothing is known of it.
type usualDay struct {
	past.Comparison
	err string
	at  time.Time // when it was asked for, on our clock
}

// usualMsg brings what was asked for.
type usualMsg struct {
	from HistoryReader
	kind past.Kind
	day  past.Comparison
	err  error
}

// usualFresh is how long a comparison is good for.
const usualFresh = 5 * time.Minute

// Kinds implements [Baseline]: it returns the kinds of contact that the present channel can be compared
// by: what it receives, and the outbound calls of a floor that makes any.
func (u *usual) Kinds(v *floor.View) []past.Kind {
	kind, ok := panes.KindOn(v.Channel)
	switch {
	case u.reader == nil || !ok:
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

// tend asks for the comparisons of the present channel that are old: one at a
// time, and leaving requests to what people ask for.
func (u *usual) tend(ctx context.Context, v *floor.View) tea.Cmd {
	if v.Newest == nil || u.pending {
		return nil
	}
	for _, kind := range u.Kinds(v) {
		d, known := u.of[kind]
		if !known || v.Ours.Sub(d.at) >= usualFresh || d.err == "" && !u.sameDay(v, d.Day.At) {
			return u.ask(ctx, v, kind)
		}
	}
	return nil
}

func (u *usual) ask(ctx context.Context, v *floor.View, kind past.Kind) tea.Cmd {
	u.pending = true
	ctx, reader, now := past.InBackground(ctx), u.reader, v.Server(v.Ours)
	return task.Guard(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, usualFresh)
		defer cancel()
		c, err := reader.Day(ctx, now, kind)
		return usualMsg{reader, kind, c, err}
	})
}

// sameDay reports whether a time is on the contact center's present day.
func (u *usual) sameDay(v *floor.View, t time.Time) bool {
	a, b := t.In(u.reader.Location()), v.Server(v.Ours).In(u.reader.Location())
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

func (u *usual) take(v *floor.View, msg usualMsg) {
	if msg.from != u.reader {
		return // what another service calls usual
	}
	u.pending = false
	if u.of == nil {
		u.of = make(map[past.Kind]usualDay)
	}
	d := usualDay{Comparison: msg.day, at: v.Ours}
	if msg.err != nil {
		d.err = model.CleanText(look.OneLine(msg.err.Error()), model.MaxBody)
	}
	u.of[msg.kind] = d
}

// today returns what is known of a kind today; ok is false when nothing is.
func (u *usual) today(v *floor.View, kind past.Kind) (d usualDay, ok bool) {
	if u.reader == nil {
		return d, false
	}
	d, ok = u.of[kind]
	return d, ok && d.err == "" && u.sameDay(v, d.Day.At)
}

// Today implements [Baseline].
func (u *usual) Today(v *floor.View, kind past.Kind) (c past.Comparison, ok bool) {
	d, ok := u.today(v, kind)
	return d.Comparison, ok
}

// Asking implements [Baseline].
func (u *usual) Asking() bool { return u.pending }

// usualDialog says what is usual by now, and how that was found out.
type usualDialog struct {
	sc   *scene
	text dialog.Scroller
}

// openUsual shows what is usual by now on the present channel.
func (m *Model) openUsual() tea.Cmd {
	switch _, ok := panes.KindOn(m.scene.floor.Channel); {
	case m.scene.History == nil:
		return m.say("[history] is not configured: what is usual is not known. The page History says what to do.")
	case !ok:
		return m.say("The platform keeps no history of this channel.")
	}
	return tea.Batch(m.dialogs.Open(&usualDialog{sc: m.scene}), m.scene.usual.tend(m.scene.Context, &m.scene.floor))
}

// Title implements [dialog.Dialog].
func (d *usualDialog) Title() string {
	return render.ChannelName(d.sc.floor.Channel) + " against what is usual"
}

// Size implements [dialog.Dialog].
func (d *usualDialog) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.SheetWidth, maxW)
	return w, min(len(d.lines(w))+1, maxH)
}

// Update implements [dialog.Dialog].
func (d *usualDialog) Update(msg tea.Msg) tea.Cmd {
	d.text.Obey(msg)
	return nil
}

// View implements [dialog.Dialog].
func (d *usualDialog) View(w, h int) []string {
	sc := d.sc
	out := d.text.View(d.lines(w), 0, 0, w, max(h-1, 0))
	return append(out, sc.look.Hints(w, look.Hint{Key: "esc", Does: "close"}))[:h]
}

func (d *usualDialog) lines(w int) []string {
	p := &prose{sc: d.sc, w: w}
	kinds := d.sc.usual.Kinds(&d.sc.floor)
	if len(kinds) == 0 { // the channel has changed under it
		p.text(themes.Dim, "The platform keeps no history of this channel.")
	}
	for i, kind := range kinds {
		if i > 0 {
			p.text(themes.Dim, "")
		}
		p.usual(kind)
	}
	return p.lines
}

// usual says what is usual by now of a kind of contact.
func (p *prose) usual(kind past.Kind) {
	sc := p.sc
	c, ok := sc.usual.today(&sc.floor, kind)
	if !ok {
		if err := sc.usual.of[kind].err; err != "" {
			p.text(themes.Warn, look.Capital(kind.String())+": "+err)
		} else {
			p.text(themes.Dim, look.Capital(kind.String())+": asking the platform"+sc.look.Glyphs.Ellipsis)
		}
		return
	}
	_, change := sc.change(c.Comparison)
	p.text(themes.Title, look.Capital(kind.String())+" today: "+change+", "+c.Volume().String())
	p.head("How it is computed")
	until := c.Day.At.Format("15:04")
	p.row(themes.Text, "  begun today until "+until, sc.look.Count(c.Day.Total()))
	u := c.SoFar
	if u.Days == 0 {
		p.text(themes.Dim, "Nothing is known of the "+c.Usual.Weekday.String()+"s before.")
		return
	}
	p.row(themes.Text, "  usual until "+until+", the median", sc.number(u.Median))
	p.row(themes.Dim, "  half of the days are from", sc.number(u.Low))
	p.row(themes.Dim, "  to", sc.number(u.High))
	if share, ok := c.Change(); ok {
		p.row(themes.Accent, "  the change: begun / usual - 1", model.SignedPercent(share))
	} else {
		p.text(themes.Dim, "  Usually there are none by now, so no change can be computed.")
	}
	var dates []string
	for _, t := range c.Usual.Dates {
		dates = append(dates, t.Format("2 January"))
	}
	p.text(themes.Dim, "")
	p.text(themes.Text, "Usual is what the last "+itoa(u.Days)+" days of the weekday had by the same time: "+strings.Join(dates, ", ")+
		". Hours that are over count whole, of the hour that is not over its part.")
	p.text(themes.Text, "Both were counted by the statistical data service at "+until+". The live figure on the tile is counted by the "+
		"platform's real-time service, by rules of its own: it may differ.")
	p.hours(c.Comparison)
}

// hours writes the hours with their figures.
func (p *prose) hours(c past.Comparison) {
	p.head("By the hour")
	p.row(themes.Dim, "", "count", "usual", "mostly")
	for _, h := range c.Day.Hours {
		u := c.Usual.Hours[h.Start.Hour()]
		if !h.Known || u.Days == 0 || h.Count == 0 && math.Round(u.High) == 0 {
			continue
		}
		count := p.sc.look.Count(h.Count)
		if h.Partial {
			count += " so far"
		}
		p.row(themes.Text, "  "+h.Start.Format("15:04"), count, p.sc.number(u.Median), p.sc.number(u.Low)+"-"+p.sc.number(u.High))
	}
}

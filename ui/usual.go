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
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/task"
)

// usual is what is known of how today compares with other days, of the kinds of
// contact that somebody has looked at on the overview.
type usual struct {
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

// kindOn returns the kind of contact that a channel receives; ok is false for
// channels of which the platform keeps no past.
func kindOn(ch model.Channel) (k past.Kind, ok bool) {
	switch ch { //nolint:exhaustive // document 3 has no others
	case model.Call:
		return past.Inbound, true
	case model.Video:
		return past.Video, true
	case model.Chat:
		return past.Chat, true
	}
	return 0, false
}

// kinds returns the kinds of contact that the present channel can be compared
// by: what it receives, and the outbound calls of a floor that makes any.
func (sc *scene) kinds() []past.Kind {
	kind, ok := kindOn(sc.floor.Channel)
	switch {
	case sc.History == nil || !ok:
		return nil
	case kind == past.Inbound && sc.dials():
		return []past.Kind{past.Inbound, past.Outbound}
	}
	return []past.Kind{kind}
}

// dials reports whether the floor calls people.
func (sc *scene) dials() bool {
	if sc.floor.Newest == nil {
		return false
	}
	for r := range sc.floor.Newest.Services.All() {
		if n, ok := r.ChannelStats.OutboundReceivedCalls.Get(); ok && n > 0 && r.Channel == model.Call {
			return true
		}
	}
	return false
}

// tend asks for the comparisons of the present channel that are old: one at a
// time, and leaving requests to what people ask for.
func (u *usual) tend(sc *scene) tea.Cmd {
	if sc.floor.Newest == nil || u.pending {
		return nil
	}
	for _, kind := range sc.kinds() {
		d, known := u.of[kind]
		if !known || sc.floor.Ours.Sub(d.at) >= usualFresh || d.err == "" && !sc.sameDay(d.Day.At) {
			return u.ask(sc, kind)
		}
	}
	return nil
}

func (u *usual) ask(sc *scene, kind past.Kind) tea.Cmd {
	u.pending = true
	ctx, reader, now := past.InBackground(sc.Context), sc.History, sc.floor.Server(sc.floor.Ours)
	return task.Guard(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, usualFresh)
		defer cancel()
		c, err := reader.Day(ctx, now, kind)
		return usualMsg{reader, kind, c, err}
	})
}

// sameDay reports whether a time is on the contact center's present day.
func (sc *scene) sameDay(t time.Time) bool {
	a, b := t.In(sc.History.Location()), sc.floor.Server(sc.floor.Ours).In(sc.History.Location())
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

func (u *usual) take(sc *scene, msg usualMsg) {
	if msg.from != sc.History {
		return // what another service calls usual
	}
	u.pending = false
	if u.of == nil {
		u.of = make(map[past.Kind]usualDay)
	}
	d := usualDay{Comparison: msg.day, at: sc.floor.Ours}
	if msg.err != nil {
		d.err = model.CleanText(oneLine(msg.err.Error()), model.MaxBody)
	}
	u.of[msg.kind] = d
}

// today returns what is known of a kind today; ok is false when nothing is.
func (u *usual) today(sc *scene, kind past.Kind) (d usualDay, ok bool) {
	if sc.History == nil {
		return d, false
	}
	d, ok = u.of[kind]
	return d, ok && d.err == "" && sc.sameDay(d.Day.At)
}

// volumeTiles puts the volumes of the day against what is usual by now in the
// places of head counts that the bar of the agents' states shows as well, unless
// those raise an alert. What was answered and what was abandoned cannot be
// compared: the platform keeps no past of them.
func (o *floorFigures) volumeTiles(sc *scene, all []tile) {
	calls := &o.floor.Calls
	for _, kind := range sc.kinds() {
		at, n, name := tileNamed(figureLogged), calls.ReceivedCalls, "Received"
		if kind == past.Outbound {
			at, n, name = tileNamed(figureWrapUp), calls.OutboundReceivedCalls, "Outbound"
		}
		if all[at].level == render.Normal {
			all[at] = sc.volumeTile(kind, name, n)
		}
	}
}

// volumeTile is a volume of the day against what is usual by now.
func (sc *scene) volumeTile(kind past.Kind, name string, n model.Int) tile {
	t := tile{label: name + " vs usual", brief: name, value: string(sc.look.Format.Int(nil, n)), dim: !n.Known()}
	var ok bool
	if t.beside, t.under, ok = sc.againstUsual(kind); !ok {
		t.under = "usual is not known"
		if sc.usual.pending {
			t.under = "asking for the usual"
		}
	}
	for i, h := range sc.usual.of[kind].Day.Hours {
		if ok && h.Known && !h.Partial && i < 24 {
			t.series = append(t.series, float64(h.Count))
		}
	}
	return t
}

// againstUsual says how today compares with what is usual by now: as a change
// and in words; ok is false when that is not known.
func (sc *scene) againstUsual(kind past.Kind) (change, words string, ok bool) {
	d, ok := sc.usual.today(sc, kind)
	if !ok {
		return "", "", false
	}
	share, some := d.Change()
	if !some {
		return "", d.Volume().String(), true
	}
	change = model.SignedPercent(share)
	return change, change + " vs usual", true
}

// volumeOf returns the kind of contact that a figure of the floor counts.
func (sc *scene) volumeOf(figure string) (past.Kind, bool) {
	kind, ok := kindOn(sc.floor.Channel)
	switch figure {
	case "receivedCalls":
		return kind, ok
	case "outboundReceivedCalls":
		return past.Outbound, ok && kind == past.Inbound
	}
	return 0, false
}

// usualDialog says what is usual by now, and how that was found out.
type usualDialog struct {
	sc   *scene
	text dialog.Scroller
}

// openUsual shows what is usual by now on the present channel.
func (m *Model) openUsual() tea.Cmd {
	switch _, ok := kindOn(m.scene.floor.Channel); {
	case m.scene.History == nil:
		return m.say("[history] is not configured: what is usual is not known. The page History says what to do.")
	case !ok:
		return m.say("The platform keeps no history of this channel.")
	}
	return tea.Batch(m.dialogs.Open(&usualDialog{sc: m.scene}), m.scene.usual.tend(m.scene))
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
	kinds := d.sc.kinds()
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
	c, ok := sc.usual.today(sc, kind)
	if !ok {
		if err := sc.usual.of[kind].err; err != "" {
			p.text(themes.Warn, capital(kind.String())+": "+err)
		} else {
			p.text(themes.Dim, capital(kind.String())+": asking the platform"+sc.look.Glyphs.Ellipsis)
		}
		return
	}
	_, change := sc.change(c.Comparison)
	p.text(themes.Title, capital(kind.String())+" today: "+change+", "+c.Volume().String())
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

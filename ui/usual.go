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
	kind past.Kind
	day  past.Comparison
	err  error
}

// usualFresh is how long a comparison is good for.
const usualFresh = 5 * time.Minute

// kindOn returns the kind of contact that a channel has; ok is false for
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

// tend asks for the comparison of the present channel when it is old: one at a
// time, and leaving requests to what people ask for.
func (u *usual) tend(sc *scene) tea.Cmd {
	kind, ok := kindOn(sc.channel)
	if sc.History == nil || !ok || u.pending || sc.newest == nil {
		return nil
	}
	if d, known := u.of[kind]; known && sc.ours.Sub(d.at) < usualFresh && (d.err != "" || sc.sameDay(d.Day.At)) {
		return nil
	}
	u.pending = true
	ctx, reader, now := past.InBackground(sc.Context), sc.History, sc.server(sc.ours)
	return guard(func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, usualFresh)
		defer cancel()
		c, err := reader.Day(ctx, now, kind)
		return usualMsg{kind, c, err}
	})
}

// sameDay tells whether a time is on the contact center's present day.
func (sc *scene) sameDay(t time.Time) bool {
	a, b := t.In(sc.History.Location()), sc.server(sc.ours).In(sc.History.Location())
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

func (u *usual) take(sc *scene, msg usualMsg) {
	u.pending = false
	if u.of == nil {
		u.of = make(map[past.Kind]usualDay)
	}
	d := usualDay{Comparison: msg.day, at: sc.ours}
	if msg.err != nil {
		d.err = model.CleanText(oneLine(msg.err.Error()), model.MaxBody)
	}
	u.of[msg.kind] = d
}

// today returns what is known of the present channel today; ok is false when
// nothing is.
func (u *usual) today(sc *scene) (d usualDay, ok bool) {
	kind, ok := kindOn(sc.channel)
	if sc.History == nil || !ok {
		return d, false
	}
	d, ok = u.of[kind]
	return d, ok && d.err == "" && sc.sameDay(d.Day.At)
}

// receivedTile is the volume of the day against what is usual by now. It takes
// the place of the agents who are logged in, whom the bar of their states counts
// as well.
func (o *floorFigures) receivedTile(sc *scene) (tile, bool) {
	if _, ok := kindOn(sc.channel); sc.History == nil || !ok {
		return tile{}, false
	}
	n := o.floor.Calls.ReceivedCalls
	t := tile{label: "Received vs usual", value: string(sc.format.Int(nil, n)), dim: !n.Known(), under: "usual is not known"}
	d, ok := sc.usual.today(sc)
	if !ok {
		if sc.usual.pending {
			t.under = "asking for the usual"
		}
		return t, true
	}
	t.under = d.Volume().String()
	if share, ok := d.Change(); ok {
		t.beside = signed(share*100) + " %"
		t.under = t.beside + " vs usual"
	}
	for i, h := range d.Day.Hours {
		if h.Known && !h.Partial && i < 24 {
			t.series = append(t.series, float64(h.Count))
		}
	}
	return t, true
}

// usualDialog says what is usual by now, and how that was found out.
type usualDialog struct {
	sc   *scene
	text scroller
}

// openUsual shows what is usual by now on the present channel.
func (m *Model) openUsual() tea.Cmd {
	switch _, ok := kindOn(m.scene.channel); {
	case m.scene.History == nil:
		return m.say("[history] is not configured: what is usual is not known. The page History says what to do.")
	case !ok:
		return m.say("The platform keeps no history of this channel.")
	}
	return tea.Batch(m.openDialog(&usualDialog{sc: m.scene}), m.scene.usual.tend(m.scene))
}

func (d *usualDialog) title(*scene) string {
	kind, _ := kindOn(d.sc.channel)
	return capital(kind.String()) + " against what is usual"
}

func (d *usualDialog) restyle(*scene) {}

func (d *usualDialog) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *usualDialog) size(maxW, maxH int) (w, h int) {
	w = min(sheetWidth, maxW)
	return w, min(len(d.lines(w))+1, maxH)
}

func (d *usualDialog) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		d.text.press(msg)
	case tea.MouseWheelMsg:
		d.text.wheel(msg)
	}
	m.touch()
	return nil
}

func (d *usualDialog) view(sc *scene, w, h int) []string {
	out := d.text.view(d.lines(w), 0, 0, w, max(h-1, 0))
	return append(out, sc.hints(w, hint{"esc", "close"}))[:h]
}

func (d *usualDialog) lines(w int) []string {
	sc, p := d.sc, &prose{sc: d.sc, w: w}
	kind, ok := kindOn(sc.channel)
	if !ok { // the channel has changed under it
		p.text(themes.Dim, "The platform keeps no history of this channel.")
		return p.lines
	}
	c, ok := sc.usual.today(sc)
	switch {
	case ok:
	case sc.usual.of[kind].err != "" && !sc.usual.pending:
		p.text(themes.Warn, sc.usual.of[kind].err)
		return p.lines
	default:
		p.text(themes.Dim, "Asking the platform"+sc.glyphs.ellipsis)
		return p.lines
	}
	_, change := sc.change(c.Comparison)
	p.text(themes.Title, capital(kind.String())+" today: "+change+", "+c.Volume().String())
	p.head("How it is computed")
	until := c.Day.At.Format("15:04")
	p.row(themes.Text, "  begun today until "+until, sc.count(c.Day.Total()))
	u := c.SoFar
	if u.Days == 0 {
		p.text(themes.Dim, "Nothing is known of the "+c.Usual.Weekday.String()+"s before.")
		return p.lines
	}
	p.row(themes.Text, "  usual until "+until+", the median", sc.number(u.Median))
	p.row(themes.Dim, "  half of the days are from", sc.number(u.Low))
	p.row(themes.Dim, "  to", sc.number(u.High))
	if share, ok := c.Change(); ok {
		p.row(themes.Accent, "  the change: begun / usual - 1", signed(share*100)+" %")
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
	p.text(themes.Text, "Both were counted by the statistical data service at "+until+". The live figure, \"Received\", is counted by the "+
		"platform's real-time service, by rules of its own: it may differ.")
	p.hours(c.Comparison)
	return p.lines
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
		count := p.sc.count(h.Count)
		if h.Partial {
			count += " so far"
		}
		p.row(themes.Text, "  "+h.Start.Format("15:04"), count, p.sc.number(u.Median), p.sc.number(u.Low)+" to "+p.sc.number(u.High))
	}
}

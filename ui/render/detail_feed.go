package render

import (
	"strconv"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// SubscriptionDetail returns the lines about one subscription, each exactly width cells
// wide, with the full reason of its state.
func SubscriptionDetail(s *model.Snapshot, v *View, name string, width int) []string {
	s = orEmpty(s)
	r := s.Health.Subscription(model.Op(name))
	if r == nil {
		return v.missing(width, "subscription "+name)
	}
	v = v.onOurClock(s)
	f := v.Options.Format()
	return v.layout(width,
		heading(r.Name.Title()+" ("+name+")", v.state(subStateOf(r)), textlayout.Say("for "+string(f.Age(nil, r.Since, v.Now)), themes.Dim)),
		textBlock("Reason", r.Reason),
		block{"Not known", func(p *detailWriter) {
			if r.Unknown != "" {
				p.Paragraph(textlayout.Plain("this platform has " + r.Unknown + ", of which the figures are not known"))
			}
		}},
		textBlock("Fields this server lacks", r.Lacks),
		textBlock("Units of times", r.Times),
		textBlock("Meaning of counters", r.Meanings),
		block{"Data", func(p *detailWriter) {
			p.Pairs(
				textlayout.Of("Records", v.count(uint64(max(r.Records, 0)))),
				textlayout.Of("Filter keys", v.count(uint64(max(r.Keys, 0)))),
				textlayout.Of("Last data", v.age(r.LastData)),
				textlayout.Of("Verified", v.age(r.VerifiedAt)),
				textlayout.Of("Next try", v.until(r.NextTry)),
				textlayout.Of("Updates/s", v.figure(model.FigureOf(r.PerSecond))),
			)
		}},
		block{"Audit", func(p *detailWriter) {
			p.Pairs(
				textlayout.Of("Audits", v.count(r.Audits)),
				textlayout.Of("Found wrong", withLevel(v.count(r.Drift.Total()), warnIfPositive(r.Drift.Total()))),
				textlayout.Of("Wrong values", v.count(r.Drift.Value)),
				textlayout.Of("Cleared", v.count(r.Drift.Cleared)),
				textlayout.Of("Rows missing", v.count(r.Drift.Missing)),
				textlayout.Of("Rows too many", v.count(r.Drift.Ghost)),
				textlayout.Of("Came late", v.count(r.Late)),
			)
		}},
		block{"Traffic", func(p *detailWriter) {
			p.Pairs(
				textlayout.Of("Messages", v.count(r.Messages)),
				textlayout.Of("Updates", v.count(r.Updates)),
				textlayout.Of("Received", textlayout.Plain(string(f.Size(nil, r.Bytes)))),
				textlayout.Of("Errors", withLevel(v.count(r.Errors), warnIfPositive(r.Errors))),
				textlayout.Of("Unreadable", withLevel(v.count(r.BadMessages), warnIfPositive(r.BadMessages))),
				textlayout.Of("Reloads", v.count(r.Resyncs)),
			)
		}},
	)
}

// textBlock returns a block with one text, or an empty one.
func textBlock(title, text string) block {
	return block{title, func(p *detailWriter) {
		if text != "" {
			p.Paragraph(textlayout.Plain(text))
		}
	}}
}

// LinkDetail returns the lines about the connection, each exactly width cells wide.
func LinkDetail(s *model.Snapshot, v *View, width int) []string {
	s = orEmpty(s)
	v = v.onOurClock(s)
	h := &s.Health
	l := &h.Link
	f := v.Options.Format()
	return v.layout(width,
		heading("Connection", v.state(LinkStateOf(l.State)), textlayout.Say("for "+string(f.Age(nil, l.Since, v.Now)), themes.Dim)),
		block{"Link", func(p *detailWriter) {
			p.Line(textlayout.Say("Address     ", themes.Dim), v.text(l.Endpoint))
			p.Line(textlayout.Say("Sub-protocol", themes.Dim), v.subprotocol(l))
			p.Line(textlayout.Say("Certificate ", themes.Dim), v.certificate(l))
			if l.Way != "" {
				p.Paragraph(textlayout.Say("The configured way to log in is refused; what works: "+l.Way, themes.Warn))
			}
			if l.Reason != "" {
				p.Paragraph(textlayout.Say("Reason: "+l.Reason, themes.Dim))
			}
			p.Pairs(
				textlayout.Of("Last heard", v.age(l.LastFrame)),
				textlayout.Of("Reconnects", v.count(l.Reconnects)),
				textlayout.Of("Connection lost", v.count(h.Cuts)),
				textlayout.Of("All live again", v.count(h.Healed)),
				textlayout.Of("Attempt", v.count(uint64(max(l.Attempt, 0)))),
				textlayout.Of("Next try", v.until(l.NextTry)),
			)
		}},
		block{"Server", func(p *detailWriter) {
			p.Pairs(
				textlayout.Of("Version", v.version(h.Version)),
				textlayout.Of("Health", v.scalar(h.Server.Status)),
				textlayout.Of("Clock", textlayout.Plain(offset(h.ClockOffset))),
				textlayout.Of("Restarts seen", v.count(h.Restarts)),
				textlayout.Of("Unreadable", withLevel(v.count(h.BadFrames), warnIfPositive(h.BadFrames))),
			)
			if h.LastBadFrame != "" {
				p.Paragraph(textlayout.Say("Last bad message: "+h.LastBadFrame, themes.Dim))
			}
		}},
	)
}

func (v *View) count(n uint64) textlayout.Span {
	return v.int(model.IntOf(int64(min(n, 1<<62))))
}

func warnIfPositive(n uint64) Level {
	if n > 0 {
		return Warn
	}
	return Normal
}

func (v *View) age(t time.Time) textlayout.Span {
	return knownSpan(v.Options.Format().Age(nil, t, v.Now), !t.IsZero())
}

// until returns the time until t, or the mark for unknown if t is zero.
func (v *View) until(t time.Time) textlayout.Span {
	if t.IsZero() {
		return v.text("")
	}
	return textlayout.Plain("in " + string(v.Options.Format().Duration(nil, t.Sub(v.Now))))
}

func (v *View) subprotocol(l *model.Link) textlayout.Span {
	if l.State == model.LinkUp && l.PollEvery > 0 {
		return textlayout.Say("no WebSocket passes, asked over HTTP", themes.Warn)
	}
	return v.text(l.Subprotocol)
}

func (v *View) certificate(l *model.Link) textlayout.Span {
	switch {
	case l.Endpoint == "":
		return v.text("")
	case strings.HasPrefix(l.Endpoint, "ws://"):
		return textlayout.Say("none, the connection is not encrypted", themes.Warn)
	case l.InsecureTLS:
		return textlayout.Say("not verified", themes.Critical)
	}
	return textlayout.Plain("verified")
}

// version returns the server's version as "1.2.3".
func (v *View) version(s model.ServerVersion) textlayout.Span {
	if !s.Major.Known() {
		return v.text("")
	}
	out := ""
	for i, n := range []model.Int{s.Major, s.Minor, s.Patch} {
		x, ok := n.Get()
		if !ok {
			break
		}
		if i > 0 {
			out += "."
		}
		out += strconv.FormatInt(x, 10)
	}
	return textlayout.Plain(out)
}

// offset returns the difference between the server's clock and ours.
func offset(d time.Duration) string {
	d = d.Round(time.Second)
	f := &Format{}
	switch {
	case d > 0:
		return string(f.Duration(nil, d)) + " ahead"
	case d < 0:
		return string(f.Duration(nil, -d)) + " behind"
	}
	return "as ours"
}

package render

import (
	"strconv"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/themes"
)

// SubscriptionDetail returns the lines about one subscription, each exactly
// width cells wide, with its reason in full.
func SubscriptionDetail(s *model.Snapshot, v *View, name string, width int) []string {
	s = some(s)
	r := s.Health.Subscription(model.Op(name))
	if r == nil {
		return v.missing(width, "subscription "+name)
	}
	v = v.ours(s)
	f := v.Options.Format()
	return v.layout(width,
		heading(name, v.state(subStateOf(r)), span{"for " + string(f.Age(nil, r.Since, v.Now)), themes.Dim}),
		saying("Reason", r.Reason),
		block{"Not known", func(p *pen) {
			if r.Unknown != "" {
				p.paragraph(plain("this platform has " + r.Unknown + ", of which the figures are not known"))
			}
		}},
		saying("Fields this server lacks", r.Lacks),
		saying("Times without a unit", r.Times),
		block{"Data", func(p *pen) {
			p.pairs(
				pair{"Records", v.count(uint64(max(r.Records, 0)))},
				pair{"Filter keys", v.count(uint64(max(r.Keys, 0)))},
				pair{"Last data", v.age(r.LastData)},
				pair{"Verified", v.age(r.VerifiedAt)},
				pair{"Next try", v.until(r.NextTry)},
				pair{"Updates/s", v.figure(model.FigureOf(r.PerSecond))},
			)
		}},
		block{"Audit", func(p *pen) {
			p.pairs(
				pair{"Audits", v.count(r.Audits)},
				pair{"Found wrong", v.count(r.Drift.Total()).at(warnAbove(r.Drift.Total()))},
				pair{"Wrong values", v.count(r.Drift.Value)},
				pair{"Cleared", v.count(r.Drift.Cleared)},
				pair{"Rows missing", v.count(r.Drift.Missing)},
				pair{"Rows too many", v.count(r.Drift.Ghost)},
				pair{"Came late", v.count(r.Late)},
			)
		}},
		block{"Traffic", func(p *pen) {
			p.pairs(
				pair{"Messages", v.count(r.Messages)},
				pair{"Updates", v.count(r.Updates)},
				pair{"Received", plain(string(f.Size(nil, r.Bytes)))},
				pair{"Errors", v.count(r.Errors).at(warnAbove(r.Errors))},
				pair{"Bad messages", v.count(r.BadMessages).at(warnAbove(r.BadMessages))},
				pair{"Resyncs", v.count(r.Resyncs)},
			)
		}},
	)
}

// saying is a block that holds one text, none where there is none.
func saying(title, text string) block {
	return block{title, func(p *pen) {
		if text != "" {
			p.paragraph(plain(text))
		}
	}}
}

// LinkDetail returns the lines about the connection, each exactly width cells
// wide.
func LinkDetail(s *model.Snapshot, v *View, width int) []string {
	s = some(s)
	v = v.ours(s)
	h := &s.Health
	l := &h.Link
	f := v.Options.Format()
	return v.layout(width,
		heading("Connection", v.state(LinkStateOf(l.State)), span{"for " + string(f.Age(nil, l.Since, v.Now)), themes.Dim}),
		block{"Link", func(p *pen) {
			p.line(span{"Address     ", themes.Dim}, v.text(l.Endpoint))
			p.line(span{"Sub-protocol", themes.Dim}, v.subprotocol(l))
			p.line(span{"Certificate ", themes.Dim}, v.certificate(l))
			if l.Way != "" {
				p.paragraph(span{"The configured way to log in is refused; what works: " + l.Way, themes.Warn})
			}
			if l.Reason != "" {
				p.paragraph(span{"Reason: " + l.Reason, themes.Dim})
			}
			p.pairs(
				pair{"Last heard", v.age(l.LastFrame)},
				pair{"Reconnects", v.count(l.Reconnects)},
				pair{"Cuts ended", plain(strconv.FormatUint(h.Healed, 10) + " of " + strconv.FormatUint(h.Cuts, 10))},
				pair{"Attempt", v.count(uint64(max(l.Attempt, 0)))},
				pair{"Next try", v.until(l.NextTry)},
			)
		}},
		block{"Server", func(p *pen) {
			p.pairs(
				pair{"Version", v.version(h.Version)},
				pair{"Health", v.scalar(h.Server.Status)},
				pair{"Clock", plain(offset(h.ClockOffset))},
				pair{"Restarts seen", v.count(h.Restarts)},
				pair{"Bad messages", v.count(h.BadFrames).at(warnAbove(h.BadFrames))},
			)
			if h.LastBadFrame != "" {
				p.paragraph(span{"Last bad message: " + h.LastBadFrame, themes.Dim})
			}
		}},
	)
}

func (v *View) count(n uint64) span {
	return v.int(model.IntOf(int64(min(n, 1<<62))))
}

func warnAbove(n uint64) Level {
	if n > 0 {
		return Warn
	}
	return Normal
}

func (v *View) age(t time.Time) span {
	return known(v.Options.Format().Age(nil, t, v.Now), !t.IsZero())
}

// until returns how long it is until a time that may be none.
func (v *View) until(t time.Time) span {
	if t.IsZero() {
		return v.text("")
	}
	return plain("in " + string(v.Options.Format().Duration(nil, t.Sub(v.Now))))
}

func (v *View) subprotocol(l *model.Link) span {
	if l.State == model.LinkUp && l.PollEvery > 0 {
		return span{"no WebSocket passes, asked over HTTP", themes.Warn}
	}
	return v.text(l.Subprotocol)
}

func (v *View) certificate(l *model.Link) span {
	switch {
	case l.Endpoint == "":
		return v.text("")
	case strings.HasPrefix(l.Endpoint, "ws://"):
		return span{"none, the connection is not encrypted", themes.Warn}
	case l.InsecureTLS:
		return span{"not verified", themes.Critical}
	}
	return plain("verified")
}

// version returns the server's version as "1.2.3".
func (v *View) version(s model.ServerVersion) span {
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
	return plain(out)
}

// offset returns how far the server's clock is from ours.
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

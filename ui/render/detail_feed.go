package render

import (
	"strconv"
	"strings"
	"time"

	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// SubscriptionDetail returns the lines about a subscription, each exactly width cells wide. They
// include the full reason for the state of the subscription.
func SubscriptionDetail(s *model.Snapshot, v *View, name string, width int) []string {
	s = snapshotOrEmpty(s)
	r := s.Health.Subscription(model.Op(name))
	if r == nil {
		return v.noDataLines(width, "subscription "+name)
	}
	v = v.onLocalClock(s)
	f := v.Options.Format()
	return v.layoutBlocks(width,
		heading(r.Name.Title()+" ("+name+")", v.stateSpan(subStateOf(r)), textlayout.NewSpan("for "+string(f.Age(nil, r.Since, v.Now)), themes.Dim)),
		textBlock("Reason", r.Reason),
		block{"Unknown", func(p *detailWriter) {
			if r.Unknown != "" {
				p.Paragraph(textlayout.PlainSpan("this platform has " + r.Unknown + ", whose figures are unknown"))
			}
		}},
		textBlock("Fields this server lacks", r.Lacks),
		textBlock("Units of times", r.Times),
		textBlock("Meaning of counters", r.Meanings),
		block{"Data", func(p *detailWriter) {
			p.Pairs(
				textlayout.NewPair("Records", v.uint64Span(uint64(max(r.Records, 0)))),
				textlayout.NewPair("Filter keys", v.uint64Span(uint64(max(r.Keys, 0)))),
				textlayout.NewPair("Last data", v.ageSpan(r.LastData)),
				textlayout.NewPair("Verified", v.ageSpan(r.VerifiedAt)),
				textlayout.NewPair("Next try", v.untilSpan(r.NextTry)),
				textlayout.NewPair("Updates/s", v.figureSpan(model.FigureOf(r.PerSecond))),
			)
		}},
		block{"Audit", func(p *detailWriter) {
			p.Pairs(
				textlayout.NewPair("Audits", v.uint64Span(r.Audits)),
				textlayout.NewPair("Found wrong", withLevel(v.uint64Span(r.Drift.Total()), warnIfPositive(r.Drift.Total()))),
				textlayout.NewPair("Wrong values", v.uint64Span(r.Drift.Value)),
				textlayout.NewPair("Cleared", v.uint64Span(r.Drift.Cleared)),
				textlayout.NewPair("Rows missing", v.uint64Span(r.Drift.Missing)),
				textlayout.NewPair("Unexpected rows", v.uint64Span(r.Drift.Ghost)),
				textlayout.NewPair("Late", v.uint64Span(r.Late)),
			)
		}},
		block{"Traffic", func(p *detailWriter) {
			p.Pairs(
				textlayout.NewPair("Messages", v.uint64Span(r.Messages)),
				textlayout.NewPair("Updates", v.uint64Span(r.Updates)),
				textlayout.NewPair("Received", textlayout.PlainSpan(string(f.Size(nil, r.Bytes)))),
				textlayout.NewPair("Errors", withLevel(v.uint64Span(r.Errors), warnIfPositive(r.Errors))),
				textlayout.NewPair("Unreadable", withLevel(v.uint64Span(r.BadMessages), warnIfPositive(r.BadMessages))),
				textlayout.NewPair("Reloads", v.uint64Span(r.Resyncs)),
			)
		}},
	)
}

// textBlock returns a block with a title and a paragraph. If text is empty, the block is empty.
func textBlock(title, text string) block {
	return block{title, func(p *detailWriter) {
		if text != "" {
			p.Paragraph(textlayout.PlainSpan(text))
		}
	}}
}

// LinkDetail returns the lines about the connection to the platform, each exactly width cells wide.
func LinkDetail(s *model.Snapshot, v *View, width int) []string {
	s = snapshotOrEmpty(s)
	v = v.onLocalClock(s)
	h := &s.Health
	l := &h.Link
	f := v.Options.Format()
	return v.layoutBlocks(width,
		heading("Connection", v.stateSpan(LinkStateOf(l.State)), textlayout.NewSpan("for "+string(f.Age(nil, l.Since, v.Now)), themes.Dim)),
		block{"Link", func(p *detailWriter) {
			p.Line(textlayout.NewSpan("Address     ", themes.Dim), v.textSpan(l.Endpoint))
			p.Line(textlayout.NewSpan("Sub-protocol", themes.Dim), v.subprotocolSpan(l))
			p.Line(textlayout.NewSpan("Certificate ", themes.Dim), v.certificateSpan(l))
			if l.Way != "" {
				p.Paragraph(textlayout.NewSpan("The configured way to log in is refused; what works: "+l.Way, themes.Warn))
			}
			if l.Reason != "" {
				p.Paragraph(textlayout.NewSpan("Reason: "+l.Reason, themes.Dim))
			}
			if h.Search.Failed != "" {
				p.Paragraph(textlayout.NewSpan(failedSearchText(&h.Search, v), themes.Warn))
			}
			p.Pairs(
				textlayout.NewPair("Last heard", v.ageSpan(l.LastFrame)),
				textlayout.NewPair("Reconnects", v.uint64Span(l.Reconnects)),
				textlayout.NewPair("Connection lost", v.uint64Span(h.Cuts)),
				textlayout.NewPair("Back to live", v.uint64Span(h.Healed)),
				textlayout.NewPair("Attempt", v.uint64Span(uint64(max(l.Attempt, 0)))),
				textlayout.NewPair("Next try", v.untilSpan(l.NextTry)),
			)
		}},
		block{"Server", func(p *detailWriter) {
			p.Pairs(
				textlayout.NewPair("Version", v.versionSpan(h.Version)),
				textlayout.NewPair("Health", v.scalarSpan(h.Server.Status)),
				textlayout.NewPair("Clock", textlayout.PlainSpan(clockOffsetText(h.ClockOffset))),
				textlayout.NewPair("Restarts seen", v.uint64Span(h.Restarts)),
				textlayout.NewPair("Unreadable", withLevel(v.uint64Span(h.BadFrames), warnIfPositive(h.BadFrames))),
			)
			if h.LastBadFrame != "" {
				p.Paragraph(textlayout.NewSpan("Last bad message: "+h.LastBadFrame, themes.Dim))
			}
		}},
	)
}

func failedSearchText(s *model.CampaignSearch, v *View) string {
	text := "The campaigns cannot be listed since " + string(v.Options.Format().Clock(nil, s.Since)) + ": " + s.Failed
	if !s.NextTry.IsZero() {
		text += "; next try " + v.untilSpan(s.NextTry).Text
	}
	return text
}

func (v *View) uint64Span(n uint64) textlayout.Span {
	return v.intSpan(model.IntOf(int64(min(n, 1<<62))))
}

func warnIfPositive(n uint64) Level {
	if n > 0 {
		return Warn
	}
	return Normal
}

func (v *View) ageSpan(t time.Time) textlayout.Span {
	return knownSpan(v.Options.Format().Age(nil, t, v.Now), !t.IsZero())
}

// untilSpan returns the time that remains until t. If t is zero, it returns the mark for unknown
// values.
func (v *View) untilSpan(t time.Time) textlayout.Span {
	if t.IsZero() {
		return v.textSpan("")
	}
	return textlayout.PlainSpan("in " + string(v.Options.Format().Duration(nil, t.Sub(v.Now))))
}

func (v *View) subprotocolSpan(l *model.Link) textlayout.Span {
	if l.State == model.LinkUp && l.PollEvery > 0 {
		return textlayout.NewSpan("no WebSocket passes, asked over HTTP", themes.Warn)
	}
	return v.textSpan(l.Subprotocol)
}

func (v *View) certificateSpan(l *model.Link) textlayout.Span {
	switch {
	case l.Endpoint == "":
		return v.textSpan("")
	case strings.HasPrefix(l.Endpoint, "ws://"):
		return textlayout.NewSpan("none, the connection is not encrypted", themes.Warn)
	case l.InsecureTLS:
		return textlayout.NewSpan("not verified", themes.Critical)
	}
	return textlayout.PlainSpan("verified")
}

// versionSpan returns the version of the platform's server, such as "1.2.3", or the mark for
// unknown values.
func (v *View) versionSpan(s model.ServerVersion) textlayout.Span {
	if !s.Major.Known() {
		return v.textSpan("")
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
	return textlayout.PlainSpan(out)
}

// clockOffsetText describes d, the time by which the server's clock is ahead of the local clock.
func clockOffsetText(d time.Duration) string {
	d = d.Round(time.Second)
	f := &phrases.Format{}
	switch {
	case d > 0:
		return string(f.Duration(nil, d)) + " ahead"
	case d < 0:
		return string(f.Duration(nil, -d)) + " behind"
	}
	return "as ours"
}

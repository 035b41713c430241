package render

import (
	"strings"
	"time"

	"wallboard/internal/words"
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
		return v.noDataLines(width, words.DetailNoSubscription(name))
	}
	v = v.onLocalClock(s)
	f := v.Options.Format()
	return v.layoutBlocks(width,
		heading(codeAndName(name, v.translate(words.SubscriptionTitle(r.Name))), v.stateSpan(subscriptionRowState(r)), textlayout.NewSpan(v.translate(words.DetailFor(string(f.Age(nil, r.Since, v.Now)))), themes.Dim)),
		textBlock(words.DetailReason(), v.translate(words.PlatformMessage(r.Reason))),
		block{words.DetailUnknown(), func(p *detailWriter) {
			if r.Unknown != "" {
				p.Paragraph(textlayout.PlainSpan(v.translate(words.DetailUnknownFigures(r.Unknown))))
			}
		}},
		textBlock(words.DetailLacks(), r.Lacks),
		textBlock(words.DetailUnits(), r.Times),
		textBlock(words.DetailMeanings(), r.Meanings),
		block{words.DetailData(), func(p *detailWriter) {
			p.LabeledValues(
				p.pair(words.ColumnRecords(), v.uint64Span(uint64(max(r.Records, 0)))),
				p.pair(words.DetailFilterKeys(), v.uint64Span(uint64(max(r.Keys, 0)))),
				p.pair(words.DetailLastData(), v.ageSpan(r.LastData)),
				p.pair(words.ColumnVerified(), v.ageSpan(r.VerifiedAt)),
				p.pair(words.DetailNextTry(), v.untilSpan(r.NextTry)),
				p.pair(words.DetailUpdatesPerSecond(), v.figureSpan(model.FigureOf(r.PerSecond))),
			)
		}},
		block{words.DetailAudit(), func(p *detailWriter) {
			p.LabeledValues(
				p.pair(words.DetailAudits(), v.uint64Span(r.Audits)),
				p.pair(words.DetailFoundWrong(), withLevel(v.uint64Span(r.Drift.Total()), warnIfPositive(r.Drift.Total()))),
				p.pair(words.DetailWrongValues(), v.uint64Span(r.Drift.Value)),
				p.pair(words.DetailCleared(), v.uint64Span(r.Drift.Cleared)),
				p.pair(words.DetailRowsMissing(), v.uint64Span(r.Drift.Missing)),
				p.pair(words.DetailRowsUnexpected(), v.uint64Span(r.Drift.Ghost)),
				p.pair(words.DetailLate(), v.uint64Span(r.Late)),
			)
		}},
		block{words.DetailTraffic(), func(p *detailWriter) {
			p.LabeledValues(
				p.pair(words.ColumnMessages(), v.uint64Span(r.Messages)),
				p.pair(words.ColumnUpdates(), v.uint64Span(r.Updates)),
				p.pair(words.DetailReceived(), textlayout.PlainSpan(string(f.Size(nil, r.Bytes)))),
				p.pair(words.ColumnErrors(), withLevel(v.uint64Span(r.Errors), warnIfPositive(r.Errors))),
				p.pair(words.DetailUnreadable(), withLevel(v.uint64Span(r.BadMessages), warnIfPositive(r.BadMessages))),
				p.pair(words.ColumnReloads(), v.uint64Span(r.Resyncs)),
			)
		}},
	)
}

// textBlock returns a block with a title and a paragraph. If text is empty, the block is empty.
func textBlock(title words.Text, text string) block {
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
		heading(v.translate(words.DetailConnection()), v.stateSpan(LinkStateOf(l.State)), textlayout.NewSpan(v.translate(words.DetailFor(string(f.Age(nil, l.Since, v.Now)))), themes.Dim)),
		block{words.DetailLink(), func(p *detailWriter) {
			p.LabelledLines(
				p.pair(words.DetailAddress(), v.textSpan(l.Endpoint)),
				p.pair(words.DetailSubprotocol(), v.subprotocolSpan(l)),
				p.pair(words.DetailCertificate(), v.certificateSpan(l)),
			)
			if l.Way != "" {
				p.Paragraph(textlayout.NewSpan(v.translate(words.DetailOtherLogin(l.Way)), themes.Warn))
			}
			if l.Reason != "" {
				p.Paragraph(textlayout.NewSpan(v.translate(words.DetailReasonIs(v.translate(words.PlatformMessage(l.Reason)))), themes.Dim))
			}
			if h.Search.Failed != "" {
				p.Paragraph(textlayout.NewSpan(v.translate(failedSearchText(&h.Search, v)), themes.Warn))
			}
			p.LabeledValues(
				p.pair(words.DetailLastHeard(), v.ageSpan(l.LastFrame)),
				p.pair(words.DetailReconnects(), v.uint64Span(l.Reconnects)),
				p.pair(words.DetailConnectionLost(), v.uint64Span(h.Cuts)),
				p.pair(words.DetailBackToLive(), v.uint64Span(h.Healed)),
				p.pair(words.DetailAttempt(), v.uint64Span(uint64(max(l.Attempt, 0)))),
				p.pair(words.DetailNextTry(), v.untilSpan(l.NextTry)),
			)
		}},
		block{words.DetailServer(), func(p *detailWriter) {
			p.LabeledValues(
				p.pair(words.DetailVersion(), v.textSpan(h.Version.String())),
				p.pair(words.DetailHealth(), v.scalarSpan(h.Server.Status)),
				p.pair(words.DetailClock(), textlayout.PlainSpan(v.translate(clockOffsetText(h.ClockOffset)))),
				p.pair(words.DetailRestarts(), v.uint64Span(h.Restarts)),
				p.pair(words.DetailUnreadable(), withLevel(v.uint64Span(h.BadFrames), warnIfPositive(h.BadFrames))),
			)
			if h.LastBadFrame != "" {
				p.Paragraph(textlayout.NewSpan(v.translate(words.DetailLastBadMessage(v.translate(words.PlatformMessage(h.LastBadFrame)))), themes.Dim))
			}
		}},
	)
}

func failedSearchText(s *model.CampaignSearch, v *View) words.Text {
	since, reason := string(v.Options.Format().Clock(nil, s.Since)), v.translate(words.PlatformMessage(s.Failed))
	if s.NextTry.IsZero() {
		return words.DetailCampaignsFailed(since, reason)
	}
	return words.DetailCampaignsFailedNext(since, reason, s.NextTry.Sub(v.Now))
}

func (v *View) uint64Span(n uint64) textlayout.Span {
	return v.intSpan(model.IntOf(int64(min(n, 1<<62))))
}

func warnIfPositive(n uint64) Level {
	if n > 0 {
		return Warning
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
	return textlayout.PlainSpan(v.translate(words.DetailIn(t.Sub(v.Now))))
}

func (v *View) subprotocolSpan(l *model.Link) textlayout.Span {
	if l.State == model.LinkUp && l.PollEvery > 0 {
		return textlayout.NewSpan(v.translate(words.DetailPolled()), themes.Warn)
	}
	return v.textSpan(l.Subprotocol)
}

func (v *View) certificateSpan(l *model.Link) textlayout.Span {
	switch {
	case l.Endpoint == "":
		return v.textSpan("")
	case strings.HasPrefix(l.Endpoint, "ws://"):
		return textlayout.NewSpan(v.translate(words.DetailNotEncrypted()), themes.Warn)
	case l.InsecureTLS:
		return textlayout.NewSpan(v.translate(words.DetailNotVerified()), themes.Critical)
	}
	return textlayout.PlainSpan(v.translate(words.DetailVerified()))
}

// clockOffsetText describes d, the time by which the server's clock is ahead of the local clock.
func clockOffsetText(d time.Duration) words.Text {
	switch d = d.Round(time.Second); {
	case d > 0:
		return words.DetailClockAhead(d)
	case d < 0:
		return words.DetailClockBehind(-d)
	}
	return words.DetailClockEqual()
}

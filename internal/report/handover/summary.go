package handover

import (
	"cmp"
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/model/kpi"
)

// writeSummary writes three sentences, about the day, the worst incident and the open situations.
func (w *writer) writeSummary() {
	w.writeSentence("\n- ", words.HandoverDay(), w.dayText())
	w.writeSentence("- ", words.HandoverWorst(), w.worstText())
	w.writeSentence("- ", words.HandoverOpen(), w.openText())
}

func (w *writer) writeSentence(prefix string, label, text words.Text) {
	w.writeText(prefix+bold(w.translate(label))+" ", text)
}

// contactKinds maps channels to kinds of contact in the statistical data service. Other
// channels are unknown to this service.
var contactKinds = map[model.Channel]contact.Kind{model.Call: contact.Inbound, model.Video: contact.Video, model.Chat: contact.Chat}

// dayText describes the day: the figures of the first channel with their forecast, and the figures that
// are off target.
func (w *writer) dayText() words.Text {
	if len(w.Channels) == 0 {
		return words.HandoverSentence(words.SituationNoData())
	}
	c := &w.Channels[0]
	var parts []words.Text
	var forecast words.Text
	day := comparisonOf(w.Baseline, c.Channel)
	if day != nil {
		if f, ok := (outlook{w}).forecast(day); ok && f.ContactsKnown && f.IsLevelRangeNarrow() {
			forecast = escaped(w.translate(f.Lines()[0])) // the verdict
		}
	}
	if n, ok := c.Floor.Calls.ReceivedCalls.Get(); ok {
		const maxRatio = 2 // a counter this many times the recorded contacts of today did not start at midnight
		count := words.CountContactsOn(int(n), c.Channel)
		text := words.HandoverSoFar(count)
		if day != nil && day.SoFar.Days > 0 && n <= maxRatio*int64(day.Day.Total()) {
			text = words.HandoverSoFarTypical(count, wholeFrom100(day.SoFar.Median))
		}
		parts = append(parts, text)
	}
	for _, one := range []struct {
		figure     string
		alone      func(share string) words.Text
		withTarget func(share, target string) words.Text
	}{{"serviceLevel", words.HandoverLevel, words.HandoverLevelTarget}, {"abandonRate", words.HandoverAbandoned, words.HandoverAbandonedTarget}} {
		f := kpi.FigureNamed(one.figure)
		v, ok := f.FormFor(model.ScopeFloor).FloorValue(&c.Floor, w.Goal).Get()
		if !ok {
			continue
		}
		text := one.alone(percent(w.input.Words, v))
		if target, hasTarget := f.Target(w.Goal).Get(); hasTarget {
			text = one.withTarget(percent(w.input.Words, v), percent(w.input.Words, target))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = append(parts, words.HandoverNoFigures())
	}
	if today := w.Situations.TodaySummary(); today != "" {
		parts = append(parts, escaped(today))
	}
	return words.JoinSentences(words.HandoverSentence(words.JoinClauses(parts...)), forecast)
}

// comparisonOf returns the comparison of the contacts on a channel with typical days, or nil if there is
// none.
func comparisonOf(days []contact.Comparison, ch model.Channel) *contact.Comparison {
	kind, ok := contactKinds[ch]
	i := slices.IndexFunc(days, func(c contact.Comparison) bool { return ok && c.Day.Kind == kind })
	if i < 0 {
		return nil
	}
	return &days[i]
}

// wholeFrom100 rounds a mean from 100 on to a whole number.
func wholeFrom100(v float64) float64 {
	if v >= 100 {
		return math.Round(v)
	}
	return v
}

// worstText describes the most severe situation of the shift, in the order of [Report.setPastSituations], and
// the period in which most situations were open at once.
func (w *writer) worstText() words.Text {
	type severity struct {
		level   alert.Level
		waiting int
		length  time.Duration
	}
	var worst severity
	var text words.Text
	isWorse := func(s severity) bool {
		return text.IsZero() || cmp.Or(cmp.Compare(s.level, worst.level), cmp.Compare(s.waiting, worst.waiting), cmp.Compare(s.length, worst.length)) > 0
	}
	for i := range w.PastSituations {
		p := &w.PastSituations[i]
		if s := (severity{p.HighestLevel, p.Waiting, p.TotalDuration}); !p.Daily && isWorse(s) {
			worst = s
			text = words.HandoverWorstWas(escapeText(p.Place.Title), levelText(p.HighestLevel), w.episodesText(p), headlineText(p.Headline))
		}
	}
	for i := range w.Situations.Live {
		s := &w.Situations.Live[i]
		this := severity{max(s.HighestLevel, s.Level), s.IncidentSummary().MostWaiting, max(s.TotalToday, s.Lasted(w.At))}
		if isWorse(this) {
			worst = this
			text = words.HandoverWorstOpen(escapeText(s.Place.Title), levelText(this.level), w.clockText(s.Since), headlineText(s.Headline))
		}
	}
	for i := range w.input.recordedOnly {
		s := &w.input.recordedOnly[i]
		if this := (severity{s.HighestLevel, s.MostWaiting, w.At.Sub(s.Began)}); isWorse(this) {
			worst = this
			text = words.HandoverWorstOpen(escapeText(s.Place.Title), levelText(s.HighestLevel), w.beginText(s.Began, s.FromStart), headlineText(s.Headline))
		}
	}
	switch {
	case !text.IsZero():
		return words.JoinSentences(text, w.simultaneousText())
	case w.WatchedSince.After(w.From):
		return words.HandoverSentence(words.HandoverNoIncidentSince(w.clockText(w.WatchedSince)))
	}
	return words.HandoverSentence(words.HandoverNoIncident())
}

// minSimultaneous is the number of critical situations from which the summary says that they were open at
// once.
const minSimultaneous = 4

// simultaneousText says how many critical situations were open at once, and when at least half as many
// were. It returns the zero text if there were fewer than minSimultaneous, or if they are still open.
func (w *writer) simultaneousText() words.Text {
	type change struct {
		at   time.Time
		open int // first the change of the number of open situations, then the number itself
	}
	var changes []change
	add := func(from, to time.Time) { changes = append(changes, change{from, 1}, change{to, -1}) }
	for i := range w.PastSituations {
		if p := &w.PastSituations[i]; !p.Daily && p.HighestLevel == alert.Critical {
			add(p.WorstEpisode.Began, p.WorstEpisode.Ended)
		}
	}
	for i := range w.Situations.Live {
		if s := &w.Situations.Live[i]; max(s.HighestLevel, s.Level) == alert.Critical {
			add(s.Since, w.At)
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.open, b.open)) })
	most := 0
	for i := range changes {
		if i > 0 {
			changes[i].open += changes[i-1].open
		}
		if changes[i].open > changes[most].open {
			most = i
		}
	}
	if len(changes) == 0 || changes[most].open < minSimultaneous {
		return words.Text{}
	}
	from, to := most, most
	for from > 0 && 2*changes[from-1].open >= changes[most].open {
		from--
	}
	for 2*changes[to].open >= changes[most].open {
		to++
	}
	if !changes[to].at.Before(w.At) {
		return words.Text{} // the sentence about open situations already says this
	}
	return words.HandoverAtOnce(changes[most].open, w.clockText(changes[from].at), w.clockText(changes[to].at))
}

// headlineText returns a headline as a sentence, escaped for Markdown.
func headlineText(headline string) string { return escapeText(textformat.Sentence(headline)) }

// beginText returns the time at which a situation began, or was first seen if fromStart is true.
func (w *writer) beginText(at time.Time, fromStart bool) words.Text {
	if fromStart {
		return words.HandoverOrEarlier(w.clockText(at))
	}
	return w.clockText(at)
}

// maxListed limits the number of open situations that the summary lists with their owners. The
// section "Open" lists all of them.
const maxListed = 3

// openText lists the open situations with their owners, or counts them if there are too many.
func (w *writer) openText() words.Text {
	all := w.openSituations()
	if len(all) == 0 {
		return words.HandoverSentence(escaped(w.Situations.QuietStatement(w.translate(words.SituationNothing()))))
	}
	if n := len(all); n > maxListed {
		var critical, unowned int
		for i := range all {
			if all[i].HighestLevel == alert.Critical {
				critical++
			}
			if all[i].Ack.By == "" {
				unowned++
			}
		}
		return words.HandoverManyOpen(n, critical, unowned, words.HandoverHeadline(escapeText(all[0].Place.Title), headlineText(all[0].Headline)))
	}
	var parts []words.Text
	for i := range all {
		title, level := escapeText(all[i].Place.Title), levelText(all[i].HighestLevel)
		if by := all[i].Ack.By; by != "" {
			parts = append(parts, words.HandoverOpenTaken(title, level, escapeText(by)))
		} else {
			parts = append(parts, words.HandoverOpenFree(title, level))
		}
	}
	return words.HandoverSentence(words.JoinClauses(parts...))
}

// openSituations returns the live situations with their present levels and those that only the
// recording contains, critical ones first.
func (w *writer) openSituations() []situation.OpenSituation {
	var out []situation.OpenSituation
	for _, s := range w.liveSituations() {
		one := situation.OpenSituation{IncidentSummary: s.IncidentSummary(), At: w.At, Ack: s.Ack}
		one.HighestLevel = s.Level
		out = append(out, one)
	}
	out = append(out, w.input.recordedOnly...)
	slices.SortStableFunc(out, func(a, b situation.OpenSituation) int { return int(b.HighestLevel) - int(a.HighestLevel) })
	return out
}

// liveSituations returns the live situations, critical ones first.
func (w *writer) liveSituations() []*situation.Situation {
	var out []*situation.Situation
	for i := range w.Situations.Live {
		out = append(out, &w.Situations.Live[i])
	}
	slices.SortStableFunc(out, func(a, b *situation.Situation) int { return int(b.Level) - int(a.Level) })
	return out
}

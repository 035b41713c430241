package handover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/model/kpi"
)

// writeSummary writes three sentences, about the day, the worst incident and the open situations.
func (w *writer) writeSummary() {
	w.writeLine("\n- **How the day went:** %s", w.dayText())
	w.writeLine("- **What was worst:** %s", w.worstText())
	w.writeLine("- **What is open:** %s", w.openText())
}

// contactKinds maps channels to kinds of contact in the statistical data service. Other
// channels are unknown to this service.
var contactKinds = map[model.Channel]contact.Kind{model.Call: contact.Inbound, model.Video: contact.Video, model.Chat: contact.Chat}

// dayText describes the day: the figures of the first channel, and the figures that are off target.
func (w *writer) dayText() string {
	if len(w.Channels) == 0 {
		return "no data yet."
	}
	c := &w.Channels[0]
	var parts []string
	if n, ok := c.Floor.Calls.ReceivedCalls.Get(); ok {
		text := formatCount(c.Floor.Calls.ReceivedCalls) + " " + escapeText(phrases.Contacts(c.Channel)) + " so far"
		kind, compared := contactKinds[c.Channel]
		for _, day := range w.Baseline {
			const another = 2 // a counter this many times the recorded contacts of today did not start at midnight
			if compared && day.Day.Kind == kind && day.SoFar.Days > 0 && n <= another*int64(day.Day.Total()) {
				text += ", typically " + formatNumber(day.SoFar.Median)
			}
		}
		parts = append(parts, text)
	}
	for _, one := range []struct{ figure, format, target string }{{"serviceLevel", "service level %s", " (target %s)"}, {"abandonRate", "%s abandoned", " (at most %s)"}} {
		f := kpi.Named(one.figure)
		v, ok := f.FormFor(model.ScopeFloor).OfFloor(&c.Floor, w.Goal).Get()
		if !ok {
			continue
		}
		text := fmt.Sprintf(one.format, phrases.Percent(v))
		if target, some := f.Target(w.Goal).Get(); some {
			text += fmt.Sprintf(one.target, phrases.Percent(target))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = append(parts, "the platform has sent no figures of the day")
	}
	text := strings.Join(parts, "; ")
	if today := w.Situations.TodaySummary(); today != "" {
		text += "; " + escapeText(today)
	}
	return text + "."
}

// worstText describes the most severe situation of the shift. Among situations of the same
// level, it is the one in which most contacts waited at once, and then the one with the longest total
// duration.
func (w *writer) worstText() string {
	type severity struct {
		level   alert.Level
		waiting int
		length  time.Duration
	}
	var worst severity
	text := ""
	isWorse := func(s severity) bool {
		return text == "" || cmp.Or(cmp.Compare(s.level, worst.level), cmp.Compare(s.waiting, worst.waiting), cmp.Compare(s.length, worst.length)) > 0
	}
	for i := range w.Past {
		p := &w.Past[i]
		if s := (severity{p.Worst, p.Waiting, p.TotalDuration}); !p.Daily && isWorse(s) {
			worst = s
			text = escapeText(p.Place.Title) + ", " + p.Worst.String() + " " + w.episodesText(p) + ": " + escapeText(phrases.Sentence(p.Headline))
		}
	}
	for i := range w.Situations.Live {
		s := &w.Situations.Live[i]
		this := severity{max(s.Highest, s.Level), s.Story().MostWaiting, max(s.TotalToday, s.Lasted(w.At))}
		if isWorse(this) {
			worst = this
			text = escapeText(s.Place.Title) + ", " + this.level.String() + " and still open, since " + w.formatTime(s.Since) + ": " + escapeText(phrases.Sentence(s.Headline))
		}
	}
	for i := range w.input.unjudged {
		s := &w.input.unjudged[i]
		if this := (severity{s.Worst, s.MostWaiting, w.At.Sub(s.Began)}); isWorse(this) {
			worst = this
			text = escapeText(s.Place.Title) + ", " + s.Worst.String() + " and still open, since " + w.beginText(s.Began, s.FromStart) + ": " + escapeText(phrases.Sentence(s.Headline))
		}
	}
	switch {
	case text != "":
		return text
	case w.WatchedSince.After(w.From):
		return "no incident since " + w.formatTime(w.WatchedSince) + ", when monitoring began."
	}
	return "no incident."
}

// beginText formats the time at which a situation began, or was first seen if fromStart is true.
func (w *writer) beginText(at time.Time, fromStart bool) string {
	if fromStart {
		return w.formatTime(at) + " or earlier"
	}
	return w.formatTime(at)
}

// maxListed limits the number of open situations that the summary lists with their owners. The
// section "Open" lists all of them.
const maxListed = 3

// openText lists the open situations with their owners, or counts them if there are too many.
func (w *writer) openText() string {
	all := w.openSituations()
	if len(all) == 0 {
		return escapeText(w.Situations.QuietStatement("Nothing needs action now")) + "."
	}
	if n := len(all); n > maxListed {
		var critical, unowned int
		for i := range all {
			if all[i].Worst == alert.Critical {
				critical++
			}
			if all[i].Ack.By == "" {
				unowned++
			}
		}
		return fmt.Sprintf("%d situations, %d of them critical, %d not taken over; the most severe is %s: %s", n, critical, unowned,
			escapeText(all[0].Place.Title), escapeText(phrases.Sentence(all[0].Headline)))
	}
	var parts []string
	for i := range all {
		owner := "not taken over"
		if by := all[i].Ack.By; by != "" {
			owner = "taken over by " + escapeText(by)
		}
		parts = append(parts, escapeText(all[i].Place.Title)+" ("+all[i].Worst.String()+", "+owner+")")
	}
	return strings.Join(parts, "; ") + "."
}

// openSituations returns the live situations with their present levels and those that only the
// recording contains, critical ones first.
func (w *writer) openSituations() []situation.OpenSituation {
	var out []situation.OpenSituation
	for _, s := range w.liveSituations() {
		one := situation.OpenSituation{Story: s.Story(), At: w.At, Ack: s.Ack}
		one.Worst = s.Level
		out = append(out, one)
	}
	out = append(out, w.input.unjudged...)
	slices.SortStableFunc(out, func(a, b situation.OpenSituation) int { return int(b.Worst) - int(a.Worst) })
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

package handover

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
		text := strconv.FormatInt(n, 10) + " " + escapeText(phrases.Contacts(c.Channel)) + " so far"
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
		this := severity{max(s.Highest, s.Level), s.Affected, max(s.TotalToday, s.Lasted(w.At))}
		if isWorse(this) {
			worst = this
			text = escapeText(s.Place.Title) + ", " + this.level.String() + " and still open, since " + w.formatTime(s.Since) + ": " + escapeText(phrases.Sentence(s.Headline))
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

// maxListed limits the number of open situations that the summary lists with their owners. The
// section "Open" lists all of them.
const maxListed = 3

// openText lists the open situations with their owners, or counts them if there are too many.
func (w *writer) openText() string {
	live := w.liveSituations()
	if n := len(w.input.unjudged); n > 0 && len(live) == 0 {
		return phrases.Count(n, "alert", "alerts") + " in the recording: " + escapeText(w.input.unjudged[0].Text) + " (" + w.input.unjudged[0].Level.String() + ")."
	}
	if len(live) == 0 {
		return escapeText(w.Situations.QuietStatement("Nothing needs action now")) + "."
	}
	if n := len(live); n > maxListed {
		var critical, unowned int
		for _, s := range live {
			if s.Level == alert.Critical {
				critical++
			}
			if s.Ack.By == "" {
				unowned++
			}
		}
		return fmt.Sprintf("%d situations, %d of them critical, %d not taken over; the most severe is %s: %s", n, critical, unowned,
			escapeText(live[0].Place.Title), escapeText(phrases.Sentence(live[0].Headline)))
	}
	var parts []string
	for _, s := range live {
		owner := "not taken over"
		if s.Ack.By != "" {
			owner = "taken over by " + escapeText(s.Ack.By)
		}
		parts = append(parts, escapeText(s.Place.Title)+" ("+s.Level.String()+", "+owner+")")
	}
	return strings.Join(parts, "; ") + "."
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

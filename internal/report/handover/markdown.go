package handover

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// unknownValue replaces a value that the platform has not sent.
const unknownValue = "–"

// Markdown formats a report as Markdown: a page that tells the story of the shift, and an appendix with
// everything that has no place on it.
func Markdown(r Report) string {
	w := &writer{Report: r}
	w.writeHead()
	w.writeSummary()
	p := pages{w}
	p.write([]section{
		p.newList(words.HandoverSectionOpen(), (*writer).writeOpenSituations),
		p.newList(words.HandoverSectionNotes(), (*writer).writeNotes),
		p.newList(words.HandoverSectionIncidents(), (*writer).writeIncidents),
		p.newList(words.HandoverSectionOffTarget(), (*writer).writeDailySituations),
		p.newList(words.HandoverSectionBreaks(), func(w *writer) { breakList{w}.write() }),
		p.newList(words.HandoverSectionActions(), (*writer).writeActions),
		p.newBlock(words.HandoverSectionFigures(), (*writer).writeFigures),
		p.newBlock(words.PageCampaigns(), (*writer).writeCampaigns),
		p.newBlock(words.HandoverSectionFeed(), (*writer).writeFeed),
	})
	return w.out.String()
}

type writer struct {
	Report

	out bytes.Buffer
}

func (w *writer) writeLine(format string, args ...any) {
	_, _ = fmt.Fprintf(&w.out, format+"\n", args...) // writing to a bytes.Buffer cannot fail
}

func (w *writer) writeSection(name words.Text) { w.writeText("\n## ", name) }

// writeTable writes a table. It aligns the first column and the last textColumns columns to the left,
// and the others to the right.
func (w *writer) writeTable(head []string, rows [][]string, textColumns int) {
	w.writeLine("| %s |", strings.Join(head, " | "))
	w.writeLine("|---%s%s|", strings.Repeat("|---:", len(head)-1-textColumns), strings.Repeat("|---", textColumns))
	for _, row := range rows {
		w.writeLine("| %s |", strings.Join(row, " | "))
	}
}

// escapes lists strings with a meaning in Markdown, each followed by its escaped form.
var escapes = []string{
	"&", "&amp;",
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`,
	"://", `\://`, "www.", `www\.`, // prevents automatic links
}

var (
	escaper   = strings.NewReplacer(append(slices.Clone(escapes), "\n", " ")...)
	unescaper = strings.NewReplacer(append(reversed(escapes), "**", "")...)
)

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// escapeText escapes all characters of s that have a meaning in Markdown. If the result is
// empty, it returns unknownValue.
func escapeText(s string) string {
	s = escaper.Replace(s)
	if s == "" {
		return unknownValue
	}
	return s
}

// StripMarkdown returns a line of a report without Markdown syntax.
func StripMarkdown(line string) string { return unescaper.Replace(line) }

// TableCells returns the cells of a table line without Markdown syntax. It returns nil for the
// line between the header and the rows.
func TableCells(line string) []string {
	if strings.HasPrefix(line, "|---") {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |")
	cells := strings.Split(line, " | ")
	for i, c := range cells {
		cells[i] = StripMarkdown(c)
	}
	return cells
}

func (w *writer) writeHead() {
	title := words.DialogHandover()
	if w.Site != "" {
		title = words.HandoverTitleSite(escapeText(w.Site))
	}
	w.writeText("# ", title)
	period := words.HandoverPeriod(words.LongDate(w.At), w.clockText(w.From), w.clockText(w.At), w.At.Format("MST"))
	if w.HandedOverBy != "" {
		period = words.HandoverPeriodBy(period, escapeText(w.HandedOverBy))
	}
	w.writeText("", words.HandoverSentence(period))
	if !w.Health.Live() {
		w.writeLine("\n%s", bold(w.translate(words.HandoverOld())))
	}
}

func percent(l *words.Language, share float64) string {
	return string(l.AppendPercent(nil, share))
}

func formatCount(l *words.Language, n model.Int) string {
	return string(textformat.Format{Words: l}.Int(nil, n))
}

// writeBaseline compares the contacts of today with typical days, and writes the end-of-day forecasts,
// with a line for each kind of contact, below the figures of the day. It omits kinds without
// contacts on any of these days.
func (w *writer) writeBaseline() {
	if len(w.Baseline) == 0 {
		note := w.BaselineNote
		if note.IsZero() {
			note = words.HandoverNoTypical()
		}
		w.writeLine("- %s", w.escape(note))
		return
	}
	hasForecast := false
	for i := range w.Baseline {
		c := &w.Baseline[i]
		if c.Day.AnyHourKnown() && c.Day.Total() == 0 && c.SoFar.Days > 0 && c.SoFar.Median == 0 {
			continue
		}
		count := unknownValue
		if c.Day.AnyHourKnown() {
			count = formatNumber(w.input.Words, float64(c.Day.Total()))
		}
		compared := words.HandoverClauses(words.Name(count), verdictText(*c))
		lines, known := outlook{w}.lines(c)
		hasForecast = hasForecast || known
		lines = append([]words.Text{words.HandoverSentence(words.HandoverHeadline(w.translate(kindTitle(c.Day.Kind)), w.translate(compared)))}, lines...)
		w.writeLine("- %s", w.escape(words.JoinSentences(lines...)))
	}
	if hasForecast {
		w.writeText("- ", words.HandoverRanges())
	}
	if !w.BaselineNote.IsZero() {
		w.writeLine("- %s", w.escape(w.BaselineNote))
	}
}

func formatNumber(l *words.Language, v float64) string {
	return string(textformat.Format{Words: l}.Mean(nil, v))
}

// writeActions writes the actions.
func (w *writer) writeActions() {
	if w.ActionsNote != "" {
		w.writeLine("%s", escapeText(w.ActionsNote))
	}
	for i := range w.Actions {
		d := &w.Actions[i]
		text := "- " + w.formatTime(d.At) + " "
		if d.UserName != "" {
			text += escapeText(d.UserName) + ": "
		}
		text += w.escape(d.actionAndTarget())
		if d.Outcome != "" {
			text += ", " + bold(w.translate(words.OutcomeName(words.OutcomeOf(d.Outcome))))
		}
		explanation := d.OutcomeText
		if d.Outcome == resource.OutcomeConfirmed.String() && w.input.Words.Tag() != "en" {
			explanation = "" // it is in English, as in the audit file, and says no more
		}
		for _, more := range []string{explanation, d.WarningText, d.Effect} {
			if more != "" {
				text += ". " + escapeText(textformat.Capitalize(strings.TrimSuffix(more, ".")))
			}
		}
		w.writeLine("%s", text)
	}
}

// writeNotes writes the notes of the shift, the notes that were active during it, and the valid ticks.
func (w *writer) writeNotes() {
	for i := range w.Notes {
		n := &w.Notes[i]
		if n.At.After(w.At) || n.At.Before(w.From) && n.Until.Before(w.From) {
			continue
		}
		if n.Tick.Item == "" {
			times, text := textformat.DescribeNote(n, w.At, w.input.Words, w.formatTime)
			w.writeLine("- %s %s", times, escapeText(text))
			continue
		}
		if !n.IsActive(w.At) { // the tick was taken back or is no longer valid
			continue
		}
		done := words.HandoverDone(w.clockText(n.At), n.Text)
		if n.By != "" {
			done = words.HandoverDoneBy(w.clockText(n.At), n.Text, n.By)
		}
		w.writeLine("- %s", w.escape(done))
	}
}

// writeCampaigns writes a table of the campaigns.
func (w *writer) writeCampaigns() {
	if len(w.Campaigns) == 0 {
		return
	}
	var rows [][]string
	for i := range w.Campaigns {
		c := &w.Campaigns[i]
		rows = append(rows, []string{
			escapeText(c.Name), w.translate(words.HandoverPart(formatCount(w.input.Words, c.TriedContacts), formatCount(w.input.Words, c.TotalContacts))), formatCampaignShare(w.input.Words, "penetration", &c.Campaign), formatCount(w.input.Words, c.ToDoContacts),
			formatCount(w.input.Words, c.OkContacts), formatCampaignShare(w.input.Words, "hitRate", &c.Campaign), formatCount(w.input.Words, c.TalkingContacts),
		})
	}
	w.writeTable(heads(w.input.Words, words.HandoverCampaign(), words.HandoverTried(), words.HandoverProgress(), words.HandoverToDo(), words.HandoverReached(), words.HandoverHitRate(), words.HandoverTalking()), rows, 0)
}

// writeFeed writes the state of the feed. It writes nothing if the feed is live and never had a problem.
func (w *writer) writeFeed() {
	h := &w.Health
	switch {
	case len(h.Subscriptions) == 0:
		w.writeText("", words.HandoverFeedSilent())
		return
	case h.Live() && h.Link.Reconnects == 0 && h.Cuts == 0 && h.Drift().Total() == 0:
		return
	case h.Live():
		losses := words.HandoverNeverLost()
		if h.Cuts > 0 {
			losses = words.HandoverLosses(intOf(h.Cuts), intOf(h.Healed))
		}
		w.writeText("", words.HandoverFeedLive(intOf(h.Link.Reconnects), losses, intOf(h.Drift().Total())))
	default:
		w.writeText("", words.JoinSentences(words.HandoverNotLive(escapeText(string(h.Link.State))), escaped(strings.TrimSpace(h.Link.Reason+" "+h.Notice))))
	}
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.State.IsCurrent() {
			continue
		}
		text := words.HandoverSubscription(string(s.Name), string(s.State))
		if s.Reason != "" {
			text = words.HandoverSubscriptionBecause(string(s.Name), string(s.State), s.Reason)
		}
		w.writeLine("- %s", w.escape(text))
	}
}

// intOf converts a counter to an int.
func intOf(n uint64) int { return int(min(n, math.MaxInt32)) }

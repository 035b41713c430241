package handover

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/phrases"
	"wallboard/internal/words"
	"wallboard/model"
)

// unknownValue replaces a value that the platform has not sent.
const unknownValue = "–"

// Markdown formats a report as Markdown. The most important parts come first.
func Markdown(r Report) string {
	w := &writer{Report: r}
	w.writeHead()
	w.writeSummary()
	w.writeNotes()
	w.writeOpenSituations()
	w.writeIncidents()
	w.writeActions()
	w.writeFigures()
	w.writeBaseline()
	w.writeOutlook()
	w.writeCampaigns()
	w.writeFeed()
	return w.String()
}

type writer struct {
	strings.Builder
	Report
}

func (w *writer) writeLine(format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...) // writing to a strings.Builder cannot fail
}

func (w *writer) writeSection(name string) { w.writeLine("\n## %s", name) }

// writeTable writes a table. It aligns the first column to the left, and the others to the right.
func (w *writer) writeTable(head []string, rows [][]string) {
	w.writeLine("| %s |", strings.Join(head, " | "))
	w.writeLine("|---%s|", strings.Repeat("|---:", len(head)-1))
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

// formatTime formats a time of day. It adds the date if it differs from the date of the report.
func (w *writer) formatTime(t time.Time) string {
	if t.IsZero() {
		return unknownValue
	}
	return phrases.DayClock(t, w.At)
}

func (w *writer) writeHead() {
	title := "Shift handover"
	if w.Site != "" {
		title += ", " + escapeText(w.Site)
	}
	w.writeLine("# %s", title)
	by := ""
	if w.HandedOverBy != "" {
		by = ", by " + escapeText(w.HandedOverBy)
	}
	w.writeLine("\n%s, %s to %s (%s)%s.", w.At.Format("Monday, 2 January 2006"), w.formatTime(w.From), w.formatTime(w.At), w.At.Format("MST"), by)
	if !w.Health.Live() {
		w.writeLine("\n**The figures may be old: the feed was not live when this was written, see Feed.**")
	}
}

func channelSuffix(ch model.Channel) string {
	if ch == model.Call {
		return ""
	}
	return " (" + channelName(ch) + ")"
}

// channelName returns the display name of a channel, escaped for Markdown.
func channelName(ch model.Channel) string { return escapeText(phrases.Channel(ch)) }

func targetText(word string, t model.Float) string {
	if v, ok := t.Get(); ok {
		return word + phrases.Percent(v)
	}
	return ""
}

func formatCount(n model.Int) string { return string(phrases.Format{}.Int(nil, n)) }

func (w *writer) writeBaseline() {
	w.writeSection("Compared with a typical day")
	if len(w.Baseline) == 0 {
		if w.BaselineNote == "" {
			w.BaselineNote = "There is no data for a typical day."
		}
		w.writeLine("%s", escapeText(w.BaselineNote))
		return
	}
	var rows [][]string
	for _, c := range w.Baseline {
		row := []string{c.Day.Kind.String(), formatNumber(float64(c.Day.Total())), unknownValue, unknownValue, unknownValue, words.VolumeText(c.Volume()).In(nil)}
		if c.SoFar.Days > 0 {
			row[2], row[3] = formatNumber(c.SoFar.Median), formatNumber(c.SoFar.Low)+" to "+formatNumber(c.SoFar.High)
		}
		if share, ok := c.Change(); ok {
			row[4] = model.SignedPercent(share)
		}
		if !c.Day.AnyHourKnown() {
			row[1] = unknownValue
		}
		rows = append(rows, row)
	}
	w.writeTable([]string{"today so far", "count", "typical by now", "range", "change", ""}, rows)
	if c := w.Baseline[0]; c.SoFar.Days > 0 {
		days := "the last " + c.Baseline.Weekday.String()
		if n := c.SoFar.Days; n > 1 {
			days = "the last " + strconv.Itoa(n) + " " + c.Baseline.Weekday.String() + "s"
		}
		w.writeLine("\nTypical is the median of %s by %s; half of these days are within the range.", days, w.formatTime(c.Day.At))
	}
	if w.BaselineNote != "" {
		w.writeLine("%s", escapeText(w.BaselineNote))
	}
}

func formatNumber(v float64) string { return string(phrases.Format{}.Mean(nil, v)) }

func (w *writer) writeActions() {
	w.writeSection("Actions")
	switch {
	case w.ActionsNote != "":
		w.writeLine("%s", escapeText(w.ActionsNote))
	case len(w.Actions) == 0:
		w.writeLine("No action is recorded.")
	}
	if w.ActionsNote != "" && len(w.Actions) > 0 {
		w.writeLine("")
	}
	for i := range w.Actions {
		d := &w.Actions[i]
		text := "- " + w.formatTime(d.At) + " "
		if d.UserName != "" {
			text += escapeText(d.UserName) + ": "
		}
		text += escapeText(d.deed())
		if d.Outcome != "" {
			text += ", **" + escapeText(d.Outcome) + "**"
		}
		for _, more := range []string{d.OutcomeText, d.WarningText, d.Effect} {
			if more != "" {
				text += ". " + escapeText(phrases.Capital(strings.TrimSuffix(more, ".")))
			}
		}
		w.writeLine("%s", text)
	}
}

// writeNotes writes the section with the marks of the shift and the notes that were active
// during it. It writes nothing if there are none.
func (w *writer) writeNotes() {
	var lines []string
	for i := range w.Notes {
		n := &w.Notes[i]
		if n.At.After(w.At) || n.At.Before(w.From) && n.Until.Before(w.From) {
			continue
		}
		times, text := phrases.DescribeNote(n, w.At, w.formatTime)
		if n.Tick.Item != "" {
			if !n.IsActive(w.At) { // the tick was taken back or is no longer valid
				continue
			}
			if times, text = w.formatTime(n.At)+" done:", n.Text; n.By != "" {
				text += " (" + n.By + ")"
			}
		}
		lines = append(lines, "- "+times+" "+escapeText(text))
	}
	if len(lines) == 0 {
		return
	}
	w.writeSection("Notes and marks")
	for _, line := range lines {
		w.writeLine("%s", line)
	}
}

func (w *writer) writeCampaigns() {
	w.writeSection("Campaigns")
	if len(w.Campaigns) == 0 {
		w.writeLine("None are shown on this board.")
		return
	}
	var rows [][]string
	for i := range w.Campaigns {
		c := &w.Campaigns[i]
		rows = append(rows, []string{
			escapeText(c.Name), formatCount(c.TriedContacts) + " of " + formatCount(c.TotalContacts), formatCampaignShare("penetration", &c.Campaign), formatCount(c.ToDoContacts),
			formatCount(c.OkContacts), formatCampaignShare("hitRate", &c.Campaign), formatCount(c.TalkingContacts),
		})
	}
	w.writeTable([]string{"campaign", "tried", "progress", "to do", "reached", "hit rate", "talking"}, rows)
}

func (w *writer) writeFeed() {
	w.writeSection("Feed")
	h := &w.Health
	switch {
	case len(h.Subscriptions) == 0:
		w.writeLine("Nothing was heard from the platform yet.")
		return
	case h.Live():
		losses := "the connection was never lost"
		if h.Cuts > 0 {
			losses = fmt.Sprintf("back after %d of %s of the connection", h.Healed, phrases.Count(int(min(h.Cuts, math.MaxInt32)), "loss", "losses"))
		}
		w.writeLine("Live. Reconnects: %d; %s; figures found wrong and corrected: %d.", h.Link.Reconnects, losses, h.Drift().Total())
	default:
		w.writeLine("**Not live** (connection: %s). %s", escapeText(string(h.Link.State)), escapeText(strings.TrimSpace(h.Link.Reason+" "+h.Notice)))
	}
	for i := range h.Subscriptions {
		if s := &h.Subscriptions[i]; !s.State.IsCurrent() {
			w.writeLine("- %s is %s%s", escapeText(string(s.Name)), escapeText(string(s.State)), reasonSuffix(s.Reason))
		}
	}
}

func reasonSuffix(text string) string {
	if text == "" {
		return ""
	}
	return ": " + escapeText(text)
}

package handover

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// DayReport is a report about a day of the contact center. The data comes from the statistical data
// service and from the recording.
type DayReport struct {
	Date          time.Time            `json:"date"` // start of the day in the report's time zone
	CreatedAt     time.Time            `json:"made"`
	Comparisons   []contact.Comparison `json:"kinds"`
	Organizations []contact.Group      `json:"organizations,omitempty"` // organizations of the callers of inbound calls
	// OrganizationCount is the total number of organizations, of which Organizations may hold
	// only the first.
	OrganizationCount int `json:"allOrganizations,omitempty"`
	// Intervals holds the recorded intervals of the day, or nil if there are none.
	Intervals *analysis.Table `json:"intervals,omitempty"`
}

// DefaultOrganizations is the number of organizations in a report unless the user requests all of
// them.
const DefaultOrganizations = 10

// organizationsTitle returns the title of the list of organizations. For an incomplete list,
// the title contains the number of listed organizations, their total number, and the flag that
// lists all.
func (d DayReport) organizationsTitle() words.Text {
	if n := len(d.Organizations); n < d.OrganizationCount {
		return words.HandoverOrganizationsPart(n, d.OrganizationCount)
	}
	return words.HandoverOrganizations()
}

// Output formats of a report.
const (
	FormText     = "text"
	FormCSV      = "csv"
	FormMarkdown = "markdown"
	FormHTML     = "html"
)

// DayFormatters returns the functions that format a report in a language, by output format.
func DayFormatters(l *words.Language) map[string]func(DayReport) string {
	in := func(format func(DayReport, *words.Language) string) func(DayReport) string {
		return func(d DayReport) string { return format(d, l) }
	}
	return map[string]func(DayReport) string{FormText: in(dayText), FormCSV: dayCSV, FormMarkdown: in(dayMarkdown), FormHTML: in(dayHTML)}
}

// ReadDay reads the data of a day from the statistical data service. It skips a kind of contact if the server
// does not support its operation, and returns an error if the server supports none. It calls progress before
// it reads a kind, and while it waits.
func ReadDay(ctx context.Context, client *history.Client, day time.Time, progress func(contact.Progress)) (DayReport, error) {
	d := DayReport{CreatedAt: time.Now().In(client.Location())}
	var lacks error
	for i, kind := range contact.Kinds() {
		tell := func(p contact.Progress) {
			progress(contact.Progress{Read: i, Total: len(contact.Kinds()), Wait: p.Wait})
		}
		tell(contact.Progress{})
		c, err := client.CompareDay(contact.WithProgress(ctx, tell), day, kind)
		if errors.Is(err, history.ErrUnknownOperation) {
			lacks = err
			continue
		}
		if err != nil {
			return d, err
		}
		d.Date, d.Comparisons = c.Day.Date, append(d.Comparisons, c)
	}
	if len(d.Comparisons) == 0 {
		return d, lacks
	}
	groups, err := client.Groups(ctx, contact.GroupQuery{Kind: contact.Inbound, Range: contact.Range{From: d.Date, To: contact.StartOfDay(d.Date, 1)}})
	if err != nil && !errors.Is(err, history.ErrUnknownOperation) && !errors.Is(err, history.ErrRefused) {
		return d, err
	}
	d.Organizations, d.OrganizationCount = groups, len(groups)
	return d, nil
}

// title returns the title of the report. If the report was made before the day was over, the
// title contains the time of the report.
func (d DayReport) title() words.Text {
	if d.CreatedAt.Before(contact.StartOfDay(d.Date, 1)) {
		return words.HandoverContactsUntil(words.LongDate(d.Date), words.ClockOf(d.CreatedAt, nil))
	}
	return words.HandoverContactsOn(words.LongDate(d.Date))
}

// verdictText compares the number of contacts with typical days in words.
func verdictText(c contact.Comparison) words.Text {
	share, ok := c.Change()
	switch {
	case c.Volume() == contact.VolumeNotComparable:
		return words.VolumeText(c.Volume())
	case !ok:
		return words.HandoverTypicalNone(words.HandoverDays(c.SoFar.Days))
	}
	return words.HandoverVolume(words.VolumeText(c.Volume()), model.SignedPercent(share), wholeFrom100(c.SoFar.Median), words.HandoverDays(c.SoFar.Days))
}

// hourRows returns the heading and the rows of a table with a row per hour. A row has two
// columns for each kind of contact: the count of the day and the median of typical days.
// Unknown values are dashes.
func hourRows(d DayReport, l *words.Language) (head []string, rows [][]string) {
	head = []string{words.HandoverHour().In(l)}
	for _, c := range d.Comparisons {
		head = append(head, kindName(c.Day.Kind).In(l), words.VolumeText(contact.VolumeAsUsual).In(l))
	}
	if len(d.Comparisons) == 0 {
		return head, nil
	}
	for i, h := range d.Comparisons[0].Day.Hours {
		row := []string{textformat.Clock(h.Start, nil)}
		for _, c := range d.Comparisons {
			count, usual := "–", "–"
			if hour := c.Day.Hours[i]; hour.Known {
				if count = strconv.Itoa(hour.Count); hour.Partial {
					count = words.HandoverCountSoFar(hour.Count).In(l)
				}
			}
			if band := c.Baseline.Hours[h.Start.Hour()]; band.Days > 0 {
				usual = string(l.AppendNumber(nil, band.Median))
			}
			row = append(row, count, usual)
		}
		rows = append(rows, row)
	}
	return head, rows
}

// dayText formats a report as plain text for a terminal or a mail.
func dayText(d DayReport, l *words.Language) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", d.title().In(l))
	for _, c := range d.Comparisons {
		fmt.Fprintf(&b, "%-15s %7d  %s\n", kindName(c.Day.Kind).In(l), c.Day.Total(), verdictText(c).In(l))
	}
	b.WriteByte('\n')
	head, rows := hourRows(d, l)
	b.WriteString(terminal.AlignColumns(append([][]string{head}, rows...), 0))
	if d.Intervals != nil {
		b.WriteString("\n" + intervalsText(*d.Intervals))
	}
	if len(d.Organizations) > 0 {
		b.WriteString("\n" + d.organizationsTitle().In(l) + "\n")
		lines := make([][]string, 0, len(d.Organizations))
		for _, g := range d.Organizations {
			lines = append(lines, []string{organizationName(g, l), strconv.Itoa(g.Count)})
		}
		b.WriteString(terminal.AlignColumns(lines, 0))
	}
	return b.String()
}

func organizationName(g contact.Group, l *words.Language) string {
	if g.Name == "" {
		return words.HandoverNoOrganization().In(l)
	}
	return strings.TrimSpace(model.CleanText(g.Name, model.MaxBody))
}

// dayCSV formats the hourly counts of a report as CSV, with a line for each hour and kind of contact.
func dayCSV(d DayReport) string {
	var rows [][]string
	for _, c := range d.Comparisons {
		for _, h := range c.Day.Hours {
			count, usual := "", []string{"", "", ""}
			if h.Known {
				count = strconv.Itoa(h.Count)
			}
			if band := c.Baseline.Hours[h.Start.Hour()]; band.Days > 0 {
				usual = nil
				for _, v := range []float64{band.Median, band.Low, band.High} {
					usual = append(usual, strconv.FormatFloat(v, 'f', -1, 64))
				}
			}
			rows = append(rows, append([]string{h.Start.Format(time.RFC3339), c.Day.Kind.String(), count}, usual...))
		}
	}
	var b strings.Builder
	_ = contact.WriteCSV(&b, []string{"hour", "kind", "count", "usual_median", "usual_low", "usual_high"}, rows) // writing to a strings.Builder cannot fail
	return b.String()
}

// dayMarkdown formats a report as Markdown.
func dayMarkdown(d DayReport, l *words.Language) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", d.title().In(l))
	for _, c := range d.Comparisons {
		fmt.Fprintf(&b, "- **%s**: %d, %s\n", kindName(c.Day.Kind).In(l), c.Day.Total(), verdictText(c).In(l))
	}
	head, rows := hourRows(d, l)
	b.WriteString("\n| " + strings.Join(head, " | ") + " |\n|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	if v := d.Intervals; v != nil {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", escaper.Replace(v.Title()), v.About())
		writeIntervalsTable(&b, v)
	}
	if len(d.Organizations) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n| %s | %s |\n|---|---:|\n", d.organizationsTitle().In(l), words.HandoverOrganization().In(l), words.HandoverCalls().In(l))
		for _, g := range d.Organizations {
			fmt.Fprintf(&b, "| %s | %d |\n", escaper.Replace(organizationName(g, l)), g.Count)
		}
	}
	return b.String()
}

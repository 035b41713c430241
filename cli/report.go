package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/history"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/model/resource"
)

// dayReport is one day of the contact center, each kind of contact against what
// is usual on the weekday.
type dayReport struct {
	Date          time.Time         `json:"date"` // when it began
	Made          time.Time         `json:"made"`
	Kinds         []past.Comparison `json:"kinds"`
	Organizations []past.Group      `json:"organizations,omitempty"` // of the inbound calls
	// AllOrganizations is how many there are; Organizations may be the first of
	// them.
	AllOrganizations int `json:"allOrganizations,omitempty"`
}

// mostOrganizations is how many organizations a report lists, unless it is asked
// for all.
const mostOrganizations = 10

// organizationsTitle is the headline of the organizations: how many of how many,
// and how to get the rest.
func (r dayReport) organizationsTitle() string {
	const title = "Inbound calls by organization"
	if n := len(r.Organizations); n < r.AllOrganizations {
		return fmt.Sprintf("%s (%d of %d, --all lists all of them)", title, n, r.AllOrganizations)
	}
	return title
}

// The forms of a report.
const (
	formText     = "text"
	formCSV      = "csv"
	formMarkdown = "markdown"
	formHTML     = "html"
)

func newReport(b *board) *cobra.Command {
	a := &asker{board: b}
	var (
		date, form, file string
		all              bool
	)
	cmd := a.cmd("report", "Report a day: by the hour, against what is usual on the weekday",
		"  wallboard history report --date 2026-03-17\n  wallboard history report --date yesterday --format html --out day.html",
		func(ctx context.Context) error {
			day, err := a.reportDay(date)
			if err != nil {
				return err
			}
			write, ok := reportForms()[form]
			if !ok {
				return usageError{fmt.Errorf("--format %q: want %s, %s, %s or %s", form, formText, formCSV, formMarkdown, formHTML)}
			}
			r, err := a.readReport(ctx, day)
			if err != nil {
				return err
			}
			if !all {
				r.Organizations = r.Organizations[:min(len(r.Organizations), mostOrganizations)]
			}
			a.endProgress()
			if b.json {
				return writeJSON(b.streams, result{Command: a.command, Outcome: resource.Confirmed.String(), Result: r})
			}
			text := write(r)
			if file == "" {
				_, err = io.WriteString(b.streams.Out, text)
			} else {
				err = os.WriteFile(file, []byte(text), 0o600)
			}
			if err != nil {
				return fmt.Errorf("write: %w", err)
			}
			return nil
		})
	fs := cmd.Flags()
	fs.StringVar(&date, "date", "today", "day to report: 2026-03-17, today or yesterday")
	fs.BoolVar(&all, "all", false, "list all organizations, not the first 10")
	fs.StringVar(&form, "format", formText, "form of the report: text, csv, markdown, html (one page with charts)")
	fs.StringVar(&file, "out", "", "write the report to this file")
	return cmd
}

func reportForms() map[string]func(dayReport) string {
	return map[string]func(dayReport) string{
		formText: reportText, formCSV: reportCSV, formMarkdown: reportMarkdown, formHTML: reportHTML,
	}
}

// reportDay reads the day to report.
func (a *asker) reportDay(text string) (time.Time, error) {
	now := time.Now().In(a.client.Location())
	switch text {
	case "today":
		return now, nil
	case "yesterday":
		return past.StartOfDay(now, -1), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, usageError{fmt.Errorf("--date %q is not a day: write it like 2026-03-17", text)}
	}
	// There is a noon on every day.
	day = past.StartOfDay(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, now.Location()), 0)
	if day.After(now) {
		return day, usageError{fmt.Errorf("--date %s is to come", text)}
	}
	return day, nil
}

// readReport asks for a report. What the server does not have is left out of
// it.
func (a *asker) readReport(ctx context.Context, day time.Time) (dayReport, error) {
	r := dayReport{Made: time.Now().In(a.client.Location())}
	var lacks error
	for i, kind := range past.Kinds() {
		tell := func(p past.Progress) { a.progress(past.Progress{Read: i, Total: len(past.Kinds()), Wait: p.Wait}) }
		tell(past.Progress{})
		c, err := a.client.Day(past.WithProgress(ctx, tell), day, kind)
		if errors.Is(err, history.ErrUnknownOperation) {
			lacks = err
			continue
		}
		if err != nil {
			return r, err //nolint:wrapcheck // failed makes a sentence of it
		}
		r.Date, r.Kinds = c.Day.Date, append(r.Kinds, c)
	}
	if len(r.Kinds) == 0 {
		return r, lacks
	}
	groups, err := a.client.Groups(ctx, past.GroupQuery{Kind: past.Inbound, Range: past.Range{From: r.Date, To: past.StartOfDay(r.Date, 1)}})
	if err != nil && !errors.Is(err, history.ErrUnknownOperation) && !errors.Is(err, history.ErrRefused) {
		return r, err //nolint:wrapcheck // failed makes a sentence of it
	}
	r.Organizations, r.AllOrganizations = groups, len(groups)
	return r, nil
}

// title is the headline of a report. Of a day that is not over it says until
// when it is.
func (r dayReport) title() string {
	text := "Contacts of " + r.Date.Format("Monday, 2 January 2006")
	if r.Made.Before(past.StartOfDay(r.Date, 1)) {
		text += ", until " + r.Made.Format("15:04")
	}
	return text
}

// verdict says how a day compares with what is usual, in words.
func verdict(c past.Comparison) string {
	share, ok := c.Change()
	switch {
	case c.Volume() == past.NoCompare:
		return c.Volume().String()
	case !ok:
		return fmt.Sprintf("usual: none (%s)", daysUsed(c.SoFar))
	}
	return fmt.Sprintf("%s: %s against a median of %s (%s)", c.Volume(), model.SignedPercent(share), medianText(c.SoFar.Median), daysUsed(c.SoFar))
}

// medianText is a median as short as it can be said: it may be between two.
func medianText(v float64) string { return strconv.FormatFloat(model.Rounded(v, 1), 'f', -1, 64) }

func daysUsed(b past.Band) string {
	if b.Days == 1 {
		return "1 day"
	}
	return strconv.Itoa(b.Days) + " days"
}

// reportRows are the hours of a report with their columns: of each kind the
// count, and the median of what is usual. What is not known is a dash.
func reportRows(r dayReport) (head []string, rows [][]string) {
	head = []string{"hour"}
	for _, c := range r.Kinds {
		head = append(head, c.Day.Kind.String(), "usual")
	}
	if len(r.Kinds) == 0 {
		return head, nil
	}
	for i, h := range r.Kinds[0].Day.Hours {
		row := []string{h.Start.Format("15:04")}
		for _, c := range r.Kinds {
			count, usual := "–", "–"
			if hour := c.Day.Hours[i]; hour.Known {
				if count = strconv.Itoa(hour.Count); hour.Partial {
					count += " so far"
				}
			}
			if band := c.Usual.Hours[h.Start.Hour()]; band.Days > 0 {
				usual = strconv.FormatFloat(band.Median, 'f', -1, 64)
			}
			row = append(row, count, usual)
		}
		rows = append(rows, row)
	}
	return head, rows
}

// reportText writes a report for a terminal or a mail.
func reportText(r dayReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.title())
	for _, c := range r.Kinds {
		fmt.Fprintf(&b, "%-15s %7d  %s\n", c.Day.Kind, c.Day.Total(), verdict(c))
	}
	b.WriteByte('\n')
	head, rows := reportRows(r)
	_ = writeTable(&b, append([][]string{head}, rows...)) // a builder takes all
	if len(r.Organizations) > 0 {
		b.WriteString("\n" + r.organizationsTitle() + "\n")
		lines := make([][]string, 0, len(r.Organizations))
		for _, g := range r.Organizations {
			lines = append(lines, []string{organizationName(g), strconv.Itoa(g.Count)})
		}
		_ = writeTable(&b, lines)
	}
	return b.String()
}

func organizationName(g past.Group) string {
	if g.Name == "" {
		return "(none known)"
	}
	return g.Name
}

// reportCSV writes the hours of a report, a line for each hour of each kind.
func reportCSV(r dayReport) string {
	var rows [][]string
	for _, c := range r.Kinds {
		for _, h := range c.Day.Hours {
			count, usual := "", []string{"", "", ""}
			if h.Known {
				count = strconv.Itoa(h.Count)
			}
			if band := c.Usual.Hours[h.Start.Hour()]; band.Days > 0 {
				usual = nil
				for _, v := range []float64{band.Median, band.Low, band.High} {
					usual = append(usual, strconv.FormatFloat(v, 'f', -1, 64))
				}
			}
			rows = append(rows, append([]string{h.Start.Format(time.RFC3339), c.Day.Kind.String(), count}, usual...))
		}
	}
	var b strings.Builder
	_ = writeCSV(Streams{Out: &b}, []string{"hour", "kind", "count", "usual_median", "usual_low", "usual_high"}, rows) // a builder takes all
	return b.String()
}

// reportMarkdown writes a report in Markdown.
func reportMarkdown(r dayReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", r.title())
	for _, c := range r.Kinds {
		fmt.Fprintf(&b, "- **%s**: %d, %s\n", c.Day.Kind, c.Day.Total(), verdict(c))
	}
	head, rows := reportRows(r)
	b.WriteString("\n| " + strings.Join(head, " | ") + " |\n|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	if len(r.Organizations) > 0 {
		b.WriteString("\n## " + r.organizationsTitle() + "\n\n| organization | calls |\n|---|---:|\n")
		escape := strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`)
		for _, g := range r.Organizations {
			fmt.Fprintf(&b, "| %s | %d |\n", escape.Replace(organizationName(g)), g.Count)
		}
	}
	return b.String()
}

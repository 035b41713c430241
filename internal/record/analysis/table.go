package analysis

import (
	"fmt"
	"strconv"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Table holds the intervals of a day for display and export.
type Table struct {
	Date      time.Time                 `json:"date"` // start of the day in the time zone of the report
	CreatedAt time.Time                 `json:"made"`
	Length    time.Duration             `json:"-"`
	Subject   string                    `json:"of"` // display name of the service, or of all services
	Channel   model.Channel             `json:"channel"`
	Formula   model.ServiceLevelFormula `json:"serviceLevelFormula"`
	Rows      []Row                     `json:"intervals"`
}

// Row is an interval in JSON form. Unknown values are null.
type Row struct {
	From         time.Time   `json:"from"`
	To           time.Time   `json:"to"`
	Recorded     float64     `json:"recordedSeconds"`
	Received     model.Int   `json:"received"`
	Answered     model.Int   `json:"answered"`
	InTime       model.Int   `json:"answeredInTime"`
	Abandoned    model.Int   `json:"abandoned"`
	ServiceLevel model.Float `json:"serviceLevel"`
	Handling     model.Float `json:"handlingSeconds"`
	LoggedIn     model.Float `json:"loggedIn"`
	Ready        model.Float `json:"ready"`
	Note         string      `json:"note,omitempty"`
}

// NewTable returns a table of list, the intervals of the day that begins at date, each of the given
// length. of is the display name of the service, and made the time at which the table is made.
func NewTable(date, made time.Time, length time.Duration, of string, ch model.Channel, f model.ServiceLevelFormula, list []Interval) Table {
	d := Table{Date: date, CreatedAt: made, Length: length, Subject: of, Channel: ch, Formula: f}
	for i := range list {
		v := &list[i]
		c := &v.Calls
		d.Rows = append(d.Rows, Row{
			v.From.In(date.Location()), v.To.In(date.Location()), v.RecordedTime.Seconds(), c.ReceivedCalls, c.AnsweredCalls, c.AnsweredCallsUnderSpeedLimit,
			c.HangupCalls, floatOf(c.ServiceLevel(f)), floatOf(v.Handling), floatOf(v.LoggedIn), floatOf(v.Ready), v.Note(made, date.Location()).In(nil),
		})
	}
	return d
}

// Title returns the title of the table: the subject, the length of the intervals and the day.
func (d Table) Title() string {
	return fmt.Sprintf("%s by %d minutes, %s", d.Subject, int(d.Length.Minutes()), d.Date.Format("Monday, 2 January 2006"))
}

// About explains the source and the definition of the figures.
func (d Table) About() string {
	return "From the recording of this board. Service level: " + words.ServiceLevelFormula(d.Formula).In(nil) +
		", of the contacts that were answered or given up in the interval. Logged in and ready are means over the time."
}

// ColumnTitles returns the titles of the columns of [Table.Cells].
func ColumnTitles() []string {
	return []string{"interval", "received", "answered", "SL", "abandoned", "handling", "logged in", "ready", "recorded"}
}

// Cells returns the formatted cells of all rows.
func (d Table) Cells() [][]string {
	rows := make([][]string, 0, len(d.Rows))
	for i := range d.Rows {
		rows = append(rows, d.Rows[i].cells())
	}
	return rows
}

func (r *Row) cells() []string {
	return []string{
		textformat.Clock(r.From, nil) + "–" + textformat.Clock(r.To, nil), formatCount(r.Received), formatCount(r.Answered), formatKnown(r.ServiceLevel, textformat.Percent), formatCount(r.Abandoned),
		formatKnown(r.Handling, textformat.Seconds), formatKnown(r.LoggedIn, formatTenths), formatKnown(r.Ready, formatTenths), r.Note,
	}
}

// floatOf converts a figure to a number. A figure that is not applicable becomes an unknown number.
func floatOf(f model.Figure) model.Float {
	if v, ok := f.Get(); ok {
		return model.FloatOf(v)
	}
	return model.Float{}
}

const unknownText = "–"

func formatCount(n model.Int) string { return string(textformat.Format{}.Int(nil, n)) }

// formatKnown formats a value, or returns the mark for an unknown one.
func formatKnown(f model.Float, format func(float64) string) string {
	if v, ok := f.Get(); ok {
		return format(v)
	}
	return unknownText
}

func formatTenths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// EmptyText returns the message that replaces a table without rows.
func (d Table) EmptyText() string { return "Nothing of this day is recorded." }

// CSVColumns returns the column names for [Table.CSVRows].
func CSVColumns() []string {
	return []string{
		"from", "to", "of", "channel", "received", "answered", "answered_in_time", "abandoned", "service_level", "handling_seconds",
		"logged_in", "ready", "recorded_seconds", "note",
	}
}

// CSVRows returns the rows of the table for a CSV file. Unknown values are empty.
func (d Table) CSVRows() [][]string {
	figure := func(f model.Float) string {
		if v, ok := f.Get(); ok {
			return strconv.FormatFloat(model.RoundTo(v, 4), 'f', -1, 64)
		}
		return ""
	}
	whole := func(n model.Int) string { return figure(n.Float()) }
	rows := make([][]string, 0, len(d.Rows))
	for i := range d.Rows {
		r := &d.Rows[i]
		rows = append(rows, []string{
			r.From.Format(time.RFC3339), r.To.Format(time.RFC3339), d.Subject, string(d.Channel), whole(r.Received), whole(r.Answered),
			whole(r.InTime), whole(r.Abandoned), figure(r.ServiceLevel), figure(r.Handling), figure(r.LoggedIn), figure(r.Ready),
			strconv.Itoa(int(r.Recorded)), r.Note,
		})
	}
	return rows
}

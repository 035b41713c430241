package recount

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"wallboard/model"
)

// Table are the intervals of a day, for people and for other programs.
type Table struct {
	Date    time.Time                 `json:"date"` // when the day began, in the zone of the report
	Made    time.Time                 `json:"made"`
	Length  time.Duration             `json:"-"`
	Of      string                    `json:"of"` // a service, or all of them, in words
	Channel model.Channel             `json:"channel"`
	Formula model.ServiceLevelFormula `json:"serviceLevelFormula"`
	Rows    []Row                     `json:"intervals"`
}

// Row is an interval as other programs read it; what is unknown is null.
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
	Logged       model.Float `json:"loggedIn"`
	Ready        model.Float `json:"ready"`
	Note         string      `json:"note,omitempty"`
}

// NewTable returns the table of the intervals of a day that begins at date.
func NewTable(date, made time.Time, length time.Duration, of string, ch model.Channel, f model.ServiceLevelFormula, list []Interval) Table {
	d := Table{Date: date, Made: made, Length: length, Of: of, Channel: ch, Formula: f}
	for i := range list {
		v := &list[i]
		c := &v.Calls
		d.Rows = append(d.Rows, Row{
			v.From.In(date.Location()), v.To.In(date.Location()), v.Known.Seconds(), c.ReceivedCalls, c.AnsweredCalls, c.AnsweredCallsUnderSpeedLimit,
			c.HangupCalls, float(c.ServiceLevel(f)), float(v.Handling), float(v.Logged), float(v.Ready), v.Note(made, date.Location()),
		})
	}
	return d
}

// Title is the headline of the intervals.
func (d Table) Title() string {
	return fmt.Sprintf("%s by %d minutes, %s", d.Of, int(d.Length.Minutes()), d.Date.Format("Monday, 2 January 2006"))
}

// About says what the figures are made of.
func (d Table) About() string {
	return "From the recording of this board. Service level: " + d.Formula.String() +
		", of the contacts that were answered or given up in the interval. Logged in and ready are means over the time."
}

// Head are the columns of intervals.
func Head() []string {
	return []string{"interval", "received", "answered", "SL", "abandoned", "handling", "logged in", "ready", "recorded"}
}

// Cells are the rows as people read them.
func (d Table) Cells() [][]string {
	rows := make([][]string, 0, len(d.Rows))
	for i := range d.Rows {
		rows = append(rows, d.Rows[i].cells())
	}
	return rows
}

func (r *Row) cells() []string {
	return []string{
		r.From.Format("15:04") + "–" + r.To.Format("15:04"), count(r.Received), count(r.Answered), percent(r.ServiceLevel), count(r.Abandoned),
		seconds(r.Handling), tenth(r.Logged), tenth(r.Ready), r.Note,
	}
}

// float is a figure as other programs read it: without a meaning it is unknown.
func float(f model.Figure) model.Float {
	if v, ok := f.Get(); ok {
		return model.FloatOf(v)
	}
	return model.Float{}
}

const unknown = "–"

func count(n model.Int) string {
	if v, ok := n.Get(); ok {
		return strconv.FormatInt(v, 10)
	}
	return unknown
}

func tenth(f model.Float) string {
	if v, ok := f.Get(); ok {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return unknown
}

func percent(f model.Float) string {
	if v, ok := f.Get(); ok {
		return strconv.FormatFloat(model.Rounded(100*v, 1), 'f', 1, 64) + " %"
	}
	return unknown
}

func seconds(f model.Float) string {
	v, ok := f.Get()
	if !ok {
		return unknown
	}
	s := int64(v + 0.5)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// None says that there is nothing to report.
func (d Table) None() string { return "Nothing of this day is recorded." }

// CSVHead are the columns of intervals for other programs.
func CSVHead() []string {
	return []string{
		"from", "to", "of", "channel", "received", "answered", "answered_in_time", "abandoned", "service_level", "handling_seconds",
		"logged_in", "ready", "recorded_seconds", "note",
	}
}

// CSVRows are the intervals for other programs; what is unknown is empty.
func (d Table) CSVRows() [][]string {
	figure := func(f model.Float) string {
		if v, ok := f.Get(); ok {
			return strconv.FormatFloat(model.Rounded(v, 4), 'f', -1, 64)
		}
		return ""
	}
	whole := func(n model.Int) string { return strings.TrimPrefix(count(n), unknown) }
	rows := make([][]string, 0, len(d.Rows))
	for i := range d.Rows {
		r := &d.Rows[i]
		rows = append(rows, []string{
			r.From.Format(time.RFC3339), r.To.Format(time.RFC3339), d.Of, string(d.Channel), whole(r.Received), whole(r.Answered),
			whole(r.InTime), whole(r.Abandoned), figure(r.ServiceLevel), figure(r.Handling), figure(r.Logged), figure(r.Ready),
			strconv.Itoa(int(r.Recorded)), r.Note,
		})
	}
	return rows
}

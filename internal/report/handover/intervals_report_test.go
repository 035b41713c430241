package handover

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/model/contact"
)

// TestReportHasIntervals checks that recorded intervals follow the figures of the
// service.
func TestReportHasIntervals(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	v := analysis.Interval{From: date.Add(8 * time.Hour), To: date.Add(8*time.Hour + 30*time.Minute), RecordedTime: 29 * time.Minute}
	v.First, v.Last = v.From, v.To
	v.Calls = model.ServiceCalls{ReceivedCalls: model.IntOf(31), AnsweredCalls: model.IntOf(30), AnsweredCallsUnderSpeedLimit: model.IntOf(24), HangupCalls: model.IntOf(0)}
	v.Handling = model.FigureOf(95)
	table := analysis.NewTable(date, date.Add(24*time.Hour), 30*time.Minute, "<b>Sales</b>|x", model.Call, model.SLAllAbandons, []analysis.Interval{v})
	d := DayReport{Date: date, CreatedAt: date.Add(24 * time.Hour), Comparisons: []contact.Comparison{{}}, Intervals: &table}
	for form, write := range DayFormatters(nil) {
		text := write(d)
		if has := strings.Contains(text, "80.0 %") && strings.Contains(text, "1:35"); has != (form != FormCSV) {
			t.Errorf("%s: %s", form, text)
		}
		if strings.Contains(text, "<b>Sales") && form == FormHTML || strings.Contains(text, "<b>Sales</b>|x") && form == FormMarkdown {
			t.Errorf("%s obeys a name:\n%s", form, text)
		}
	}
	d.Intervals = nil
	for form, write := range DayFormatters(nil) {
		if strings.Contains(write(d), "From the recording") {
			t.Errorf("%s: there is no recording", form)
		}
	}
}

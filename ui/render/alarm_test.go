package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/table"
)

// callsOf returns the figures of a day with 100 answered calls, inTime of them in time,
// and the current queue.
func callsOf(inTime, waiting, longest int64) model.ServiceCalls {
	return model.ServiceCalls{
		AnsweredCalls: n(100), AnsweredCallsUnderSpeedLimit: n(inTime), HangupCalls: n(0), ReceivedCalls: n(100),
		QueuedCalls: n(waiting), MaxTimeCallOnQueue: n(longest),
	}
}

func staff(logged, ready int64) model.ServiceUsers {
	return model.ServiceUsers{LoggedUsers: heads(logged), ReadyUsers: heads(ready)}
}

func TestServiceAlarm(t *testing.T) {
	t.Parallel()
	abandoned := callsOf(100, 0, 0)
	abandoned.HangupCalls, abandoned.ReceivedCalls = n(9), n(109)
	everything := callsOf(60, 9, 61)
	everything.HangupCalls, everything.ReceivedCalls = n(30), n(130)
	for _, tt := range []struct {
		name  string
		calls model.ServiceCalls
		users model.ServiceUsers
		want  string
	}{
		{"nothing is known", model.ServiceCalls{}, model.ServiceUsers{}, ""},
		{"on target", callsOf(82, 0, 0), staff(4, 4), ""},
		{"no miss is left", callsOf(80, 0, 0), staff(4, 4), ""},
		{"below target", callsOf(77, 0, 0), staff(4, 4), "▾"},
		{"far below target", callsOf(57, 0, 0), staff(4, 4), "▾"},
		{"too many leave", abandoned, staff(4, 4), "▴"},
		{"no one waiting, nobody is there", callsOf(100, 0, 0), staff(0, 0), ""},
		{"unstaffed", callsOf(100, 1, 0), staff(0, 0), "▲ no agents"},
		{"staff unknown", callsOf(100, 1, 0), model.ServiceUsers{}, ""},
		{"nobody is ready for a moment", callsOf(100, 8, 19), staff(4, 0), "△ crowded"},
		{"nobody is ready", callsOf(100, 1, 20), staff(4, 0), "△ none available"},
		{"nobody is ready for long", callsOf(100, 1, 30), staff(4, 0), "△ long wait, none available"},
		{"somebody waits though agents are ready", callsOf(100, 1, 5), staff(4, 1), "△ not routed"},
		{"long wait", callsOf(100, 1, 30), staff(4, 1), "△ long wait, not routed"},
		{"too long a wait", callsOf(100, 1, 60), staff(4, 1), "▲ long wait, not routed"},
		{"wait of one who has gone", callsOf(100, 0, 600), staff(4, 1), ""},
		{"the surge", callsOf(100, 9, 61), staff(4, 0), "▲ long wait, crowded, none available"},
		{"what is live comes first, however bad the day", callsOf(0, 1, 22), staff(4, 0), "△ none available▾"},
		{"everything", everything, staff(4, 0), "▲ long wait, crowded, none available▾▴"},
		{"everything, no agents", everything, staff(0, 0), "▲ no agents, long wait▾▴"},
	} {
		s := model.NewStore()
		r := &model.Service{Code: text("s"), Channel: model.Call, ChannelStats: tt.calls, UserStats: tt.users}
		s.Services.Put(r)
		v := judged(s.Publish(now, live()), view(model.Call))
		got := alarmAndMarks(v.Alerts.Alarm(serviceKey(r)))
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// alarmAndMarks returns the cell of an alarm, and the marks in the cells of the service level
// and of the abandon rate.
func alarmAndMarks(a *Alarm) string {
	text := string(a.appendText(nil, englishView()))
	if a.MissesTarget(serviceLevelAlertNames...) {
		text += (&Options{}).MissedGlyph(kpi.HigherIsBetter)
	}
	if a.MissesTarget(abandonAlertNames...) {
		text += (&Options{}).MissedGlyph(kpi.LowerIsBetter)
	}
	return text
}

// TestQuietAlarms draws acknowledged alerts and alerts that are not verified.
func TestQuietAlarms(t *testing.T) {
	t.Parallel()
	at := func(rule string, level alert.Level, change func(*alert.Alert)) alert.Alert {
		a := alert.Alert{
			ID: rule, Rule: rule, Level: level,
			Key:   alert.Key{Scope: alert.Service, Code: "s", Channel: model.Call},
			Daily: rule == "service level" || rule == "budget spent",
		}
		change(&a)
		return a
	}
	open := func(*alert.Alert) {}
	taken := func(a *alert.Alert) { a.Ack = alert.Ack{By: "anna", At: now} }
	doubtful := func(a *alert.Alert) { a.UnverifiedSince = now }
	daily := func(a *alert.Alert) { a.Daily = true }
	for want, alerts := range map[string][]alert.Alert{
		"▾ of the day": {at("of the day", alert.Warning, daily)}, // the figure of a condition has no cell of its own
		"▲ long wait▾": {at("service level", alert.Warning, open), at("longest wait", alert.Critical, open)},
		"▽ long wait▾": {at("longest wait", alert.Critical, taken), at("service level", alert.Warning, open)},
		"▽ long wait":  {at("longest wait", alert.Critical, taken)},
		"▲ long wait?": {at("longest wait", alert.Critical, doubtful)},
		"△ own rule▾":  {at("service level", alert.Critical, open), at("own rule", alert.Warning, open)},
	} {
		a := NewAlerts(alerts, nil, nil, nil).Alarm(alerts[0].Key)
		if got := alarmAndMarks(a); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestRowsFollowTheirAlerts draws rows again if their alerts have changed, even if
// their records have not.
func TestRowsFollowTheirAlerts(t *testing.T) {
	t.Parallel()
	snap := floor().Publish(now, live())
	v := view(model.Call)
	v.Alerts = nil
	r := NewServices()
	r.Update(snap, v)
	before := make([]uint64, r.Len())
	for i := range before {
		before[i] = r.Version(i)
	}
	_, mark, _ := r.Since(0)
	next := *v
	next.Alerts = NewAlerts([]alert.Alert{{
		ID: "1", Rule: "longest wait", Level: alert.Critical,
		Key: alert.Key{Scope: alert.Service, Code: r.Key(0), Channel: model.Call},
	}}, nil, nil, nil)
	r.Update(snap, &next)
	changed, _, ok := r.Since(mark)
	if !ok || len(changed) != 1 || changed[0] != 0 {
		t.Errorf("rows %v changed (%v), want the first", changed, ok)
	}
	for i := range before {
		if (r.Version(i) != before[i]) != (i == 0) {
			t.Errorf("row %d: version %x was %x", i, r.Version(i), before[i])
		}
	}
	if !r.Matches(0, "longest") {
		t.Error("the alarm is not found")
	}
	r.Update(snap, v)
	if r.Version(0) != before[0] || r.Matches(0, "longest") {
		t.Error("the alarm stays")
	}
}

// TestAlarmOrder sorts by level, then by waiting contacts, then by name; figures of the
// day do not matter.
func TestAlarmOrder(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	s := model.NewStore()
	put := func(name string, calls model.ServiceCalls, users model.ServiceUsers) {
		v.Options.Names.Add(model.NameService, "code of "+name, name)
		s.Services.Put(&model.Service{
			Code: text("code of " + name), Channel: model.Call, ChannelStats: calls, UserStats: users,
		})
	}
	put("Zulu calm", callsOf(100, 0, 0), staff(4, 4))
	put("Alpha calm", callsOf(100, 0, 2), staff(4, 4))
	put("day warning", callsOf(77, 0, 0), staff(4, 4))
	put("day by far", callsOf(10, 0, 0), staff(4, 4))
	put("Ökö live warning", callsOf(100, 1, 40), staff(4, 4))
	put("other live warning", callsOf(0, 9, 22), staff(4, 0))
	put("Xray surge", callsOf(100, 9, 61), staff(4, 0))
	put("echo surge", callsOf(10, 2, 65), staff(4, 1))
	r := NewServices()
	snap := s.Publish(now, live())
	r.Update(snap, judged(snap, v))
	names := func(keys []string) []string {
		for i := range keys {
			keys[i] = strings.TrimPrefix(keys[i], "code of ")
		}
		return keys
	}
	want := []string{
		"Xray surge", "echo surge", "other live warning", "Ökö live warning", "Alpha calm", "day by far",
		"day warning", "Zulu calm",
	}
	if d := cmp.Diff(want, names(order(r, "alarm", true))); d != "" {
		t.Error(d)
	}
	want = []string{
		"Alpha calm", "day by far", "day warning", "Zulu calm", "Ökö live warning", "other live warning",
		"echo surge", "Xray surge",
	}
	if d := cmp.Diff(want, names(order(r, "alarm", false))); d != "" {
		t.Error(d)
	}
}

// TestMarkIsTheWorstCell compares the mark of each row with the colors of its cells.
func TestMarkIsTheWorstCell(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	var err error
	if v.Options.Theme, err = themes.LoadEmbedded(themes.DefaultName); err != nil {
		t.Fatal(err)
	}
	s := model.NewStore()
	for _, inTime := range []int64{100, 77, 10} {
		for _, longest := range []int64{2, 22, 31, 70} {
			for _, hangup := range []int64{0, 9, 40} {
				for _, ready := range []int64{0, 3} {
					calls := callsOf(inTime, 5, longest)
					calls.HangupCalls, calls.ReceivedCalls = n(hangup), n(100+hangup)
					code := text(fmt.Sprint(inTime, longest, hangup, ready))
					s.Services.Put(&model.Service{Code: code, Channel: model.Call, ChannelStats: calls, UserStats: staff(4, ready)})
					s.Groups.Put(&model.Group{
						Code: code, Channel: model.Call,
						ChannelStats: model.GroupCalls{QueuedCalls: n(ready % 2), ReceivedCalls: n(100), HangupCalls: n(hangup)},
						UserStats:    model.GroupUsers{LoggedUsers: heads(4), ReadyUsers: heads(0)},
					})
				}
			}
		}
	}
	for _, r := range []Rows{NewServices(), NewGroups(), NewAgents()} {
		snap := s.Publish(now, live())
		if _, ok := r.(*Agents); ok {
			snap = floor().Publish(now, live())
		}
		r.Update(snap, judged(snap, v))
		for i := range r.Len() {
			worst := Normal
			for col := range r.Columns() {
				c := table.Cell{Width: 30}
				r.Cell(i, col, &c)
				switch c.Style {
				case v.sgr(themes.Critical):
					worst = Critical
				case v.sgr(themes.Warn):
					worst = max(worst, Warning)
				}
			}
			var look table.Row
			r.Row(i, &look)
			if look.Marker != worst.Glyph(false) {
				t.Errorf("%T %s: mark %q, worst cell %q", r, r.Key(i), look.Marker, worst.Glyph(false))
			}
		}
	}
}

func TestGroupAlarm(t *testing.T) {
	t.Parallel()
	r := model.Group{
		Code: text("g"), Channel: model.Call,
		ChannelStats: model.GroupCalls{QueuedCalls: n(2), ReceivedCalls: n(100), HangupCalls: n(20)},
		UserStats:    model.GroupUsers{LoggedUsers: heads(3), ReadyUsers: heads(0)},
	}
	for _, want := range []string{"△ none available", "△ not routed"} {
		s := model.NewStore()
		group := r
		s.Groups.Put(&group)
		v := judged(s.Publish(now, live()), view(model.Call))
		if got := string(v.Alerts.Alarm(groupKey(&r)).appendText(nil, englishView())); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		r.UserStats.ReadyUsers = heads(1)
	}
}

// TestAlarmWidth checks how an alarm is shortened to the width of its column.
func TestAlarmWidth(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	calls := callsOf(10, 9, 61)
	s.Services.Put(&model.Service{Code: text("Support North"), Channel: model.Call, ChannelStats: calls, UserStats: staff(4, 0)})
	for width, want := range map[int]string{150: "▲ long wait, crowded, …", 120: "▲ long wait, crowded, …", 80: "▲ long wait, …"} {
		r := NewServices()
		m := table.New(table.WithColumns(r.Columns()...), table.WithScrollbar())
		m.SetSize(width, 10)
		snap := s.Publish(now, live())
		r.Update(snap, judged(snap, view(model.Call)))
		m.SetSource(r)
		if got := m.View(); !strings.Contains(got, want+" ") {
			t.Errorf("at %d: no %q in\n%s", width, want, got)
		}
	}
}

// TestAlarmCounts checks the short forms of an alarm: each word is shown or counted,
// acknowledged ones separately.
func TestAlarmCounts(t *testing.T) {
	t.Parallel()
	open := func(rule string) rowAlert { return rowAlert{rule: rule, level: Critical} }
	taken := func(rule string) rowAlert { return rowAlert{rule: rule, attention: situation.AttentionTaken} }
	many := []rowAlert{open("unstaffed"), open("service level"), open("abandon rate")}
	half := []rowAlert{open("longest wait"), taken("nobody ready"), taken("service level")}
	tests := []struct {
		level   Level
		reasons []rowAlert
		width   int
		want    string
	}{
		{Critical, many, 43, "▲ no agents, below target, high abandonment"},
		{Critical, many, 42, "▲ no agents, below target, …"},
		{Critical, many, 14, "▲ no agents, …"},
		{Critical, many, 13, "▲ no agents…"},
		{Critical, many, 8, "▲ no ag…"},
		{Critical, half, 42, "▲ long wait ▽ none available, below target"},
		{Critical, half, 37, "▲ long wait ▽ none available, …"},
		{Critical, half, 20, "▲ long wait ▽2"},
		{Critical, half, 14, "▲ long wait ▽2"},
		{Critical, half, 10, "▲ long… ▽2"},
		{Normal, half[1:], 9, "▽ none a…"},
		{Critical, []rowAlert{open("nobody ready"), taken("👨‍👩‍👧 family")}, 19, "▲ none available ▽1"},
	}
	v := view(model.Call)
	for _, tt := range tests {
		c := table.Cell{Width: tt.width}
		(&Alarm{Level: tt.level, reasons: tt.reasons}).appendFittingText(v, &c)
		if got := string(c.Text); got != tt.want {
			t.Errorf("in %d cells: %q, want %q", tt.width, got, tt.want)
		}
		if w := v.Options.WidthMethod.StringWidth(string(c.Text)); w > tt.width {
			t.Errorf("%q takes %d of %d cells", c.Text, w, tt.width)
		}
	}
}

// TestNothingIsMarkedOnTheFirstDraw draws tables whose cells depend on their width, at
// widths for which the columns are placed twice.
func TestNothingIsMarkedOnTheFirstDraw(t *testing.T) {
	t.Parallel()
	const mark = "\x1b[43m"
	s := model.NewStore()
	for _, code := range []string{"Sales", "Billing and payments of all kinds"} {
		calls := callsOf(60, 9, 61)
		calls.HangupCalls, calls.ReceivedCalls = n(30), n(130)
		s.Services.Put(&model.Service{Code: text(code), Channel: model.Call, ChannelStats: calls, UserStats: staff(4, 0)})
	}
	snap := s.Publish(now, live())
	for width := 60; width <= 220; width += 3 {
		services, incidents := NewServices(), NewAlertRows()
		services.Update(snap, judged(snap, view(model.Call)))
		incidents.Update(snap, judged(snap, view(model.Call)))
		for name, rows := range map[string]interface {
			table.Source
			Columns() []table.Column
		}{"services": services, "incidents": incidents} {
			m := table.New(table.WithColumns(rows.Columns()...), table.WithScrollbar())
			m.SetStyles(table.Styles{Flash: mark})
			m.SetSize(width, 10)
			m.SetTime(now)
			m.SetSource(rows)
			if got := m.View(); strings.Contains(got, mark) {
				t.Fatalf("%s at %d:\n%s", name, width, strings.ReplaceAll(got, mark, ">>>"))
			}
		}
	}
}

// TestTakenWaitIsOverTheLimit checks that a wait over its limit still counts as over the limit after a
// take-over.
func TestTakenWaitIsOverTheLimit(t *testing.T) {
	t.Parallel()
	wait := func(code string, ack alert.Ack) alert.Alert {
		return alert.Alert{ID: code, Rule: "longest wait", Level: alert.Critical, Key: alert.Key{Scope: alert.Service, Code: code, Channel: model.Call}, Ack: ack}
	}
	taken := alert.Ack{By: "anna", At: now}
	for _, tt := range []struct {
		alerts   []alert.Alert
		services int
		worst    Level
	}{
		{nil, 0, Normal},
		{[]alert.Alert{wait("a", taken)}, 1, Normal},
		{[]alert.Alert{wait("a", taken), wait("b", alert.Ack{})}, 2, Critical},
	} {
		services, worst := NewAlerts(tt.alerts, nil, nil, nil).CountWaitAlerts(model.Call)
		if services != tt.services || worst != tt.worst {
			t.Errorf("%d alerts: %d services, level %v, want %d and %v", len(tt.alerts), services, worst, tt.services, tt.worst)
		}
	}
}

// TestMissedFiguresAreMarked checks that an alert about a figure of the day is shown in the cell of that
// figure, because it is not shown in words.
func TestMissedFiguresAreMarked(t *testing.T) {
	t.Parallel()
	marked := 0
	for _, c := range serviceColumns() {
		if f := kpi.FigureNamed(c.figure); f == nil || !f.IsDaily {
			continue
		}
		a := alert.Alert{ID: "1", Rule: "own", KPI: c.figure, Level: alert.Warning, Daily: true, Key: alert.Key{Scope: alert.Service, Code: "s", Channel: model.Call}}
		calls := callsOf(60, 0, 0)
		calls.HangupCalls, calls.ReceivedCalls, calls.AverageTimeOnQueue = n(30), n(130), model.FloatOf(18)
		r := &row[model.Service]{record: &model.Service{Code: text("s"), Channel: model.Call, ChannelStats: calls}, alarm: NewAlerts([]alert.Alert{a}, nil, nil, nil).Alarm(a.Key)}
		var cell table.Cell
		c.cell(view(model.Call), r, &cell)
		if got := string(cell.Text); !strings.HasPrefix(got, "▾") && !strings.HasPrefix(got, "▴") {
			t.Errorf("%s: %q has no mark", c.figure, got)
		}
		if words := string(r.alarm.appendText(nil, englishView())); words != "" {
			t.Errorf("%s: the alarm says %q", c.figure, words)
		}
		marked++
	}
	if marked < 3 {
		t.Errorf("%d figures of the day have a column", marked)
	}
}

// englishView returns a view that draws in English.
func englishView() *View { return &View{Options: &Options{}} }

package render

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// at returns the index of the row with a key.
func at(t *testing.T, r Rows, key string) int {
	t.Helper()
	for i := range r.Len() {
		if r.Key(i) == key {
			return i
		}
	}
	t.Fatalf("no row has the key %q", key)
	return -1
}

// columnOf returns the index of a column.
func columnOf(t *testing.T, r Rows, id string) int {
	t.Helper()
	for i, c := range r.Columns() {
		if c.ID == id {
			return i
		}
	}
	t.Fatalf("no column has the id %q", id)
	return -1
}

// shown returns the texts of a row, separated by bars.
func shown(t *testing.T, r Rows, key string, ids ...string) string {
	t.Helper()
	out := make([]string, len(ids))
	for i, id := range ids {
		c := table.Cell{Width: 12}
		r.Cell(at(t, r, key), columnOf(t, r, id), &c)
		out[i] = string(c.Text)
	}
	return strings.Join(out, "|")
}

func fed(t *testing.T, r Rows, v *View) Rows {
	t.Helper()
	r.Update(snapshot(t), v)
	return r
}

func TestRows(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for _, tt := range []struct {
		name string
		rows Rows
		key  string
		ids  string
		want string
	}{
		{
			"service", NewServices(), "4711",
			"name alarm code waiting longest sl abandon asa ready talking logged notready wrapup closed outanswer",
			"Billing|▲ long wait…|4711|4|3:20|▾71.4 %|▴9.3 %|0:18|5|7|20|5|2|·|n/a",
		},
		{"service of which nothing is known", NewServices(), "empty", "name alarm waiting longest sl asa ready", "empty||–|–|–|–|–"},
		{"service without agents", NewServices(), "東京サポートセンター窓口その一", "name alarm logged ready", "東京サポートセンター窓口その一|▲ no agents|·|–"},
		{
			"group", NewGroups(), "G1", "name alarm waiting ready logged received answer abandon short closed",
			"Gold|△ none available|2|·|9|12 345|97.2 %|2.4 %|·|–",
		},
		{
			"agent", NewAgents(), "rossi",
			"name state time activity service group answered missed aht occupancy over out private logged site profile username",
			"Rossi Anna|◇ Wrap-up|2:30|Lunch|Billing|Gold|31|3|4:15|68.9 %|5|2|·|3:46:00|Milano|Voice|rossi",
		},
		{"agent with zeros", NewAgents(), "bianchi", "name state time answered missed aht occupancy site", "bianchi|● Talking|1:05|·|–|n/a|–|–"},
		{"agent of whom nothing is known", NewAgents(), "quiet", "name state time activity service", "quiet|· Unknown|–|–|–"},
		{"agent in a state that is not listed", NewAgents(), "z1", "state time", "? ON_THE_MOON|0:00"},
		{"agent with a configured name", NewAgents(), "boss", "name", "The Boss"},
		{"agent without figures", NewAgents(), "silent", "name state time answered", "Ent Sil|○ Ready|–|–"},
		{
			"campaign", NewCampaigns(), "9", "name state penetration todo tried total hit lines free gauge",
			"Renewals|● Running|42.1 %|57 900|42 100|100 000|20.0 %|22/30|2/10|█████·······",
		},
		{"dry campaign", NewCampaigns(), "10", "name state penetration todo lines", "10|□ Empty|n/a|·|0/–"},
		{"unknown campaign", NewCampaigns(), "12", "state penetration todo lines gauge", "· Unknown|–|–|–/–|            "},
		{"attendant", NewAttendants(), "4711/INTERNAL", "name component received closed ready", "Billing|Internal|20|·|1"},
		{"operator", NewOperators(), "op1", "name activity site profile", "Neri Ugo|Lunch|Milano|Voice"},
		{
			"subscription", NewFeed(), "serviceStats", "name state since age verified rate records keys messages bytes errors",
			"Services|● Live|1:00:00|0:02|0:30|6.3|24|12|12 345|3.1 MB|·",
		},
		{"refused subscription", NewFeed(), "userStats", "state age verified errors bad", "× Refused|–|–|4|1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := fed(t, tt.rows, v)
			if d := cmp.Diff(tt.want, shown(t, r, tt.key, strings.Fields(tt.ids)...)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNotPresentIsNotUnknown(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	a := rossi()
	a.CurrentService, a.CurrentGroup, a.ActivityCode = text("__EMPTY__"), text("__EMPTY__"), text("__EMPTY__")
	s.UserStats.Put(a)
	r := NewAgents()
	r.Update(s.Publish(now, model.Health{}), view(model.Call))
	if got := shown(t, r, "rossi", "activity", "service", "group"); got != "||" {
		t.Errorf("got %q", got)
	}
}

func TestRowMarks(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for _, tt := range []struct {
		rows      Rows
		key, want string
	}{
		{NewServices(), "4711", "▲"},
		{NewServices(), "empty", ""},
		{NewGroups(), "G1", "△"},
		{NewAgents(), "rossi", "△"},
		{NewAgents(), "boss", "▲"},
		{NewAgents(), "bianchi", ""},
		{NewCampaigns(), "10", ""},
		{NewFeed(), "userStats", "▲"},
	} {
		r := fed(t, tt.rows, v)
		var look table.Row
		r.Row(at(t, r, tt.key), &look)
		if look.Marker != tt.want {
			t.Errorf("%s: got %q, want %q", tt.key, look.Marker, tt.want)
		}
	}
}

func TestTones(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	var err error
	if v.Options.Theme, err = themes.LoadEmbedded(themes.DefaultName); err != nil {
		t.Fatal(err)
	}
	const none = themes.Token(255)
	gone := model.NewStore()
	gone.Services.Put(&model.Service{Code: text("gone"), Channel: model.Call, ChannelStats: model.ServiceCalls{
		QueuedCalls: n(0), MaxTimeCallOnQueue: n(600),
	}})
	for _, tt := range []struct {
		rows    Rows
		key, id string
		want    themes.Token
	}{
		{NewServices(), "4711", "longest", themes.Critical},
		{NewServices(), "4711", "sl", none},
		{NewServices(), "4711", "abandon", none},
		{NewServices(), "4711", "received", none},
		{NewServices(), "4711", "closed", themes.Dim},
		{NewServices(), "empty", "waiting", themes.Unknown},
		{NewServices(), "gone", "longest", themes.Dim},
		{NewAgents(), "rossi", "state", themes.StateWrapUp},
		{NewAgents(), "rossi", "time", themes.Warn},
		{NewAgents(), "boss", "time", themes.Critical},
		{NewAgents(), "bianchi", "time", none},
		{NewAgents(), "quiet", "time", themes.Unknown},
		{NewAgents(), "rossi", "missed", none},
		{NewCampaigns(), "10", "state", themes.Warn},
		{NewFeed(), "userStats", "errors", themes.Warn},
		{NewFeed(), "userStats", "state", themes.Critical},
	} {
		snap := snapshot(t)
		if tt.key == "gone" {
			snap = gone.Publish(now, model.Health{})
		}
		tt.rows.Update(snap, v)
		var c table.Cell
		tt.rows.Cell(at(t, tt.rows, tt.key), columnOf(t, tt.rows, tt.id), &c)
		if want := v.Options.Theme.OpenSequence(tt.want); c.Style != want {
			t.Errorf("%s %s: got style %q, want that of %v, %q", tt.key, tt.id, c.Style, tt.want, want)
		}
	}
}

func TestGrowingTimesDoNotFlash(t *testing.T) {
	t.Parallel()
	for id, r := range map[string]Rows{"time": NewAgents(), "logged": NewAgents(), "age": NewFeed(), "messages": NewFeed()} {
		if c := r.Columns()[columnOf(t, r, id)]; !c.NoFlash {
			t.Errorf("%s flashes", id)
		}
	}
}

// TestNarrowScreens checks which columns are visible at 80 cells.
func TestNarrowScreens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		rows Rows
		want string
	}{
		{"services", NewServices(), "name alarm waiting longest sl abandon ready"},
		{"groups", NewGroups(), "name waiting ready logged"},
		{"agents", NewAgents(), "name state time activity service"},
		{"campaigns", NewCampaigns(), "name state empty penetration todo hit talking"},
		{"attendants", NewAttendants(), "name component current received answered abandoned ready busy logged"},
		{"feed", NewFeed(), "name state age verified rate records"},
	} {
		m := table.New(table.WithColumns(tt.rows.Columns()...), table.WithScrollbar())
		m.SetSource(fed(t, tt.rows, view(model.Call)))
		m.SetSize(80, 10)
		visible := m.VisibleColumns()
		for _, id := range strings.Fields(tt.want) {
			if !slices.Contains(visible, id) {
				t.Errorf("%s: %s is not among %q", tt.name, id, visible)
			}
		}
	}
}

// TestAgentsAtFullWidth checks that no text is cut at 120 cells, and only the name at 80.
func TestAgentsAtFullWidth(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	a := rossi()
	a.Surname, a.Name, a.Status = text("Ferrari"), text("Valentina"), model.NotReadyBusy
	a.CurrentService, a.ActivityCode = text("Tech Support DE"), text("BACKOFFICE")
	s.UserStats.Put(a)
	for width, words := range map[int]string{
		120: "Ferrari Valentina|Busy, then break|Tech Support DE|BACKOFFICE|31|4:15|68.9 %",
		80:  "Ferrari Valenti…|Busy, then break|Tech Support DE|BACKOFFICE|31",
	} {
		r := NewAgents()
		m := table.New(table.WithColumns(r.Columns()...), table.WithScrollbar())
		m.SetSize(width, 10)
		r.Update(s.Publish(now, model.Health{}), view(model.Call))
		m.SetSource(r)
		for w := range strings.SplitSeq(words, "|") {
			if got := m.View(); !strings.Contains(got, w) {
				t.Errorf("at %d: no %q in\n%s", width, w, got)
			}
		}
	}
}

// order returns the keys in the order of a table.
func order(r Rows, column string, desc bool) []string {
	m := table.New(table.WithColumns(r.Columns()...))
	m.SetSize(400, r.Len()+1)
	r.SetDescending(desc)
	m.SetSource(r)
	m.SortBy(column, desc)
	out := make([]string, r.Len())
	for i := range r.Len() {
		m.Select(r.Key(i))
		place, _, _ := m.Position()
		out[place-1] = r.Key(i)
	}
	return out
}

func TestUnknownSortsLast(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for _, tt := range []struct {
		name, column string
		rows         Rows
		asc, desc    string
	}{
		{"numbers", "waiting", NewServices(), "東京サポートセンター窓口その一 4711 empty", "4711 東京サポートセンター窓口その一 empty"},
		{"figures", "sl", NewServices(), "4711 empty 東京サポートセンター窓口その一", "4711 empty 東京サポートセンター窓口その一"},
		{"not applicable", "penetration", NewCampaigns(), "9 10 11 12", "9 10 11 12"},
		{"states", "state", NewCampaigns(), "9 11 10 12", "10 11 9 12"},
		{"times", "time", NewAgents(), "z1 bianchi rossi boss quiet silent", "boss rossi bianchi z1 quiet silent"},
		{"components", "component", NewAttendants(), "4711/ALL 4711/INTERNAL 4711/EXTERNAL 4711/RETURNS", "4711/RETURNS 4711/EXTERNAL 4711/INTERNAL 4711/ALL"},
		{"words", "activity", NewAgents(), "rossi bianchi boss quiet silent z1", "rossi bianchi boss quiet silent z1"},
		{"urgency", "alarm", NewServices(), "empty 東京サポートセンター窓口その一 4711", "4711 東京サポートセンター窓口その一 empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := fed(t, tt.rows, v)
			if d := cmp.Diff(strings.Fields(tt.asc), order(r, tt.column, false)); d != "" {
				t.Errorf("ascending: %s", d)
			}
			if d := cmp.Diff(strings.Fields(tt.desc), order(r, tt.column, true)); d != "" {
				t.Errorf("descending: %s", d)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for _, tt := range []struct {
		rows        Rows
		key, filter string
		want        bool
	}{
		{NewAgents(), "rossi", "ROSS", true},
		{NewAgents(), "rossi", "anna wrap", true},
		{NewAgents(), "rossi", "lunch billing gold milano voice", true},
		{NewAgents(), "rossi", "4711", true},
		{NewAgents(), "rossi", "anna talking", false},
		{NewAgents(), "rossi", "annawrap", false},
		{NewAgents(), "z1", "moon 東京", true},
		{NewServices(), "4711", "bill wait target high", true},
		{NewServices(), "4711", "4711", true},
		{NewServices(), "4711", "off target many gave up", true}, // words of earlier versions
		{NewCampaigns(), "10", "empty", true},
		{NewAttendants(), "4711/INTERNAL", "billing int", true},
		{NewFeed(), "userStats", "unauthorized", true},
		{NewFeed(), "serviceStats", "live", true},
	} {
		r := fed(t, tt.rows, v)
		if got := r.Matches(at(t, r, tt.key), tt.filter); got != tt.want {
			t.Errorf("%s, filter %q: got %v", tt.key, tt.filter, got)
		}
	}
}

// TestSmallSampleIsMarked checks that a figure off target is marked if it has too few calls to be
// judged, and that a figure on target has no mark.
func TestSmallSampleIsMarked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ received, inTime, gaveUp int64 }{{10, 7, 1}, {100, 90, 2}, {100, 50, 20}} {
		s, v, rows := model.NewStore(), view(model.Call), NewServices()
		v.Alerts = nil
		s.Services.Put(&model.Service{Code: text("few"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			ReceivedCalls: n(c.received), AnsweredCalls: n(c.received - c.gaveUp), AnsweredCallsUnderSpeedLimit: n(c.inTime), HangupCalls: n(c.gaveUp),
		}})
		rows.Update(s.Publish(now, health()), v)
		want := map[int64]string{7: "~70.0 %|~10.0 %", 90: "90.0 %|2.0 %", 50: "50.0 %|20.0 %"}[c.inTime]
		if got := shown(t, rows, "few", "sl", "abandon"); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}

// TestTimeToLimit formats the time until a limit and over it.
func TestTimeToLimit(t *testing.T) {
	t.Parallel()
	for over, want := range map[time.Duration]string{
		-(14*time.Minute + 23*time.Second): "14m left", 40 * time.Second: "40s over", 0: "0s left",
		2*time.Minute - time.Second: "1m over", -(59*time.Minute + 59*time.Second): "59m left",
		-(83*time.Minute + 59*time.Second): "1h23m left", time.Hour: "1h00m over",
		10*time.Hour - time.Second: "9h59m over", -(10*time.Hour + 23*time.Minute): "10h left", 123 * time.Hour: "123h over",
	} {
		if got := words.TimeToLimit(over).In(nil); got != want {
			t.Errorf("%v: %q, want %q", over, got, want)
		} else if len(got) > limitTextWidth {
			t.Errorf("%q has more than %d cells", got, limitTextWidth)
		}
	}
}

func TestStatesAreFoundFromTheirBeginning(t *testing.T) {
	t.Parallel()
	store, v := floor(), view(model.Call)
	v.Alerts = nil
	for filter, want := range map[string][]model.UserStatus{
		"ready":      {model.Ready},
		"not ready":  {model.NotReady},
		"rea":        {model.Ready},
		"anna busy":  {model.NotReadyBusy, model.BusyElsewhere},
		"ready anna": {model.Ready},
		"reserved":   {model.Booked},
		// Words of earlier versions:
		"booked":         {model.Booked},
		"busy not ready": {model.NotReadyBusy},
		"busy elsewhere": {model.BusyElsewhere},
	} {
		var got []model.UserStatus
		for _, s := range []model.UserStatus{model.Ready, model.NotReady, model.NotReadyBusy, model.Booked, model.BusyElsewhere} {
			a := rossi()
			a.Status = s
			store.UserStats.Replace([]*model.UserStat{a}) // the agent is on no other channel
			r := NewAgents()
			r.Update(store.Publish(now, model.Health{}), v)
			if r.Matches(at(t, r, "rossi"), filter) {
				got = append(got, s)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q finds (-want +got):\n%s", filter, diff)
		}
	}
}

func TestMatchesFollowsTheRecord(t *testing.T) {
	t.Parallel()
	store := floor()
	v := view(model.Call)
	v.Alerts = nil
	r := NewAgents()
	r.Update(store.Publish(now, model.Health{}), v)
	if !r.Matches(at(t, r, "rossi"), "wrap") {
		t.Fatal("rossi does not match before")
	}
	a := rossi()
	a.Status = model.Ready
	store.UserStats.Put(a)
	r.Update(store.Publish(now, model.Health{}), v)
	if i := at(t, r, "rossi"); r.Matches(i, "wrap") || !r.Matches(i, "ready") {
		t.Error("the filter matches the old record")
	}
}

func TestFeedCountsOnOurClock(t *testing.T) {
	t.Parallel()
	r := fed(t, NewFeed(), view(model.Call))
	before := r.Version(0)
	v := view(model.Call)
	v.Now = v.Now.Add(time.Second)
	r.Update(snapshot(t), v)
	if got := shown(t, r, "serviceStats", "age"); got != "0:03" {
		t.Errorf("got %q after a second", got)
	}
	if r.Version(0) == before {
		t.Error("the version does not follow the clock")
	}
}

// TestLongestColumnShowsTheCurrentWait uses a platform that sends the longest wait of
// the day: the column shows the current wait, with a mark if it is an estimate.
func TestLongestColumnShowsTheCurrentWait(t *testing.T) {
	t.Parallel()
	daily := model.Wait{Meaning: model.WaitDaily, For: n(112), AtLeast: n(100), AtMost: n(130)}
	for _, c := range []struct {
		calls model.ServiceCalls
		want  string
	}{
		{model.ServiceCalls{QueuedCalls: n(0), MaxTimeCallOnQueue: n(2120), Wait: model.Wait{Meaning: model.WaitDaily}}, "·"},
		{model.ServiceCalls{QueuedCalls: n(0)}, "·"},
		{model.ServiceCalls{QueuedCalls: n(2), MaxTimeCallOnQueue: n(2120), Wait: daily}, "~1:52"},
		{model.ServiceCalls{QueuedCalls: n(2), MaxTimeCallOnQueue: n(112)}, "1:52"},
		{model.ServiceCalls{QueuedCalls: n(2)}, "–"},
	} {
		r := &row[model.Service]{record: &model.Service{Code: text("A"), Channel: model.Call, ChannelStats: c.calls}}
		for _, col := range serviceColumns() {
			if col.ID != "longest" {
				continue
			}
			var cell table.Cell
			v := view(model.Call)
			col.cell(v, r, &cell)
			if got := string(cell.Text); got != c.want {
				t.Errorf("%+v is %q, want %q", c.calls, got, c.want)
			}
		}
	}
}

// TestConditionsCompareValues compares columns whose cells are marked, scaled or estimated.
func TestConditionsCompareValues(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	v.Options.StateLimit = func(*model.AgentFigures) (time.Duration, bool) { return time.Minute, true }
	v.Presumed = model.PresumedInState
	estimated := &model.Service{Code: text("4711"), Channel: model.Call, ChannelStats: model.ServiceCalls{
		QueuedCalls: n(12_345), AnsweredCalls: n(420), AnsweredCallsUnderSpeedLimit: n(300), HangupCalls: n(0),
		Wait: model.Wait{Meaning: model.WaitDaily, For: n(210)},
	}}
	s := floor()
	s.Services.Put(estimated)
	snap := s.Publish(now, health())
	for _, tt := range []struct {
		rows Rows
		key  string
		id   string
		cell string
		hold []string
		fail []string
	}{
		{NewServices(), "4711", "longest", "~3:30", []string{"longest>3m", "longest=3:30"}, []string{"longest>3:30"}},
		{NewServices(), "4711", "waiting", "12 345", []string{"waiting>12k", "waiting=12345"}, []string{"waiting>13k"}},
		{NewServices(), "4711", "sl", "▾71.4 %", []string{"sl<72", "sl=71.4"}, []string{"sl>71.4", "sl>80"}},
		{NewAgents(), "rossi", "time", "2:30?", []string{"time>2m", "time=150"}, []string{"time>2:30"}},
		{NewAgents(), "rossi", "limit", "     1m over", []string{"limit>1m", "limit>0"}, []string{"limit>90"}},
		{NewAgents(), "bianchi", "limit", "     5s over", []string{"limit=5"}, []string{"limit>5"}},
		{NewCampaigns(), "9", "lines", "22/30", []string{"lines=22"}, []string{"lines>22"}},
		{NewCampaigns(), "9", "gauge", "", []string{"progress=42.1"}, []string{"progress<42"}},
		{NewFeed(), "serviceStats", "bytes", "3.1 MB", []string{"data=3141592", "bytes>3MB"}, []string{"bytes<1k"}},
	} {
		tt.rows.Update(snap, v)
		i := at(t, tt.rows, tt.key)
		if got := shown(t, tt.rows, tt.key, tt.id); tt.cell != "" && got != tt.cell {
			t.Errorf("%s: %q, want %q", tt.id, got, tt.cell)
		}
		for _, filter := range tt.hold {
			if !tt.rows.Matches(i, filter) {
				t.Errorf("%s does not hold", filter)
			}
		}
		for _, filter := range tt.fail {
			if tt.rows.Matches(i, filter) {
				t.Errorf("%s holds", filter)
			}
		}
	}
	blank := *v.Options
	blank.BlankFigures, v.Options = true, &blank
	agents := NewAgents()
	agents.Update(snap, v)
	if agents.Matches(at(t, agents, "rossi"), "time>0") {
		t.Error("a condition holds for a figure that is too old to show")
	}
}

package figureproof

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/model/kpi"
)

var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// floors returns snapshots a second apart, of services, groups and campaigns with random counters.
func floors(seconds int) []*model.Snapshot {
	random := rand.New(rand.NewPCG(1, 2))
	n := func(most int64) model.Int {
		if random.IntN(20) == 0 {
			return model.Int{}
		}
		return model.IntOf(random.Int64N(most + 1))
	}
	store := model.NewStore()
	store.Users.Put(&model.User{Username: model.TextOf("anna"), Services: []string{"SRV01"}, Skillsets: []string{"G1"}})
	store.UserStats.Put(&model.UserStat{Username: model.TextOf("anna"), AgentFigures: model.AgentFigures{Channel: model.Call, NumberCallIn: model.IntOf(12), NumberCallOut: model.IntOf(3), TimeInStateBusy: model.IntOf(600), TimeInStateReady: model.IntOf(300), TimeInStateWNR: model.IntOf(60), TimeInStateBooked: model.IntOf(0), TimeInStateBusyOnService: model.IntOf(500), NumberCallFromServiceAnswered: model.IntOf(5)}})
	var all []*model.Snapshot
	for i := range seconds {
		for _, code := range []string{"SRV01", "SRV02", "SRV03"} {
			store.Services.Put(&model.Service{Code: model.TextOf(code), Channel: model.Call, ChannelStats: model.ServiceCalls{
				ReceivedCalls: n(100), AnsweredCalls: n(60), AnsweredCallsUnderSpeedLimit: n(40), HangupCalls: n(20), QueuedCalls: n(3), MaxTimeCallOnQueue: n(300),
				ShortCalls: n(5), AverageTimeOnQueue: model.FloatOf(random.Float64() * 90),
			}})
		}
		store.Groups.Put(&model.Group{Code: model.TextOf("G1"), Channel: model.Call})
		store.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(7), TotalContacts: n(1000), TriedContacts: n(500), OkContacts: n(100), ToDoContacts: n(500)})
		at := morning.Add(time.Duration(i) * time.Second)
		all = append(all, store.Publish(at, model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{State: model.SubLive, VerifiedAt: at.Add(-10 * time.Second), Drift: model.Drift{Value: 2}, DriftAt: morning}}}))
	}
	return all
}

func target(service string) kpi.Goal {
	g := alert.DefaultGoal()
	if service == "SRV02" {
		g.ServiceLevel = model.FloatOf(0.9)
	}
	return g
}

// rules holds the targets and three figures of [[kpi]], one of which has no receipts, because it depends on
// earlier values.
var rules = Rules{Goal: target, CustomExplainer: newEngines()}

// newEngines returns a function that returns the engine for a snapshot. It returns the same engine each time.
func newEngines() func(*model.Snapshot) Explainer {
	var engines sync.Map
	return func(s *model.Snapshot) Explainer {
		if e, ok := engines.Load(s); ok {
			return e.(*alert.Engine)
		}
		e, err := alert.New(alert.Options{Goal: target(""), KPIs: []alert.KPI{
			{Name: "lost", Title: "Lost", Scope: alert.Service, Expr: "hangupCalls / receivedCalls", Format: alert.Percent},
			{Name: "load", Scope: alert.User, Expr: "numberCallIn + numberCallOut"},
			{Name: "faster", Scope: alert.Service, Expr: `rate(receivedCalls, "5m")`},
		}})
		if err != nil {
			panic(err)
		}
		e.Evaluate(s, s.At)
		engines.Store(s, e)
		return e
	}
}

func everything(alert.Key) bool { return true }

// nearIn returns the function near of [Verify] for snapshots that are a second apart.
func nearIn(snapshots []*model.Snapshot) func(time.Time) ([]*model.Snapshot, error) {
	return func(at time.Time) ([]*model.Snapshot, error) {
		i := int(at.Sub(morning) / time.Second)
		if i < 0 || i >= len(snapshots) {
			return nil, nil
		}
		return snapshots[i : i+1], nil
	}
}

// damage returns receipts whose value was changed, and receipts whose fields were changed. It checks
// that all receipts are complete.
func damage(t *testing.T, read []Receipt) (values, fields []Receipt) {
	t.Helper()
	for _, r := range read {
		if r.Value != nil {
			v := *r.Value + 0.01
			changed := r
			changed.Value = &v
			values = append(values, changed)
		}
		if len(r.Fields) > 0 {
			changed := r
			changed.Fields = make(map[string]json.RawMessage)
			for name := range r.Fields {
				changed.Fields[name] = json.RawMessage("987654")
			}
			fields = append(fields, changed)
		}
		if r.Verified.IsZero() || r.Differences != 2 || r.Title == "" || r.Formula == "" && (kpi.FigureNamed(r.Figure) == nil || !kpi.FigureNamed(r.Figure).IsCount) {
			t.Fatalf("incomplete: %+v", r)
		}
	}
	return values, fields
}

// checkFigures checks the numbers of receipts of some figures of as many snapshots.
func checkFigures(t *testing.T, read []Receipt, snapshots int) {
	t.Helper()
	of := make(map[string]int)
	for _, r := range read {
		of[r.Figure]++
		of[string(r.Scope)]++
		if r.Figure == "load" && (*r.Value != 15 || string(r.Fields["numberCallIn"]) != "12" || r.Formula != "numberCallIn + numberCallOut") {
			t.Errorf("%+v", r)
		}
	}
	if of["lost"] < snapshots || of["load"] != snapshots || of["user"] < 2*snapshots || of["faster"] != 0 {
		t.Errorf("%v", of)
	}
}

// TestReceiptsHold recomputes receipts of some seconds, which went through a file. All of them hold,
// and none holds after its value or one of its fields was changed. RECEIPT_SECONDS is the number of
// seconds; 300 make more than 10,000 receipts.
func TestReceiptsHold(t *testing.T) {
	t.Parallel()
	seconds, err := strconv.Atoi(os.Getenv("RECEIPT_SECONDS"))
	if err != nil {
		seconds = 30
	}
	snapshots := floors(seconds)
	var all []Receipt
	for _, s := range snapshots {
		all = append(all, AllReceipts(s, rules, everything)...)
	}
	if len(all) < 34*seconds {
		t.Fatalf("%d receipts", len(all))
	}
	text, err := json.MarshalIndent(Document{all}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadReceipts(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	count := func(receipts []Receipt, want Result) {
		t.Helper()
		checks, err := Verify(receipts, rules, nearIn(snapshots))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if c.Result != want {
				t.Fatalf("%s %s of %s at %s: %s (%s), want %s", c.Receipt.Scope, c.Receipt.Figure, c.Receipt.Code, c.Receipt.Time, c.Result, c.Reason, want)
			}
		}
	}
	count(read, ResultHolds)
	values, fields := damage(t, read)
	for name, change := range map[string]func(*Receipt){
		"title":       func(r *Receipt) { r.Title += "!" },
		"differences": func(r *Receipt) { r.Differences = 0 },
		"verified":    func(r *Receipt) { r.Verified = r.Verified.Add(time.Minute) },
		"last":        func(r *Receipt) { r.LastDifference = time.Time{} },
		"goal":        func(r *Receipt) { r.Goal = &Goal{ServiceLevel: new(float64)} },
	} {
		t.Log(name)
		changed := slices.Clone(read)
		for i := range changed {
			change(&changed[i])
		}
		count(changed, ResultDiffers)
	}
	count(values, ResultDiffers)
	count(fields, ResultDiffers)
	checkFigures(t, read, seconds)
	for i := range read {
		read[i].Time = read[i].Time.Add(time.Hour)
	}
	count(read, ResultNotRecorded)
}

// TestFieldsOfAFigure checks which fields a receipt lists: those that the value depends on, and no
// others.
func TestFieldsOfAFigure(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	store.Services.Put(&model.Service{Code: model.TextOf("SRV01"), Channel: model.Call, ChannelStats: model.ServiceCalls{
		ReceivedCalls: model.IntOf(20), HangupCalls: model.IntOf(5), QueuedCalls: model.IntOf(0), MaxTimeCallOnQueue: model.IntOf(90),
	}})
	s := store.Publish(morning, model.Health{})
	for figure, want := range map[string]string{
		"abandonRate": "map[channelStats.hangupCalls:5 channelStats.receivedCalls:20]",
		"longestWait": "map[channelStats.queuedCalls:0]", // no caller waits, so the longest wait is not used
	} {
		r := Receipt{Scope: model.ScopeService, Code: "SRV01", Channel: model.Call, Figure: figure}
		if !r.compute(rules.momentOf(s)) || r.Value == nil {
			t.Errorf("%s: %+v", figure, r)
			continue
		}
		var out strings.Builder
		out.WriteString("map[")
		for _, name := range []string{"channelStats.hangupCalls", "channelStats.queuedCalls", "channelStats.receivedCalls", "channelStats.maxTimeCallOnQueue"} {
			if v, ok := r.Fields[name]; ok {
				if out.Len() > 4 {
					out.WriteString(" ")
				}
				out.WriteString(name + ":" + string(v))
			}
		}
		if got := out.String() + "]"; got != want || len(r.Fields) != strings.Count(want, ":") {
			t.Errorf("%s: %s of %v, want %s", figure, got, r.Fields, want)
		}
	}
}

// TestBadFiles reads files that are not receipts.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "not a file of receipts",
		`{"receipts":[{"figure":"serviceLevel","time":"2026-03-02T09:00:00Z"}]} {}`: "text follows",
		"{}":                                "contains no receipts",
		`{"receipts":[{"figure":"none"}]}`:  "receipt 1",
		`{"receipts":[{"figure":"longest`:   "not a file of receipts",
		`{"receipts":[{"scope":"service"}]`: "not a file of receipts",
	} {
		if _, err := ReadReceipts(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestHostileReceipts checks receipts of records and figures that do not exist.
func TestHostileReceipts(t *testing.T) {
	t.Parallel()
	snapshots := floors(1)
	for _, r := range []Receipt{
		{Scope: "service", Code: "none", Channel: model.Call, Figure: "serviceLevel"},
		{Scope: "campaign", Code: "seven", Figure: "penetration"},
		{Scope: "user", Code: "anna", Figure: "serviceLevel"},
		{Scope: "nothing", Figure: "serviceLevel"},
	} {
		r.Time = morning
		checks, err := Verify([]Receipt{r}, rules, nearIn(snapshots))
		if err != nil || checks[0].Result != ResultNotRecorded {
			t.Errorf("%+v: %v, %v", r, checks, err)
		}
	}
}

// TestTimesOfTheServer checks that all times of a receipt are on the platform's clock.
func TestTimesOfTheServer(t *testing.T) {
	t.Parallel()
	s := *floors(1)[0]
	s.Health.ClockOffset = time.Hour
	for _, r := range AllReceipts(&s, rules, everything) {
		if !r.Time.Equal(morning) || !r.Verified.Equal(morning.Add(time.Hour-10*time.Second)) || !r.LastDifference.Equal(morning.Add(time.Hour)) {
			t.Fatalf("%+v", r)
		}
	}
	s.Health.Subscriptions = nil
	if r := AllReceipts(&s, rules, everything)[0]; !r.Verified.IsZero() || !r.LastDifference.IsZero() {
		t.Errorf("nothing was verified: %+v", r)
	}
}

package alert

import (
	"os"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// staffed sets the queue and agents of a service.
func (f *floor) staffed(queued, wait, logged, ready int64) {
	f.service(func(r *model.Service) {
		r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = model.IntOf(queued), model.IntOf(wait)
		r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count = model.IntOf(logged), model.IntOf(ready)
	})
}

// waitUnknown makes the waits of the service unknown.
func (f *floor) waitUnknown() {
	f.service(func(r *model.Service) { r.ChannelStats.MaxTimeCallOnQueue = model.Int{} })
}

func (f *floor) group(queued, logged, ready int64) {
	r := &model.Group{Code: model.TextOf("G"), Channel: model.Call}
	r.ChannelStats.QueuedCalls = model.IntOf(queued)
	r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count = model.IntOf(logged), model.IntOf(ready)
	f.store.Groups.Put(r)
}

// day sets today's counters of a service.
func (f *floor) day(received, answered, inTime, abandoned int64) {
	f.service(func(r *model.Service) {
		c := &r.ChannelStats
		c.ReceivedCalls, c.AnsweredCalls = model.IntOf(received), model.IntOf(answered)
		c.AnsweredCallsUnderSpeedLimit, c.HangupCalls = model.IntOf(inTime), model.IntOf(abandoned)
	})
}

func (f *floor) state(s model.UserStatus, since time.Duration) {
	f.agent("anna", func(r *model.UserStat) {
		r.Name, r.Surname = model.TextOf("Anna"), model.TextOf("Bianchi")
		r.Status, r.TimeInState = s, model.InstantOf(f.now.Add(-since))
		r.ActivityCode = model.TextOf("LUNCH")
	})
}

func (f *floor) campaign(c model.Campaign) {
	c.CampaignID = model.IntOf(12)
	f.store.Campaigns.Put(&c)
}

func TestDefaultRules(t *testing.T) {
	t.Parallel()
	names := make(model.Names)
	names.Add(model.NameService, "S", "Sales")
	for _, c := range []struct {
		name  string
		given func(*floor)
		after time.Duration // the rules are evaluated every second for this time
		want  string        // expected changes
		text  string        // text of the first changed alert
	}{
		{"all is well", func(f *floor) { f.staffed(0, 45, 5, 2); f.day(100, 98, 95, 2) }, time.Minute, "", ""},
		{"empty queue keeps its last wait", func(f *floor) { f.staffed(0, 300, 5, 0) }, time.Minute, "", ""},
		{"unstaffed", func(f *floor) { f.staffed(2, 3, 0, 0) }, 0, "unstaffed raised critical", "Sales: 2 waiting, no agents logged in"},
		{"nobody ready for a moment", func(f *floor) { f.staffed(2, 19, 5, 0) }, 0, "", ""},
		{"nobody ready", func(f *floor) { f.staffed(2, 20, 5, 0) }, 0, "nobody ready raised warning", "Sales: none available, 2 waiting, longest wait 0:20"},
		{"nobody ready, long", func(f *floor) { f.staffed(2, 60, 5, 0) }, 0, "longest wait raised critical, nobody ready raised warning", ""},
		{"nobody ready for long, no wait known", func(f *floor) { f.staffed(2, 0, 5, 0); f.waitUnknown() }, 3 * time.Minute, "nobody ready raised warning, nobody ready for long raised critical", ""},
		{"nobody ready for long, short waits", func(f *floor) { f.staffed(2, 10, 5, 0) }, 10 * time.Minute, "", ""},
		{"crowded", func(f *floor) { f.staffed(10, 9, 8, 0) }, 20 * time.Second, "crowded raised critical", "Sales: 10 waiting, 8 agents logged in"},
		{"crowded, a warning", func(f *floor) { f.staffed(5, 9, 4, 0) }, 20 * time.Second, "crowded raised warning", ""},
		{"crowded, two agents for each caller", func(f *floor) { f.staffed(12, 9, 14, 0) }, 20 * time.Second, "crowded raised critical", "Sales: 12 waiting, 14 agents logged in"},
		{"not yet crowded", func(f *floor) { f.staffed(12, 9, 14, 0) }, 19 * time.Second, "", ""},
		{"two agents who are busy", func(f *floor) { f.staffed(1, 9, 2, 0) }, time.Hour, "", ""},
		{"a small queue for long, short waits", func(f *floor) { f.staffed(3, 9, 6, 0) }, 3 * time.Minute, "nobody ready for long raised critical", ""},
		{"a small queue of more agents, short waits", func(f *floor) { f.staffed(3, 9, 7, 0) }, time.Hour, "", ""},
		{"many wait for many agents", func(f *floor) { f.staffed(10, 9, 40, 0) }, time.Minute, "", ""},
		{"long wait", func(f *floor) { f.staffed(2, 60, 5, 1) }, 0, "longest wait raised critical", "Sales: 2 waiting, longest wait 1:00"},
		{"stranded", func(f *floor) { f.staffed(2, 9, 5, 1) }, 20 * time.Second, "stranded raised warning", "Sales: 2 waiting although 1 ready; check the routing"},
		{"on the way to one of many ready agents", func(f *floor) { f.staffed(9, 4, 90, 70); f.group(9, 90, 70) }, time.Minute, "", ""},
		{"not yet stranded", func(f *floor) { f.staffed(2, 9, 5, 1) }, 19 * time.Second, "", ""},
		{"group unstaffed", func(f *floor) { f.group(1, 0, 0) }, 0, "unstaffed raised warning", ""},
		{"group with nobody ready", func(f *floor) { f.group(1, 3, 0) }, 30 * time.Second, "nobody ready raised warning", ""},
		{"group stranded", func(f *floor) { f.group(1, 3, 1) }, 20 * time.Second, "stranded raised warning", ""},
		{"target missed", func(f *floor) { f.day(100, 100, 77, 0) }, 0, "service level raised warning", "Sales: service level 77.0 %, target 80.0 %"},
		{"target missed by two calls", func(f *floor) { f.day(100, 100, 78, 0) }, 0, "budget spent raised warning", "Sales: service level 78.0 %, target 80.0 %"},
		{"target missed by few calls", func(f *floor) { f.day(19, 15, 0, 4) }, 0, "", ""},
		{"target missed by far", func(f *floor) { f.day(100, 100, 57, 0) }, 0, "service level raised warning", ""},
		{"floor far below target", func(f *floor) { f.day(100, 100, 65, 0); f.state(model.Ready, time.Hour) }, time.Minute, "service level raised warning, floor service level raised warning", ""},
		{"floor below target by less", func(f *floor) { f.day(100, 100, 66, 0); f.state(model.Ready, time.Hour) }, time.Hour, "service level raised warning", ""},
		{"few calls of the floor", func(f *floor) { f.day(49, 49, 25, 0); f.state(model.Ready, time.Hour) }, time.Hour, "service level raised warning", ""},
		{"floor far below target, closed", func(f *floor) { f.day(100, 100, 50, 0) }, time.Hour, "service level raised warning", ""},
		{"one caller of one", func(f *floor) { f.day(1, 0, 0, 1) }, 0, "", ""},
		{"budget spent", func(f *floor) { f.day(100, 100, 80, 0) }, 0, "budget spent raised warning", "Sales: one late call away from missing the target, service level 80.0 %, target 80.0 %"},
		{"no budget early in the day", func(f *floor) { f.day(4, 4, 4, 0) }, 0, "", ""},
		{"8 % abandoned", func(f *floor) { f.day(100, 92, 92, 8) }, 0, "abandon rate raised warning", "Sales: 8.0 % abandoned (8 of 100)"},
		{"18 % abandoned", func(f *floor) { f.day(100, 82, 82, 18) }, 0, "abandon rate raised warning", ""},
		{"before the first call", func(f *floor) { f.day(0, 0, 0, 0) }, 0, "", ""},
		{"wrap-up", func(f *floor) { f.state(model.WNR, 2*time.Minute) }, 0, "wrap-up raised warning", "Bianchi Anna: wrap-up for 2:00"},
		{"long wrap-up", func(f *floor) { f.state(model.WNR, 10*time.Minute) }, 0, "wrap-up raised critical", ""},
		{"not ready", func(f *floor) { f.state(model.NotReady, 30*time.Minute) }, 0, "not ready raised warning", "Bianchi Anna: not ready for 30:00, LUNCH"},
		{"booked", func(f *floor) { f.state(model.Booked, time.Second) }, 29 * time.Second, "booked raised warning", ""},
		{"talking", func(f *floor) { f.state(model.BusyDNCallIn, time.Hour) }, 0, "talking raised critical", ""},
		{"ready for long", func(f *floor) { f.state(model.Ready, 10*time.Hour) }, 0, "", ""},
		{"state of a user unknown", func(f *floor) { f.state("", 10*time.Hour) }, 0, "", ""},
		{
			"no free agent",
			func(f *floor) {
				f.campaign(model.Campaign{RingingContacts: model.IntOf(3), FreeResources: model.IntOf(0)})
			},
			30 * time.Second, "no free agent raised warning", "12: 3 ringing, no agent free",
		},
		{
			"dry",
			func(f *floor) {
				f.campaign(model.Campaign{
					ToDoContacts: model.IntOf(0), TotalContacts: model.IntOf(9), AvailableResources: model.IntOf(4),
				})
			},
			time.Minute, "dry raised warning", "12: no contacts left to call; 4 agents are still assigned to it",
		},
		{
			"stale link",
			func(f *floor) {
				f.health.Link.State = model.LinkBackoff // makes the subscription stale
				f.health.Subscriptions = []model.Subscription{{Name: "userStats", State: model.SubStale}}
			},
			15 * time.Second,
			"stale raised critical", "link: the figures are not current (backoff)",
		},
		{
			"stale subscription",
			func(f *floor) {
				f.health.Subscriptions = []model.Subscription{{Name: "userStats", State: model.SubStale}}
			},
			15 * time.Second, "stale raised critical", "userStats: the figures are not current (stale)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFloor(t, Options{Rules: DefaultRules(), Names: names})
			c.given(f)
			got := f.after(0)
			got = append(got, f.every(time.Second, c.after)...)
			f.want(got, c.want)
			if c.text != "" && got[0].Alert.Text != c.text {
				t.Errorf("the text is %q, want %q", got[0].Alert.Text, c.text)
			}
		})
	}
}

// TestMailMayWait checks that long waits of mail raise no alert.
func TestMailMayWait(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.store.Services.Put(&model.Service{
		Code: model.TextOf("M"), Channel: model.MailACD,
		ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(5), MaxTimeCallOnQueue: model.IntOf(7200)},
	})
	f.want(f.every(time.Second, time.Minute), "")
}

func TestMerge(t *testing.T) {
	t.Parallel()
	own := []Rule{
		{Name: "stranded", Scope: Group, Disabled: true},
		{Name: "longest wait", Scope: Service, Codes: []string{"VIP"}, KPI: "longestWait", Thresholds: thresholds(5, 10, 5)},
		{Name: "my own", Scope: Service, When: "queuedCalls > 9", Severity: Warning},
	}
	all := MergeRules(DefaultRules(), own)
	if got, want := len(all), len(DefaultRules())+2; got != want {
		t.Errorf("%d rules, want %d", got, want)
	}
	f := newFloor(t, Options{Rules: all})
	f.group(1, 3, 1)
	f.want(f.every(time.Second, time.Minute), "")
}

// TestEstimatedWaitRaisesNothingUncertain uses a platform that sends the longest wait
// of the day. Rules use only the certain part of the estimated wait.
func TestEstimatedWaitRaisesNothingUncertain(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: append(DefaultRules(), Rule{Name: "sent", Scope: Service, When: "maxTimeCallOnQueue > 100", Severity: Critical})})
	estimated := func(estimate, least int64) []Alert {
		f.service(func(r *model.Service) {
			r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = model.IntOf(2), model.IntOf(2100)
			r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count = model.IntOf(5), model.IntOf(1)
			r.ChannelStats.Wait = model.Wait{
				Meaning: model.WaitDaily, For: model.IntOf(estimate), AtLeast: model.IntOf(least), AtMost: model.IntOf(300),
			}
		})
		f.after(time.Second)
		var out []Alert
		for _, a := range f.engine.Active() {
			if a.Rule == "longest wait" || a.Rule == "sent" {
				out = append(out, a)
			}
		}
		return out
	}
	if got := estimated(120, 25); len(got) > 0 {
		t.Errorf("%+v for a wait of at least 25 s", got)
	}
	got := estimated(120, 70)
	if len(got) != 1 || got[0].Level != Critical || got[0].Text != "S: 2 waiting, longest wait ~2:00" {
		t.Errorf("%+v for a wait of at least 70 s", got)
	}
	if v, _ := f.engine.Value("longestWait", Key{Scope: Service, Code: "S", Channel: model.Call}).Get(); v != 120 {
		t.Errorf("the figure is %v, want the estimate", v)
	}
}

// TestRulesAreDocumented requires a row of docs/user/alerts.md for each rule and scope, and the
// words of table rows.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/user/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range catalogue {
		b := &catalogue[i]
		for _, r := range b.Rules {
			found := false
			for line := range strings.Lines(string(page)) {
				rest, isRow := strings.CutPrefix(line, "| `"+b.Name+"` | ")
				scopes, _, _ := strings.Cut(rest, " | ")
				found = found || isRow && strings.Contains(scopes, string(r.Scope))
			}
			if !found {
				t.Errorf("no row for %s of %s", b.Name, r.Scope)
			}
		}
		if title := b.Title.In(nil); title != b.Name && !strings.Contains(string(page), "`"+b.Name+"` as *"+title+"*") {
			t.Errorf("it does not say that %s is %q", b.Name, title)
		}
	}
}

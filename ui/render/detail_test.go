package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"wallboard/model"
	"wallboard/themes"
)

// detail is a function that draws the detail view of a fixed record.
type detail func(s *model.Snapshot, v *View, width int) []string

func details() map[string]detail {
	return map[string]detail{
		"service":      func(s *model.Snapshot, v *View, w int) []string { return ServiceDetail(s, v, "4711", w) },
		"agent":        func(s *model.Snapshot, v *View, w int) []string { return AgentDetail(s, v, "rossi", w) },
		"group":        func(s *model.Snapshot, v *View, w int) []string { return GroupDetail(s, v, "G1", w) },
		"campaign":     func(s *model.Snapshot, v *View, w int) []string { return CampaignDetail(s, v, 9, w) },
		"profile":      func(s *model.Snapshot, v *View, w int) []string { return ProfileDetail(s, v, 11, false, w) },
		"subscription": func(s *model.Snapshot, v *View, w int) []string { return SubscriptionDetail(s, v, "userStats", w) },
		"link":         LinkDetail,
	}
}

func TestDetailGolden(t *testing.T) {
	t.Parallel()
	snap := snapshot(t)
	for name, draw := range details() {
		for _, width := range []int{60, 100, 160} {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				t.Parallel()
				lines := draw(snap, view(model.Call), width)
				for i, l := range lines {
					lines[i] = ansi.Strip(l) + "|" // makes trailing spaces visible
				}
				golden.RequireEqual(t, strings.Join(lines, "\n")+"\n")
			})
		}
	}
}

func TestDetailOfNothing(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	empty := model.NewStore().Publish(now, model.Health{})
	for name, draw := range details() {
		for _, s := range []*model.Snapshot{nil, empty} {
			lines := draw(s, v, 40)
			if len(lines) == 0 || strings.TrimSpace(strings.Join(lines, "")) == "" {
				t.Errorf("%s: no text about a missing record", name)
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w != 40 {
					t.Errorf("%s: line %q is %d cells wide", name, l, w)
				}
			}
		}
		if lines := draw(snapshot(t), v, 0); len(lines) != 0 {
			t.Errorf("%s: %d lines of width 0", name, len(lines))
		}
	}
}

func TestDetailSays(t *testing.T) {
	t.Parallel()
	snap := snapshot(t)
	v := view(model.Call)
	for _, tt := range []struct {
		name, want string
		draw       detail
	}{
		{"formula", "answered in time / (answered + abandoned)", details()["service"]},
		{"budget", "needs 180 calls in a row on time", details()["service"]},
		{"custom figure", "42.5", details()["service"]},
		{"attendant", "Returns", details()["service"]},
		{"state without figures", "Busy, then break", details()["agent"]},
		{"hold time of the profile", "Time on hold", details()["agent"]},
		{"rest of the logged in", "? Other", details()["group"]},
		{"certificate", "not verified", details()["link"]},
		{"clock", "0:05 ahead", details()["link"]},
		{"agent without a record of their own", "○ Ready", func(s *model.Snapshot, v *View, w int) []string {
			return AgentDetail(s, v, "silent", w)
		}},
		{"agent whom nobody knows", "No data about agent nemo.", func(s *model.Snapshot, v *View, w int) []string {
			return AgentDetail(s, v, "nemo", w)
		}},
		{"service on a channel that is not listed", "FAX", func(s *model.Snapshot, v *View, w int) []string {
			return ServiceDetail(s, v, "fax", w)
		}},
	} {
		if got := ansi.Strip(strings.Join(tt.draw(snap, v, 100), "\n")); !strings.Contains(got, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, got)
		}
	}
}

func TestBudgetWithinTarget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ch     model.Channel
		inTime int64
		want   string
	}{
		{model.Call, 95, "target allows 15 more late calls"},
		{model.Call, 81, "target allows 1 more late call"},
		{model.Chat, 95, "target allows 15 more late chats"},
		{model.MailACD, 79, "needs 5 mails in a row on time"},
	} {
		s := model.NewStore()
		s.Services.Put(&model.Service{Code: text("s"), Channel: tt.ch, ChannelStats: model.ServiceCalls{
			AnsweredCalls: n(100), HangupCalls: n(0), AnsweredCallsUnderSpeedLimit: n(tt.inTime),
		}})
		got := ansi.Strip(strings.Join(ServiceDetail(s.Publish(now, model.Health{}), view(tt.ch), "s", 80), "\n"))
		if !strings.Contains(got, tt.want) {
			t.Errorf("no %q in\n%s", tt.want, got)
		}
	}
}

func TestHold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status model.UserStatus
		held   time.Duration // time since the last hold
		want   string
	}{
		{model.Busy, 30 * time.Second, "Last hold 0:30 ago"},
		{model.BusyDNCallIn, 30 * time.Second, "Last hold 0:30 ago"},
		{model.Busy, 29 * time.Minute, ""}, // the hold was on an earlier contact
		{model.Ready, 30 * time.Second, ""},
		{model.WNR, 30 * time.Second, ""},
	} {
		store := floor()
		p := model.ProfileStat{ID: n(11), AgentFigures: rossi().AgentFigures}
		p.Status, p.TimeInState = tt.status, ago(2*time.Minute)
		p.TimeInHold = model.HoldTime{Time: n(95), TimeInState: ago(tt.held)}
		store.Profiles.Put(&p)
		got := ansi.Strip(strings.Join(ProfileDetail(store.Publish(now, model.Health{}), view(model.Call), 11, false, 48), "\n"))
		got = strings.Join(strings.Fields(got), " ")
		if !strings.Contains(got, "Time on hold 1:35") {
			t.Errorf("%s: no time on hold in %s", tt.status, got)
		}
		if has := strings.Contains(got, "Last hold"); has != (tt.want != "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s, held %v ago: %s", tt.status, tt.held, got)
		}
	}
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		endpoint string
		insecure bool
		want     string
	}{
		{"wss://rtd.example.net/rtd", false, "Certificate  verified"},
		{"wss://rtd.example.net/rtd", true, "Certificate  not verified"},
		{"ws://127.0.0.1:8080/rtd", false, "Certificate  none, the connection is not encrypted"},
		{"ws://127.0.0.1:8080/rtd", true, "Certificate  none, the connection is not encrypted"},
		{"", false, "Certificate  –"},
	} {
		h := model.Health{Link: model.Link{Endpoint: tt.endpoint, InsecureTLS: tt.insecure}}
		got := ansi.Strip(strings.Join(LinkDetail(model.NewStore().Publish(now, h), view(model.Call), 60), "\n"))
		if !strings.Contains(got, tt.want+" ") {
			t.Errorf("%s: no %q in\n%s", tt.endpoint, tt.want, got)
		}
	}
}

func TestLongValueLeavesTheLabel(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	v.Options.Names.Add(model.NameService, "4711", strings.Repeat("Everything about invoices ", 9))
	got := ansi.Strip(strings.Join(AgentDetail(snapshot(t), v, "rossi", 60), "\n"))
	if !strings.Contains(got, "Service now Everything about invoices") || !strings.Contains(got, "…") {
		t.Errorf("the label is gone in\n%s", got)
	}
}

// hostile generates names that are wide, long, joined or made of combining marks.
var hostile = rapid.OneOf(
	rapid.StringOfN(rapid.RuneFrom([]rune("aZ0 東京ｱ\u0301\u200d👩👧🇮🇹é–…\u00a0\u3000한")), 0, 40, -1),
	rapid.StringN(0, 40, -1),
)

// TestDetailWidths draws all detail views with hostile names at any width: each line is
// exactly as wide as requested, with each width method.
func TestDetailWidths(t *testing.T) {
	t.Parallel()
	dark, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := func(label string) string { return model.CleanText(hostile.Draw(rt, label), model.MaxName) }
		store := floor()
		for _, r := range store.UserStats.Rows() {
			if r.Key().Username == "rossi" {
				c := *r
				c.Surname, c.Status = text(name("surname")), model.UserStatus(name("status"))
				c.TimeInActivityCode = []model.ActivityTime{{ActivityCode: name("activity"), TotalTime: n(rapid.Int64().Draw(rt, "time"))}}
				store.UserStats.Put(&c)
			}
		}
		u := *users()[0]
		u.Surname, u.Services = text(name("surname")), []string{name("service"), name("service")}
		store.Users.Put(&u)
		svc := *services()[0]
		svc.ChannelStats.QueuedCalls = n(rapid.Int64().Draw(rt, "waiting"))
		svc.ChannelStats.MaxTimeCallOnQueue = n(rapid.Int64().Draw(rt, "longest"))
		svc.CustomStats = []model.CustomStat{{Key: name("key"), Value: model.CustomValue{Value: model.ScalarText(name("value"))}}}
		store.Services.Put(&svc)
		h := health()
		h.Link.Reason, h.Link.Endpoint, h.Subscriptions[1].Reason = name("reason"), name("endpoint"), name("reason")

		v := view(model.Call)
		v.Options.ASCII = rapid.Bool().Draw(rt, "ascii")
		v.Options.WidthMethod = rapid.SampledFrom([]ansi.Method{ansi.WcWidth, ansi.GraphemeWidth}).Draw(rt, "method")
		v.Options.Names.Add(model.NameService, "4711", name("name"))
		if rapid.Bool().Draw(rt, "styled") {
			v.Options.Theme = dark
		}
		width := rapid.IntRange(1, 220).Draw(rt, "width")
		snap := store.Publish(now, h)
		for what, draw := range details() {
			for _, l := range draw(snap, v, width) {
				if got := v.Options.WidthMethod.StringWidth(l); got != width {
					rt.Fatalf("%s at %d: line %q is %d cells wide", what, width, l, got)
				}
				if strings.ContainsAny(l, "\n\t\r") {
					rt.Fatalf("%s at %d: line %q holds a control character", what, width, l)
				}
			}
		}
	})
}

func TestASCII(t *testing.T) {
	t.Parallel()
	snap := snapshot(t)
	v := view(model.Call)
	v.Options.ASCII = true
	for name, draw := range details() {
		for _, l := range draw(snap, v, 100) {
			if got := ansi.Strip(l); !ascii(got) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	for _, r := range []Rows{NewServices(), NewGroups(), NewAgents(), NewCampaigns(), NewAttendants(), NewOperators(), NewFeed()} {
		r.Update(snap, v)
		for i := range r.Len() {
			if !ascii(r.Key(i)) || r.Key(i) == "z1" {
				continue // the key may be part of the text, and is not converted to ASCII
			}
			var ids []string
			for _, c := range r.Columns() {
				ids = append(ids, c.ID)
			}
			if got := ansi.Strip(shown(t, r, r.Key(i), ids...)); !ascii(got) {
				t.Errorf("%s: %q", r.Key(i), got)
			}
		}
	}
}

// TestClockAfterIsAhead checks that an estimated time of day is rounded, but never lies in the past.
func TestClockAfterIsAhead(t *testing.T) {
	t.Parallel()
	o := &Options{}
	for want, at := range map[string]struct{ now, left time.Duration }{
		"~18:35": {18*time.Hour + 10*time.Minute, 24 * time.Minute}, "~18:38": {18*time.Hour + 37*time.Minute, 5 * time.Second},
		"~18:40": {18*time.Hour + 37*time.Minute, 2 * time.Minute}, "~00:05": {24*time.Hour - time.Minute, 6 * time.Minute}, "": {0, -1},
	} {
		left := model.FigureOf(at.left.Seconds())
		if at.left < 0 {
			left = model.Figure{}
		}
		if got := o.clockAfter(time.Date(2026, 3, 2, 0, 0, 0, 0, time.Local).Add(at.now), left); got != want {
			t.Errorf("%v left at %v: %q, want %q", at.left, at.now, got, want)
		}
	}
}

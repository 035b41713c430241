package render

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// now is the current time in all tests, on the server's clock.
var now = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

func n(v int64) model.Int { return model.IntOf(v) }

func text(s string) model.Text { return model.TextOf(s) }

func ago(d time.Duration) model.Instant { return model.InstantOf(now.Add(-d)) }

func heads(v int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: n(v)} }

// options returns options without a theme, so that everything must be shown by glyphs
// and words.
func options() *Options {
	names := model.Names{}
	names.Add(model.NameService, "4711", "Billing")
	names.Add(model.NameGroup, "G1", "Gold")
	names.Add(model.NameActivity, "7", "Lunch")
	names.Add(model.NameCampaign, "9", "Renewals")
	names.Add(model.NameSite, "1", "Milano")
	names.Add(model.NameProfile, "11", "Voice")
	names.Add(model.NameUser, "boss", "The Boss")
	return &Options{
		Names: names, Location: time.UTC,
	}
}

// view returns a view of the fixture's floor, with its alerts.
func view(ch model.Channel) *View {
	v := &View{Options: options(), Scope: Scope{Channel: ch}, Now: now}
	return judged(floor().Publish(now, live()), v)
}

// live returns the health of a live feed.
func live() model.Health { return model.Health{Link: model.Link{State: model.LinkUp}} }

// judged adds the alerts of the built-in rules for a snapshot that is a minute old.
func judged(s *model.Snapshot, v *View) *View {
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: v.Options.Names})
	if err != nil {
		panic(err)
	}
	for step := range 61 {
		e.Evaluate(s, now.Add(time.Duration(step-60)*time.Second))
	}
	v.Alerts, v.KPIValues = NewAlerts(e.Active(), e.History(), nil, nil), e
	return v
}

// floor returns a small floor with known, unknown, hostile and unlisted values.
func floor() *model.Store {
	s := model.NewStore()
	for _, r := range services() {
		s.Services.Put(r)
	}
	for _, r := range agents() {
		s.UserStats.Put(r)
	}
	for _, r := range users() {
		s.Users.Put(r)
	}
	s.Groups.Put(&model.Group{
		Code: text("G1"), Channel: model.Call,
		ChannelStats: model.GroupCalls{
			QueuedCalls: n(2), ReceivedCalls: n(12_345), AnsweredCalls: n(12_000), HangupCalls: n(300), ShortCalls: n(0),
		},
		UserStats: model.GroupUsers{
			LoggedUsers: heads(9), ReadyUsers: heads(0), NotReadyUsers: heads(3), PostCallUsers: heads(1),
			NotReadyUsersOnActivityCode: []model.ProfilesInActivity{{ActivityCode: "7", Count: n(2)}, {ActivityCode: "8", Count: n(1)}},
		},
	})
	s.Groups.Put(&model.Group{Code: text("G2"), Channel: model.Call})
	for _, r := range campaigns() {
		s.Campaigns.Put(r)
	}
	for _, c := range model.Components() {
		s.Attendants.Put(&model.Attendant{
			Code: text("4711"), Channel: model.Call, Component: c,
			ChannelStats: model.AttendantCalls{CurrentCalls: n(1), ReceivedCalls: n(20), AnsweredCalls: n(18), HangupCalls: n(2), ClosedCalls: n(0)},
			UserStats:    model.AttendantUsers{ReadyUsers: heads(1), BusyUsers: heads(2), LoggedUsers: heads(3)},
		})
	}
	s.Operators.Put(&model.Operator{
		Username: text("op1"), Name: text("Ugo"), Surname: text("Neri"), Channel: model.Call,
		UserSite: n(1), LoggedProfileID: n(11), ActivityCode: text("__EMPTY__"), ActivityCode2: text("7"),
	})
	s.Profiles.Put(&model.ProfileStat{
		ID: n(11), AgentFigures: rossi().AgentFigures,
		TimeInHold: model.HoldTime{Time: n(95), TimeInState: ago(12 * time.Second)},
	})
	return s
}

func services() []*model.Service {
	return []*model.Service{
		{
			Code: text("4711"), Channel: model.Call,
			ChannelStats: model.ServiceCalls{
				AnsweredCalls: n(380), AnsweredCallsUnderSpeedLimit: n(300), HangupCalls: n(40), ShortCalls: n(10),
				ReceivedCalls: n(431), QueuedCalls: n(4), MaxTimeCallOnQueue: n(200), ConnectedCall: n(7),
				CurrentCalls: n(11), ClosedCalls: n(0), ClosedCallsCallBack: n(3), AverageTimeOnQueue: model.FloatOf(17.6),
				OutboundReceivedCalls: n(0), OutboundAnsweredCalls: n(0), OutboundHangupCalls: n(0),
			},
			UserStats: model.ServiceUsers{
				LoggedUsers: heads(20), ReadyUsers: heads(5), BusyOnServUsers: heads(7), PostCallUsers: heads(2),
				NotReadyUsers: heads(5), BusyOnDNCallOutUsers: heads(1), BusyUsers: heads(8),
				NotReadyUsersOnActivityCode: []model.ProfilesInActivity{{ActivityCode: "7", Count: n(4)}, {ActivityCode: "8", Count: n(1)}},
			},
			CustomStats: []model.CustomStat{{Key: "nps", Value: model.CustomValue{
				Value: model.ScalarNumber("42.5", 42.5), AggregatedValue: model.ScalarText("good"),
			}}},
		},
		{
			Code: text("4711"), Channel: model.Chat,
			ChannelStats: model.ServiceCalls{QueuedCalls: n(0), ReceivedCalls: n(0), AnsweredCalls: n(0), HangupCalls: n(0), AnsweredCallsUnderSpeedLimit: n(0)},
			UserStats:    model.ServiceUsers{LoggedUsers: heads(3), ReadyUsers: heads(3)},
		},
		{Code: text("empty"), Channel: model.Call},
		{
			Code: text("東京サポートセンター窓口その一"), Channel: model.Call,
			ChannelStats: model.ServiceCalls{QueuedCalls: n(3), MaxTimeCallOnQueue: n(5)},
			UserStats:    model.ServiceUsers{LoggedUsers: heads(0)},
		},
		{Code: text("fax"), Channel: "FAX", ChannelStats: model.ServiceCalls{QueuedCalls: n(1)}},
	}
}

func rossi() *model.UserStat {
	return &model.UserStat{
		Username: text("rossi"), Name: text("Anna"), Surname: text("Rossi"),
		AgentFigures: model.AgentFigures{
			UserSite: n(1), LoggedProfileID: n(11), Channel: model.Call, Status: model.WNR,
			TimeInState: ago(2*time.Minute + 30*time.Second), ActivityCode: text("7"), ActivityCode2: text("__EMPTY__"),
			CurrentService: text("4711"), CurrentGroup: text("G1"),
			NumberCallFromService: n(34), NumberCallFromServiceAnswered: n(31), NumberCallFromServiceNotAnswered: n(3),
			NumberCallServiceOverSpeedAnswer: n(5), NumberCallIn: n(1), NumberCallOut: n(2), NumberCallOutPrivate: n(0),
			TimeInStateReady: n(3600), TimeInStateBusy: n(7200), TimeInStateBusyOnService: n(7000),
			TimeInStateBooked: n(60), TimeInStateNotReady: n(1800), TimeInStateWNR: n(900),
			TimeInStateBusyDNCallOut:        n(200),
			TimeInActivityCode:              []model.ActivityTime{{ActivityCode: "7", TotalTime: n(1500)}},
			TimeInActivityCodeStateBusy:     []model.ActivityTime{{ActivityCode: "8", TotalTime: n(12)}},
			TimeInActivityCodeStateNotReady: []model.ActivityTime{{ActivityCode: "7", TotalTime: n(1500)}},
		},
	}
}

func agents() []*model.UserStat {
	a := rossi()
	b := &model.UserStat{Username: text("bianchi"), AgentFigures: model.AgentFigures{
		Channel: model.Call, Status: model.Busy, TimeInState: ago(65 * time.Second),
		NumberCallFromServiceAnswered: n(0), TimeInStateBusyOnService: n(0), TimeInStateWNR: n(0),
	}}
	c := &model.UserStat{
		Username: text("z1"), Name: text("👩‍👩‍👧‍👦家族"), Surname: text("\u0301e\u0301\u0301東京特許許可局長の長い名前"),
		AgentFigures: model.AgentFigures{Channel: model.Call, Status: "ON_THE_MOON", TimeInState: ago(-time.Hour)},
	}
	d := &model.UserStat{Username: text("quiet"), AgentFigures: model.AgentFigures{Channel: model.Call}}
	e := rossi()
	e.Channel, e.Status, e.TimeInState = model.Chat, model.Busy, ago(3*time.Hour+2*time.Minute+33*time.Second)
	f := &model.UserStat{Username: text("boss"), Surname: text("Verdi"), AgentFigures: model.AgentFigures{
		Channel: model.Call, Status: model.NotReady, TimeInState: ago(2 * time.Hour),
	}}
	return []*model.UserStat{a, b, c, d, e, f}
}

func users() []*model.User {
	return []*model.User{
		{
			Username: text("rossi"), Name: text("Anna"), Surname: text("Rossi"),
			Services: []string{"4711", "empty"}, Skillsets: []string{"G1", "G2"},
			Site: model.ScalarNumber("1", 1), ActiveProfile: model.ScalarNumber("11", 11),
			Statuses: model.ChannelStatuses{Call: model.WNR, Chat: model.Busy, Video: model.NotReadyBusy},
		},
		{Username: text("bianchi"), Statuses: model.ChannelStatuses{Call: model.Busy}},
		{
			Username: text("silent"), Name: text("Sil"), Surname: text("Ent"), Services: []string{"4711"},
			Statuses: model.ChannelStatuses{Call: model.Ready},
		},
	}
}

func campaigns() []*model.Campaign {
	return []*model.Campaign{
		{
			CampaignID: n(9), StartedCalls: n(48_000), AvailableResources: n(10), FreeResources: n(2),
			AllocatedChannels: n(30), UsedChannels: n(22), TotalContacts: n(100_000), TriedContacts: n(42_100),
			RingingContacts: n(8), OkContacts: n(9_600), TalkingContacts: n(7), ToDoContacts: n(57_900),
		},
		{CampaignID: n(10), ToDoContacts: n(0), TotalContacts: n(0), TriedContacts: n(0), UsedChannels: n(0)},
		{CampaignID: n(11), ToDoContacts: n(5), UsedChannels: n(0)},
		{CampaignID: n(12)},
	}
}

func health() model.Health {
	at := now.Add(-5 * time.Second) // the server's clock is 5 s ahead of the local clock
	return model.Health{
		Link: model.Link{
			State: model.LinkBackoff, Since: at.Add(-time.Minute), Endpoint: "rtd.example.net/rtd", Subprotocol: "graphql-transport-ws",
			Reason: "dial tcp 192.0.2.1:443: connect: connection refused", NextTry: at.Add(7 * time.Second),
			Attempt: 3, Reconnects: 12, LastFrame: at.Add(-61 * time.Second), InsecureTLS: true,
		},
		Subscriptions: []model.Subscription{
			{
				Name: "serviceStats", State: model.SubLive, Since: at.Add(-time.Hour), Keys: 12, Records: 24,
				LastData: at.Add(-2 * time.Second), VerifiedAt: at.Add(-30 * time.Second), Messages: 12_345, Updates: 23_456,
				PerSecond: 6.25, Bytes: 3_141_592,
			},
			{
				Name: "userStats", State: model.SubRefused, Since: at.Add(-time.Minute),
				Reason: "the server answered UNAUTHORIZED to the subscription and to the query of the same data",
				Errors: 4, BadMessages: 1,
			},
			{Name: "users", State: "odd"},
		},
		Version:     model.ServerVersion{Major: n(1), Minor: n(0), Patch: n(2)},
		Server:      model.ServerHealth{Status: model.ScalarText("UP")},
		ClockOffset: 5 * time.Second,
	}
}

func snapshot(t testing.TB) *model.Snapshot {
	t.Helper()
	return floor().Publish(now, health())
}

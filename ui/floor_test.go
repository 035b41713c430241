package ui

import (
	"fmt"
	"time"

	"wallboard/model"
)

// startTime is the time of the test floor, on the local clock and the server's.
func startTime() time.Time { return time.Date(2026, 3, 2, 10, 42, 17, 0, time.UTC) }

// testFloor is a fixed floor of a dozen services and 60 agents.
type testFloor struct {
	*model.Store
	at     time.Time
	health model.Health
}

func newTestFloor(agents int) *testFloor {
	f := &testFloor{Store: model.NewStore(), at: startTime()}
	f.health = liveHealth(f.at)
	f.addServices()
	for i := range agents {
		f.putAgent(i, 0)
	}
	f.addCampaigns()
	f.addAttendants()
	return f
}

func (f *testFloor) publish() *model.Snapshot { return f.Publish(f.at, f.health) }

func liveHealth(at time.Time) model.Health {
	h := model.Health{
		Link: model.Link{
			State: model.LinkUp, Since: at.Add(-2 * time.Hour), Endpoint: "rtd.example.org/rtd",
			Subprotocol: "graphql-transport-ws", LastFrame: at, Reconnects: 1,
		},
		Version: model.ServerVersion{Major: model.IntOf(1), Minor: model.IntOf(0), Patch: model.IntOf(2)},
		Server:  model.ServerHealth{Status: model.ScalarText("UP")},
	}
	for i, name := range []model.Op{
		model.OpServices, model.OpGroups, model.OpUsers, model.OpUserStats, model.OpProfiles,
		model.OpCampaigns, model.OpAttendants, model.OpOperators, model.OpOperatorProfiles,
	} {
		n := uint64(i + 1)
		h.Subscriptions = append(h.Subscriptions, model.Subscription{
			Name: name, State: model.SubLive, Since: at.Add(-time.Hour), Keys: 12, Records: 10 * (i + 1),
			LastData: at.Add(-time.Second), VerifiedAt: at.Add(-20 * time.Second),
			Messages: 1000 * n, Updates: 1500 * n, PerSecond: float64(i) * 1.5, Bytes: 1 << 20 * n,
		})
	}
	return h
}

// in returns a fixed number between 0 and n-1 for i.
func in(i, n int) int64 { return int64((uint32(i)*2654435761 + 12345) >> 8 % uint32(n)) }

func known(n int64) model.Int { return model.IntOf(n) }

func heads(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: known(n)} }

// serviceNames returns the names of the services.
func serviceNames() []string {
	return []string{
		"Sales Italy", "Sales Germany", "Support Gold", "Support Silver", "Billing", "Retention",
		"Fault reports", "Orders", "Returns", "Travel desk", "VIP", "Night desk",
	}
}

func serviceCode(i int) string { return fmt.Sprintf("SRV%02d", i+1) }

func testNames() model.Names {
	n := model.Names{}
	for i, name := range serviceNames() {
		n.Add(model.NameService, serviceCode(i), name)
	}
	for i, name := range []string{"Italian", "German", "English", "Technical", "Billing"} {
		n.Add(model.NameGroup, fmt.Sprintf("GRP%d", i+1), name)
	}
	for i, name := range []string{"Break", "Lunch", "Training", "Back office"} {
		n.Add(model.NameActivity, fmt.Sprintf("A%d", i+1), name)
	}
	n.Add(model.NameCampaign, "7001", "Spring renewals")
	n.Add(model.NameCampaign, "7002", "Survey")
	return n
}

func (f *testFloor) addServices() {
	for i := range serviceNames() {
		f.putService(i, model.Call, in(i, 9))
		if i%4 == 0 {
			f.putService(i, model.Chat, in(i+50, 4))
		}
	}
	for i := range 5 {
		f.Groups.Put(&model.Group{
			Code: model.TextOf(fmt.Sprintf("GRP%d", i+1)), Channel: model.Call,
			ChannelStats: model.GroupCalls{
				AnsweredCalls: known(200 + in(i, 90)), ReceivedCalls: known(300 + in(i, 40)),
				HangupCalls: known(in(i, 30)), ClosedCalls: known(in(i, 9)), QueuedCalls: known(in(i, 5)),
				ShortCalls: known(in(i, 4)),
			},
			UserStats: model.GroupUsers{
				LoggedUsers: heads(12), NotReadyUsers: heads(in(i, 4)),
				PostCallUsers: heads(in(i, 3)), ReadyUsers: heads(in(i, 5)),
			},
		})
	}
}

func (f *testFloor) putService(i int, ch model.Channel, waiting int64) {
	received := 120 + in(i, 400)
	hangup := in(i+3, 30)
	answered := received - hangup - waiting
	f.Services.Put(&model.Service{
		Code: model.TextOf(serviceCode(i)), Channel: ch,
		ChannelStats: model.ServiceCalls{
			Typename: "ServiceCcCallAtStat", AnsweredCalls: known(answered),
			AnsweredCallsUnderSpeedLimit: known(answered * (70 + in(i, 29)) / 100),
			ClosedCalls:                  known(in(i, 12)), ClosedCallsCallBack: known(in(i, 5)),
			ConnectedCall: known(in(i+1, 8)), CurrentCalls: known(in(i+1, 8) + waiting),
			HangupCalls: known(hangup), MaxTimeCallOnQueue: known(waiting * 23), QueuedCalls: known(waiting),
			ReceivedCalls: known(received), ShortCalls: known(in(i, 6)),
			OutboundReceivedCalls: known(in(i, 40)), OutboundAnsweredCalls: known(in(i, 20)),
			AverageTimeOnQueue: model.FloatOf(float64(8 + in(i, 40))),
		},
		UserStats: model.ServiceUsers{
			BusyOnServUsers: heads(in(i+1, 8)), LoggedUsers: heads(8 + in(i, 9)), NotReadyUsers: heads(in(i, 4)),
			PostCallUsers: heads(in(i+2, 3)), ReadyUsers: heads(in(i, 3)),
		},
	})
}

func agentName(i int) string { return fmt.Sprintf("agent%02d", i) }

// putAgent writes an agent; step varies the state and the figures.
func (f *testFloor) putAgent(i, step int) {
	surnames := []string{"Rossi", "Bianchi", "Müller", "Schmidt", "Russo", "Ferrari", "Weber", "Colombo", "Ricci", "Wagner"}
	names := []string{"Mario", "Anna", "Jürgen", "Lucia", "Paolo", "Sabine"}
	surname, name := surnames[i%len(surnames)], names[(i/len(surnames)+i)%len(names)]
	username := model.TextOf(agentName(i))
	statuses := [...]model.UserStatus{
		model.Busy, model.Busy, model.Ready, model.WNR, model.NotReady, model.Busy, model.Booked,
		model.BusyDNCallOut, model.Ready, model.NotReady,
	}
	status := statuses[(in(i, 10)+int64(step))%10]
	service := serviceCode(i % 12)
	group := fmt.Sprintf("GRP%d", i%5+1)
	activity := model.Text{}
	if status == model.NotReady {
		activity = model.TextOf(fmt.Sprintf("A%d", i%4+1))
	}
	if f.Users.Get(agentName(i)) == nil {
		f.Users.Put(&model.User{
			Mutation: model.Created, Username: username, Surname: model.TextOf(surname), Name: model.TextOf(name),
			ActiveProfile: model.ScalarNumber("12", 12), Services: []string{service, serviceCode((i + 5) % 12)},
			Skillsets: []string{group}, Site: model.ScalarNumber("1", 1),
			Statuses: model.ChannelStatuses{Call: status},
		})
	}
	answered := 20 + in(i, 40) + int64(step)
	r := &model.UserStat{Username: username, Name: model.TextOf(name), Surname: model.TextOf(surname)}
	r.AgentFigures = model.AgentFigures{
		UserSite: known(1), LoggedProfileID: known(12), Channel: model.Call, ActivityCode: activity,
		NumberCallFromService: known(answered + in(i, 3)), NumberCallFromServiceAnswered: known(answered),
		NumberCallFromServiceNotAnswered: known(in(i, 3)), NumberCallOut: known(in(i, 6)),
		NumberCallServiceOverSpeedAnswer: known(in(i, 8)), Status: status,
		TimeInState:       model.InstantOf(f.at.Add(-time.Duration(in(i, 900)) * time.Second)),
		TimeInStateBooked: known(60 + in(i, 100)), TimeInStateBusy: known(9000 + in(i, 4000)),
		TimeInStateBusyOnService: known(8000 + in(i, 4000)), TimeInStateNotReady: known(in(i, 3000)),
		TimeInStateReady: known(1000 + in(i, 5000)), TimeInStateWNR: known(in(i, 1500)),
		TimeInActivityCode: []model.ActivityTime{{ActivityCode: "A1", TotalTime: known(in(i, 900))}},
	}
	if status == model.Busy || status == model.WNR {
		r.CurrentService, r.CurrentGroup = model.TextOf(service), model.TextOf(group)
	}
	f.UserStats.Put(r)
}

func (f *testFloor) addCampaigns() {
	for i := range 3 {
		todo := int64(1200 * i)
		f.Campaigns.Put(&model.Campaign{
			CampaignID: known(int64(7001 + i)), StartedCalls: known(4000), AvailableResources: known(14),
			FreeResources: known(3), AllocatedChannels: known(30), UsedChannels: known(int64(i) * 9),
			TotalContacts: known(5000), TriedContacts: known(5000 - todo), RingingContacts: known(int64(i) * 4),
			OkContacts: known(900), TalkingContacts: known(int64(i) * 5), ToDoContacts: known(todo),
		})
	}
}

func (f *testFloor) addAttendants() {
	for _, c := range model.Components() {
		f.Attendants.Put(&model.Attendant{
			Code: model.TextOf("SRV05"), Channel: model.Call, Component: c,
			ChannelStats: model.AttendantCalls{
				AnsweredCalls: known(40), ClosedCalls: known(3), CurrentCalls: known(2), HangupCalls: known(1),
				ReceivedCalls: known(44),
			},
			UserStats: model.AttendantUsers{BusyUsers: heads(1), ReadyUsers: heads(2), LoggedUsers: heads(3)},
		})
	}
	for i := range 3 {
		f.Operators.Put(&model.Operator{
			Username: model.TextOf(agentName(i)), Name: model.TextOf("Anna"), Surname: model.TextOf("Rossi"),
			UserSite: known(1), LoggedProfileID: known(12), Channel: model.Call,
		})
	}
}

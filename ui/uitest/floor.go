package uitest

import (
	"fmt"
	"time"

	"wallboard/model"
)

// StartTime returns the time of the test floor, which is the same on the local clock and on the
// server's clock.
func StartTime() time.Time { return time.Date(2026, 3, 2, 10, 42, 17, 0, time.UTC) }

// Floor holds the records of a contact center for tests.
type Floor struct {
	*model.Store
	Time   time.Time
	Health model.Health
}

// NewFloor returns a floor with three campaigns and the given number of agents.
func NewFloor(agents int) *Floor {
	f := &Floor{Store: model.NewStore(), Time: StartTime()}
	f.Health = LiveHealth(f.Time)
	f.addServices()
	for i := range agents {
		f.PutAgent(i, 0)
	}
	f.AddCampaigns()
	f.addAttendants()
	return f
}

// Snapshot returns a new snapshot of the current floor.
func (f *Floor) Snapshot() *model.Snapshot { return f.Publish(f.Time, f.Health) }

// LiveHealth returns the health of a feed that is live at the given time.
func LiveHealth(at time.Time) model.Health {
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

// PseudoRandom returns a number between 0 and n-1 that looks random but is always the same for the
// same i and n.
func PseudoRandom(i, n int) int64 { return int64((uint32(i)*2654435761 + 12345) >> 8 % uint32(n)) } //nolint:gosec // small numbers

// KnownInt returns n as a known number.
func KnownInt(n int64) model.Int { return model.IntOf(n) }

// AgentCount returns n as a known number of agents.
func AgentCount(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: KnownInt(n)} }

// ServiceNames returns the names of the services of the floor, by index.
func ServiceNames() []string {
	return []string{
		"Sales Italy", "Sales Germany", "Support Gold", "Support Silver", "Billing", "Retention",
		"Fault reports", "Orders", "Returns", "Travel desk", "VIP", "Night desk",
	}
}

// ServiceCode returns the code of the service with the index i.
func ServiceCode(i int) string { return fmt.Sprintf("SRV%02d", i+1) }

// Names returns the display names of the services, groups, activities and campaigns of the floor.
func Names() model.Names {
	n := model.Names{}
	for i, name := range ServiceNames() {
		n.Add(model.NameService, ServiceCode(i), name)
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

func (f *Floor) addServices() {
	for i := range ServiceNames() {
		f.PutService(i, model.Call, PseudoRandom(i, 9))
		if i%4 == 0 {
			f.PutService(i, model.Chat, PseudoRandom(i+50, 4))
		}
	}
	for i := range 5 {
		f.Groups.Put(&model.Group{
			Code: model.TextOf(fmt.Sprintf("GRP%d", i+1)), Channel: model.Call,
			ChannelStats: model.GroupCalls{
				AnsweredCalls: KnownInt(200 + PseudoRandom(i, 90)), ReceivedCalls: KnownInt(300 + PseudoRandom(i, 40)),
				HangupCalls: KnownInt(PseudoRandom(i, 30)), ClosedCalls: KnownInt(PseudoRandom(i, 9)), QueuedCalls: KnownInt(PseudoRandom(i, 5)),
				ShortCalls: KnownInt(PseudoRandom(i, 4)),
			},
			UserStats: model.GroupUsers{
				LoggedUsers: AgentCount(12), NotReadyUsers: AgentCount(PseudoRandom(i, 4)),
				PostCallUsers: AgentCount(PseudoRandom(i, 3)), ReadyUsers: AgentCount(PseudoRandom(i, 5)),
			},
		})
	}
}

// PutService adds or replaces the service with the index i on a channel, with the given number of
// waiting callers.
func (f *Floor) PutService(i int, ch model.Channel, waiting int64) {
	received := 120 + PseudoRandom(i, 400)
	hangup := PseudoRandom(i+3, 30)
	answered := received - hangup - waiting
	f.Services.Put(&model.Service{
		Code: model.TextOf(ServiceCode(i)), Channel: ch,
		ChannelStats: model.ServiceCalls{
			Typename: "ServiceCcCallAtStat", AnsweredCalls: KnownInt(answered),
			AnsweredCallsUnderSpeedLimit: KnownInt(answered * (70 + PseudoRandom(i, 29)) / 100),
			ClosedCalls:                  KnownInt(PseudoRandom(i, 12)), ClosedCallsCallBack: KnownInt(PseudoRandom(i, 5)),
			ConnectedCall: KnownInt(PseudoRandom(i+1, 8)), CurrentCalls: KnownInt(PseudoRandom(i+1, 8) + waiting),
			HangupCalls: KnownInt(hangup), MaxTimeCallOnQueue: KnownInt(waiting * 23), QueuedCalls: KnownInt(waiting),
			ReceivedCalls: KnownInt(received), ShortCalls: KnownInt(PseudoRandom(i, 6)),
			OutboundReceivedCalls: KnownInt(PseudoRandom(i, 40)), OutboundAnsweredCalls: KnownInt(PseudoRandom(i, 20)),
			AverageTimeOnQueue: model.FloatOf(float64(8 + PseudoRandom(i, 40))),
		},
		UserStats: model.ServiceUsers{
			BusyOnServUsers: AgentCount(PseudoRandom(i+1, 8)), LoggedUsers: AgentCount(8 + PseudoRandom(i, 9)), NotReadyUsers: AgentCount(PseudoRandom(i, 4)),
			PostCallUsers: AgentCount(PseudoRandom(i+2, 3)), ReadyUsers: AgentCount(PseudoRandom(i, 3)),
		},
	})
}

// AgentName returns the user name of the agent with the index i.
func AgentName(i int) string { return fmt.Sprintf("agent%02d", i) }

// PutAgent adds or replaces the agent with the index i. The state and the figures of the agent
// depend on step.
func (f *Floor) PutAgent(i, step int) {
	surnames := []string{"Rossi", "Bianchi", "Müller", "Schmidt", "Russo", "Ferrari", "Weber", "Colombo", "Ricci", "Wagner"}
	names := []string{"Mario", "Anna", "Jürgen", "Lucia", "Paolo", "Sabine"}
	surname, name := surnames[i%len(surnames)], names[(i/len(surnames)+i)%len(names)]
	username := model.TextOf(AgentName(i))
	statuses := [...]model.UserStatus{
		model.Busy, model.Busy, model.Ready, model.WNR, model.NotReady, model.Busy, model.Booked,
		model.BusyDNCallOut, model.Ready, model.NotReady,
	}
	status := statuses[(PseudoRandom(i, 10)+int64(step))%10]
	service := ServiceCode(i % 12)
	group := fmt.Sprintf("GRP%d", i%5+1)
	activity := model.Text{}
	if status == model.NotReady {
		activity = model.TextOf(fmt.Sprintf("A%d", i%4+1))
	}
	if f.Users.Get(AgentName(i)) == nil {
		f.Users.Put(&model.User{
			Mutation: model.Created, Username: username, Surname: model.TextOf(surname), Name: model.TextOf(name),
			ActiveProfile: model.ScalarNumber("12", 12), Services: []string{service, ServiceCode((i + 5) % 12)},
			Skillsets: []string{group}, Site: model.ScalarNumber("1", 1),
			Statuses: model.ChannelStatuses{Call: status},
		})
	}
	answered := 20 + PseudoRandom(i, 40) + int64(step)
	r := &model.UserStat{Username: username, Name: model.TextOf(name), Surname: model.TextOf(surname)}
	r.AgentFigures = model.AgentFigures{
		UserSite: KnownInt(1), LoggedProfileID: KnownInt(12), Channel: model.Call, ActivityCode: activity,
		NumberCallFromService: KnownInt(answered + PseudoRandom(i, 3)), NumberCallFromServiceAnswered: KnownInt(answered),
		NumberCallFromServiceNotAnswered: KnownInt(PseudoRandom(i, 3)), NumberCallOut: KnownInt(PseudoRandom(i, 6)),
		NumberCallServiceOverSpeedAnswer: KnownInt(PseudoRandom(i, 8)), Status: status,
		TimeInState:       model.InstantOf(f.Time.Add(-time.Duration(PseudoRandom(i, 900)) * time.Second)),
		TimeInStateBooked: KnownInt(60 + PseudoRandom(i, 100)), TimeInStateBusy: KnownInt(9000 + PseudoRandom(i, 4000)),
		TimeInStateBusyOnService: KnownInt(8000 + PseudoRandom(i, 4000)), TimeInStateNotReady: KnownInt(PseudoRandom(i, 3000)),
		TimeInStateReady: KnownInt(1000 + PseudoRandom(i, 5000)), TimeInStateWNR: KnownInt(PseudoRandom(i, 1500)),
		TimeInActivityCode: []model.ActivityTime{{ActivityCode: "A1", TotalTime: KnownInt(PseudoRandom(i, 900))}},
	}
	if status == model.Busy || status == model.WNR {
		r.CurrentService, r.CurrentGroup = model.TextOf(service), model.TextOf(group)
	}
	f.UserStats.Put(r)
}

// AddCampaigns adds three campaigns.
func (f *Floor) AddCampaigns() {
	for i := range 3 {
		todo := int64(1200 * i)
		f.Campaigns.Put(&model.Campaign{
			CampaignID: KnownInt(int64(7001 + i)), StartedCalls: KnownInt(4000), AvailableResources: KnownInt(14),
			FreeResources: KnownInt(3), AllocatedChannels: KnownInt(30), UsedChannels: KnownInt(int64(i) * 9),
			TotalContacts: KnownInt(5000), TriedContacts: KnownInt(5000 - todo), RingingContacts: KnownInt(int64(i) * 4),
			OkContacts: KnownInt(900), TalkingContacts: KnownInt(int64(i) * 5), ToDoContacts: KnownInt(todo),
		})
	}
}

func (f *Floor) addAttendants() {
	for _, c := range model.Components() {
		f.Attendants.Put(&model.Attendant{
			Code: model.TextOf("SRV05"), Channel: model.Call, Component: c,
			ChannelStats: model.AttendantCalls{
				AnsweredCalls: KnownInt(40), ClosedCalls: KnownInt(3), CurrentCalls: KnownInt(2), HangupCalls: KnownInt(1),
				ReceivedCalls: KnownInt(44),
			},
			UserStats: model.AttendantUsers{BusyUsers: AgentCount(1), ReadyUsers: AgentCount(2), LoggedUsers: AgentCount(3)},
		})
	}
	for i := range 3 {
		f.Operators.Put(&model.Operator{
			Username: model.TextOf(AgentName(i)), Name: model.TextOf("Anna"), Surname: model.TextOf("Rossi"),
			UserSite: KnownInt(1), LoggedProfileID: KnownInt(12), Channel: model.Call,
		})
	}
}

// NewQuietFloor returns a floor without alerts. It has one agent, and one service on two channels.
func NewQuietFloor() *Floor {
	f := &Floor{Store: model.NewStore(), Time: StartTime(), Health: LiveHealth(StartTime())}
	f.AddWaitingCaller(model.Call, 0)
	f.AddWaitingCaller(model.Chat, 0)
	f.PutAgent(2, 0)
	return f
}

// AddWaitingCaller makes a caller of the first service wait for the given number of seconds. With 0 seconds, no
// caller is waiting.
func (f *Floor) AddWaitingCaller(ch model.Channel, seconds int64) {
	waiting := min(seconds, 1)
	f.Services.Put(&model.Service{
		Code: model.TextOf(ServiceCode(0)), Channel: ch,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: KnownInt(waiting), MaxTimeCallOnQueue: KnownInt(seconds), ReceivedCalls: KnownInt(100),
			AnsweredCalls: KnownInt(100), AnsweredCallsUnderSpeedLimit: KnownInt(95), HangupCalls: KnownInt(0),
		},
		UserStats: model.ServiceUsers{LoggedUsers: AgentCount(5), ReadyUsers: AgentCount(2), NotReadyUsers: AgentCount(1)},
	})
}

// PutWaitingService adds or replaces the service with the index i. It has no free agents, and the given number
// of callers are waiting, the longest for the given number of seconds.
func (f *Floor) PutWaitingService(i int, seconds, callers int64) {
	f.Services.Put(&model.Service{
		Code: model.TextOf(fmt.Sprintf("S%05d", i)), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: KnownInt(callers), MaxTimeCallOnQueue: KnownInt(seconds), ReceivedCalls: KnownInt(100),
			AnsweredCalls: KnownInt(100), AnsweredCallsUnderSpeedLimit: KnownInt(95), HangupCalls: KnownInt(0),
		},
		UserStats: model.ServiceUsers{LoggedUsers: AgentCount(5), ReadyUsers: AgentCount(0), NotReadyUsers: AgentCount(1)},
	})
}

// NewOverloadedFloor returns a floor with the given number of services that have waiting callers. The
// longest wait for the service with the index i is 70 + 10 i seconds.
func NewOverloadedFloor(services int) *Floor {
	f := &Floor{Store: model.NewStore(), Time: StartTime(), Health: LiveHealth(StartTime())}
	for i := range services {
		f.PutWaitingService(i, int64(70+10*i), int64(3+i))
	}
	for i := range 6 {
		f.PutAgent(i, 0)
	}
	return f
}

// SetAgentState sets the state, on calls, of the agent with the index i, and the time since which the
// agent has been in this state.
func (f *Floor) SetAgentState(i int, s model.UserStatus, since time.Time) {
	key := model.UserStatKey{Username: AgentName(i), Channel: model.Call}
	r := *f.UserStats.Get(key)
	r.Status, r.TimeInState = s, model.InstantOf(since)
	f.UserStats.Put(&r)
}

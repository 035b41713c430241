package world

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestInvariants runs small worlds of all shapes through random steps and actions at
// all hours, and checks the invariants of the package comment after each.
func TestInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := New(Options{
			Seed:          rapid.Int64().Draw(t, "seed"),
			Services:      rapid.IntRange(1, 14).Draw(t, "services"),
			Groups:        rapid.IntRange(1, 14).Draw(t, "groups"),
			Agents:        rapid.IntRange(1, 30).Draw(t, "agents"),
			Operators:     rapid.IntRange(1, 5).Draw(t, "operators"),
			Campaigns:     rapid.IntRange(1, 4).Draw(t, "campaigns"),
			Sites:         rapid.IntRange(1, 3).Draw(t, "sites"),
			Start:         time.Date(2026, 3, 2, rapid.SampledFrom([]int{0, 7, 8, 8, 8, 9, 23}).Draw(t, "hour"), 58, 0, 0, time.UTC),
			Drama:         rapid.Bool().Draw(t, "drama"),
			TrafficFactor: rapid.Float64Range(0.3, 3).Draw(t, "rate"),
		})
		seen := replica{}
		check(t, w, seen)
		for range rapid.IntRange(1, 16).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "force") {
			case 0:
				w.ForceUpdate(rapid.IntRange(0, 60).Draw(t, "n"))
			case 1, 2:
				for range rapid.IntRange(1, 12).Draw(t, "actions") {
					act(t, w, rapid.IntRange(0, numActions-1).Draw(t, "action"), rapid.IntRange(0, 99).Draw(t, "x"), rapid.IntRange(0, 999).Draw(t, "y"))
				}
			default:
				ms := rapid.SampledFrom([]int{1, 100, 999, 7_300, 61_000, 600_000}).Draw(t, "ms")
				w.Step(time.Duration(ms) * time.Millisecond)
			}
			check(t, w, seen)
		}
	})
}

// reporter is the common part of rapid.T and testing.T.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// check checks all invariants.
func check(t reporter, w *World, seen replica) {
	t.Helper()
	seen.follow(t, w.TakeChanges(), w.State())
	checkState(t, w)
}

func checkState(t reporter, w *World) {
	t.Helper()
	s := w.State()
	checkBuilt(t, &w.recordSets.services)
	checkBuilt(t, &w.recordSets.groups)
	checkBuilt(t, &w.recordSets.users)
	checkBuilt(t, &w.recordSets.userStats)
	checkBuilt(t, &w.recordSets.profiles)
	checkBuilt(t, &w.recordSets.campaigns)
	checkBuilt(t, &w.recordSets.attendants)
	checkBuilt(t, &w.recordSets.operators)
	checkBuilt(t, &w.recordSets.operatorProfiles)
	teams := teamsOf(s)
	for _, r := range s.Services {
		checkService(t, w, teams, r)
	}
	for _, r := range s.Groups {
		checkGroup(t, teams, r)
	}
	for _, r := range s.Campaigns {
		checkCampaign(t, r)
	}
	for _, u := range s.UserStats {
		checkFigures(t, w, u.Username, u.Figures)
	}
	for _, u := range s.OperatorProfileStats {
		checkFigures(t, w, fmt.Sprint(u.ID), u.Figures)
	}
	for _, c := range w.dialer.campaigns {
		checkDialer(t, c)
	}
	checkCalls(t, w)
	checkAttendants(t, s)
	checkSums(t, w, s)
	checkUsers(t, s)
}

// checkBuilt compares every record with a rebuilt one, to find missed changes.
func checkBuilt[T any](t reporter, l *recordSet[T]) {
	t.Helper()
	for _, s := range l.slots {
		same(t, "record out of date", s.current, s.build())
	}
}

// eq reports an error if two values differ.
func eq[T comparable](t reporter, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// same is eq for values that are not comparable. It calls reflect first because
// cmp.Diff is slow and differences are rare.
func same(t reporter, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(want, got))
	}
}

func atMost(t reporter, what string, part, whole int64) {
	t.Helper()
	if part < 0 || part > whole {
		t.Errorf("%s: %d is not within 0 and %d", what, part, whole)
	}
}

func checkService(t reporter, w *World, teams map[string]team, r *ServiceStat) {
	t.Helper()
	key := r.Code + "/" + r.Channel + " "
	c := r.Calls
	eq(t, key+"received", c.ReceivedCalls, c.AnsweredCalls+c.HangupCalls+c.ClosedCalls+c.QueuedCalls)
	eq(t, key+"current", c.CurrentCalls, c.QueuedCalls+c.ConnectedCall)
	atMost(t, key+"short", c.ShortCalls, c.HangupCalls)
	atMost(t, key+"callback", c.ClosedCallsCallBack, c.ClosedCalls)
	atMost(t, key+"in time", c.AnsweredCallsUnderSpeedLimit, c.AnsweredCalls)
	atMost(t, key+"access list", c.ReceivedCallsInAccessList, c.ReceivedCalls)
	atMost(t, key+"vendor", c.ReceivedCallsWithVendor4you, c.ReceivedCalls)
	eq(t, key+"vendor parts", c.ReceivedCallsWithVendor4you,
		c.ReceivedCallsWithVendor4youAnonymous+c.ReceivedCallsWithVendor4youMultiple+c.ReceivedCallsWithVendor4youSingle)

	var line *serviceChannel
	for i, l := range w.serviceByCode[r.Code].channels {
		if Channels()[i] == r.Channel {
			line = l
		}
	}
	var waited int64
	for _, x := range line.waiting {
		waited = max(waited, seconds(w.now-x.startedAt))
	}
	eq(t, key+"longest wait", c.MaxTimeCallOnQueue, waited)
	atMost(t, key+"ringing", line.ringingOutbound, c.OutboundReceivedCalls)
	eq(t, key+"outbound", c.OutboundReceivedCalls,
		c.OutboundAnsweredCalls+c.OutboundHangupCalls+c.OutboundClosedCallsGenericCause+line.ringingOutbound)

	team := teams["service "+r.Code+r.Channel]
	onService := func(f *Figures) bool {
		return f.CurrentService == r.Code && (f.Status == Busy || f.Status == NotReadyBusy)
	}
	eq(t, key+"connected", c.ConnectedCall, int64(len(team.where(onService))))
	want := ServiceUsers{
		BusyOnDNCallInUsers:         team.in(BusyDNCallIn),
		BusyOnDNCallOutUsers:        team.in(BusyDNCallOut),
		BusyOnDNCallOutUsersPrivate: team.in(BusyDNCallOutPrivate),
		BusyOnDNCallUsers:           team.in(BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate),
		BusyOnServUsers:             set(team.where(onService)),
		BusyUsers:                   team.in(Booked, Busy, NotReadyBusy, BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate),
		LoggedUsers:                 set(team.where(func(*Figures) bool { return true })),
		NotReadyUsers:               team.in(NotReady),
		NotReadyUsersOnActivityCode: team.byActivity(func(f *Figures) bool { return f.Status == NotReady }),
		ActivityCodeIndicators:      team.byActivity(func(*Figures) bool { return true }),
		PostCallUsers:               team.in(WNR),
		ReadyUsers:                  team.in(Ready),
	}
	same(t, key+"users by the agents' states", r.Users, want)
	eq(t, key+"logged", r.Users.LoggedUsers.Count, r.Users.ReadyUsers.Count+r.Users.BusyUsers.Count+
		r.Users.NotReadyUsers.Count+r.Users.PostCallUsers.Count)
}

func checkGroup(t reporter, teams map[string]team, r *GroupStat) {
	t.Helper()
	key := r.Code + "/" + r.Channel + " "
	c := r.Calls
	eq(t, key+"received", c.ReceivedCalls, c.AnsweredCalls+c.HangupCalls+c.ClosedCalls+c.QueuedCalls)
	atMost(t, key+"short", c.ShortCalls, c.HangupCalls)
	team := teams["group "+r.Code+r.Channel]
	want := GroupUsers{
		LoggedUsers:                 set(team.where(func(*Figures) bool { return true })),
		NotReadyUsers:               team.in(NotReady),
		NotReadyUsersOnActivityCode: team.byActivity(func(f *Figures) bool { return f.Status == NotReady }),
		PostCallUsers:               team.in(WNR),
		ReadyUsers:                  team.in(Ready),
	}
	same(t, key+"users by the agents' states", r.Users, want)
}

func checkCampaign(t reporter, c *CampaignStat) {
	t.Helper()
	key := fmt.Sprint(c.CampaignID, " ")
	eq(t, key+"total", c.TotalContacts, c.TriedContacts+c.ToDoContacts)
	eq(t, key+"used channels", c.UsedChannels, c.RingingContacts+c.TalkingContacts)
	eq(t, key+"free resources", c.FreeResources, c.AvailableResources-c.TalkingContacts)
	atMost(t, key+"used", c.UsedChannels, c.AllocatedChannels)
	atMost(t, key+"talking", c.TalkingContacts, c.AvailableResources)
	atMost(t, key+"reached", c.OkContacts+c.RingingContacts+c.TalkingContacts, c.TriedContacts)
	atMost(t, key+"tried", c.TriedContacts, c.StartedCalls)
	atMost(t, key+"to do", c.ToDoContacts, c.TotalContacts)
}

func checkFigures(t reporter, w *World, key string, f Figures) {
	t.Helper()
	key += "/" + f.Channel + " "
	ringing := int64(0)
	if f.Status == Booked {
		ringing = 1
	}
	eq(t, key+"offered", f.NumberCallFromService, f.NumberCallFromServiceAnswered+f.NumberCallFromServiceNotAnswered+ringing)
	atMost(t, key+"over speed", f.NumberCallServiceOverSpeedAnswer, f.NumberCallFromServiceAnswered)
	atMost(t, key+"busy parts", f.TimeInStateBusyOnService+f.TimeInStateBusyDNCallIn+
		f.TimeInStateBusyDNCallOut+f.TimeInStateBusyDNCallOutPrivate, f.TimeInStateBusy)
	if f.TimeInState.After(w.Now()) {
		t.Errorf("%sstate begins in the future, at %v", key, f.TimeInState)
	}
	spent := f.TimeInStateBooked + f.TimeInStateBusy + f.TimeInStateNotReady + f.TimeInStateReady + f.TimeInStateWNR
	atMost(t, key+"time spent", spent, seconds(w.timeOfDay()))
	if f.CurrentService != EmptyMark && !slices.Contains([]string{Booked, Busy, NotReadyBusy, WNR}, f.Status) {
		t.Errorf("%sworks for %s while %s", key, f.CurrentService, f.Status)
	}
	if f.Status == NotReady && f.ActivityCode == EmptyMark {
		t.Errorf("%snot ready without an activity code", key)
	}
	if f.Status == Ready && f.ActivityCode != EmptyMark {
		t.Errorf("%sready with activity code %s", key, f.ActivityCode)
	}
}

func checkAttendants(t reporter, s *State) {
	t.Helper()
	sums := map[string]AttendantCalls{}
	for _, r := range s.Attendants {
		key := r.Code + "/" + r.Component + " "
		c := r.Calls
		atMost(t, key+"waiting", c.ReceivedCalls-c.AnsweredCalls-c.HangupCalls-c.ClosedCalls, c.CurrentCalls)
		atMost(t, key+"busy and ready", r.Users.BusyUsers.Count+r.Users.ReadyUsers.Count, r.Users.LoggedUsers.Count)
		if r.Component == ComponentAll {
			eq(t, key+"sum", c, sums[r.Code])
			continue
		}
		sum := sums[r.Code]
		sum.AnsweredCalls += c.AnsweredCalls
		sum.ClosedCalls += c.ClosedCalls
		sum.CurrentCalls += c.CurrentCalls
		sum.HangupCalls += c.HangupCalls
		sum.ReceivedCalls += c.ReceivedCalls
		sums[r.Code] = sum
	}
}

// checkSums compares services, groups and agents: each of them counts a contact
// once.
func checkSums(t reporter, w *World, s *State) {
	t.Helper()
	services, groups := map[string]GroupCalls{}, map[string]GroupCalls{}
	for _, r := range s.Services {
		c := r.Calls
		services[r.Channel] = addCalls(services[r.Channel], GroupCalls{
			c.AnsweredCalls, c.ClosedCalls, c.HangupCalls, c.QueuedCalls, c.ReceivedCalls, c.ShortCalls,
		})
	}
	for _, r := range s.Groups {
		groups[r.Channel] = addCalls(groups[r.Channel], r.Calls)
	}
	same(t, "sums of groups and services", groups, services)
	answered := map[string]int64{}
	for _, u := range w.agents {
		for _, m := range u.channels {
			answered[m.channel.String()] += m.figuresOfDay.answered
		}
	}
	for ch, c := range services {
		eq(t, ch+" answered by agents", answered[ch], c.AnsweredCalls)
	}
}

func addCalls(a, b GroupCalls) GroupCalls {
	return GroupCalls{
		a.AnsweredCalls + b.AnsweredCalls, a.ClosedCalls + b.ClosedCalls, a.HangupCalls + b.HangupCalls,
		a.QueuedCalls + b.QueuedCalls, a.ReceivedCalls + b.ReceivedCalls, a.ShortCalls + b.ShortCalls,
	}
}

// checkUsers compares users with their figures.
func checkUsers(t reporter, s *State) {
	t.Helper()
	stats := map[[2]string]*UserStat{}
	for _, r := range s.UserStats {
		stats[[2]string{r.Username, r.Channel}] = r
	}
	profiles := map[int64]Figures{}
	for _, r := range s.UserProfileStats {
		ch := Channels()
		profiles[r.ID*NumChannels+int64(slices.Index(ch[:], r.Channel))] = r.Figures
	}
	n := 0
	for _, u := range s.Users {
		if u.ProfileType == ProfileOperator {
			continue
		}
		busy := 0
		for i, status := range u.Statuses {
			if status == "" {
				continue
			}
			n++
			r := stats[[2]string{u.Username, Channels()[i]}]
			if r == nil {
				t.Fatalf("%s has no figures on %s", u.Username, Channels()[i])
			}
			eq(t, u.Username+" status", r.Status, status)
			eq(t, u.Username+" activity", r.ActivityCode, u.ActivityCodes[i])
			same(t, u.Username+" profile", profiles[u.ActiveProfile*NumChannels+int64(i)], r.Figures)
			if r.CurrentService != EmptyMark {
				busy++
			}
		}
		atMost(t, u.Username+" contacts at once", int64(busy), 1)
	}
	eq(t, "user stats", len(s.UserStats), n)
}

// team holds the figures, by profile, of the agents of a service or group on a
// channel.
type team []*Figures

func teamsOf(s *State) map[string]team {
	users := map[string]*User{}
	for _, u := range s.Users {
		users[u.Username] = u
	}
	out := map[string]team{}
	for _, r := range s.UserStats {
		for _, code := range users[r.Username].Services {
			out["service "+code+r.Channel] = append(out["service "+code+r.Channel], &r.Figures)
		}
		for _, code := range users[r.Username].Skillsets {
			out["group "+code+r.Channel] = append(out["group "+code+r.Channel], &r.Figures)
		}
	}
	return out
}

func (x team) where(ok func(*Figures) bool) []int64 {
	ids := []int64{}
	for _, f := range x {
		if ok(f) {
			ids = append(ids, f.LoggedProfileID)
		}
	}
	slices.Sort(ids)
	return ids
}

func (x team) in(states ...string) ProfilesInStatus {
	return set(x.where(func(f *Figures) bool { return slices.Contains(states, f.Status) }))
}

func (x team) byActivity(ok func(*Figures) bool) []ProfilesInActivity {
	var out []ProfilesInActivity
	for _, code := range []string{"BACKOFFICE", "LUNCH", "MEETING", "PAUSE", "TRAINING"} {
		ids := x.where(func(f *Figures) bool { return f.ActivityCode == code && ok(f) })
		out = append(out, ProfilesInActivity{code, int64(len(ids)), ids})
	}
	return out
}

func set(ids []int64) ProfilesInStatus { return ProfilesInStatus{int64(len(ids)), ids} }

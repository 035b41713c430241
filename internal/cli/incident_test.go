package cli

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// incident is an incident of the simulator that makes a built-in rule fire.
type incident struct {
	rule  string
	scope alert.Scope
	level alert.Level
	world.Incident
	cut bool // the connection is cut as well
}

func queue(waiting, longest, logged, ready int64) func(*world.ServiceStat) {
	return func(r *world.ServiceStat) {
		r.Calls.QueuedCalls, r.Calls.MaxTimeCallOnQueue = waiting, longest
		r.Users.LoggedUsers.Count, r.Users.ReadyUsers.Count = logged, ready
	}
}

func groupQueue(waiting, logged, ready int64) func(*world.GroupStat) {
	return func(r *world.GroupStat) {
		r.Calls.QueuedCalls, r.Users.LoggedUsers.Count, r.Users.ReadyUsers.Count = waiting, logged, ready
	}
}

func ofDay(received, answered, inTime, abandoned int64) func(*world.ServiceStat) {
	return func(r *world.ServiceStat) {
		c := &r.Calls
		c.ReceivedCalls, c.AnsweredCalls, c.AnsweredCallsUnderSpeedLimit, c.HangupCalls = received, answered, inTime, abandoned
	}
}

func inState(status string, since time.Duration) func(*world.UserStat) {
	begin := time.Now().Add(-since)
	return func(r *world.UserStat) { r.Status, r.TimeInState = status, begin }
}

func onBreak(code string, since time.Duration) func(*world.UserStat) {
	rest := inState("NOT_READY", since)
	return func(r *world.UserStat) {
		rest(r)
		r.ActivityCode = code
	}
}

func incidents() []incident {
	type w = world.Incident
	return []incident{
		{"unstaffed", alert.Service, alert.Critical, w{Service: queue(2, 1, 0, 0)}, false},
		{"unstaffed", alert.Group, alert.Warning, w{Group: groupQueue(2, 0, 0)}, false},
		{"nobody ready", alert.Service, alert.Warning, w{Service: queue(2, 20, 3, 0)}, false},
		{"nobody ready", alert.Group, alert.Warning, w{Group: groupQueue(2, 3, 0)}, false},
		{"crowded", alert.Service, alert.Critical, w{Service: queue(10, 5, 3, 0)}, false},
		{"longest wait", alert.Service, alert.Critical, w{Service: queue(2, 60, 3, 1)}, false},
		{"stranded", alert.Service, alert.Warning, w{Service: queue(2, 5, 3, 1)}, false},
		{"stranded", alert.Group, alert.Warning, w{Group: groupQueue(2, 3, 1)}, false},
		{"service level", alert.Service, alert.Warning, w{Service: ofDay(100, 95, 50, 5)}, false},
		{"budget spent", alert.Service, alert.Warning, w{Service: ofDay(100, 100, 80, 0)}, false},
		{"abandon rate", alert.Service, alert.Warning, w{Service: ofDay(100, 80, 80, 20)}, false},
		{"abandon rate", alert.Group, alert.Warning, w{Group: func(r *world.GroupStat) {
			r.Calls.ReceivedCalls, r.Calls.HangupCalls = 100, 20
		}}, false},
		{"floor service level", alert.Floor, alert.Warning, w{Service: ofDay(100, 100, 50, 0)}, false},
		{"wrap-up", alert.User, alert.Warning, w{User: inState("WNR", 3*time.Minute)}, false},
		{"not ready", alert.User, alert.Warning, w{User: onBreak("PROJECT", 31*time.Minute)}, false},
		{alert.RuleBreakTooLong, alert.User, alert.Warning, w{User: onBreak("LUNCH", 61*time.Minute)}, false},
		{"booked", alert.User, alert.Critical, w{User: inState("BOOKED", 2*time.Minute)}, false},
		{"talking", alert.User, alert.Warning, w{User: inState("BUSY", 21*time.Minute)}, false},
		{"no free agent", alert.Campaign, alert.Warning, w{Campaign: func(r *world.CampaignStat) {
			r.RingingContacts, r.FreeResources = 3, 0
		}}, false},
		{"dry", alert.Campaign, alert.Warning, w{Campaign: func(r *world.CampaignStat) {
			r.ToDoContacts, r.TotalContacts, r.AvailableResources = 0, 100, 4
		}}, false},
		{"stale", alert.Feed, alert.Critical, w{}, true},
	}
}

// TestIncidents checks that every built-in rule fires after its duration, over the real feed, and ends
// with its condition.
func TestIncidents(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		// No calls arrive, so that only the incidents fire.
		r := newRig(t, simulator.Options{World: world.Options{TrafficFactor: 1e-6}, Tick: 500 * time.Millisecond}, nil)
		defer r.stop()
		rules, missing := alert.DefaultRules(), make(map[string]alert.Rule)
		for i := range rules {
			rules[i].Disabled = false
			missing[rules[i].Name+" of "+string(rules[i].Scope)] = rules[i]
		}
		e, err := alert.New(alert.Options{Rules: rules, Goal: alert.DefaultGoal(), Breaks: breaks.NewAllowances(nil, nil)})
		if err != nil {
			t.Fatal(err)
		}
		find := func(i *incident) *alert.Alert {
			for _, a := range e.Active() {
				if a.Rule == i.rule && a.Key.Scope == i.scope {
					return &a
				}
			}
			return nil
		}
		// until evaluates every second until an alert exists, or no longer exists, and returns how long
		// that took.
		until := func(i *incident, there bool) time.Duration {
			const patience = 5 * time.Minute
			for passed := time.Duration(0); ; passed += time.Second {
				if (find(i) != nil) == there || passed == patience {
					return passed
				}
				pass(time.Second)
				e.Evaluate(r.feed.Latest(), time.Now())
			}
		}
		pass(10 * time.Second)
		e.Evaluate(r.feed.Latest(), time.Now())
		delete(missing, "nobody ready for long of service") // not needed, because the simulator sends the longest wait
		for _, i := range incidents() {
			name := i.rule + " of " + string(i.scope)
			wait := missing[name].For
			delete(missing, name)
			if before := until(&i, false); before > 0 {
				t.Errorf("%s was there for %v before", name, before)
			}
			over := r.srv.StartIncident(i.Incident)
			late := 3 * time.Second // a tick, a publication and two evaluations
			if i.cut {
				r.srv.Faults().RefuseRequests(true)
				r.srv.Faults().DropSockets(1001)
			}
			if took := until(&i, true); took < wait || took > wait+late {
				t.Errorf("%s begins after %v, want %v", name, took, wait)
			} else if a := find(&i); a.Level != i.level || a.Text == "" {
				t.Errorf("%s is %s: %s", name, a.Level, a.Text)
			}
			over()
			if i.cut {
				r.srv.Faults().RefuseRequests(false)
				late = 2 * time.Minute // includes the next attempt and the synchronization
			}
			if took := until(&i, false); took > late {
				t.Errorf("%s ends after %v", name, took)
			}
		}
		for name := range missing {
			t.Errorf("no incident for the rule %s", name)
		}
	})
}

package analysis

import (
	"context"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/model"
)

// Effect compares the waiting times before and after an action. The difference may have other
// causes, so Effect also lists other changes at that time.
type Effect struct {
	WaitBefore, WaitAfter time.Duration // longest wait of a contact in the queue
	Elapsed               time.Duration // time between the action and the measurement of WaitAfter
	IsPreliminary         bool          // the wait has not settled yet

	ReadyChange, LoggedInChange int64    // changes in the numbers of ready agents and of logged-in agents
	Arrived, ArrivedBefore      int64    // contacts that arrived in the time Elapsed after the action, and in as much time before it; ArrivedBefore is -1 if unknown
	OtherActions                []string // other actions in the same period

	stateBefore scopeState // state at the action
}

// Action is an action of a user. Its time is on the server's clock.
type Action struct {
	At          time.Time
	Scope       Scope  // services whose waiting times the action may have changed
	Description string // text for the other actions of an [Effect]
}

const (
	// effectSearchSpan is the period after an action in which its effect is measured. At least
	// minRecordedTime of it must be recorded.
	effectSearchSpan = 15 * time.Minute
	minRecordedTime  = 2 * time.Minute
	// defaultEffectTime is the time after an action at which its effect is measured if the
	// wait has not settled earlier.
	defaultEffectTime = 10 * time.Minute
)

// MeasureEffect returns the effect of an action. ok is false if the wait before the action, or
// in the minutes after it, is unknown. others holds all actions; the effect lists those at
// around the same time as action.
func MeasureEffect(ctx context.Context, p Snapshots, action Action, others []Action) (effect Effect, ok bool, err error) {
	before, err := snapshotAt(p, action.At, action.Scope.tables()...)
	if err != nil || before == nil {
		return effect, false, err
	}
	begin, known := stateOf(before, action.Scope)
	if !known {
		return effect, false, nil
	}
	var after []scopeState
	for s, err := range p.SampledSnapshots(action.At, action.At.Add(effectSearchSpan), coarseStep, action.Scope.tables()...) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return effect, false, err
		}
		if now, known := stateOf(s, action.Scope); known && s.At.After(before.At) {
			after = append(after, now)
		}
	}
	end, hasSettled, found := settledState(begin, after)
	if !found {
		return effect, false, nil
	}
	effect = Effect{
		WaitBefore: begin.wait, WaitAfter: end.wait, Elapsed: end.at.Sub(action.At),
		stateBefore: begin, ReadyChange: end.ready - begin.ready, LoggedInChange: end.loggedIn - begin.loggedIn, Arrived: end.received - begin.received, ArrivedBefore: -1,
	}
	_, last := p.Span()
	effect.IsPreliminary = !hasSettled && last.Before(action.At.Add(defaultEffectTime-maxGap))
	if earlier, err := snapshotAt(p, action.At.Add(-effect.Elapsed)); err == nil && earlier != nil {
		if was, known := stateOf(earlier, action.Scope); known && was.received <= begin.received {
			effect.ArrivedBefore = begin.received - was.received
		}
	}
	for _, o := range others {
		if o.At.After(action.At.Add(-time.Minute)) && o.At.Before(end.at) && o != action {
			effect.OtherActions = append(effect.OtherActions, o.Description)
		}
	}
	return effect, true, nil
}

// scopeState is the state of a scope's services at a time.
type scopeState struct {
	at                       time.Time
	wait                     time.Duration
	waiting, ready, loggedIn int64
	received                 int64
	atWork                   int64 // logged-in agents who are not on a break
}

// stateOf returns the state of a scope in a snapshot. ok is false if the waiting time or the
// number of received contacts is unknown, or if there was no connection to the platform.
func stateOf(s *model.Snapshot, scope Scope) (now scopeState, ok bool) {
	if s.Health.Link.State != model.LinkUp {
		return now, false
	}
	now.at = s.At
	var calls model.ServiceCalls
	if scope.Service == "" {
		f := model.FloorOf(s, scope.Channel, nil, nil)
		calls = f.Calls
		now.ready, now.loggedIn = f.CountInStates(model.Ready).Or(0), f.LoggedIn().Or(0)
		now.atWork = now.loggedIn - f.CountInStates(model.NotReady).Or(0)
	} else {
		r := s.Services.Get(model.ServiceKey{Code: scope.Service, Channel: scope.Channel})
		if r == nil {
			return now, false
		}
		calls = r.ChannelStats
		now.ready, now.loggedIn = r.UserStats.ReadyUsers.Count.Or(0), r.UserStats.LoggedUsers.Count.Or(0)
		now.atWork = now.loggedIn - r.UserStats.NotReadyUsers.Count.Or(0)
	}
	wait, known := calls.LongestWait().Get()
	received, counted := calls.ReceivedCalls.Get()
	now.wait, now.received = time.Duration(wait*float64(time.Second)), received
	now.waiting = calls.QueuedCalls.Or(0)
	return now, known && counted
}

// settledState returns the first state in which the wait has halved or doubled and stays so
// for a minute. If there is none, hasSettled is false and settledState returns the last state
// within defaultEffectTime. found is false if too little was recorded.
func settledState(begin scopeState, after []scopeState) (end scopeState, hasSettled, found bool) {
	const minWaitChange = 20 * time.Second
	hasChanged := func(s scopeState) bool {
		return begin.wait >= minWaitChange && s.wait <= begin.wait/2 || s.wait >= minWaitChange && s.wait >= 2*begin.wait
	}
	for i := range after {
		if i+1 < len(after) && after[i].at.Sub(begin.at) >= minRecordedTime && hasChanged(after[i]) && hasChanged(after[i+1]) &&
			(after[i].wait < begin.wait) == (after[i+1].wait < begin.wait) {
			return after[i], true, true
		}
	}
	var last scopeState
	for _, s := range after {
		if s.at.Sub(begin.at) <= defaultEffectTime {
			last = s
		}
	}
	return last, false, !last.at.IsZero() && last.at.Sub(begin.at) >= minRecordedTime
}

// Describe describes the effect as a sentence without the initial capital letter and the full stop.
func (e *Effect) Describe() string {
	minutes := int(e.Elapsed.Round(time.Minute) / time.Minute)
	text := "wait went from " + textformat.Duration(e.WaitBefore.Round(time.Second)) + " to " + textformat.Duration(e.WaitAfter.Round(time.Second)) + " in " + strconv.Itoa(minutes) + " min"
	if e.IsPreliminary {
		text += " so far"
	}
	var meanwhile []string
	more := func(n int64, what string) {
		switch {
		case n == 1 || n == -1:
			meanwhile = append(meanwhile, "one "+map[bool]string{true: "more", false: "fewer"}[n > 0]+" was "+what)
		case n != 0:
			meanwhile = append(meanwhile, strconv.FormatInt(max(n, -n), 10)+" "+map[bool]string{true: "more", false: "fewer"}[n > 0]+" were "+what)
		}
	}
	more(e.LoggedInChange, "logged in")
	more(e.ReadyChange, "ready")
	if d := e.Arrived - e.ArrivedBefore; e.ArrivedBefore >= 0 && e.Arrived >= 0 && max(d, -d) >= 3 && 4*max(d, -d) >= e.ArrivedBefore {
		meanwhile = append(meanwhile, textformat.CountWithNoun(int(e.Arrived), "contact", "contacts")+" came (before: "+strconv.FormatInt(e.ArrivedBefore, 10)+")")
	}
	for _, o := range e.OtherActions {
		meanwhile = append(meanwhile, "also: "+o)
	}
	if len(meanwhile) > 0 {
		text += "; meanwhile " + strings.Join(meanwhile, ", ")
	}
	return text
}

// EffectsFunc is a function like [EffectTexts], but for a particular recording.
type EffectsFunc func(ctx context.Context, actions []Action) ([]string, error)

// EffectTexts returns a description of the effect of each action. The description is "" if the
// effect is unknown.
func EffectTexts(ctx context.Context, p Snapshots, actions []Action) ([]string, error) {
	return describeEffects(ctx, p, actions, nil)
}

// ComparedEffectTexts is like [EffectTexts], but also compares each effect with similar moments before it
// in which no action took place. It reads up to comparisonSpan of the recording for each scope.
func ComparedEffectTexts(ctx context.Context, p Snapshots, actions []Action) ([]string, error) {
	return describeEffects(ctx, p, actions, &comparison{snapshots: p, actions: actions, statesByScope: make(map[Scope][]scopeState)})
}

// describeEffects describes the effects of actions. If c is not nil, it adds comparisons with
// similar moments.
func describeEffects(ctx context.Context, p Snapshots, actions []Action, c *comparison) ([]string, error) {
	out := make([]string, len(actions))
	for i, d := range actions {
		e, ok, err := MeasureEffect(ctx, p, d, actions)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		if out[i] = e.Describe(); c == nil || e.stateBefore.waiting == 0 {
			continue
		}
		text, err := c.describeSimilar(ctx, &e, d.Scope)
		if err != nil {
			return out, err
		}
		out[i] += "; " + text
	}
	return out, nil
}

package headless

import (
	"context"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// releaseDoc is the release plan of the calls in the JSON output of `wallboard breaks`. If
// there is no plan, Reason gives the reason.
type releaseDoc struct {
	Channel           model.Channel      `json:"channel"`
	Reason            string             `json:"reason,omitempty"`
	OutNow            int                `json:"outNow"`
	Leaving           int                `json:"leaving"`     // agents of OutNow who are still busy; the break follows
	WithoutCode       int                `json:"withoutCode"` // agents of OutNow who are not ready without an activity code
	AtWork            int                `json:"atWork"`
	CanGoNow          int                `json:"canGoNow"`
	Verdict           string             `json:"verdict"` // whether breaks should begin now or later; "" without half hours
	HalfHours         []halfHourDoc      `json:"halfHours"`
	NoHalfHoursReason string             `json:"noHalfHoursReason,omitempty"`
	Effects           []releaseEffectDoc `json:"effects"`
	LongestAtWork     []longestAtWorkDoc `json:"longestWithoutBreak"`
	UnknownAtWork     int                `json:"withoutKnownBreak"` // agents at work whose last break is unknown
	Assumptions       []string           `json:"assumptions"`

	// Texts for reading aloud. awayText says how many agents are out, and why.
	reason, verdict, awayText words.Text
	assumptions               []words.Text
}

// halfHourDoc contains the number of agents who can leave in a half hour.
type halfHourDoc struct {
	From     time.Time `json:"from"`
	Contacts float64   `json:"contacts"`
	Back     int       `json:"back"` // agents who are out now and expected back by then
	CanGo    int       `json:"canGo"`
	Cost     breakCost `json:"costOfOne"`
	Cheapest bool      `json:"cheapest"`
}

// breakCost is the total effect on callers of one more agent on a break for half an hour. Wait
// is in seconds.
type breakCost struct {
	Wait       float64 `json:"wait"`
	Late       float64 `json:"late"`
	QueueGrows bool    `json:"queueGrows"`

	text words.Text
}

// releaseEffectDoc describes the effect of a number of agents on a break, on the whole floor
// and on the services that would be below their targets. Wait is in seconds.
type releaseEffectDoc struct {
	Out int `json:"out"`
	outcomeDoc
	AtRisk []serviceOutcomeDoc `json:"atRisk"`
}

type outcomeDoc struct {
	ServiceLevel float64 `json:"serviceLevel"`
	Wait         float64 `json:"wait"`
	QueueGrows   bool    `json:"queueGrows"`
}

type serviceOutcomeDoc struct {
	Service string `json:"service"`
	outcomeDoc
}

// longestAtWorkDoc describes an agent who has had no break for a long time.
type longestAtWorkDoc struct {
	AgentName string    `json:"agent"`
	Since     time.Time `json:"since"`
	Advice    string    `json:"leave"` // "now", the time of the cheapest half hour, "not yet", or "" without half hours
}

// awaitReleasePlan returns the release plan of the calls, or nil if it is not ready within limit.
func awaitReleasePlan(ctx context.Context, v *Viewer, limit time.Duration) *diagnosis.ReleasePlan {
	const step = 200 * time.Millisecond
	for waited := time.Duration(0); waited <= limit && ctx.Err() == nil; waited += step {
		if plan := v.Observations().ReleasePlan(v.EvaluatedAt, model.Call); plan != nil {
			return plan
		}
		v.EvaluateFor(ctx, step)
	}
	return nil
}

// newReleaseDoc returns the document of a plan. A nil plan means that it was not computed in time.
func newReleaseDoc(plan *diagnosis.ReleasePlan, v *Viewer) *releaseDoc {
	const maxLongest = 20
	out := &releaseDoc{Channel: model.Call, HalfHours: []halfHourDoc{}, Effects: []releaseEffectDoc{}, LongestAtWork: []longestAtWorkDoc{}, Assumptions: []string{}}
	if plan == nil {
		out.reason = words.SpeakPlanLate()
		out.Reason = out.reason.In(nil)
		return out
	}
	out.reason, out.verdict, out.awayText, out.assumptions = plan.MissingReason, plan.Verdict(), plan.AwayText(), plan.Assumptions()
	out.Reason, out.NoHalfHoursReason, out.Verdict = out.reason.In(nil), plan.HalfHoursMissing.In(nil), out.verdict.In(nil)
	out.OutNow, out.Leaving, out.WithoutCode, out.AtWork, out.CanGoNow = plan.AwayNow, plan.BreakPending, plan.WithoutCode, plan.AtWork, plan.ReleasableNow
	out.Assumptions = append(out.Assumptions, words.AllIn(out.assumptions, nil)...)
	for i := range plan.HalfHours {
		h := &plan.HalfHours[i]
		out.HalfHours = append(out.HalfHours, halfHourDoc{h.From, h.Contacts, h.Returning, h.Releasable, breakCost{h.Cost.Wait.Seconds(), h.Cost.LateContacts, h.Cost.QueueGrows, h.Cost.Text()}, h.Cheapest})
	}
	outcome := func(o diagnosis.Outcome) outcomeDoc { return outcomeDoc{o.ServiceLevel, o.Wait, o.QueueGrows} }
	for i := range plan.Effects {
		e := &plan.Effects[i]
		effect := releaseEffectDoc{e.Away, outcome(e.Floor), []serviceOutcomeDoc{}}
		for _, code := range e.ServicesBelowTarget {
			effect.AtRisk = append(effect.AtRisk, serviceOutcomeDoc{v.Names().NameOf(model.NameService, code), outcome(e.Services[code])})
		}
		out.Effects = append(out.Effects, effect)
	}
	longest, unknown := v.Observations().LongestWorking(model.Call, maxLongest)
	out.UnknownAtWork = unknown
	for i := range longest {
		a := &longest[i]
		out.LongestAtWork = append(out.LongestAtWork, longestAtWorkDoc{textformat.PersonName(v.LastSnapshot, v.Names(), a.Username, model.Call), a.Since, a.Text().In(nil)})
	}
	return out
}

// lines describes the plan: the effect of one agent more or less on a break, and the half hours.
func (r *releaseDoc) lines() []words.Text {
	if r.Reason != "" {
		return []words.Text{words.SpeakNoPlan(r.reason)}
	}
	out := []words.Text{words.SpeakCanLeave(r.CanGoNow, r.awayText, r.AtWork)}
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Out < r.OutNow-1 || e.Out > r.OutNow+1 {
			continue
		}
		outcome := diagnosis.Outcome{ServiceLevel: e.ServiceLevel, Wait: e.Wait, QueueGrows: e.QueueGrows}.Text()
		if n := len(e.AtRisk); n > 0 {
			out = append(out, words.SpeakIfOutRisk(e.Out, outcome, words.CountServices(n)))
		} else {
			out = append(out, words.SpeakIfOut(e.Out, outcome))
		}
	}
	if !r.verdict.IsZero() {
		out = append(out, r.verdict)
	}
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		tell := words.SpeakHalfHour
		if h.Cheapest {
			tell = words.SpeakHalfHourBest
		}
		out = append(out, tell(words.ClockOf(h.From, nil), h.CanGo, h.Cost.text))
	}
	return append(out, r.assumptions...)
}

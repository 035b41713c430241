package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/phrases"
	"wallboard/internal/report/headless"
	"wallboard/model"
)

// releaseReport is the release plan for calls in the JSON output of `wallboard breaks`. If there is
// no plan, Reason says why.
type releaseReport struct {
	Channel           model.Channel     `json:"channel"`
	Reason            string            `json:"reason,omitempty"`
	OutNow            int               `json:"outNow"`
	Leaving           int               `json:"leaving"` // agents of OutNow who still have a contact, after which the break begins
	AtWork            int               `json:"atWork"`
	CanGoNow          int               `json:"canGoNow"`
	HalfHours         []releaseHalfHour `json:"halfHours"`
	NoHalfHoursReason string            `json:"noHalfHoursReason,omitempty"`
	Effects           []releaseEffect   `json:"effects"`
	LongestAtWork     []longestAtWork   `json:"longestWithoutBreak"`
	UnknownAtWork     int               `json:"withoutKnownBreak"` // agents at work whose last break is unknown
	Assumptions       []string          `json:"assumptions"`
}

// releaseHalfHour says how many agents can leave in a half hour.
type releaseHalfHour struct {
	From     time.Time `json:"from"`
	Contacts float64   `json:"contacts"`
	Back     int       `json:"back"` // agents who are out now and expected back by the beginning of the half hour
	CanGo    int       `json:"canGo"`
}

// releaseEffect is the expected outcome with a number of agents out: for callers of the whole
// floor, and for each service below its target. Wait is in seconds.
type releaseEffect struct {
	Out int `json:"out"`
	callerOutcome
	AtRisk []serviceOutcome `json:"atRisk"`
}

type callerOutcome struct {
	ServiceLevel float64 `json:"serviceLevel"`
	Wait         float64 `json:"wait"`
	QueueGrows   bool    `json:"queueGrows"`
}

type serviceOutcome struct {
	Service string `json:"service"`
	callerOutcome
}

// longestAtWork is one of the agents who have had no break for longest.
type longestAtWork struct {
	AgentName string    `json:"agent"`
	Since     time.Time `json:"since"`
}

// readReleasePlan returns the release plan for calls. It returns nil if computing the plan takes
// longer than limit.
func readReleasePlan(ctx context.Context, v *headless.Viewer, limit time.Duration) *diagnosis.ReleasePlan {
	const step = 200 * time.Millisecond
	for waited := time.Duration(0); waited <= limit && ctx.Err() == nil; waited += step {
		if plan := v.Observations().ReleasePlan(v.EvaluatedAt, model.Call); plan != nil {
			return plan
		}
		v.EvaluateFor(ctx, step)
	}
	return nil
}

// newReleaseReport returns the report of a plan. A nil plan means that the plan was not computed in
// time.
func newReleaseReport(v *headless.Viewer, plan *diagnosis.ReleasePlan) *releaseReport {
	const maxLongest = 20
	out := &releaseReport{Channel: model.Call, HalfHours: []releaseHalfHour{}, Effects: []releaseEffect{}, LongestAtWork: []longestAtWork{}, Assumptions: []string{}}
	if plan == nil {
		out.Reason = "The plan was not computed in time."
		return out
	}
	out.Reason, out.NoHalfHoursReason, out.OutNow, out.Leaving, out.AtWork, out.CanGoNow = plan.MissingReason, plan.NoHalfHours, plan.OutNow, plan.Leaving, plan.AtWork, plan.CanGoNow
	out.Assumptions = append(out.Assumptions, plan.Assumptions()...)
	for i := range plan.HalfHours {
		h := &plan.HalfHours[i]
		out.HalfHours = append(out.HalfHours, releaseHalfHour{h.From, h.Contacts, h.Back, h.CanGo})
	}
	outcome := func(o diagnosis.Outcome) callerOutcome { return callerOutcome{o.ServiceLevel, o.Wait, o.Grows} }
	for i := range plan.Effects {
		e := &plan.Effects[i]
		effect := releaseEffect{e.Out, outcome(e.Floor), []serviceOutcome{}}
		for _, code := range e.AtRisk {
			effect.AtRisk = append(effect.AtRisk, serviceOutcome{v.Names().Of(model.NameService, code), outcome(e.Services[code])})
		}
		out.Effects = append(out.Effects, effect)
	}
	longest, unknown := v.Observations().LongestWorking(model.Call, maxLongest)
	out.UnknownAtWork = unknown
	for _, a := range longest {
		out.LongestAtWork = append(out.LongestAtWork, longestAtWork{phrases.Person(v.LastSnapshot, v.Names(), a.Username, model.Call), a.Since})
	}
	return out
}

// write prints the plan: the effects of more and of fewer agents out, and the half hours.
func (r *releaseReport) write(w io.Writer) error {
	if r.Reason != "" {
		_, err := fmt.Fprintf(w, "No release plan: %s\n", r.Reason)
		return cmdutil.WrapWriteError(err)
	}
	text := fmt.Sprintf("%s can leave now and the targets hold: %d out, %d at work.\n", phrases.Capital(phrases.Count(r.CanGoNow, "agent", "agents")), r.OutNow, r.AtWork)
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Out < r.OutNow-1 || e.Out > r.OutNow+1 {
			continue
		}
		text += fmt.Sprintf("%d out: %s", e.Out, diagnosis.Outcome{ServiceLevel: e.ServiceLevel, Wait: e.Wait, Grows: e.QueueGrows})
		if n := len(e.AtRisk); n > 0 {
			text += "; " + phrases.Count(n, "service", "services") + " below target"
		}
		text += "\n"
	}
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		text += fmt.Sprintf("%s: %d can leave\n", phrases.Clock(h.From, nil), h.CanGo)
	}
	for _, line := range r.Assumptions {
		text += line + "\n"
	}
	_, err := io.WriteString(w, text)
	return cmdutil.WrapWriteError(err)
}

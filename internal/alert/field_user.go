package alert

import (
	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/model/kpi"
)

// agentFields returns the fields of the agent totals that figuresOf returns for a record.
func agentFields[T any](figuresOf func(*T) *model.AgentFigures) []field {
	type a = model.AgentFigures
	on := func(get func(*a) model.Int) func(*T) model.Int {
		return func(r *T) model.Int { return get(figuresOf(r)) }
	}
	return []field{
		counterField("numberCallFromService", on(func(a *a) model.Int { return a.NumberCallFromService })),
		counterField("numberCallFromServiceAnswered", on(func(a *a) model.Int { return a.NumberCallFromServiceAnswered })),
		counterField("numberCallFromServiceNotAnswered", on(func(a *a) model.Int { return a.NumberCallFromServiceNotAnswered })),
		counterField("numberCallIn", on(func(a *a) model.Int { return a.NumberCallIn })),
		counterField("numberCallServiceOverSpeedAnswer", on(func(a *a) model.Int { return a.NumberCallServiceOverSpeedAnswer })),
		counterField("numberCallOut", on(func(a *a) model.Int { return a.NumberCallOut })),
		counterField("numberCallOutPrivate", on(func(a *a) model.Int { return a.NumberCallOutPrivate })),
		totalTimeField("timeInStateBooked", on(func(a *a) model.Int { return a.TimeInStateBooked })),
		totalTimeField("timeInStateBusy", on(func(a *a) model.Int { return a.TimeInStateBusy })),
		totalTimeField("timeInStateBusyOnService", on(func(a *a) model.Int { return a.TimeInStateBusyOnService })),
		totalTimeField("timeInStateNotReady", on(func(a *a) model.Int { return a.TimeInStateNotReady })),
		totalTimeField("timeInStateReady", on(func(a *a) model.Int { return a.TimeInStateReady })),
		totalTimeField("timeInStateWNR", on(func(a *a) model.Int { return a.TimeInStateWNR })),
	}
}

func userFields() []field {
	type r = model.UserStat
	of := func(r *r) *model.AgentFigures { return &r.AgentFigures }
	since := field{
		name: "timeInState", format: Duration, growthRate: timeInStateRate, presumableTime: model.PresumedInState,
		number: func(f *evalEnv) model.Figure {
			if d, ok := record[r](f).TimeInState.Since(f.now); ok {
				return model.FigureOf(d.Seconds())
			}
			return model.Figure{}
		},
	}
	fs := append(agentFields(of), since,
		asIdentifier(textField("username", func(r *r) model.Text { return r.Username })),
		textField("name", func(r *r) model.Text { return r.Name }),
		textField("surname", func(r *r) model.Text { return r.Surname }),
		asIdentifier(enumField("channel", func(r *r) model.Channel { return r.Channel })),
		enumField("status", func(r *r) model.UserStatus { return r.Status }),
		gaugeField("userSite", func(r *r) model.Int { return r.UserSite }),
		gaugeField("loggedProfileId", func(r *r) model.Int { return r.LoggedProfileID }),
		textField("activityCode", func(r *r) model.Text { return withoutAbsentMark(r.ActivityCode) }),
		textField("activityCode2", func(r *r) model.Text { return withoutAbsentMark(r.ActivityCode2) }),
		field{name: "breakKind", kind: textKind, text: func(f *evalEnv) model.Text {
			a, _ := breakLimit(f)
			return model.TextOf(string(a.Kind))
		}},
		field{name: "breakLimit", format: Duration, number: func(f *evalEnv) model.Figure {
			if a, ok := breakLimit(f); ok {
				return model.FigureOf(a.Limit.Seconds())
			}
			return model.NotApplicable()
		}},
		field{name: "breakSource", kind: textKind, text: func(f *evalEnv) model.Text {
			a, _ := breakLimit(f)
			return model.TextOf(string(a.Source))
		}},
		textField("currentGroup", func(r *r) model.Text { return withoutAbsentMark(r.CurrentGroup) }),
		textField("currentService", func(r *r) model.Text { return withoutAbsentMark(r.CurrentService) }),
		totalTimeField("timeInStateBusyDnCallIn", func(r *r) model.Int { return r.TimeInStateBusyDNCallIn }),
		totalTimeField("timeInStateBusyDnCallOut", func(r *r) model.Int { return r.TimeInStateBusyDNCallOut }),
		totalTimeField("timeInStateBusyDnCallOutPrivate", func(r *r) model.Int { return r.TimeInStateBusyDNCallOutPrivate }),
	)
	return append(fs, catalogFields(User, func(f *kpi.ScopeFigure) numberFunc {
		get := f.AgentValue
		return func(f *evalEnv) model.Figure { return get(&record[r](f).AgentFigures) }
	})...)
}

// breakLimit returns the limit for the kind of the user's current break. ok is false if the user is
// not on a break, if the kind is unknown, or if the activity code has a limit of its own.
func breakLimit(f *evalEnv) (a breaks.Allowance, ok bool) {
	u := record[model.UserStat](f)
	if u.Status != model.NotReady { // in the state NotReadyBusy, the time in state is that of a call
		return a, false
	}
	if a, ok = f.library.breaks.ByKind(u.ActivityCode.String()); !ok {
		return breaks.Allowance{}, false
	}
	return a, true
}

// withoutAbsentMark returns t, or "" if t is the mark that document 2 uses for "not present".
func withoutAbsentMark(t model.Text) model.Text {
	if t.Known() {
		return model.TextOf(t.String())
	}
	return t
}

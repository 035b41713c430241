package alert

import (
	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/model/kpi"
)

// agentFields returns the fields of agent totals that can be summed up, for every record that
// has them.
func agentFields[T any](of func(*T) *model.AgentFigures) []field {
	type a = model.AgentFigures
	on := func(get func(*a) model.Int) func(*T) model.Int {
		return func(r *T) model.Int { return get(of(r)) }
	}
	return []field{
		total("numberCallFromService", on(func(a *a) model.Int { return a.NumberCallFromService })),
		total("numberCallFromServiceAnswered", on(func(a *a) model.Int { return a.NumberCallFromServiceAnswered })),
		total("numberCallFromServiceNotAnswered", on(func(a *a) model.Int { return a.NumberCallFromServiceNotAnswered })),
		total("numberCallIn", on(func(a *a) model.Int { return a.NumberCallIn })),
		total("numberCallServiceOverSpeedAnswer", on(func(a *a) model.Int { return a.NumberCallServiceOverSpeedAnswer })),
		total("numberCallOut", on(func(a *a) model.Int { return a.NumberCallOut })),
		total("numberCallOutPrivate", on(func(a *a) model.Int { return a.NumberCallOutPrivate })),
		spent("timeInStateBooked", on(func(a *a) model.Int { return a.TimeInStateBooked })),
		spent("timeInStateBusy", on(func(a *a) model.Int { return a.TimeInStateBusy })),
		spent("timeInStateBusyOnService", on(func(a *a) model.Int { return a.TimeInStateBusyOnService })),
		spent("timeInStateNotReady", on(func(a *a) model.Int { return a.TimeInStateNotReady })),
		spent("timeInStateReady", on(func(a *a) model.Int { return a.TimeInStateReady })),
		spent("timeInStateWNR", on(func(a *a) model.Int { return a.TimeInStateWNR })),
	}
}

func userFields() []field {
	type r = model.UserStat
	of := func(r *r) *model.AgentFigures { return &r.AgentFigures }
	since := field{
		name: "timeInState", format: Duration, pace: inState, presumable: model.PresumedInState,
		number: func(f *frame) model.Figure {
			if d, ok := record[r](f).TimeInState.Since(f.now); ok {
				return model.FigureOf(d.Seconds())
			}
			return model.Figure{}
		},
	}
	fs := append(agentFields(of), since,
		naming(word("username", func(r *r) model.Text { return r.Username })),
		word("name", func(r *r) model.Text { return r.Name }),
		word("surname", func(r *r) model.Text { return r.Surname }),
		naming(enum("channel", func(r *r) model.Channel { return r.Channel })),
		enum("status", func(r *r) model.UserStatus { return r.Status }),
		level("userSite", func(r *r) model.Int { return r.UserSite }),
		level("loggedProfileId", func(r *r) model.Int { return r.LoggedProfileID }),
		word("activityCode", func(r *r) model.Text { return present(r.ActivityCode) }),
		word("activityCode2", func(r *r) model.Text { return present(r.ActivityCode2) }),
		field{name: "breakKind", kind: textKind, text: func(f *frame) model.Text {
			a, _ := breakLimit(f)
			return model.TextOf(string(a.Kind))
		}},
		field{name: "breakLimit", format: Duration, number: func(f *frame) model.Figure {
			if a, ok := breakLimit(f); ok {
				return model.FigureOf(a.Limit.Seconds())
			}
			return model.NotApplicable()
		}},
		field{name: "breakSource", kind: textKind, text: func(f *frame) model.Text {
			a, _ := breakLimit(f)
			return model.TextOf(string(a.Source))
		}},
		word("currentGroup", func(r *r) model.Text { return present(r.CurrentGroup) }),
		word("currentService", func(r *r) model.Text { return present(r.CurrentService) }),
		spent("timeInStateBusyDnCallIn", func(r *r) model.Int { return r.TimeInStateBusyDNCallIn }),
		spent("timeInStateBusyDnCallOut", func(r *r) model.Int { return r.TimeInStateBusyDNCallOut }),
		spent("timeInStateBusyDnCallOutPrivate", func(r *r) model.Int { return r.TimeInStateBusyDNCallOutPrivate }),
	)
	return append(fs, catalogFields(User, func(f *kpi.Form) numeric {
		get := f.OfAgent
		return func(f *frame) model.Figure { return get(&record[r](f).AgentFigures) }
	})...)
}

// breakLimit returns the limit of the user's current break by its kind; ok is false if the
// user is not on a break of a known kind.
func breakLimit(f *frame) (a breaks.Allowance, ok bool) {
	u := record[model.UserStat](f)
	if u.Status != model.NotReady && u.Status != model.NotReadyBusy {
		return a, false
	}
	if a, ok = f.lib.breaks.ByKind(u.ActivityCode.String()); !ok {
		return breaks.Allowance{}, false
	}
	return a, true
}

// present replaces the mark for "not present" in document 2 with "".
func present(t model.Text) model.Text {
	if t.Known() {
		return model.TextOf(t.String())
	}
	return t
}

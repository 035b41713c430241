package situation

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Incident converts the changed situation to its recorded form. ended holds the ended alerts of the
// engine.
func (c *Change) Incident(ended []alert.Alert) *model.Incident {
	sit := c.Situation
	if c.Kind == ChangeExplained {
		ended = nil
	}
	out, is := sit.incident(c.Daily, ended), sit.currentExplanation(c.Ended)
	switch c.Kind {
	case ChangeEnded:
		out.Ended, out.Headline, out.Message = c.Ended, c.Headline, c.headline.Stored()
		is = recordedExplanation{causes: sit.lastCauses()}
	case ChangeExplained:
		out.Alerts = nil // an earlier mark of the situation has the alerts
	case ChangeBegun, ChangeWorse, ChangeJoined:
	}
	is.addTo(out)
	return out
}

// incident converts the situation to its recorded form. daily is true for a situation about figures
// of the day. ended holds the ended alerts of the engine.
func (sit *Situation) incident(daily bool, ended []alert.Alert) *model.Incident {
	k := sit.Place.Key
	out := &model.Incident{
		ID: sit.ID, Scope: string(k.Scope), Code: k.Code, Channel: k.Channel, Title: sit.Place.Title, Daily: daily,
		Level: int(sit.HighestLevel), Began: sit.Since, FromStart: sit.FromStart, Critical: sit.CriticalSince, Headline: sit.Headline, Message: sit.messages.headline.Stored(),
		Waiting: sit.peak.waiting, Longest: int64(sit.peak.wait() / time.Second),
	}
	out.Alerts = incidentAlerts(sit.alertIDs, sit.Alerts, ended)
	return out
}

// incident converts the ended situation to its recorded form. ended holds the ended alerts of the
// engine.
func (r *EndedSituation) incident(ended []alert.Alert) *model.Incident {
	k := r.Place.Key
	out := &model.Incident{
		ID: r.ID, Scope: string(k.Scope), Code: k.Code, Channel: k.Channel, Title: r.Place.Title,
		Level: int(r.HighestLevel), Began: r.Began, Ended: r.Ended, Headline: r.Headline, Message: r.headline.Stored(),
		Waiting: r.Waiting, Longest: int64(r.LongestWait / time.Second), Alerts: incidentAlerts(r.alertIDs, nil, ended),
	}
	is := recordedExplanation{causes: r.causes}
	is.addTo(out)
	return out
}

// incidentAlerts returns the alerts with the given IDs, in the order of ids. It skips alerts that
// are in neither list.
func incidentAlerts(ids []string, active, ended []alert.Alert) []model.IncidentAlert {
	var out []model.IncidentAlert
	for _, id := range ids {
		has := func(a alert.Alert) bool { return a.ID == id }
		list := ended
		i := slices.IndexFunc(list, has)
		if i < 0 {
			list, i = active, slices.IndexFunc(active, has)
		}
		if i < 0 {
			continue
		}
		a := &list[i]
		title, what := a.Message.Stored()
		out = append(out, model.IncidentAlert{
			TakenAlert: model.TakenAlert{
				Rule: a.Rule, Scope: string(a.Key.Scope), Code: a.Key.Code, Channel: a.Key.Channel, Level: int(a.HighestLevel), By: a.Ack.By,
			},
			Text: a.Text, Title: title, What: what, Since: a.Since, Raised: a.Raised, Ended: a.Ended, TakenAt: a.Ack.At, FromStart: a.FromStart, Vanished: a.Vanished,
		})
	}
	return out
}

// RemoveAgentData returns a copy of an incident without the alerts about agents, the causes (which
// may name agents), the number of needed agents and the names of viewers. It returns nil if in is
// nil or about an agent.
func RemoveAgentData(in *model.Incident) *model.Incident {
	if in == nil || in.Scope == string(alert.User) {
		return nil
	}
	out := *in
	out.Causes, out.Needed = nil, model.IncidentStaff{}
	out.Alerts = slices.DeleteFunc(slices.Clone(in.Alerts), func(a model.IncidentAlert) bool { return a.Scope == string(alert.User) })
	for i := range out.Alerts {
		out.Alerts[i].By = ""
	}
	return &out
}

// Incidents returns the situations of a view as marks for [NewJournal]: ended and listed ones.
// ended holds the ended alerts of the engine.
func (v *View) Incidents(ended []alert.Alert) []model.Mark {
	if v == nil {
		return nil
	}
	var out []model.Mark
	for i := range v.ended {
		out = append(out, model.Mark{At: v.ended[i].Ended, Kind: model.MarkIncident, Incident: v.ended[i].incident(ended)})
	}
	for _, daily := range []bool{false, true} {
		list := v.listedSituations(daily)
		for i := range list {
			now := list[i].incident(daily, ended)
			begun := *now
			begun.Level, begun.Critical = 0, time.Time{} // the situation may have become critical later
			out = append(out, model.Mark{At: now.Began, Kind: model.MarkIncident, Incident: &begun})
			if !now.Critical.IsZero() {
				out = append(out, model.Mark{At: now.Critical, Kind: model.MarkIncident, Incident: now})
			}
		}
	}
	return out
}

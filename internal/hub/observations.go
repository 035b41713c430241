package hub

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/words"
	"wallboard/model"
)

// viewHistory holds the observations of a view since it was created: situations, breaks, and
// data for forecasts.
type viewHistory struct {
	situations *situation.Tracker
	breaks     breaks.Tracker
	forecasts  forecast.Tracker
	notes      *statefile.NoteBook
	releases   map[model.Channel]*plannedRelease // the last release plan of each channel
	estimates  backtest.EstimateJudge            // how often the board was right about queues
	repeater   *incidentRepeater                 // what is repeated in a private hub; nil: the floor is live
}

// newHistory returns a viewHistory without observations.
func (p *sharedView) newHistory(names model.Names, limits breaks.Limits, courses *forecast.IntradayLog, book *statefile.NoteBook) viewHistory {
	w := viewHistory{notes: book, forecasts: forecast.Tracker{IntradayLog: courses, RecordsShown: p.visibility.Part.IsWholeFloor()}, situations: situation.New(situation.Options{
		Names: names, Hold: time.Minute,
		Goal: func(service string) alert.Goal { return p.engine.Goal(service) },
		Baseline: func(k model.ServiceKey, at time.Time) (float64, words.Text, bool) {
			if p.typicalVolume == nil {
				return 0, words.Text{}, false
			}
			return p.typicalVolume(p.visible, k, at)
		},
		Notes: serverNotes{book, p},
	})}
	w.breaks.SetLimits(limits)
	return w
}

// serverNotes provides the notes about the floor, with times on the server's clock.
type serverNotes struct {
	book *statefile.NoteBook
	view *sharedView
}

// All implements [diagnosis.Notes].
func (n serverNotes) All() []model.Note {
	if n.view.visible == nil {
		return nil
	}
	list := n.book.All()
	out := make([]model.Note, len(list))
	for i := range list {
		out[i] = list[i].Shift(n.view.visible.Health.ClockOffset)
	}
	return out
}

// RecordSurge implements [diagnosis.Notes].
func (n serverNotes) RecordSurge(id string, onset time.Time) {
	n.book.RecordSurge(id, onset.Add(-n.view.visible.Health.ClockOffset))
}

// Notes returns the notes about the floor.
func (o Observations) Notes() *statefile.NoteBook { return o.viewer.hub.options.Notes }

// addSnapshot adds a snapshot to the breaks and the forecasts. It must be called once a second.
func (w *viewHistory) addSnapshot(s *model.Snapshot, now time.Time, e *alert.Engine) {
	w.breaks.Update(s, now)
	w.forecasts.Observe(s, now, e.Goal)
	w.forecasts.UpdateEngine(e, s, now)
}

// goals returns a function that returns the goal of a service. The caller of that function
// needs no lock.
func (p *sharedView) goals() func(service string) alert.Goal {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine.Goal
}

// Observations returns the hub's observations of the viewer's part of the floor.
func (v *Viewer) Observations() Observations { return Observations{v} }

// Observations gives access to the notes, breaks and forecasts for a viewer's part of the floor.
type Observations struct{ viewer *Viewer }

// PendingUntil returns the latest time, not after limit, at which a condition that holds now has
// lasted for the duration of its rule, on the server's clock. It returns the zero time if there is
// no such condition.
func (o Observations) PendingUntil(limit time.Time) time.Time {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine.LatestPendingTime(limit)
}

// ReadBreaks calls f with the breaks of the agents that the viewer may see. f must not keep the
// tracker after it has returned.
func (o Observations) ReadBreaks(f func(*breaks.Tracker)) {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.history.breaks)
}

// RestOfDay forecasts the contacts of the given services of a channel for each half hour until
// the end of the day, with the number of agents needed. For a hub of [NewPrivateViewer], it returns
// only the reason for the missing forecast.
func (o Observations) RestOfDay(in *forecast.Input, ch model.Channel, services []string) forecast.RestOfDay {
	if o.viewer.currentView().isPrivate() {
		return forecast.RestOfDay{MissingReason: words.ForecastNeedsLiveBoard()}
	}
	out := o.viewer.hub.options.IntradayLog.RestOfDay(in.Now, in.ClosingTime, ch, services, in.Contacts)
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	crew := p.history.situations.History().Crew(ch, services, in.Now)
	out.AddAgents(crew.AgentsAtWork, crew.SecondsPerContact, diagnosis.AnswerTimeLimit, in.Target, crew.RequiredAgents)
	return out
}

// Hour returns the states of an agent on a channel during the hour before now.
func (o Observations) Hour(k model.UserStatKey, now time.Time) diagnosis.AgentHour {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history.situations.AgentHour(k, now)
}

// Username returns the username of the agent whom the viewer sees as shown, which may be a
// masked name. It returns "" if there is no such agent.
func (o Observations) Username(shown string) string {
	return o.viewer.currentView().mask.Username(shown)
}

// QueueEstimates returns how accurate the board's estimates were, since it started, for the
// queues that the viewer may see.
func (o Observations) QueueEstimates() backtest.EstimateStats {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history.estimates.Stats()
}

// Accuracy returns how often the forecasts shown on the recorded days were right, or nil
// before the first check.
func (o Observations) Accuracy() *forecast.Accuracy { return o.viewer.hub.accuracy.Load() }

// Forecast computes the end-of-day forecast of a service from the hub's observations. If the
// code in k is "", it computes a common forecast of the given services of the channel. If
// current is true, all viewers get the same verdict.
func (o Observations) Forecast(in forecast.Input, k model.ServiceKey, services []string, current bool) forecast.Forecast {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history.forecasts.Forecast(in, k, services, current && !p.isPrivate())
}

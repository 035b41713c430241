package situation

import (
	"slices"

	"wallboard/internal/alert"
)

// AttentionState tells whether an alert needs action. It depends on the situation of the alert, so
// that rows, tiles and badges mark the alerts of exactly those situations that [View.Counts] counts.
type AttentionState uint8

// States of an alert.
const (
	AttentionOpen      AttentionState = iota // the situation of the alert needs action
	AttentionMonitored                       // the situation of the alert is held back, or its queue is empty
	AttentionDaily                           // the alert is about a figure of the day
	AttentionTaken                           // a viewer has taken the alert or its situation over
	AttentionSilenced                        // the alert is silenced
)

// AttentionStates returns a function that returns the state of an alert. If the alert is in no situation
// of the view, or the view is nil, its state depends on the alert alone.
func (v *View) AttentionStates() func(*alert.Alert) AttentionState {
	known := make(map[string]AttentionState)
	note := func(list []Situation, otherwise AttentionState) {
		for i := range list {
			sit, attention := &list[i], otherwise
			switch {
			case sit.Ack != (alert.Ack{}):
				attention = AttentionTaken
			case sit.QueueEmpty:
				attention = AttentionMonitored
			}
			for j := range sit.Alerts {
				known[sit.Alerts[j].ID] = attention
			}
		}
	}
	if v != nil {
		note(v.Live, AttentionOpen)
		note(v.HeldBack, AttentionMonitored)
	}
	return func(a *alert.Alert) AttentionState {
		switch attention, isKnown := known[a.ID]; {
		case !a.SilentUntil.IsZero():
			return AttentionSilenced
		case a.Ack != (alert.Ack{}):
			return AttentionTaken
		case a.Daily:
			return AttentionDaily
		case isKnown:
			return attention
		}
		return AttentionOpen // a new alert needs action until a situation contains it
	}
}

// JoinedAlerts returns alerts that raise the level of a situation at another place. The result maps
// the place of each such live situation to the ID of an alert about another record. This alert has
// the level of the situation, and no alert about the place itself has that level.
//
// JoinedAlerts ignores silenced alerts, alerts that were taken over, situations that need no
// action, and situations of the feed.
func (v *View) JoinedAlerts() map[alert.Key]string {
	out := make(map[alert.Key]string)
	if v == nil {
		return out
	}
	for i := range v.Live {
		sit := &v.Live[i]
		if !sit.NeedsAction() || sit.Place.Key.Scope == alert.Feed {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(sit.Alerts), func(a alert.Alert) bool {
			return a.Level != sit.Level || !a.SilentUntil.IsZero() || a.Ack != (alert.Ack{})
		})
		if len(open) > 0 && !slices.ContainsFunc(open, func(a alert.Alert) bool { return a.Key == sit.Place.Key }) {
			out[sit.Place.Key] = open[0].ID
		}
	}
	return out
}

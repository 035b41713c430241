package situation

import (
	"slices"

	"wallboard/internal/alert/diagnosis"
)

// EqualContent reports whether two views have the same situations with the same levels, numbers of people,
// alerts and causes. It ignores headlines, suggestions and durations, which change every second.
func (v *View) EqualContent(o *View) bool {
	if v == o || v == nil || o == nil {
		return v == o
	}
	same := func(a, b Situation) bool {
		return a.ID == b.ID && a.Level == b.Level && a.Affected == b.Affected && len(a.Alerts) == len(b.Alerts) &&
			a.Ack == b.Ack && a.StaleSince.Equal(b.StaleSince) && a.UnexplainedReason == b.UnexplainedReason &&
			slices.EqualFunc(a.Causes, b.Causes, func(a, b diagnosis.Cause) bool { return a.Kind == b.Kind && a.Text == b.Text })
	}
	return slices.Equal(v.PlacesHeldBack(), o.PlacesHeldBack()) && slices.Equal(v.Unattended, o.Unattended) && (v.QuietLine == "") == (o.QuietLine == "") && slices.EqualFunc(v.Live, o.Live, same) && slices.EqualFunc(v.Today, o.Today, same) &&
		slices.EqualFunc(v.Recovered, o.Recovered, func(a, b EndedSituation) bool { return a.Place == b.Place && a.Ended.Equal(b.Ended) }) &&
		slices.EqualFunc(v.Silenced, o.Silenced, func(a, b SilencedSituation) bool { return a.Place == b.Place && a.Until.Equal(b.Until) })
}

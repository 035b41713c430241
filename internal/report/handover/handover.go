// Package handover writes reports about a shift or a day.
//
// The shift report is in Markdown. Three sentences at the top summarize the
// day, the worst incident and the open situations. The report contains all current situations
// with their causes and owners, all ended situations, notes, breaks over a limit, actions on the
// platform, figures compared with targets and typical days, campaigns, and problems of the feed. Its
// first page is complete as a story; an appendix has everything that does not fit on it.
//
// The day report has the contacts of each hour, compared with typical days, from the statistical data
// service, and the intervals of the recording; it is text, CSV, Markdown or HTML.
//
// The package uses no goroutines and, except in [ReadDay] and [CountDay], no clock. Only [ReadBaseline] and
// [ReadDay] send requests.
package handover

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// Report is the data of a shift report. [New] sets the fields that come from the live snapshot, and
// methods add the data of other sources. If a source is not available, a note gives the reason.
type Report struct {
	Site string
	// From is the start of the shift, and At is the time of the report. Both are on the platform's
	// clock and in the time zone of the report.
	From, At time.Time
	// WatchedSince is the time since which all incidents are known. If HasStoredAlerts is
	// true, some earlier incidents are known from alerts that boards have stored.
	WatchedSince    time.Time
	HasStoredAlerts bool   // Alerts includes alerts that boards on this machine have stored
	HandedOverBy    string // user who hands over; "": unknown

	Channels  []ChannelFloor
	Campaigns []Campaign
	Services  ServiceCount

	Situations     situation.View            // current situations
	Alerts         []alert.Alert             // ended alerts of the shift, by the time they were raised
	PastSituations []situation.PastSituation // ended situations of the shift, most severe first
	Health         model.Health
	Goal           alert.Goal

	Notes []model.Note // notes of users, on the platform's clock, oldest first

	Baseline     []contact.Comparison
	Forecasts    map[model.Channel]forecast.Forecast // forecasts of the board; for the other channels, Baseline is used
	BaselineNote words.Text                          // reason why Baseline is incomplete; zero if it is complete
	// Effects maps the IDs of acknowledged alerts to descriptions of how long contacts waited
	// before and after the acknowledgement.
	Effects      map[string]string
	Actions      []Action
	ActionsNote  string     // where the actions come from, or why they are unknown
	IncidentNote words.Text // why the recording has no incidents of the whole shift; zero: it has

	input Input // input that the report was made from
}

// ChannelFloor holds the figures of all services on a channel.
type ChannelFloor struct {
	Channel model.Channel
	Floor   model.Floor
}

// ServiceCount counts services, once for each of their channels. OffTarget is the number of those with
// a figure of the day that is off target.
type ServiceCount struct{ All, OffTarget int }

// Campaign is a dialer campaign with its display name.
type Campaign struct {
	Name string
	model.Campaign
}

// Action is an action of a user on the platform.
type Action struct {
	At                                time.Time
	UserName, Action, Target          string
	Outcome, OutcomeText, WarningText string
	AffectsWaits                      bool   // the action can have changed how long contacts wait
	Effect                            string // how long contacts waited before and after; "" if unknown
}

// AlertSource is the part of an alert engine that a report needs.
type AlertSource interface {
	// Goal returns the targets of a service, or of the whole floor if service is "".
	Goal(service string) alert.Goal
	// History returns the alerts that have ended.
	History() []alert.Alert
}

// Input is the data from which [New] makes a report.
type Input struct {
	Site            string
	Snapshot        *model.Snapshot // live snapshot; nil: none yet
	Alerts          AlertSource     // engine of the alerts; it is only read
	Situations      *situation.View // current situations; nil: unknown
	Names           model.Names
	From, At        time.Time
	WatchedSince    time.Time
	HasStoredAlerts bool
	HandedOverBy    string
	Words           *words.Language // language of the report; nil: English

	gaps         []record.Gap              // periods of the shift in which nothing was recorded
	recordedOnly []situation.OpenSituation // situations that are open in the recording and that this program does not have

	breaks []breaks.DayTotal // today's breaks over a limit

	hasMarks bool // the actions come from marks of a recording that the viewer may see
}

// New returns a report with the data of the live snapshot. The caller adds the data of other
// sources.
func New(p Input) Report {
	r := Report{input: p, Site: p.Site, From: p.From, At: p.At, WatchedSince: p.WatchedSince, HasStoredAlerts: p.HasStoredAlerts, HandedOverBy: p.HandedOverBy, Goal: p.Alerts.Goal("")}
	r.Alerts = endedAlerts(p.Alerts, p.From)
	if p.Situations != nil {
		r.Situations = *p.Situations.In(p.Words)
	}
	s := p.Snapshot
	r.setPastSituations(p.Situations.In(p.Words))
	if s == nil {
		return r
	}
	r.Health = s.Health
	channels := map[model.Channel]bool{}
	for one := range s.Services.All() {
		channels[one.Channel] = true
		r.Services.All++
		if p.Situations.IsOffTarget(alert.Key{Scope: alert.Service, Code: one.Key().Code, Channel: one.Channel}) {
			r.Services.OffTarget++
		}
	}
	for _, ch := range model.Channels() {
		if channels[ch] {
			r.Channels = append(r.Channels, ChannelFloor{ch, model.FloorOf(s, ch, nil, nil)})
		}
	}
	for one := range s.Campaigns.All() {
		name := p.Names.CampaignName(one)
		r.Campaigns = append(r.Campaigns, Campaign{name, *one})
	}
	slices.SortFunc(r.Campaigns, func(a, b Campaign) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

// endedAlerts returns the alerts that ended at or after from, ordered by the time at which
// they were raised.
func endedAlerts(e AlertSource, from time.Time) []alert.Alert {
	over := slices.DeleteFunc(e.History(), func(a alert.Alert) bool { return a.Ended.Before(from) })
	slices.SortFunc(over, func(a, b alert.Alert) int { return a.Raised.Compare(b.Raised) })
	return over
}

// Package handover writes what the next shift must know, on a page of Markdown:
// what needs somebody now and why, what came and went, what was done on the
// platform, the figures against their targets and against what is usual, how far
// the campaigns are, and what the feed is worth.
//
// It has no goroutine and no clock. Only [ReadUsual] asks anybody anything.
package handover

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/situation"
	"wallboard/situation/forecast"
)

// Report is a shift so far. [New] fills in what the live picture tells; the rest
// is asked of others, and what could not be had says why.
type Report struct {
	Site string
	// From is when the shift began, At when the report was made, on the
	// platform's clock; both in the time zone that the report is written in.
	From, At time.Time
	// Watched is when the alerts were begun to be watched: those that ended
	// before are not known, but for those that Kept says.
	Watched time.Time
	Kept    bool   // there are alerts of what boards on this machine have kept
	By      string // who hands over, "" is nobody in particular

	Channels   []Channel
	Services   []Service
	Campaigns  []Campaign
	Situations situation.View   // of now
	Alerts     []alert.Alert    // those of the shift that are over, by when they were raised
	Past       []situation.Past // what came and went of the shift, the gravest first
	Health     model.Health
	Goal       alert.Goal

	Usual    []past.Comparison
	Recent   map[model.Channel]forecast.Recent // calls missed lately; none is known without
	UsualWhy string                            // why nothing is known of what is usual, "" when it is
	// Effects are how long contacts waited before and after alerts were taken over, by the
	// alerts' IDs.
	Effects  map[string]string
	Deeds    []Deed
	DeedsWhy string // why it is not known what was done
	DeedsIn  string // the command that lists all of them; "" is that of the audit
}

// Channel is the floor on one channel.
type Channel struct {
	Channel model.Channel
	Floor   model.Floor
}

// Service is a service on one channel.
type Service struct {
	Name    string
	Channel model.Channel
	Off     bool // off target: see [Report.Situations]
	Calls   model.ServiceCalls
	Users   model.ServiceUsers
	Goal    alert.Goal
}

// Campaign is a dialer campaign.
type Campaign struct {
	Name string
	model.Campaign
}

// Deed is something that was done on the platform.
type Deed struct {
	At                             time.Time
	Who, Action, Target            string
	Outcome, Sentence, WarningText string
	Moves                          bool   // it may have changed how long contacts wait
	Effect                         string // how long they waited before and after; "": not known
}

// Alerts are what a report needs of an alert engine.
type Alerts interface {
	// Goal is what a service is measured by; "" is the floor.
	Goal(service string) alert.Goal
	// History returns the alerts that are over.
	History() []alert.Alert
}

// Picture is what [New] makes a report from.
type Picture struct {
	Site       string
	Snapshot   *model.Snapshot // nil before the first
	Alerts     Alerts          // only read
	Situations *situation.View // of now; nil: nothing is known
	Names      model.Names
	From, At   time.Time
	Watched    time.Time
	Kept       bool
	By         string
}

// New returns a report of what the live picture tells.
func New(p Picture) Report {
	r := Report{Site: p.Site, From: p.From, At: p.At, Watched: p.Watched, Kept: p.Kept, By: p.By, Goal: p.Alerts.Goal("")}
	r.Alerts = alertsOf(p.Alerts, p.From)
	if p.Situations != nil {
		r.Situations = *p.Situations
	}
	s := p.Snapshot
	r.Past = situation.PastOf(s, p.Names, r.Alerts, p.Situations)
	if s == nil {
		return r
	}
	r.Health = s.Health
	channels := map[model.Channel]bool{}
	for one := range s.Services.All() {
		channels[one.Channel] = true
		code := one.Key().Code
		r.Services = append(r.Services, Service{
			Name: p.Names.Of(model.NameService, code), Channel: one.Channel, Calls: one.ChannelStats, Users: one.UserStats, Goal: p.Alerts.Goal(code),
			Off: p.Situations.Off(alert.Key{Scope: alert.Service, Code: code, Channel: one.Channel}),
		})
	}
	for _, ch := range model.Channels() {
		if channels[ch] {
			r.Channels = append(r.Channels, Channel{ch, model.FloorOf(s, ch, nil, nil)})
		}
	}
	slices.SortFunc(r.Services, func(a, b Service) int {
		known := model.Channels()
		return cmp.Or(cmp.Compare(slices.Index(known[:], a.Channel), slices.Index(known[:], b.Channel)), cmp.Compare(a.Name, b.Name))
	})
	for one := range s.Campaigns.All() {
		name := p.Names.Of(model.NameCampaign, strconv.FormatInt(one.Key(), 10))
		r.Campaigns = append(r.Campaigns, Campaign{name, *one})
	}
	slices.SortFunc(r.Campaigns, func(a, b Campaign) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

// alertsOf returns the alerts of the shift that are over.
func alertsOf(e Alerts, from time.Time) []alert.Alert {
	over := slices.DeleteFunc(e.History(), func(a alert.Alert) bool { return a.Ended.Before(from) })
	slices.SortFunc(over, func(a, b alert.Alert) int { return a.Raised.Compare(b.Raised) })
	return over
}

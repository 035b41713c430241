package headless

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// NotLive is an error that names what is not live, nil when everything is.
func NotLive(s *model.Snapshot) error {
	h := &s.Health
	if h.Live() {
		return nil
	}
	var parts []string
	if h.Link.State != model.LinkUp {
		parts = append(parts, "connection: "+string(h.Link.State)+reason(h.Link.Reason))
	}
	for _, sub := range h.Subscriptions {
		if !sub.State.Current() && sub.State != model.SubWaiting {
			parts = append(parts, sub.Name+": "+string(sub.State)+reason(sub.Reason))
		}
	}
	return errors.New("not everything is live\n  " + strings.Join(parts, "\n  "))
}

func reason(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// Picture is the JSON document of dump: document 2's operations and fields.
type Picture struct {
	Seq              uint64               `json:"seq"`
	At               time.Time            `json:"at"`
	Live             bool                 `json:"live"`              // everything comes as it happens
	Polling          map[string]float64   `json:"polling,omitempty"` // what is asked for again and again instead, and its age in seconds
	Version          model.ServerVersion  `json:"version"`
	ServerHealth     model.ServerHealth   `json:"serverHealth"`
	Users            []*model.User        `json:"users"`
	Services         []*model.Service     `json:"serviceStats"`
	Groups           []*model.Group       `json:"groupStats"`
	UserStats        []*model.UserStat    `json:"userStats"`
	Profiles         []*model.ProfileStat `json:"userProfileStats"`
	Campaigns        []*model.Campaign    `json:"pdCampaignStats"`
	Attendants       []*model.Attendant   `json:"serviceAttendantStats"`
	Operators        []*model.Operator    `json:"operatorStats"`
	OperatorProfiles []*model.ProfileStat `json:"operatorProfileStats"`
}

// pollingOf returns the age in seconds of what is polled, by operation.
func pollingOf(s *model.Snapshot) map[string]float64 {
	var polling map[string]float64
	for name, age := range s.Health.PolledAges(s.At.Add(-s.Health.ClockOffset)) {
		if polling == nil {
			polling = make(map[string]float64)
		}
		polling[name] = age.Round(100 * time.Millisecond).Seconds()
	}
	return polling
}

// PictureOf puts a snapshot in order: by key, then by channel and component in the
// order of document 2.
func PictureOf(s *model.Snapshot) Picture {
	polling := pollingOf(s)
	return Picture{
		Seq: s.Seq, At: s.At.UTC(), Live: s.Health.Live() && !s.Health.Partly() && polling == nil, Polling: polling,
		Version: s.Health.Version, ServerHealth: s.Health.Server,
		Users: sorted(s.Users, func(a, b *model.User) int { return cmp.Compare(a.Key(), b.Key()) }),
		Services: sorted(s.Services, func(a, b *model.Service) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel))
		}),
		Groups: sorted(s.Groups, func(a, b *model.Group) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel))
		}),
		UserStats: sorted(s.UserStats, func(a, b *model.UserStat) int {
			return cmp.Or(cmp.Compare(a.Key().Username, b.Key().Username), byChannel(a.Channel, b.Channel))
		}),
		Profiles:  sorted(s.Profiles, byProfile),
		Campaigns: sorted(s.Campaigns, func(a, b *model.Campaign) int { return cmp.Compare(a.Key(), b.Key()) }),
		Attendants: sorted(s.Attendants, func(a, b *model.Attendant) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel), byComponent(a.Component, b.Component))
		}),
		Operators: sorted(s.Operators, func(a, b *model.Operator) int {
			return cmp.Or(cmp.Compare(a.Key().Username, b.Key().Username), byChannel(a.Channel, b.Channel))
		}),
		OperatorProfiles: sorted(s.OperatorProfiles, byProfile),
	}
}

func sorted[K comparable, T any](t *model.Table[K, T], by func(a, b *T) int) []*T {
	rows := append([]*T{}, t.Rows()...) // never nil: an empty list is [], not null
	slices.SortFunc(rows, by)
	return rows
}

func byProfile(a, b *model.ProfileStat) int {
	return cmp.Or(cmp.Compare(a.Key().ID, b.Key().ID), byChannel(a.Channel, b.Channel))
}

func byChannel(a, b model.Channel) int {
	order := model.Channels()
	return cmp.Or(cmp.Compare(slices.Index(order[:], a), slices.Index(order[:], b)), cmp.Compare(a, b))
}

func byComponent(a, b model.Component) int {
	order := model.Components()
	return cmp.Or(cmp.Compare(slices.Index(order[:], a), slices.Index(order[:], b)), cmp.Compare(a, b))
}

package render

import (
	"strconv"

	"wallboard/model"
)

// Profiles are the rows of the user profiles on one channel. Their keys are the
// profiles' ids.
type Profiles struct {
	source[model.ProfileStat]

	operators bool
}

var _ Rows = (*Profiles)(nil)

// NewProfiles returns the rows of no profile, to be fed from userProfileStats.
func NewProfiles() *Profiles {
	s := &Profiles{}
	s.def = definition[model.ProfileStat]{
		key: func(r *model.ProfileStat) string { return strconv.FormatInt(r.Key().ID, 10) },
		name: func(v *View, r *model.ProfileStat) string {
			return v.numbered(model.NameProfile, r.ID)
		},
		version: func(r *model.ProfileStat) uint64 { return r.Version },
		ticks:   func(r *model.ProfileStat) bool { return r.TimeInState.Known() },
		words: func(v *View, r *row[model.ProfileStat], add func(string)) {
			p := r.rec
			add(r.name)
			add(r.key)
			add(StateOf(p.Status, p.Channel).Word)
			add(v.activity(p.ActivityCode, p.ActivityCode2))
			add(v.named(model.NameService, p.CurrentService))
			add(v.named(model.NameGroup, p.CurrentGroup))
		},
		columns: profileColumns(),
	}
	return s
}

// NewOperatorProfiles returns the rows of no profile, to be fed from
// operatorProfileStats.
func NewOperatorProfiles() *Profiles {
	s := NewProfiles()
	s.operators = true
	return s
}

// Update implements [Rows].
func (s *Profiles) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.ProfileKey, model.ProfileStat]
	switch {
	case snap == nil:
	case s.operators:
		t = snap.OperatorProfiles
	default:
		t = snap.Profiles
	}
	if n := s.begin(v, of(t)); n != nothing {
		s.cut(s.collect(n, t.Rows(), func(r *model.ProfileStat) bool { return r.Channel == v.Channel }))
	}
}

func profileColumns() []column[model.ProfileStat] {
	type profile = model.ProfileStat
	figures := func(r *profile) *model.AgentFigures { return &r.AgentFigures }
	return []column[profile]{
		names[profile](words("name", "Profile", 8, 18, 30, 100)),
		stateColumn(words("state", "State", 16, 16, 16, 99), figures),
		inStateColumn(number("time", "Time", 8, 98), figures),
		activityColumn(words("activity", "Activity", 10, 12, 22, 96), figures),
		serviceColumn(words("service", "Service", 15, 16, 22, 95), figures),
		ints(number("answered", "Ans", 4, 94), func(r *profile) model.Int { return r.NumberCallFromServiceAnswered }),
		ints(number("missed", "Miss", 4, 93), func(r *profile) model.Int { return r.NumberCallFromServiceNotAnswered }),
		durations(number("aht", "AHT", 6, 92), func(_ *View, r *profile) model.Figure { return r.AHT() }),
		percents(number("occupancy", "Occup", 7, 91), func(_ *View, r *profile) model.Figure { return r.Occupancy() }),
		steady(seconds(number("hold", "Hold", 8, 80), func(r *profile) model.Int { return r.TimeInHold.Time })),
		steady(seconds(number("logged", "Logged", 8, 75), func(r *profile) model.Int { return r.LoggedTime() })),
		ints(number("out", "Out", 4, 65), func(r *profile) model.Int { return r.NumberCallOut }),
		texts(words("site", "Site", 6, 8, 16, 55), func(v *View, r *row[profile]) string {
			return v.numbered(model.NameSite, r.rec.UserSite)
		}),
	}
}

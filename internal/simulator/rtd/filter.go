package rtd

import (
	"slices"

	"wallboard/internal/simulator/world"
)

// byChannel is an input object with an optional filter per channel.
type byChannel[F any] struct {
	Call, Custom1, Custom2, Custom3, Video, Chat, MailACD, LiveHelp, OmniDesk *F
}

// array returns the filters in the order of the channels in document 2.
func (f byChannel[F]) array() [world.NumChannels]*F {
	return [...]*F{f.Call, f.Custom1, f.Custom2, f.Custom3, f.Video, f.Chat, f.MailACD, f.LiveHelp, f.OmniDesk}
}

// compileFilters compiles the filter of each channel. The result is nil for channels without a
// filter.
func compileFilters[F, C any](f byChannel[F], compile func(*F) *C) [world.NumChannels]*C {
	var out [world.NumChannels]*C
	for i, filter := range f.array() {
		if filter != nil {
			out[i] = compile(filter)
		}
	}
	return out
}

// channelFilter returns the compiled filter of a channel, or nil if there is none.
func channelFilter[C any](filters *[world.NumChannels]*C, channel string) *C {
	if i := world.ChannelIndex(channel); i >= 0 {
		return filters[i]
	}
	return nil
}

// filterSet holds the values in a list of a filter. A record matches if it has one of the values.
type filterSet[T comparable] map[T]struct{}

func setOf[T comparable](values []T) filterSet[T] {
	s := make(filterSet[T], len(values))
	for _, v := range values {
		s[v] = struct{}{}
	}
	return s
}

// optionalSet is like setOf, but for an optional list of a filter. For a missing list it
// returns nil, which allows all values. An empty list allows none.
func optionalSet[T comparable](values *[]T) filterSet[T] {
	if values == nil {
		return nil
	}
	return setOf(*values)
}

func idSet(values []int32) filterSet[int64] {
	s := make(filterSet[int64], len(values))
	for _, v := range values {
		s[int64(v)] = struct{}{}
	}
	return s
}

func optionalIDSet(values *[]int32) filterSet[int64] {
	if values == nil {
		return nil
	}
	return idSet(*values)
}

func (s filterSet[T]) has(v T) bool {
	_, ok := s[v]
	return ok
}

// allows reports whether the filter's list is missing or contains v.
func (s filterSet[T]) allows(v T) bool { return s == nil || s.has(v) }

// allowsAny reports whether the filter's list is missing or contains one of the values.
func (s filterSet[T]) allowsAny(values ...T) bool {
	return s == nil || slices.ContainsFunc(values, s.has)
}

type serviceChannelFilter struct {
	Services       []string
	CustomStatKeys *[]string
	UserSite       *int32
}

type attendantCallFilter struct {
	Services       []string
	Component      []string
	CustomStatKeys *[]string
	UserSite       *int32
}

type groupChannelFilter struct {
	Groups         []string
	CustomStatKeys *[]string
	UserSite       *int32
}

type userStatChannelFilter struct {
	Users         []string
	ActivityCodes *[]string
}

type profileStatChannelFilter struct {
	UserProfiles  []int32
	ActivityCodes *[]string
}

type operatorChannelFilter struct {
	Users         []string
	ActivityCodes *[]string
	Sites         *[]int32
	Services      *[]string
}

// figuresFilter is the compiled filter of users' or profiles' figures on a channel.
type figuresFilter struct {
	users      filterSet[string]
	profiles   filterSet[int64]
	activities filterSet[string]
}

func compileUserStatFilter(f *userStatChannelFilter) *figuresFilter {
	return &figuresFilter{users: setOf(f.Users), activities: optionalSet(f.ActivityCodes)}
}

func compileProfileStatFilter(f *profileStatChannelFilter) *figuresFilter {
	return &figuresFilter{profiles: idSet(f.UserProfiles), activities: optionalSet(f.ActivityCodes)}
}

func selectUserStats(f byChannel[userStatChannelFilter]) selection[world.UserStat] {
	filters := compileFilters(f, compileUserStatFilter)
	return selection[world.UserStat]{match: func(r *world.UserStat) bool {
		f := channelFilter(&filters, r.Channel)
		return f != nil && f.users.has(r.Username) && f.activities.allowsAny(r.ActivityCode, r.ActivityCode2)
	}}
}

func selectProfileStats(f byChannel[profileStatChannelFilter]) selection[world.UserProfileStat] {
	filters := compileFilters(f, compileProfileStatFilter)
	return selection[world.UserProfileStat]{match: func(r *world.UserProfileStat) bool {
		f := channelFilter(&filters, r.Channel)
		return f != nil && f.profiles.has(r.ID) && f.activities.allowsAny(r.ActivityCode, r.ActivityCode2)
	}}
}

func selectCampaigns(campaigns []int32) selection[world.CampaignStat] {
	ids := idSet(campaigns)
	return selection[world.CampaignStat]{match: func(r *world.CampaignStat) bool { return ids.has(r.CampaignID) }}
}

// selectOperators compiles the filter of operatorStats. A nil filter selects nothing.
// servicesOf returns the services of a user, which the records do not contain.
func selectOperators(f *operatorChannelFilter, servicesOf func(string) []string) selection[world.OperatorStat] {
	if f == nil {
		return selection[world.OperatorStat]{match: func(*world.OperatorStat) bool { return false }}
	}
	users, activities := setOf(f.Users), optionalSet(f.ActivityCodes)
	sites, services := optionalIDSet(f.Sites), optionalSet(f.Services)
	return selection[world.OperatorStat]{match: func(r *world.OperatorStat) bool {
		return r.Channel == world.Call && users.has(r.Username) &&
			activities.allowsAny(r.ActivityCode, r.ActivityCode2) && sites.allows(r.UserSite) &&
			(services == nil || services.allowsAny(servicesOf(r.Username)...))
	}}
}

package world

import (
	"math/bits"
	"slices"
)

// userCategory is a category of users that the records of services, groups and attendants list.
type userCategory uint8

const (
	categoryLogged userCategory = iota
	categoryReady
	categoryNotReady
	categoryPostCall
	categoryBusy
	categoryOnService
	categoryDNIn
	categoryDNOut
	categoryDNPrivate
	categoryDN
	categoryWithCode                                                        // with an activity code; one category per code
	categoryPausedWithCode = categoryWithCode + userCategory(numActivities) // with an activity code while not ready; one category per code
	numCategories          = categoryPausedWithCode + userCategory(numActivities)
)

// categorySet is a set of categories, with a bit for each.
type categorySet uint32

func (k userCategory) bit() categorySet { return 1 << k }

// categoriesOf returns the categories of a user on a channel, except categoryOnService, which
// depends on the service. s and code are the user's state and activity code.
func categoriesOf(s state, code activity) categorySet {
	if s == stateOffline {
		return 0
	}
	set := categoryLogged.bit()
	switch s {
	case stateOffline:
	case stateReady:
		set |= categoryReady.bit()
	case stateNotReady:
		set |= categoryNotReady.bit()
	case stateWNR:
		set |= categoryPostCall.bit()
	case stateBooked, stateBusy, stateNotReadyBusy:
		set |= categoryBusy.bit()
	case stateDNIn:
		set |= categoryBusy.bit() | categoryDN.bit() | categoryDNIn.bit()
	case stateDNOut:
		set |= categoryBusy.bit() | categoryDN.bit() | categoryDNOut.bit()
	case stateDNPrivate:
		set |= categoryBusy.bit() | categoryDN.bit() | categoryDNPrivate.bit()
	}
	if code != activityNone {
		set |= (categoryWithCode + userCategory(code-1)).bit()
		if s == stateNotReady {
			set |= (categoryPausedWithCode + userCategory(code-1)).bit()
		}
	}
	return set
}

// profileSet is a sorted set of profile IDs. snapshot is an immutable copy of ids, which is
// renewed on demand after isStale was set.
type profileSet struct {
	ids      []int64
	snapshot []int64
	isStale  bool
}

func (m *profileSet) add(id int64) {
	if i, found := slices.BinarySearch(m.ids, id); !found {
		m.ids = slices.Insert(m.ids, i, id)
		m.isStale = true
	}
}

func (m *profileSet) remove(id int64) {
	if i, found := slices.BinarySearch(m.ids, id); found {
		m.ids = slices.Delete(m.ids, i, i+1)
		m.isStale = true
	}
}

func (m *profileSet) list() []int64 {
	if m.isStale || m.snapshot == nil {
		m.snapshot = append(make([]int64, 0, len(m.ids)), m.ids...)
		m.isStale = false
	}
	return m.snapshot
}

// usersByCategory holds the users of a service, group or attendant on a channel by category.
type usersByCategory struct {
	sets [numCategories]profileSet
}

// moveUser moves a user, identified by profile ID, from the categories before to the categories after.
func (r *usersByCategory) moveUser(id int64, before, after categorySet) {
	for removed := before &^ after; removed != 0; removed &= removed - 1 {
		r.sets[bits.TrailingZeros32(uint32(removed))].remove(id)
	}
	for joined := after &^ before; joined != 0; joined &= joined - 1 {
		r.sets[bits.TrailingZeros32(uint32(joined))].add(id)
	}
}

func (r *usersByCategory) profilesIn(k userCategory) ProfilesInStatus {
	ids := r.sets[k].list()
	return ProfilesInStatus{Count: int64(len(ids)), ProfileIDs: ids}
}

// profilesByActivity returns the profiles by activity code. k is categoryWithCode or
// categoryPausedWithCode.
func (r *usersByCategory) profilesByActivity(k userCategory) []ProfilesInActivity {
	out := make([]ProfilesInActivity, 0, numActivities)
	for _, code := range activities() {
		set := r.profilesIn(k + userCategory(code-1))
		out = append(out, ProfilesInActivity{ActivityCode: code.String(), Count: set.Count, ProfileIDs: set.ProfileIDs})
	}
	return out
}

func (r *usersByCategory) serviceUsers() ServiceUsers {
	return ServiceUsers{
		BusyOnDNCallInUsers:         r.profilesIn(categoryDNIn),
		BusyOnDNCallOutUsers:        r.profilesIn(categoryDNOut),
		BusyOnDNCallOutUsersPrivate: r.profilesIn(categoryDNPrivate),
		BusyOnDNCallUsers:           r.profilesIn(categoryDN),
		BusyOnServUsers:             r.profilesIn(categoryOnService),
		BusyUsers:                   r.profilesIn(categoryBusy),
		LoggedUsers:                 r.profilesIn(categoryLogged),
		NotReadyUsers:               r.profilesIn(categoryNotReady),
		NotReadyUsersOnActivityCode: r.profilesByActivity(categoryPausedWithCode),
		ActivityCodeIndicators:      r.profilesByActivity(categoryWithCode),
		PostCallUsers:               r.profilesIn(categoryPostCall),
		ReadyUsers:                  r.profilesIn(categoryReady),
	}
}

func (r *usersByCategory) groupUsers() GroupUsers {
	return GroupUsers{
		LoggedUsers:                 r.profilesIn(categoryLogged),
		NotReadyUsers:               r.profilesIn(categoryNotReady),
		NotReadyUsersOnActivityCode: r.profilesByActivity(categoryPausedWithCode),
		PostCallUsers:               r.profilesIn(categoryPostCall),
		ReadyUsers:                  r.profilesIn(categoryReady),
	}
}

func (r *usersByCategory) attendantUsers() AttendantUsers {
	return AttendantUsers{
		BusyUsers:   r.profilesIn(categoryBusy),
		ReadyUsers:  r.profilesIn(categoryReady),
		LoggedUsers: r.profilesIn(categoryLogged),
	}
}

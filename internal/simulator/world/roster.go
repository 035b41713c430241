package world

import (
	"math/bits"
	"slices"
)

// kind is a set of users that a service, group or attendant reports.
type kind uint8

const (
	kindLogged kind = iota
	kindReady
	kindNotReady
	kindPostCall
	kindBusy
	kindOnService
	kindDNIn
	kindDNOut
	kindDNPrivate
	kindDN
	kindCoded                                    // with an activity code; one set per code
	kindPaused = kindCoded + kind(numActivities) // with an activity code while not ready; one set per code
	numKinds   = kindPaused + kind(numActivities)
)

// kindSet is a bit set of kind.
type kindSet uint32

func (k kind) bit() kindSet { return 1 << k }

// kindsOf returns the sets that contain a user on a channel, without kindOnService,
// which depends on the service.
func kindsOf(s state, code activity) kindSet {
	if s == stateOffline {
		return 0
	}
	set := kindLogged.bit()
	switch s {
	case stateOffline:
	case stateReady:
		set |= kindReady.bit()
	case stateNotReady:
		set |= kindNotReady.bit()
	case stateWNR:
		set |= kindPostCall.bit()
	case stateBooked, stateBusy, stateNotReadyBusy:
		set |= kindBusy.bit()
	case stateDNIn:
		set |= kindBusy.bit() | kindDN.bit() | kindDNIn.bit()
	case stateDNOut:
		set |= kindBusy.bit() | kindDN.bit() | kindDNOut.bit()
	case stateDNPrivate:
		set |= kindBusy.bit() | kindDN.bit() | kindDNPrivate.bit()
	}
	if code != activityNone {
		set |= (kindCoded + kind(code-1)).bit()
		if s == stateNotReady {
			set |= (kindPaused + kind(code-1)).bit()
		}
	}
	return set
}

// members is a sorted set of profile ids. snapshot is an immutable copy, made on demand
// after a change.
type members struct {
	ids      []int64
	snapshot []int64
	stale    bool
}

func (m *members) add(id int64) {
	if i, found := slices.BinarySearch(m.ids, id); !found {
		m.ids = slices.Insert(m.ids, i, id)
		m.stale = true
	}
}

func (m *members) remove(id int64) {
	if i, found := slices.BinarySearch(m.ids, id); found {
		m.ids = slices.Delete(m.ids, i, i+1)
		m.stale = true
	}
}

func (m *members) list() []int64 {
	if m.stale || m.snapshot == nil {
		m.snapshot = append(make([]int64, 0, len(m.ids)), m.ids...)
		m.stale = false
	}
	return m.snapshot
}

// roster holds the sets of users of a service, group or attendant on a channel.
type roster struct {
	sets [numKinds]members
}

// move moves a user from the sets before to the sets after.
func (r *roster) move(id int64, before, after kindSet) {
	for removed := before &^ after; removed != 0; removed &= removed - 1 {
		r.sets[bits.TrailingZeros32(uint32(removed))].remove(id)
	}
	for joined := after &^ before; joined != 0; joined &= joined - 1 {
		r.sets[bits.TrailingZeros32(uint32(joined))].add(id)
	}
}

func (r *roster) in(k kind) ProfilesInStatus {
	ids := r.sets[k].list()
	return ProfilesInStatus{Count: int64(len(ids)), ProfileIDs: ids}
}

// byActivity returns the sets of all activity codes. k is the first of them.
func (r *roster) byActivity(k kind) []ProfilesInActivity {
	out := make([]ProfilesInActivity, 0, numActivities)
	for _, code := range activities() {
		set := r.in(k + kind(code-1))
		out = append(out, ProfilesInActivity{ActivityCode: code.String(), Count: set.Count, ProfileIDs: set.ProfileIDs})
	}
	return out
}

func (r *roster) serviceUsers() ServiceUsers {
	return ServiceUsers{
		BusyOnDNCallInUsers:         r.in(kindDNIn),
		BusyOnDNCallOutUsers:        r.in(kindDNOut),
		BusyOnDNCallOutUsersPrivate: r.in(kindDNPrivate),
		BusyOnDNCallUsers:           r.in(kindDN),
		BusyOnServUsers:             r.in(kindOnService),
		BusyUsers:                   r.in(kindBusy),
		LoggedUsers:                 r.in(kindLogged),
		NotReadyUsers:               r.in(kindNotReady),
		NotReadyUsersOnActivityCode: r.byActivity(kindPaused),
		ActivityCodeIndicators:      r.byActivity(kindCoded),
		PostCallUsers:               r.in(kindPostCall),
		ReadyUsers:                  r.in(kindReady),
	}
}

func (r *roster) groupUsers() GroupUsers {
	return GroupUsers{
		LoggedUsers:                 r.in(kindLogged),
		NotReadyUsers:               r.in(kindNotReady),
		NotReadyUsersOnActivityCode: r.byActivity(kindPaused),
		PostCallUsers:               r.in(kindPostCall),
		ReadyUsers:                  r.in(kindReady),
	}
}

func (r *roster) attendantUsers() AttendantUsers {
	return AttendantUsers{
		BusyUsers:   r.in(kindBusy),
		ReadyUsers:  r.in(kindReady),
		LoggedUsers: r.in(kindLogged),
	}
}

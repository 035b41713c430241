package feeds

import (
	"maps"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/queries"
)

// On a floor of thousands, users constantly log in and out. Renewing the
// subscription for each of them would cost a full state of everybody. Newcomers
// get a small second subscription next to the large one, and users who left are
// ignored. Now and then the large subscription is renewed after all.

const (
	// maxNewcomers limits the names in the small subscription. It is made again
	// with all of them for each newcomer.
	maxNewcomers = 250
	// newcomersWithin is how long newcomers may be collected.
	newcomersWithin = 5 * time.Second
)

// newcomers describes how a subscription's coverage differs from that of its large
// part.
type newcomers struct {
	requests *dialect.Requests
	data     interface {
		Disown(names map[string]bool, now time.Time)
	}

	id      string              // id of the subscription for newcomers; "": none
	users   map[string]newcomer // newcomers it covers
	left    map[string]bool     // covered by the large one but no longer wanted
	pending newcomersRequest
	tooMuch bool // only renewing the large one can follow the change
	refused bool // the server refused a second one on this connection
}

// newcomer is a user whom the small subscription covers.
type newcomer struct {
	since time.Time // when they were requested
	alone bool      // the large one does not cover them
}

// newcomersRequest is the request of the pending subscription if that is to become the
// small one.
type newcomersRequest struct {
	queries.Request
	users map[string]newcomer
}

// filterChange is the difference between two filters.
type filterChange struct {
	stay   []string
	left   map[string]bool     // includes earlier leavers
	joined map[string]newcomer // includes earlier newcomers
	came   bool                // has new newcomers
	went   bool                // has new leavers
}

// compare compares the names and channels of the wanted filter with the covered
// ones. ok is false if the difference is too large for a small subscription.
func (j *newcomers) compare(want, have map[string]uint32, now time.Time) (c filterChange, ok bool) {
	c = filterChange{left: make(map[string]bool), joined: make(map[string]newcomer)}
	// Names are copied because a substring would keep the whole filter text
	// alive.
	for name, on := range have {
		switch {
		case want[name] == 0:
			c.left[strings.Clone(name)], c.went = true, true
		case on&^want[name] != 0 && !j.users[name].alone: // the large one still delivers the other channel
			return c, false
		default:
			c.stay = append(c.stay, name)
		}
	}
	for name := range j.left {
		if want[name] == 0 {
			c.left[name] = true
		}
	}
	for name, on := range want {
		n, there := j.users[name]
		switch {
		case on != have[name]:
			unknown := have[name] == 0 && !j.left[name]
			c.joined[strings.Clone(name)], c.came = newcomer{since: now, alone: n.alone || unknown}, true
		case there:
			c.joined[strings.Clone(name)] = n
		}
	}
	return c, len(c.joined) <= maxNewcomers && 4*len(c.left) <= len(have)
}

// accept stops ignoring the users who had left and are wanted again.
func (j *newcomers) accept(f *following, now time.Time) {
	if len(j.left) == 0 {
		return
	}
	is, left := f.wantedOn(), maps.Clone(j.left)
	maps.DeleteFunc(left, func(name string, _ bool) bool { return is[name] != 0 })
	j.data.Disown(left, now) // j.left is unchanged: the request that brings them back may fail
}

// ignore makes updates and answers skip the users who left.
func (j *newcomers) ignore(left map[string]bool, now time.Time) {
	j.left = left
	j.data.Disown(left, now)
}

// ignoreAgain ignores the users who left again, because the request that was to bring
// them back failed.
func (j *newcomers) ignoreAgain(now time.Time) {
	if len(j.left) > 0 {
		j.data.Disown(j.left, now)
	}
}

// activate makes the pending subscription the small one and returns the names
// that the previous small one did not cover.
func (j *newcomers) activate(pending string) (came []string) {
	for name := range j.pending.users {
		if _, there := j.users[name]; !there {
			came = append(came, name)
		}
	}
	j.id, j.users = pending, j.pending.users
	return came
}

// end ends the small subscription.
func (j *newcomers) end(now time.Time) {
	if j.id != "" {
		j.requests.Cancel(j.id)
	}
	j.data.Disown(nil, now)
	*j = newcomers{requests: j.requests, data: j.data, refused: j.refused}
}

// owns reports whether id is the small subscription or the one that will replace
// it.
func (j *newcomers) owns(id, pending string) bool {
	return id != "" && (id == j.id || j.pending.Ready && id == pending)
}

package feeds

import (
	"maps"
	"strings"
	"time"

	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
)

// On a floor of thousands somebody always comes or goes, and to make the
// subscription again for each of them would cost a full state of everybody. Who
// comes gets a small subscription beside the large one; who goes is forgotten.
// From time to time the large one is made again after all.

const (
	// maxJoined is how many names the small subscription bears. It is made again
	// with all of them for each who comes.
	maxJoined = 250
	// joinWithin is how long those who come may be collected.
	joinWithin = 5 * time.Second
)

// joined is what a subscription covers otherwise than its large part does.
type joined struct {
	requests *requests.Requests
	data     interface {
		Disown(names map[string]bool, now time.Time)
	}

	id      string              // of the subscription for those who came; "" while there is none
	who     map[string]newcomer // who it is for
	left    map[string]bool     // who was covered and is not wanted any more
	next    joining
	tooMuch bool // only the large one made again follows what changed
	refused bool // the server does not bear a second one on this connection
}

// newcomer is somebody whom the small subscription is for.
type newcomer struct {
	since time.Time // when they were asked for
	alone bool      // the large one knows nothing of them
}

// joining is what the pending subscription is for, if it is to take the place of
// the one beside the large one.
type joining struct {
	queries.Request
	who map[string]newcomer
}

// change is what makes another filter of one.
type change struct {
	stay   []string
	left   map[string]bool     // with those who left before
	joined map[string]newcomer // with those who came before
	came   bool                // there is somebody new among them
	went   bool                // who was covered is not wanted any more
}

// compare holds what is wanted against what is covered: the names, and the
// channels of each. ok is false where that is more than a small subscription
// beside the large one can bear.
func (j *joined) compare(want, have map[string]uint32, now time.Time) (c change, ok bool) {
	c = change{left: make(map[string]bool), joined: make(map[string]newcomer)}
	// What is kept of a filter is copied: a name holds on to all of its text.
	for name, on := range have {
		switch {
		case want[name] == 0:
			c.left[strings.Clone(name)], c.went = true, true
		case on&^want[name] != 0 && !j.who[name].alone: // the large one goes on about the other channel
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
		n, there := j.who[name]
		switch {
		case on != have[name]:
			unknown := have[name] == 0 && !j.left[name]
			c.joined[strings.Clone(name)], c.came = newcomer{since: now, alone: n.alone || unknown}, true
		case there:
			c.joined[strings.Clone(name)] = n
		}
	}
	return c, len(c.joined) <= maxJoined && 4*len(c.left) <= len(have)
}

// welcome takes the updates and answers about those again who had left and are
// wanted now.
func (j *joined) welcome(f *following, now time.Time) {
	if len(j.left) == 0 {
		return
	}
	is, left := f.wantedOn(), maps.Clone(j.left)
	maps.DeleteFunc(left, func(name string, _ bool) bool { return is[name] != 0 })
	j.data.Disown(left, now) // j.left stays as it is: what brings them may come to nothing
}

// dismiss forgets who has left.
func (j *joined) dismiss(left map[string]bool, now time.Time) {
	j.left = left
	j.data.Disown(left, now)
}

// stay dismisses those again who had left: what was to bring them came to nothing.
func (j *joined) stay(now time.Time) {
	if len(j.left) > 0 {
		j.data.Disown(j.left, now)
	}
}

// takeIn makes the pending subscription the one beside the large one. It returns
// who was not covered by the one before.
func (j *joined) takeIn(pending string) (came []string) {
	for name := range j.next.who {
		if _, there := j.who[name]; !there {
			came = append(came, name)
		}
	}
	j.id, j.who = pending, j.next.who
	return came
}

// leaveLarge ends what there is beside the large subscription.
func (j *joined) leaveLarge(now time.Time) {
	if j.id != "" {
		j.requests.Cancel(j.id)
	}
	j.data.Disown(nil, now)
	*j = joined{requests: j.requests, data: j.data, refused: j.refused}
}

// is reports whether an operation is the subscription beside the large one, or is to
// be.
func (j *joined) is(id, pending string) bool {
	return id != "" && (id == j.id || j.next.Ready && id == pending)
}

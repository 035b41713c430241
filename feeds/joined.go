package feeds

import (
	"maps"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/queries"
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

// joinable reports whether those who come may be asked for beside the large
// subscription.
func (s *sub) joinable() bool {
	return s.active != "" && s.progress.verified && s.filter.have.Keys >= largeKeys && !s.joined.refused &&
		!s.joined.tooMuch && !s.renew && s.poll == 0 && !s.speech.Keyless(s.doc.Root) && len(s.audit.Chunks) > 0
}

// follow makes the subscription cover what is wanted when that has settled.
func (s *sub) follow(now time.Time) {
	switch {
	case s.joinable():
		if now.Sub(s.filter.changed) >= reshapeAfter || now.Sub(s.filter.behind) >= joinWithin {
			s.joined.tooMuch = !s.join(now)
		}
	case s.renew || s.filter.settled(s.hand.took, now):
		s.subscribe(now)
	}
}

// join follows a changed filter without making the large subscription again. It
// returns false where that cannot be.
func (s *sub) join(now time.Time) bool {
	want, have := s.parsed.of(s.filter.want.Filter), s.parsed.of(s.filter.have.Filter)
	if queries.Terms(want) != queries.Terms(have) {
		return false
	}
	c, ok := s.joined.compare(want.Channels(), have.Channels(), now)
	if !ok {
		return false
	}
	s.dismiss(c.left, now)
	if s.status.Keys = s.filter.want.Keys; !c.came {
		s.joined.who, s.filter.have = c.joined, s.filter.want
		return true
	}
	if c.went {
		slices.Sort(c.stay)
		s.filter.have = have.Request(c.stay)
	}
	r := want.Request(slices.Sorted(maps.Keys(c.joined)))
	if id, err := s.requests.Send(queries.KindSubscription, r, now); err == nil { // else the session has ended
		s.await(id, now)
		s.joined.next = joining{r, c.joined}
	}
	return true
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
func (s *sub) welcome(now time.Time) {
	if len(s.joined.left) == 0 {
		return
	}
	is, left := s.parsed.of(s.filter.want.Filter).Channels(), maps.Clone(s.joined.left)
	maps.DeleteFunc(left, func(name string, _ bool) bool { return is[name] != 0 })
	s.data.Disown(left, now) // joined.left stays as it is: what brings them may come to nothing
}

// dismiss forgets who has left.
func (s *sub) dismiss(left map[string]bool, now time.Time) {
	s.joined.left = left
	s.data.Disown(left, now)
	s.audit.Dismiss(left)
}

// takeIn makes the pending subscription the one beside the large one.
func (s *sub) takeIn() {
	for name := range s.joined.next.who {
		if _, there := s.joined.who[name]; !there {
			s.audit.Admit(name)
		}
	}
	s.joined.id, s.joined.who, s.filter.have = s.hand.pending, s.joined.next.who, s.hand.fresh
}

// leaveLarge ends what there is beside the large subscription.
func (s *sub) leaveLarge(now time.Time) {
	if s.joined.id != "" {
		s.requests.Cancel(s.joined.id)
	}
	s.data.Disown(nil, now)
	s.joined = joined{refused: s.joined.refused}
}

// small reports whether an operation is the subscription beside the large one, or
// is to be.
func (s *sub) small(id string) bool {
	return id != "" && (id == s.joined.id || s.joined.next.Ready && id == s.hand.pending)
}

// loseSmall does without a second subscription, which the server has ended.
func (s *sub) loseSmall(id string, now time.Time) {
	s.joined.refused, s.renew = true, true
	if id == s.hand.pending {
		s.drop(id, now)
		return
	}
	s.requests.Cancel(id) // errors do not end it everywhere
	if s.joined.id = ""; !s.joined.next.Ready {
		s.losses.since = now
	}
}

// Package together knows who looks at the boards of one server, and carries what they
// say to each other. It knows no board and keeps nothing.
package together

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/model"
)

// The bounds of what people say.
const (
	MaxText   = 200 // characters of a message
	burst     = 5   // messages and turns of somebody at once
	refill    = 2 * time.Second
	mostWaits = 32 // events that wait for a board that takes none; the oldest go
)

// Guest is who looks.
type Guest struct {
	Name  string
	Wall  bool // nobody operates the board
	Turns bool // they may turn the pages of walls
}

// Person is somebody as the others see them.
type Person struct {
	Name  string
	Wall  bool
	Since time.Time // when the first of their boards came
}

// Place is where somebody is on their board.
type Place struct {
	Page    string
	Channel model.Channel
}

// Kind is what happened.
type Kind int

// The kinds of events.
const (
	Said     Kind = iota // From says Text; without one what was said About something is over
	Turned               // From wants a wall to show Page
	Asked                // From asks to follow this board
	Allowed              // From lets this board follow them
	Refused              // From does not
	Led                  // who is followed is at Place
	Followed             // From follows this board no more
	Left                 // who is followed has gone, or leads no more
	Acted                // somebody has done something about alerts
)

// Event is what one board is told of another.
type Event struct {
	Kind  Kind
	From  string
	Text  string
	About string // of what nobody says: which situation it is about
	Place Place
}

// Why something that somebody wants of others is not done.
var (
	ErrNobody  = errors.New("nobody of that name looks now")
	ErrAlone   = errors.New("nobody else looks now")
	ErrNoWall  = errors.New("no wall of that name hangs here")
	ErrTooMuch = errors.New("that was too much at once: wait a moment")
	ErrMayNot  = errors.New("your role cannot turn the pages of a wall")
	ErrEmpty   = errors.New("there is nothing to say")
	ErrSelf    = errors.New("that is you")
)

// Room is where people look together. It is safe for concurrent use.
type Room struct {
	now func() time.Time

	mu      sync.Mutex
	seats   []*Seat // in the order of coming
	people  []Person
	version uint64
}

// New returns an empty room. now is the clock; nil is [time.Now].
func New(now func() time.Time) *Room {
	if now == nil {
		now = time.Now
	}
	return &Room{now: now}
}

// Seat is one board in a room. It is safe for concurrent use.
type Seat struct {
	room  *Room
	guest Guest
	since time.Time
	more  chan struct{} // there is an event

	// What follows belongs to the room's lock.
	events []Event
	left   float64 // of the burst
	last   time.Time
	place  Place
	leader *Seat   // whom this board follows; nil: nobody
	asked  []*Seat // who want to follow this board
}

// Enter gives somebody's board a seat until it leaves.
func (r *Room) Enter(g Guest) *Seat {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	s := &Seat{room: r, guest: g, since: now, last: now, left: burst, more: make(chan struct{}, 1)}
	r.seats = append(r.seats, s)
	r.count()
	return s
}

// Leave gives the seat back. Who followed is told.
func (s *Seat) Leave() {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seats = slices.DeleteFunc(r.seats, func(o *Seat) bool { return o == s })
	s.unfollow()
	for _, o := range r.seats {
		o.asked = slices.DeleteFunc(o.asked, func(a *Seat) bool { return a == s })
		if o.leader == s {
			o.leader = nil
			o.tell(Event{Kind: Left, From: s.guest.Name})
		}
	}
	r.count()
}

// count notes who is there.
func (r *Room) count() {
	r.version++
	r.people = nil
	for _, s := range r.seats {
		if !slices.ContainsFunc(r.people, func(p Person) bool { return p.Name == s.guest.Name }) {
			r.people = append(r.people, Person{s.guest.Name, s.guest.Wall, s.since})
		}
	}
}

// People are those who look, in the order of coming, and a number that is another one
// when they are others. The list must not be changed.
func (r *Room) People() ([]Person, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.people, r.version
}

// Everybody tells all people, not walls, what nobody of them has said about something, in
// place of what they were told about it before. Without a text that is over.
func (r *Room) Everybody(about, text string, to func(name string) bool) {
	text = model.CleanText(text, model.MaxBody)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.seats {
		if !o.guest.Wall && to(o.guest.Name) {
			o.tell(Event{Kind: Said, Text: text, About: about})
		}
	}
}

// Acted tells every board that somebody has done something about alerts.
func (r *Room) Acted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.seats {
		o.tell(Event{Kind: Acted})
	}
}

// Me is whose seat it is.
func (s *Seat) Me() Guest { return s.guest }

// People are those who look, as [Room.People] has them.
func (s *Seat) People() ([]Person, uint64) { return s.room.People() }

// tell has a board hear of an event. The caller holds the lock.
func (s *Seat) tell(e Event) {
	if e.Kind == Led || e.Kind == Acted { // only where they are now matters, and what is now
		s.events = slices.DeleteFunc(s.events, func(o Event) bool { return o.Kind == e.Kind })
	}
	s.events = append(s.events, e)
	s.events = s.events[max(0, len(s.events)-mostWaits):]
	select {
	case s.more <- struct{}{}:
	default: // it knows
	}
}

// Next returns the next event, or the context's error.
func (s *Seat) Next(ctx context.Context) (Event, error) {
	for {
		s.room.mu.Lock()
		if len(s.events) > 0 {
			e := s.events[0]
			s.events = s.events[1:]
			s.room.mu.Unlock()
			return e, nil
		}
		s.room.mu.Unlock()
		select {
		case <-s.more:
		case <-ctx.Done():
			return Event{}, ctx.Err() //nolint:wrapcheck // it is the caller's
		}
	}
}

// pays takes one of the burst, and reports whether there was one.
func (s *Seat) pays() bool {
	now := s.room.now()
	s.left = min(burst, s.left+max(0, now.Sub(s.last).Seconds())/refill.Seconds())
	s.last = now
	if s.left < 1 {
		return false
	}
	s.left--
	return true
}

// named are the boards of others by a name, whatever its case.
func (s *Seat) named(name string) []*Seat {
	var out []*Seat
	for _, o := range s.room.seats {
		if o != s && strings.EqualFold(o.guest.Name, name) {
			out = append(out, o)
		}
	}
	return out
}

// Say tells a message to the boards of a name, "" for all people but walls, and
// returns how many boards hear it. Errors: ErrEmpty, ErrNobody, ErrAlone, ErrTooMuch.
func (s *Seat) Say(to, text string) (int, error) {
	text = strings.TrimSpace(text)
	if r := []rune(text); len(r) > MaxText {
		text = string(r[:MaxText])
	}
	text = model.CleanText(text, model.MaxBody)
	if text == "" {
		return 0, ErrEmpty
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	hear := s.named(to)
	if to == "" {
		hear = slices.DeleteFunc(slices.Clone(s.room.seats), func(o *Seat) bool { return o == s || o.guest.Wall })
	}
	switch {
	case len(hear) == 0 && to == "":
		return 0, ErrAlone
	case len(hear) == 0:
		return 0, ErrNobody
	case !s.pays():
		return 0, ErrTooMuch
	}
	for _, o := range hear {
		o.tell(Event{Kind: Said, From: s.guest.Name, Text: text})
	}
	return len(hear), nil
}

// Turn has walls of a name show a page, and returns how many do. Errors: ErrMayNot,
// ErrNoWall, ErrTooMuch.
func (s *Seat) Turn(wall, page string) (int, error) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	walls := slices.DeleteFunc(s.named(wall), func(o *Seat) bool { return !o.guest.Wall })
	switch {
	case !s.guest.Turns:
		return 0, ErrMayNot
	case len(walls) == 0:
		return 0, ErrNoWall
	case !s.pays():
		return 0, ErrTooMuch
	}
	for _, o := range walls {
		o.tell(Event{Kind: Turned, From: s.guest.Name, Place: Place{Page: page}})
	}
	return len(walls), nil
}

// Ask asks the people of a name to be followed. Errors: ErrNobody, ErrSelf,
// ErrTooMuch.
func (s *Seat) Ask(name string) error {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	people := slices.DeleteFunc(s.named(name), func(o *Seat) bool { return o.guest.Wall || o.guest.Name == s.guest.Name })
	switch {
	case strings.EqualFold(name, s.guest.Name):
		return ErrSelf
	case len(people) == 0:
		return ErrNobody
	case !s.pays():
		return ErrTooMuch
	}
	for _, o := range people {
		if !slices.Contains(o.asked, s) {
			o.asked = append(o.asked, s)
		}
		o.tell(Event{Kind: Asked, From: s.guest.Name}) // who did not answer is asked again
	}
	return nil
}

// Answer says whether who asked may follow this board, and returns how many boards of
// theirs still wanted to know.
func (s *Seat) Answer(name string, may bool) int {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	n := 0
	for _, o := range s.asked {
		if o.guest.Name != name {
			continue
		}
		n++
		if !may {
			o.tell(Event{Kind: Refused, From: s.guest.Name})
			continue
		}
		o.unfollow()
		o.leader = s
		o.tell(Event{Kind: Allowed, From: s.guest.Name})
		o.tell(Event{Kind: Led, From: s.guest.Name, Place: s.place})
	}
	s.asked = slices.DeleteFunc(s.asked, func(o *Seat) bool { return o.guest.Name == name })
	return n
}

// Unfollow ends to follow, and reports whether anybody was followed.
func (s *Seat) Unfollow() bool {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.unfollow()
}

func (s *Seat) unfollow() bool {
	l := s.leader
	if s.leader = nil; l != nil {
		l.tell(Event{Kind: Followed, From: s.guest.Name})
	}
	return l != nil
}

// Alone has nobody follow this board any more, and returns how many did.
func (s *Seat) Alone() int {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	n := 0
	for _, o := range s.room.seats {
		if o.leader == s {
			o.leader = nil
			o.tell(Event{Kind: Left, From: s.guest.Name})
			n++
		}
	}
	return n
}

// At tells those who follow where this board is.
func (s *Seat) At(p Place) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.place == p {
		return
	}
	s.place = p
	for _, o := range s.room.seats {
		if o.leader == s {
			o.tell(Event{Kind: Led, From: s.guest.Name, Place: p})
		}
	}
}

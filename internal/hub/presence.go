package hub

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
)

// Limits of messages and events.
const (
	MaxMessageLength = 200 // maximum length of a message in characters
	maxBurst         = 5   // maximum number of messages and page turns in a burst
	refillInterval   = 2 * time.Second
	maxQueued        = 32 // maximum length of a board's queue of events; the oldest events are dropped
)

// Participant describes the viewer of a board to the room.
type Participant struct {
	Name         string
	Wall         bool // true for an unattended board
	CanTurnWalls bool // the viewer may turn the pages of walls
}

// RoomViewer describes a viewer to the other viewers.
type RoomViewer struct {
	Name  string
	Wall  bool
	Since time.Time // time at which the first board of the viewer connected
}

// Location is the position of a viewer on their board.
type Location struct {
	Page    string
	Channel model.Channel
}

// EventKind is the kind of an event.
type EventKind int

// Kinds of events.
const (
	EventMessage       EventKind = iota // From sends Text, or the server sends ServerText; without a text, the message about SituationID is withdrawn
	EventTurnPage                       // From asks a wall to show Location.Page
	EventFollowRequest                  // From asks to follow this board
	EventFollowAllowed                  // From allows this board to follow them
	EventFollowRefused                  // From does not allow this board to follow them
	EventLocation                       // the followed viewer is now at Location
	EventUnfollowed                     // From no longer follows this board
	EventLeaderLeft                     // the followed viewer has left or no longer allows followers
	EventAlertAction                    // some viewer has acknowledged or snoozed an alert
)

// Event is a message to a board. It comes from another board or the server.
type Event struct {
	Kind        EventKind
	From        string
	Text        string     // text of a message from another viewer
	ServerText  words.Text // text of a message from the server
	SituationID string     // situation that a message of the server is about; "": none
	Location    Location
}

// Reasons for the room to refuse a request of a board.
var (
	ErrNoViewer       = errors.New("no viewer of that name is connected")
	ErrNoOtherViewers = errors.New("no other viewer is connected")
	ErrNoWall         = errors.New("no wall of that name is connected")
	ErrRateLimit      = errors.New("too many messages at once: wait a moment")
	ErrNotPermitted   = errors.New("your role cannot turn the pages of a wall")
	ErrEmpty          = errors.New("the message is empty")
	ErrSameViewer     = errors.New("that is you")
)

// Room connects the boards of a server. It is safe for concurrent use.
type Room struct {
	now func() time.Time

	mu      sync.Mutex
	members []*RoomMember // in the order of arrival
	viewers []RoomViewer
	version uint64
}

// NewRoom returns an empty room. now returns the current time; a nil now means [time.Now].
func NewRoom(now func() time.Time) *Room {
	if now == nil {
		now = time.Now
	}
	return &Room{now: now}
}

// RoomMember connects a board to a room. It is safe for concurrent use.
type RoomMember struct {
	room     *Room
	viewer   Participant
	since    time.Time
	newEvent chan struct{} // signals that events has a new event

	// The lock of the room guards the fields below.
	events     []Event
	tokens     float64 // number of messages that the board may send at once now
	refilledAt time.Time
	location   Location
	leader     *RoomMember   // the board that this board follows; nil: none
	requests   []*RoomMember // boards that want to follow this board
}

// Enter adds a board with its viewer to the room. [RoomMember.Leave] removes it.
func (r *Room) Enter(viewer Participant) *RoomMember {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	s := &RoomMember{room: r, viewer: viewer, since: now, refilledAt: now, tokens: maxBurst, newEvent: make(chan struct{}, 1)}
	r.members = append(r.members, s)
	r.updateViewers()
	return s
}

// Leave removes the board from the room. The boards that follow it get EventLeaderLeft.
func (s *RoomMember) Leave() {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = slices.DeleteFunc(r.members, func(o *RoomMember) bool { return o == s })
	s.unfollow()
	for _, o := range r.members {
		o.requests = slices.DeleteFunc(o.requests, func(a *RoomMember) bool { return a == s })
		if o.leader == s {
			o.leader = nil
			o.queueEvent(Event{Kind: EventLeaderLeft, From: s.viewer.Name})
		}
	}
	r.updateViewers()
}

// updateViewers recomputes the list of viewers from the members. The caller must hold the lock.
func (r *Room) updateViewers() {
	r.version++
	r.viewers = nil
	for _, s := range r.members {
		if !slices.ContainsFunc(r.viewers, func(p RoomViewer) bool { return p.Name == s.viewer.Name }) {
			r.viewers = append(r.viewers, RoomViewer{s.viewer.Name, s.viewer.Wall, s.since})
		}
	}
}

// Viewers returns the viewers in order of arrival, each viewer once. The second result is a
// version number that changes with the list. Callers must not change the list.
func (r *Room) Viewers() ([]RoomViewer, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.viewers, r.version
}

// Broadcast sends a message of the server about a situation to the viewers whose names the
// function to accepts, except walls. On the boards, the message replaces an earlier one about
// the same situation. The zero Text only withdraws the earlier message.
func (r *Room) Broadcast(about string, text words.Text, to func(name string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.members {
		if !o.viewer.Wall && to(o.viewer.Name) {
			o.queueEvent(Event{Kind: EventMessage, ServerText: text, SituationID: about})
		}
	}
}

// NotifyAlertAction sends EventAlertAction to all boards. It must be called after a viewer has
// acknowledged or snoozed an alert.
func (r *Room) NotifyAlertAction() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.members {
		o.queueEvent(Event{Kind: EventAlertAction})
	}
}

// Viewer returns the viewer of the board.
func (s *RoomMember) Viewer() Participant { return s.viewer }

// Viewers returns the viewers, like [Room.Viewers].
func (s *RoomMember) Viewers() ([]RoomViewer, uint64) { return s.room.Viewers() }

// queueEvent adds an event to the board's queue. A full queue drops its oldest event. The
// caller must hold the lock of the room.
func (s *RoomMember) queueEvent(e Event) {
	if e.Kind == EventLocation || e.Kind == EventAlertAction { // only the latest event of these kinds is kept
		s.events = slices.DeleteFunc(s.events, func(o Event) bool { return o.Kind == e.Kind })
	}
	s.events = append(s.events, e)
	s.events = s.events[max(0, len(s.events)-maxQueued):]
	select {
	case s.newEvent <- struct{}{}:
	default: // a signal is already pending
	}
}

// NextEvent waits for the next event of the board and returns it. If the context ends first, it returns
// the error of the context.
func (s *RoomMember) NextEvent(ctx context.Context) (Event, error) {
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
		case <-s.newEvent:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// takeToken reports whether the board may send a message now and, if so, counts the message.
// The caller must hold the lock of the room.
func (s *RoomMember) takeToken() bool {
	now := s.room.now()
	s.tokens = min(maxBurst, s.tokens+max(0, now.Sub(s.refilledAt).Seconds())/refillInterval.Seconds())
	s.refilledAt = now
	if s.tokens < 1 {
		return false
	}
	s.tokens--
	return true
}

// boardsOf returns the boards of the viewer with the given name, except s. It ignores case.
func (s *RoomMember) boardsOf(name string) []*RoomMember {
	var out []*RoomMember
	for _, o := range s.room.members {
		if o != s && textnorm.SameName(o.viewer.Name, name) {
			out = append(out, o)
		}
	}
	return out
}

// SendMessage sends a message, shortened to MaxMessageLength characters, to the other boards of the
// viewer named to. If to is "", it sends the message to all other boards except walls. It
// returns the number of boards that get the message. The error is ErrEmpty, ErrNoViewer,
// ErrNoOtherViewers or ErrRateLimit.
func (s *RoomMember) SendMessage(to, text string) (int, error) {
	text = strings.TrimSpace(text)
	if r := []rune(text); len(r) > MaxMessageLength {
		text = string(r[:MaxMessageLength])
	}
	text = model.CleanText(text, model.MaxBody)
	if text == "" {
		return 0, ErrEmpty
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	hear := s.boardsOf(to)
	if to == "" {
		hear = slices.DeleteFunc(slices.Clone(s.room.members), func(o *RoomMember) bool { return o == s || o.viewer.Wall })
	}
	switch {
	case len(hear) == 0 && to == "":
		return 0, ErrNoOtherViewers
	case len(hear) == 0:
		return 0, ErrNoViewer
	case !s.takeToken():
		return 0, ErrRateLimit
	}
	for _, o := range hear {
		o.queueEvent(Event{Kind: EventMessage, From: s.viewer.Name, Text: text})
	}
	return len(hear), nil
}

// TurnPage makes all walls with the given name show a page, and returns the number of these
// walls. The error is ErrNotPermitted, ErrNoWall or ErrRateLimit.
func (s *RoomMember) TurnPage(wall, page string) (int, error) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	walls := slices.DeleteFunc(s.boardsOf(wall), func(o *RoomMember) bool { return !o.viewer.Wall })
	switch {
	case !s.viewer.CanTurnWalls:
		return 0, ErrNotPermitted
	case len(walls) == 0:
		return 0, ErrNoWall
	case !s.takeToken():
		return 0, ErrRateLimit
	}
	for _, o := range walls {
		o.queueEvent(Event{Kind: EventTurnPage, From: s.viewer.Name, Location: Location{Page: page}})
	}
	return len(walls), nil
}

// RequestFollow asks the viewer with the given name whether this board may follow them. The
// error is ErrNoViewer, ErrSameViewer or ErrRateLimit.
func (s *RoomMember) RequestFollow(name string) error {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	people := slices.DeleteFunc(s.boardsOf(name), func(o *RoomMember) bool { return o.viewer.Wall || o.viewer.Name == s.viewer.Name })
	switch {
	case textnorm.SameName(name, s.viewer.Name):
		return ErrSameViewer
	case len(people) == 0:
		return ErrNoViewer
	case !s.takeToken():
		return ErrRateLimit
	}
	for _, o := range people {
		if !slices.Contains(o.requests, s) {
			o.requests = append(o.requests, s)
		}
		o.queueEvent(Event{Kind: EventFollowRequest, From: s.viewer.Name}) // also if an earlier request was not answered
	}
	return nil
}

// AnswerFollow answers the request of the named viewer to follow this board. It returns the
// number of boards of that viewer that were waiting for the answer.
func (s *RoomMember) AnswerFollow(name string, allowed bool) int {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	n := 0
	for _, o := range s.requests {
		if o.viewer.Name != name {
			continue
		}
		n++
		if !allowed {
			o.queueEvent(Event{Kind: EventFollowRefused, From: s.viewer.Name})
			continue
		}
		o.unfollow()
		o.leader = s
		o.queueEvent(Event{Kind: EventFollowAllowed, From: s.viewer.Name})
		o.queueEvent(Event{Kind: EventLocation, From: s.viewer.Name, Location: s.location})
	}
	s.requests = slices.DeleteFunc(s.requests, func(o *RoomMember) bool { return o.viewer.Name == name })
	return n
}

// Unfollow stops following another board. It returns false if this board was not following any.
func (s *RoomMember) Unfollow() bool {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.unfollow()
}

func (s *RoomMember) unfollow() bool {
	l := s.leader
	if s.leader = nil; l != nil {
		l.queueEvent(Event{Kind: EventUnfollowed, From: s.viewer.Name})
	}
	return l != nil
}

// DropFollowers makes all followers of this board stop following it, and returns their number.
func (s *RoomMember) DropFollowers() int {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	n := 0
	for _, o := range s.room.members {
		if o.leader == s {
			o.leader = nil
			o.queueEvent(Event{Kind: EventLeaderLeft, From: s.viewer.Name})
			n++
		}
	}
	return n
}

// SetLocation sets the position of this board. If it has changed, the room sends it to the boards
// that follow this board.
func (s *RoomMember) SetLocation(p Location) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.location == p {
		return
	}
	s.location = p
	for _, o := range s.room.members {
		if o.leader == s {
			o.queueEvent(Event{Kind: EventLocation, From: s.viewer.Name, Location: p})
		}
	}
}

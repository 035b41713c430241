package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/words"
)

// room returns a room with a clock, anna, ben (who may turn pages of walls), and a wall.
func room() (r *Room, anna, ben, hall *RoomMember, now *time.Time) {
	now = new(time.Time)
	*now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	r = NewRoom(func() time.Time { return *now })
	return r, r.Enter(Participant{Name: "anna"}), r.Enter(Participant{Name: "ben", CanTurnWalls: true}), r.Enter(Participant{Name: "hall", Wall: true}), now
}

// told returns the queued events of a board.
func told(s *RoomMember) (list []Event) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	list, s.events = s.events, nil
	return list
}

func want(t *testing.T, s *RoomMember, events ...Event) {
	t.Helper()
	if diff := cmp.Diff(events, told(s)); diff != "" {
		t.Errorf("%s: %s", s.viewer.Name, diff)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	_, anna, ben, hall, now := room()
	if n, err := anna.SendMessage("", " lunch\x1b[31m at one "); n != 1 || err != nil {
		t.Errorf("%d boards, %v", n, err)
	}
	want(t, ben, Event{Kind: EventMessage, From: "anna", Text: "lunch␛[31m at one"})
	want(t, hall)
	want(t, anna)
	if n, err := anna.SendMessage("HALL", strings.Repeat("ü", 500)); n != 1 || err != nil {
		t.Errorf("%d boards, %v", n, err)
	}
	if e := told(hall); len(e) != 1 || len([]rune(e[0].Text)) != MaxMessageLength {
		t.Errorf("the wall hears %+v", e)
	}
	for to, wrong := range map[string]error{"carl": ErrNoViewer, "anna": ErrNoViewer} {
		if _, err := anna.SendMessage(to, "x"); !errors.Is(err, wrong) {
			t.Errorf("to %s: %v", to, err)
		}
	}
	if _, err := anna.SendMessage("", " \n "); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	for range maxBurst - 2 {
		if _, err := anna.SendMessage("", "again"); err != nil {
			t.Error(err)
		}
	}
	if _, err := anna.SendMessage("", "and again"); !errors.Is(err, ErrRateLimit) {
		t.Error(err)
	}
	*now = now.Add(refillInterval)
	if _, err := anna.SendMessage("", "later"); err != nil {
		t.Error(err)
	}
	ben.Leave()
	if _, err := anna.SendMessage("", "x"); !errors.Is(err, ErrNoOtherViewers) {
		t.Error(err)
	}
}

// TestNameInAnotherEncoding sends a message to a viewer whose name is typed in decomposed form.
func TestNameInAnotherEncoding(t *testing.T) {
	t.Parallel()
	r, anna, _, _, _ := room()
	r.Enter(Participant{Name: "José"})
	if n, err := anna.SendMessage("jose\u0301", "hello"); n != 1 || err != nil {
		t.Errorf("%d boards, %v", n, err)
	}
	if err := r.Enter(Participant{Name: "José"}).RequestFollow("JOSE\u0301"); !errors.Is(err, ErrSameViewer) {
		t.Errorf("a board requests to follow itself: %v", err)
	}
}

func TestWalls(t *testing.T) {
	t.Parallel()
	_, anna, ben, hall, _ := room()
	if _, err := anna.TurnPage("hall", "Services"); !errors.Is(err, ErrNotPermitted) {
		t.Error(err)
	}
	if _, err := ben.TurnPage("anna", "Services"); !errors.Is(err, ErrNoWall) {
		t.Error(err)
	}
	if n, err := ben.TurnPage("Hall", "Services"); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	want(t, hall, Event{Kind: EventTurnPage, From: "ben", Location: Location{Page: "Services"}})
	want(t, anna)
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	_, anna, ben, _, _ := room()
	anna.SetLocation(Location{Page: "Agents"})
	if err := ben.RequestFollow("ben"); !errors.Is(err, ErrSameViewer) {
		t.Error(err)
	}
	if err := ben.RequestFollow("hall"); !errors.Is(err, ErrNoViewer) {
		t.Error(err)
	}
	anna.SetLocation(Location{Page: "Services"})
	want(t, ben) // anna has not allowed ben to follow
	if err := ben.RequestFollow("Anna"); err != nil {
		t.Error(err)
	}
	want(t, anna, Event{Kind: EventFollowRequest, From: "ben"})
	if n := anna.AnswerFollow("ben", false); n != 1 {
		t.Errorf("%d boards were answered", n)
	}
	if n := anna.AnswerFollow("ben", true); n != 0 {
		t.Errorf("%d boards were answered twice", n)
	}
	want(t, ben, Event{Kind: EventFollowRefused, From: "anna"})
	_ = ben.RequestFollow("anna")
	told(anna)
	anna.AnswerFollow("ben", true)
	want(t, ben, Event{Kind: EventFollowAllowed, From: "anna"}, Event{Kind: EventLocation, From: "anna", Location: Location{Page: "Services"}})
	for i := range 100 {
		anna.SetLocation(Location{Page: fmt.Sprint("page ", i)})
	}
	want(t, ben, Event{Kind: EventLocation, From: "anna", Location: Location{Page: "page 99"}}) // only the latest place
	if !ben.Unfollow() || ben.Unfollow() {
		t.Error("following must end once")
	}
	want(t, anna, Event{Kind: EventUnfollowed, From: "ben"})
	anna.SetLocation(Location{Page: "Feed"})
	want(t, ben)
	_ = ben.RequestFollow("anna")
	anna.AnswerFollow("ben", true)
	told(ben)
	if anna.DropFollowers() != 1 || anna.DropFollowers() != 0 {
		t.Error("the followers were not dropped exactly once")
	}
	want(t, ben, Event{Kind: EventLeaderLeft, From: "anna"})
	_ = ben.RequestFollow("anna")
	anna.AnswerFollow("ben", true)
	told(ben)
	anna.Leave()
	want(t, ben, Event{Kind: EventLeaderLeft, From: "anna"})
}

func TestPresence(t *testing.T) {
	t.Parallel()
	r, anna, _, _, _ := room()
	again := r.Enter(Participant{Name: "anna"})
	people, before := anna.Viewers()
	var names []string
	for _, p := range people {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"anna", "ben", "hall"}) {
		t.Error(names)
	}
	again.Leave()
	if people, now := anna.Viewers(); now == before || len(people) != 3 {
		t.Error("a user with another board has disappeared")
	}
	r.Broadcast("sales", words.Name("Sales is nobody's"), func(name string) bool { return name != "ben" })
	want(t, anna, Event{Kind: EventMessage, ServerText: words.Name("Sales is nobody's"), SituationID: "sales"})
}

// TestManyInARoom lets boards enter, leave and send messages concurrently, while one board reads no
// events.
func TestManyInARoom(t *testing.T) {
	t.Parallel()
	r := NewRoom(nil)
	deaf := r.Enter(Participant{Name: "deaf"})
	ctx, cancel := context.WithCancel(t.Context())
	var talk, hear sync.WaitGroup
	for i := range 20 {
		talk.Go(func() {
			for n := range 50 {
				s := r.Enter(Participant{Name: fmt.Sprint("user ", i), CanTurnWalls: true})
				hear.Go(func() {
					for {
						if _, err := s.NextEvent(ctx); err != nil {
							return
						}
					}
				})
				_, _ = s.SendMessage("", "hello")
				_ = s.RequestFollow(fmt.Sprint("user ", n%20))
				s.AnswerFollow(fmt.Sprint("user ", n%20), true)
				s.SetLocation(Location{Page: fmt.Sprint(n)})
				s.Leave()
			}
		})
	}
	talk.Wait()
	if n := len(told(deaf)); n == 0 || n > maxQueued {
		t.Errorf("%d events wait", n)
	}
	if people, _ := r.Viewers(); len(people) != 1 {
		t.Errorf("%d are left", len(people))
	}
	cancel()
	hear.Wait()
}

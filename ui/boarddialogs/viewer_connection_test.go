package boarddialogs

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// testBoard is a board of a viewer. It records notices and the page on the screen.
type testBoard struct {
	now     time.Time
	place   hub.Location
	notices []string
	changed int // calls of AlertsChanged
}

func (b *testBoard) ShowMessage(text string) tea.Cmd { b.notices = append(b.notices, text); return nil }
func (b *testBoard) OpenPage(p hub.Location)         { b.place = p }
func (b *testBoard) Location() hub.Location          { return b.place }
func (b *testBoard) Now() time.Time                  { return b.now }
func (b *testBoard) AlertsChanged()                  { b.changed++ }

func (b *testBoard) FindPage(name string) (string, bool) {
	return "Services", strings.EqualFold(name, "services")
}

// Look implements [dialog.Host].
func (b *testBoard) Look() *style.Look { return &style.Look{} }

// Platform implements [dialog.Host].
func (b *testBoard) Platform() string { return "" }

// Width implements [dialog.Host].
func (b *testBoard) Width() int { return 80 }

// Context implements [dialog.Host].
func (b *testBoard) Context() context.Context { return context.Background() }

// enter returns the connection and the board of a new viewer in a room.
func enter(room *hub.Room, p hub.Participant) (*ViewerConnection, *testBoard) {
	b := &testBoard{now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	return NewViewerConnection(ViewersOptions{Member: room.Enter(p)}, dialog.NewStack(b), b), b
}

// TestAddressee cuts names of viewers, in any encoding, from the beginning of a line.
func TestAddressee(t *testing.T) {
	t.Parallel()
	room := hub.NewRoom(time.Now)
	room.Enter(hub.Participant{Name: "José"})
	room.Enter(hub.Participant{Name: "José Luis"})
	s, _ := enter(room, hub.Participant{Name: "anna"})
	for text, want := range map[string][2]string{
		"jose\u0301 hello": {"José", "hello"}, "JOSÉ LUIS  hello": {"José Luis", "hello"}, "joséx": {"", "joséx"}, "jose hello": {"", "jose hello"},
	} {
		if name, rest := s.splitAddressee(text); name != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", text, name, rest)
		}
	}
}

// TestMessages checks that a message goes to the named viewer, that a board shows at most
// maxMessages of them and each for messageLifetime, and that a newer message about a topic replaces
// the earlier one.
func TestMessages(t *testing.T) {
	t.Parallel()
	room := hub.NewRoom(time.Now)
	anna, annaBoard := enter(room, hub.Participant{Name: "anna"})
	luca, lucaBoard := enter(room, hub.Participant{Name: "luca"})
	for _, line := range []string{"tell luca one", "tell two"} {
		commands := anna.ParseCommand(line)
		if len(commands) != 1 {
			t.Fatalf("%q: %d commands", line, len(commands))
		}
		commands[0].Run()
	}
	if want := []string{"Sent to 1 board.", "Sent to 1 board."}; !slices.Equal(annaBoard.notices, want) {
		t.Errorf("notices %q, want %q", annaBoard.notices, want)
	}
	for range 2 {
		luca.handleEvent(luca.Wait(t.Context())().(viewerEventMsg).event)
	}
	if got, want := luca.Messages(), []string{"anna: one", "anna: two"}; !slices.Equal(got, want) {
		t.Errorf("messages %q, want %q", got, want)
	}
	for _, text := range []string{"three", "four", "five"} {
		luca.handleEvent(hub.Event{Kind: hub.EventMessage, Text: text, SituationID: "topic of " + text[:1]})
	}
	if got, want := luca.Messages(), []string{"anna: two", "three", "five"}; !slices.Equal(got, want) {
		t.Errorf("messages %q, want %q", got, want) // "five" has the topic of "four"
	}
	lucaBoard.now = lucaBoard.now.Add(messageLifetime)
	if got := luca.Messages(); len(got) > 0 {
		t.Errorf("after %v: %q", messageLifetime, got)
	}
}

// TestFollowing checks that a follower's board goes where the leader's board goes, and stops
// following when its viewer opens another page.
func TestFollowing(t *testing.T) {
	t.Parallel()
	room := hub.NewRoom(time.Now)
	leader, leaderBoard := enter(room, hub.Participant{Name: "anna"})
	follower, board := enter(room, hub.Participant{Name: "luca"})
	next := func(s *ViewerConnection) { s.handleEvent(s.Wait(t.Context())().(viewerEventMsg).event) }
	follower.startFollowing("anna")
	request := leader.Wait(t.Context())().(viewerEventMsg)
	if request.event.Kind != hub.EventFollowRequest || request.event.From != "luca" {
		t.Fatalf("event %+v", request.event)
	}
	leader.options.Member.AnswerFollow("luca", true)
	next(follower)
	if got := follower.OtherViewersText(); got != "following anna" {
		t.Errorf("header %q", got)
	}
	leaderBoard.place = hub.Location{Page: "Agents"}
	leader.ReportPage()
	for board.place.Page != "Agents" {
		next(follower)
	}
	follower.ReportPage() // opening the followed page does not end following
	if got := follower.OtherViewersText(); got != "following anna" {
		t.Errorf("header %q", got)
	}
	board.place.Page = "Feed"
	follower.ReportPage()
	if got := follower.OtherViewersText(); got != "anna" {
		t.Errorf("after another page: header %q", got)
	}
	if want := "You no longer follow anna."; !slices.Contains(board.notices, want) {
		t.Errorf("notices %q, want %q", board.notices, want)
	}
}

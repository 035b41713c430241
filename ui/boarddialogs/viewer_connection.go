package boarddialogs

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// ViewersOptions configures the connection of a board to the boards of other viewers. With the zero
// value, the board has no connection.
type ViewersOptions struct {
	Member   *hub.RoomMember // represents the board on the server; nil: there is no connection
	Sessions ViewerSessions  // sessions that this viewer may end; nil: the viewer may not end any
}

// ViewerSessions lists the open sessions of all viewers and can end them.
type ViewerSessions interface {
	// List returns the open sessions.
	List() []ViewerSession
	// EndSessionsOf ends all sessions of a user and returns the number of these sessions.
	EndSessionsOf(name string) (sessions int)
}

// ViewerSession describes an open session of a viewer.
type ViewerSession struct {
	User           string
	Rights         string // role of the viewer and visible part of the floor
	Address        string // network address of the viewer
	Since          time.Time
	BytesPerSecond float64 // bytes that are sent per second
	CoreShare      float64 // share of a processor core that drawing the board takes; 1: a whole core
}

// ViewerBoard is the interface of a board to its [ViewerConnection].
type ViewerBoard interface {
	ShowMessage(text string) tea.Cmd     // shows a message in the footer
	OpenPage(p hub.Location)             // opens a page; has no effect if the name is unknown
	Location() hub.Location              // returns the page and the channel on the screen
	FindPage(name string) (string, bool) // returns the full name of a page, which is found regardless of case
	Now() time.Time                      // returns the time on the local clock
	AlertsChanged()                      // tells the board that a viewer has acted on alerts on another board
}

type viewerEventMsg struct {
	connection *ViewerConnection
	ctx        context.Context //nolint:containedctx // of the next command
	event      hub.Event
}

// Apply implements history.Msg. It handles the event and returns a command that waits for the next
// one.
func (msg viewerEventMsg) Apply() tea.Cmd {
	return tea.Batch(msg.connection.handleEvent(msg.event), msg.connection.Wait(msg.ctx))
}

// ViewerConnection connects a board with the boards of the other viewers of its floor. Viewers can
// send messages, follow another viewer, turn the pages of a wall display, and list the viewers. A
// board that is not on a server has a nil ViewerConnection; all exported methods accept it.
//
// It belongs to the goroutine of its board. A command waits for the next event of the [hub.RoomMember],
// and ends with the context of the board.
type ViewerConnection struct {
	options ViewersOptions
	board   ViewerBoard
	dialogs *dialog.Stack

	messages         []viewerMessage // messages on the board, the newest last
	following        string          // name of the viewer whom this board follows; "": none
	leaderLocation   hub.Location    // page that the followed viewer has opened on this board
	otherViewersText string          // names of the other viewers, for the header
	viewersVersion   uint64          // version of the list of viewers from which otherViewersText was made
}

// viewerMessage is a message of another viewer or of the server that the board shows.
type viewerMessage struct {
	text      string
	topic     string // a newer message with the same topic replaces this message; "": none
	expiresAt time.Time
}

// How long a message stays on a board, and the maximum number of messages on a board.
const (
	messageLifetime       = time.Minute
	messageLifetimeOnWall = 5 * time.Minute
	maxMessages           = 3
)

// NewViewerConnection returns the connection of a board. It returns nil if o has no Member.
func NewViewerConnection(o ViewersOptions, dialogs *dialog.Stack, board ViewerBoard) *ViewerConnection {
	if o.Member == nil {
		return nil
	}
	return &ViewerConnection{options: o, board: board, dialogs: dialogs}
}

// Wait returns a command that waits for the next event of another viewer. It returns nil for a nil
// ViewerConnection.
func (s *ViewerConnection) Wait(ctx context.Context) tea.Cmd {
	if s == nil {
		return nil
	}
	return dialog.RecoverPanic(func() tea.Msg {
		e, err := s.options.Member.NextEvent(ctx)
		if err != nil {
			return nil
		}
		return viewerEventMsg{s, ctx, e}
	})
}

func (s *ViewerConnection) handleEvent(e hub.Event) tea.Cmd {
	switch e.Kind {
	case hub.EventMessage:
		s.addMessage(e)
	case hub.EventTurnPage:
		s.board.OpenPage(e.Location)
	case hub.EventFollowRequest:
		return s.askFollow(e.From)
	case hub.EventFollowAllowed:
		s.following, s.leaderLocation = e.From, s.board.Location()
		return s.showMessage(words.BoardFollowAllowed(e.From))
	case hub.EventFollowRefused:
		return s.showMessage(words.BoardFollowRefused(e.From))
	case hub.EventAlertAction:
		s.board.AlertsChanged()
	case hub.EventLocation:
		if s.following != "" {
			s.board.OpenPage(e.Location)
			s.leaderLocation = s.board.Location()
		}
	case hub.EventUnfollowed:
		return s.showMessage(words.BoardFollowUnfollowed(e.From))
	case hub.EventLeaderLeft:
		s.following = ""
		return s.showMessage(words.BoardFollowLeaderLeft(e.From))
	}
	return nil
}

// addMessage adds a message to the board. The message stays for messageLifetime, or on a wall
// display for messageLifetimeOnWall.
func (s *ViewerConnection) addMessage(e hub.Event) {
	stands := messageLifetime
	if s.options.Member.Viewer().Wall {
		stands = messageLifetimeOnWall
	}
	text := e.Text
	if !e.ServerText.IsZero() {
		text = model.CleanText(s.translate(e.ServerText), model.MaxBody)
	}
	if e.From != "" {
		text = s.translate(words.BoardMessageFrom(e.From, e.Text))
	}
	if e.SituationID != "" {
		s.messages = slices.DeleteFunc(s.messages, func(l viewerMessage) bool { return l.topic == e.SituationID })
	}
	if text == "" {
		return
	}
	s.messages = append(s.messages, viewerMessage{text, e.SituationID, s.board.Now().Add(stands)})
	s.messages = s.messages[max(0, len(s.messages)-maxMessages):]
}

// askFollow asks the viewer whether the user with the given name may follow this board. It does
// nothing if this question is already open.
func (s *ViewerConnection) askFollow(user string) tea.Cmd {
	topic := "follow/" + user
	if s.dialogs.OpenQuestion(topic) != nil {
		return nil // the question is already open
	}
	notice := s.showMessage(words.BoardFollowRequest(user)) // shown even during a replay, which hides the question
	return tea.Batch(notice, s.dialogs.OpenQuestionDialog(dialog.Question{
		Topic: topic, Name: s.translate(words.BoardFollow()), Text: s.translate(words.BoardFollowQuestion(user)),
		YesLabel: s.translate(words.BoardFollowAllow()), NoLabel: s.translate(words.BoardFollowNotNow()), OnYes: func(bool) tea.Cmd {
			if s.options.Member.AnswerFollow(user, true) == 0 {
				return s.showMessage(words.BoardFollowLeft(user))
			}
			return s.showMessage(words.BoardFollowFollows(user))
		},
		OnNo: func() { s.options.Member.AnswerFollow(user, false) },
	}))
}

// ReportPage reports the page of this board to the boards that follow it. If this board follows a
// viewer and shows another page than that viewer, it stops following, and the returned command
// tells its viewer so.
func (s *ViewerConnection) ReportPage() tea.Cmd {
	if s == nil {
		return nil
	}
	place := s.board.Location()
	s.options.Member.SetLocation(place)
	if s.following == "" || place == s.leaderLocation {
		return nil
	}
	user := s.following
	s.following = ""
	s.options.Member.Unfollow()
	return s.showMessage(words.BoardFollowEnded(user))
}

// Messages removes expired messages and returns the others as strings, the newest last.
func (s *ViewerConnection) Messages() []string {
	if s == nil || len(s.messages) == 0 {
		return nil
	}
	now := s.board.Now()
	for len(s.messages) > 0 && !s.messages[0].expiresAt.After(now) {
		s.messages = s.messages[1:]
	}
	out := make([]string, 0, len(s.messages))
	for _, l := range s.messages {
		out = append(out, l.text)
	}
	return out
}

// maxNamedViewers limits the number of viewers whose names fit into the header.
const maxNamedViewers = 3

// OtherViewersText returns a text about the other viewers for the header: their names, such as "Anna,
// Luca", or the viewer whom this board follows. It does not name wall displays. On a wall display
// and for a nil ViewerConnection, it returns "".
func (s *ViewerConnection) OtherViewersText() string {
	if s == nil || s.options.Member.Viewer().Wall {
		return ""
	}
	people, version := s.options.Member.Viewers()
	if version != s.viewersVersion {
		s.viewersVersion, s.otherViewersText = version, viewerNamesText(people, s.options.Member.Viewer().Name)
	}
	if s.following != "" {
		return s.translate(words.BoardFollowing(s.following))
	}
	return s.otherViewersText
}

func viewerNamesText(people []hub.RoomViewer, me string) string {
	var names []string
	for _, p := range people {
		if !p.Wall && p.Name != me {
			names = append(names, p.Name)
		}
	}
	if over := len(names) - maxNamedViewers; over > 0 {
		return strings.Join(names[:maxNamedViewers], ", ") + " +" + strconv.Itoa(over)
	}
	return strings.Join(names, ", ")
}

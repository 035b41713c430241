package ui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/phrases"
	"wallboard/ui/dialog"
)

// OtherViewers connects a board with the boards of other viewers. The zero value connects it with
// none.
type OtherViewers struct {
	Seat     *hub.Seat
	Sessions Sessions // sessions that this viewer may end; nil: none
}

// Sessions lists the open sessions of all viewers and can end them.
type Sessions interface {
	List() []Session
	Kick(name string) (sessions int)
}

// Session is an open session of a viewer.
type Session struct {
	User           string
	Rights         string // the role and the visible part of the floor
	Address        string // network address
	Since          time.Time
	BytesPerSecond float64 // bytes sent per second
	CoreShare      float64 // share of a core for drawing the board, 1: all of it
}

// viewersBoard is the part of a board that its connection to other viewers uses.
type viewersBoard interface {
	Say(text string) tea.Cmd             // shows a notice
	Show(p hub.Place)                    // opens a page; an unknown name has no effect
	Place() hub.Place                    // the page and the channel on the screen
	FindPage(name string) (string, bool) // full name of a page, found without regard to case
	Now() time.Time                      // on the local clock
	AlertsChanged()                      // tells the board that alerts were answered on another board
}

// viewersMsg carries an event of another viewer to the board.
type viewersMsg struct{ event hub.Event }

// viewersConnection is the connection of a board to the other viewers. The methods of a nil
// viewersConnection do nothing, for a board without other viewers.
type viewersConnection struct {
	options OtherViewers
	board   viewersBoard
	dialogs *dialog.Stack

	messages      []message // messages on the board, newest last
	following     string    // name of the viewer that this board follows; "": none
	leaderPlace   hub.Place // place that the followed viewer has opened on this board
	othersText    string    // names of the other viewers for the header
	peopleVersion uint64    // version of the list of people that othersText names
}

// message is a message of another viewer or of the server on the board.
type message struct {
	text      string
	topic     string // only for a message without a sender: a newer message with the same topic replaces it
	expiresAt time.Time
}

// How long a message stays on a board, and how many messages stay at most.
const (
	messageLifetime       = time.Minute
	messageLifetimeOnWall = 5 * time.Minute
	maxMessages           = 3
)

// newViewersConnection returns the connection of a board, or nil if the board has no access to
// other viewers.
func newViewersConnection(o OtherViewers, dialogs *dialog.Stack, board viewersBoard) *viewersConnection {
	if o.Seat == nil {
		return nil
	}
	return &viewersConnection{options: o, board: board, dialogs: dialogs}
}

// Wait returns the command that waits for the next event.
func (s *viewersConnection) Wait(ctx context.Context) tea.Cmd {
	if s == nil {
		return nil
	}
	return dialog.Guard(func() tea.Msg {
		e, err := s.options.Seat.Next(ctx)
		if err != nil {
			return nil
		}
		return viewersMsg{e}
	})
}

// HandleEvent handles an event of another viewer.
func (s *viewersConnection) HandleEvent(msg viewersMsg) tea.Cmd {
	switch e := msg.event; e.Kind {
	case hub.EventMessage:
		s.addMessage(e)
	case hub.EventTurnPage:
		s.board.Show(e.Place)
	case hub.EventFollowRequest:
		return s.askFollow(e.From)
	case hub.EventFollowAllowed:
		s.following, s.leaderPlace = e.From, s.board.Place()
		return s.board.Say("You follow " + e.From + ": your board goes where theirs does. Any page of your own ends it.")
	case hub.EventFollowRefused:
		return s.board.Say(e.From + " does not want to be followed now.")
	case hub.EventAlertAction:
		s.board.AlertsChanged()
	case hub.EventPlace:
		if s.following != "" {
			s.board.Show(e.Place)
			s.leaderPlace = s.board.Place()
		}
	case hub.EventUnfollowed:
		return s.board.Say(e.From + " no longer follows you.")
	case hub.EventLeaderLeft:
		s.following = ""
		return s.board.Say(e.From + " no longer leads you.")
	}
	return nil
}

// addMessage adds a message to the board, where it stays for messageLifetime, on a wall display for
// messageLifetimeOnWall.
func (s *viewersConnection) addMessage(e hub.Event) {
	stands := messageLifetime
	if s.options.Seat.Viewer().Wall {
		stands = messageLifetimeOnWall
	}
	text := e.Text
	if e.From != "" {
		text = e.From + ": " + text
	}
	if e.About != "" {
		s.messages = slices.DeleteFunc(s.messages, func(l message) bool { return l.topic == e.About })
	}
	if text == "" {
		return
	}
	s.messages = append(s.messages, message{text, e.About, s.board.Now().Add(stands)})
	s.messages = s.messages[max(0, len(s.messages)-maxMessages):]
}

// askFollow asks the viewer whether the named user may follow this board.
func (s *viewersConnection) askFollow(user string) tea.Cmd {
	topic := "follow " + user
	if s.dialogs.OpenQuestion(topic) != nil {
		return nil // the question is open already
	}
	notice := s.board.Say(user + " wants to follow you.") // also on a replay, which hides the question
	return tea.Batch(notice, s.dialogs.Ask(dialog.Question{
		Topic: topic, Name: "Follow", Text: user + " wants to follow you: their board shows the page that you are on, as they may see it.",
		YesLabel: "Let them", NoLabel: "Not now", OnYes: func(bool) tea.Cmd {
			if s.options.Seat.AnswerFollow(user, true) == 0 {
				return s.board.Say(user + " has left.")
			}
			return s.board.Say(user + " follows you. :alone ends it.")
		},
		OnNo: func() { s.options.Seat.AnswerFollow(user, false) },
	}))
}

// ReportPage reports the page of this board to the boards that follow it. If the viewer has opened
// another page than the followed viewer, this board stops following.
func (s *viewersConnection) ReportPage() tea.Cmd {
	if s == nil {
		return nil
	}
	place := s.board.Place()
	s.options.Seat.SetPlace(place)
	if s.following == "" || place == s.leaderPlace {
		return nil
	}
	user := s.following
	s.following = ""
	s.options.Seat.Unfollow()
	return s.board.Say("You no longer follow " + user + ".")
}

// Messages removes expired messages and returns the texts of the others, newest last.
func (s *viewersConnection) Messages() []string {
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

// maxNamedViewers is the maximum number of viewers that the header names.
const maxNamedViewers = 3

// OthersText returns a text about the other viewers for the header: their names, such as "Anna,
// Luca", or the viewer that this board follows. Wall displays are not named. On a wall display it
// returns "".
func (s *viewersConnection) OthersText() string {
	if s == nil || s.options.Seat.Viewer().Wall {
		return ""
	}
	people, version := s.options.Seat.People()
	if version != s.peopleVersion {
		s.peopleVersion, s.othersText = version, namesText(people, s.options.Seat.Viewer().Name)
	}
	if s.following != "" {
		return "following " + s.following
	}
	return s.othersText
}

func namesText(people []hub.Person, me string) string {
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

// Commands returns the palette's commands about other viewers. say shows a message in the footer.
func (s *viewersConnection) Commands(say func(string) tea.Cmd) []dialog.Command {
	if s == nil {
		const reason = "Only boards on a server tell each other something: wallboard serve starts one."
		return []dialog.Command{{Name: "tell needs a server", Keywords: tellWords, Run: func() tea.Cmd { return say(reason) }}}
	}
	out := []dialog.Command{
		{Name: "who looks", Keywords: "people others presence viewers sessions", Run: s.showViewers},
		{Name: tellName, Keywords: tellWords, Run: func() tea.Cmd {
			return s.board.Say("Type who and what behind it: tell anna lunch at one, or tell lunch at one for everybody.")
		}},
	}
	people, _ := s.options.Seat.People()
	for _, p := range people {
		if p.Name == s.options.Seat.Viewer().Name {
			continue
		}
		if !p.Wall {
			out = append(out, dialog.Command{Name: "follow " + p.Name, Keywords: "briefing", Run: func() tea.Cmd { return s.startFollowing(p.Name) }})
		}
		if s.options.Sessions != nil {
			out = append(out, dialog.Command{Name: "kick " + p.Name, Acts: true, Run: func() tea.Cmd { return s.endSessions(p.Name) }})
		}
	}
	if s.following != "" {
		out = append(out, dialog.Command{Name: "follow nobody", Run: s.stopFollowing})
	}
	return append(out, dialog.Command{Name: "alone: nobody follows me", Run: s.removeFollowers})
}

// tellName is the name of the command that explains how to send a message, tellWords are its
// keywords.
const (
	tellName  = "tell the others something (tell anna lunch at one)"
	tellWords = "message announce broadcast write"
)

// ParseCommand returns the command for a line such as "tell hall lunch at one", "page hall
// Services" or "follow anna". It returns nil for any other line.
func (s *viewersConnection) ParseCommand(text string) []dialog.Command {
	if s == nil {
		return nil
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return nil
	}
	one := func(name string, run func() tea.Cmd) []dialog.Command {
		return []dialog.Command{{Name: name, Run: run}}
	}
	switch strings.ToLower(verb) {
	case "tell":
		to, words := s.cutAddressee(rest)
		if to == "" {
			return one("tell everybody: "+words, func() tea.Cmd { return s.sendMessage("", words) })
		}
		return one("tell "+to+": "+words, func() tea.Cmd { return s.sendMessage(to, words) })
	case "page":
		wall, page := s.cutAddressee(rest)
		if wall == "" || page == "" {
			return nil
		}
		known, ok := s.board.FindPage(page)
		if !ok {
			return nil
		}
		return one(wall+" shows "+known, func() tea.Cmd { return s.showPageOnWall(wall, known) })
	case "follow":
		return one("follow "+rest, func() tea.Cmd { return s.startFollowing(rest) })
	}
	return nil
}

// cutAddressee splits a line into the viewer's name at its beginning and the rest. If the line does
// not begin with the name of a viewer, name is "" and rest is the whole line.
func (s *viewersConnection) cutAddressee(text string) (name, rest string) {
	people, _ := s.options.Seat.People()
	for _, p := range people {
		after, is := textnorm.CutName(text, p.Name)
		if is && len(p.Name) > len(name) && (after == "" || after[0] == ' ') {
			name, rest = p.Name, strings.TrimSpace(after)
		}
	}
	if name == "" {
		return "", text
	}
	return name, rest
}

func (s *viewersConnection) sendMessage(to, text string) tea.Cmd {
	n, err := s.options.Seat.Send(to, text)
	if err != nil {
		return s.sayError(err)
	}
	return s.board.Say("Told " + boardCount(n) + ".")
}

func (s *viewersConnection) showPageOnWall(wall, page string) tea.Cmd {
	n, err := s.options.Seat.TurnPage(wall, page)
	if err != nil {
		return s.sayError(err)
	}
	return s.board.Say(wall + " shows " + page + " now, on " + boardCount(n) + ".")
}

func boardCount(n int) string { return phrases.Count(n, "board", "boards") }

func (s *viewersConnection) startFollowing(name string) tea.Cmd {
	if err := s.options.Seat.RequestFollow(name); err != nil {
		return s.sayError(err)
	}
	return s.board.Say("Asked " + name + " whether you may follow.")
}

func (s *viewersConnection) stopFollowing() tea.Cmd {
	s.following = ""
	s.options.Seat.Unfollow()
	return s.board.Say("You follow nobody.")
}

// removeFollowers makes all other boards stop following this board.
func (s *viewersConnection) removeFollowers() tea.Cmd {
	return s.board.Say(boardCount(s.options.Seat.DropFollowers()) + " followed yours until now.")
}

func (s *viewersConnection) endSessions(name string) tea.Cmd {
	return s.dialogs.Ask(dialog.Question{
		Name: "Show out", Text: "End all sessions of " + name + "? They may come again, unless they are taken out of the configuration.", YesLabel: "End them",
		OnYes: func(bool) tea.Cmd {
			return s.board.Say(phrases.Count(s.options.Sessions.Kick(name), "session of "+name+" has", "sessions of "+name+" have") + " ended.")
		},
	})
}

// sayError shows in the footer why a request to another viewer failed.
func (s *viewersConnection) sayError(err error) tea.Cmd {
	var text string
	for _, known := range []error{
		hub.ErrNoViewer, hub.ErrNoOtherViewers, hub.ErrNoWall, hub.ErrRateLimit, hub.ErrNotPermitted, hub.ErrEmpty, hub.ErrSelf,
	} {
		if errors.Is(err, known) {
			text = known.Error()
		}
	}
	if text == "" {
		text = err.Error()
	}
	return s.board.Say(strings.ToUpper(text[:1]) + text[1:] + ".")
}

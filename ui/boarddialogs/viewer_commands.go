package boarddialogs

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/ui/dialog"
)

// Commands returns the palette commands that concern other viewers. Without a connection, the only
// command says that a server is needed. The commands are in the language l. say shows a message in
// the footer.
func (s *ViewerConnection) Commands(l *words.Language, say func(string) tea.Cmd) []dialog.Command {
	tellWords := words.BoardTellKeywords().In(l)
	if s == nil {
		return []dialog.Command{{Name: words.BoardTellUnavailable().In(l), Keywords: tellWords, Run: func() tea.Cmd {
			return say(words.BoardTellNeedsServer().In(l))
		}}}
	}
	out := []dialog.Command{
		{Name: words.BoardViewersCommand().In(l), Keywords: words.BoardViewersKeywords().In(l), Run: s.showViewers},
		{Name: words.BoardTell().In(l), Keywords: tellWords, Run: func() tea.Cmd { return s.say(words.BoardTellHow()) }},
	}
	people, _ := s.options.Seat.People()
	for _, p := range people {
		if p.Name == s.options.Seat.Viewer().Name {
			continue
		}
		if !p.Wall {
			out = append(out, dialog.Command{Name: words.BoardFollowCommand(p.Name).In(l), Keywords: words.BoardFollowKeywords().In(l), Run: func() tea.Cmd { return s.startFollowing(p.Name) }})
		}
		if s.options.Sessions != nil {
			out = append(out, dialog.Command{Name: words.BoardKick(p.Name).In(l), Acts: true, Run: func() tea.Cmd { return s.endSessions(p.Name) }})
		}
	}
	if s.following != "" {
		out = append(out, dialog.Command{Name: words.BoardFollowStop().In(l), Keywords: words.BoardFollowStopKeywords().In(l), Run: s.stopFollowing})
	}
	return append(out, dialog.Command{Name: words.BoardFollowersRemove().In(l), Keywords: words.BoardFollowersKeywords().In(l), Run: s.removeFollowers})
}

// tell returns a text in the viewer's language.
func (s *ViewerConnection) tell(text words.Text) string {
	return text.In(s.dialogs.Look().Format.Words)
}

// say shows a message in the footer.
func (s *ViewerConnection) say(text words.Text) tea.Cmd { return s.board.Say(s.tell(text)) }

// ParseCommand returns the command for a line such as "tell hall lunch at one", "page hall
// Services" or "follow anna". It returns nil for any other line, and if there is no connection.
func (s *ViewerConnection) ParseCommand(text string) []dialog.Command {
	if s == nil {
		return nil
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return nil
	}
	one := func(name words.Text, run func() tea.Cmd) []dialog.Command {
		return []dialog.Command{{Name: s.tell(name), Run: run}}
	}
	switch strings.ToLower(verb) {
	case "tell":
		to, message := s.cutAddressee(rest)
		if to == "" {
			return one(words.BoardTellEveryone(message), func() tea.Cmd { return s.sendMessage("", message) })
		}
		return one(words.BoardTellOne(to, message), func() tea.Cmd { return s.sendMessage(to, message) })
	case "page":
		wall, page := s.cutAddressee(rest)
		if wall == "" || page == "" {
			return nil
		}
		known, ok := s.board.FindPage(page)
		if !ok {
			return nil
		}
		return one(words.BoardTurnPage(wall, known), func() tea.Cmd { return s.showPageOnWall(wall, known) })
	case "follow":
		return one(words.BoardFollowCommand(rest), func() tea.Cmd { return s.startFollowing(rest) })
	}
	return nil
}

// cutAddressee splits a line into the viewer's name at its beginning and the rest of the line. If
// the line does not begin with the name of a viewer, name is "" and rest is the whole line.
func (s *ViewerConnection) cutAddressee(text string) (name, rest string) {
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

func (s *ViewerConnection) sendMessage(to, text string) tea.Cmd {
	n, err := s.options.Seat.Send(to, text)
	if err != nil {
		return s.sayError(err)
	}
	return s.say(words.BoardTold(n))
}

func (s *ViewerConnection) showPageOnWall(wall, page string) tea.Cmd {
	n, err := s.options.Seat.TurnPage(wall, page)
	if err != nil {
		return s.sayError(err)
	}
	return s.say(words.BoardPageTurned(wall, page, n))
}

func (s *ViewerConnection) startFollowing(name string) tea.Cmd {
	if err := s.options.Seat.RequestFollow(name); err != nil {
		return s.sayError(err)
	}
	return s.say(words.BoardFollowAsked(name))
}

func (s *ViewerConnection) stopFollowing() tea.Cmd {
	s.following = ""
	s.options.Seat.Unfollow()
	return s.say(words.BoardFollowStopped())
}

// removeFollowers makes all other boards stop following this board. The returned command tells the
// viewer how many there were.
func (s *ViewerConnection) removeFollowers() tea.Cmd {
	return s.say(words.BoardFollowersRemoved(s.options.Seat.DropFollowers()))
}

func (s *ViewerConnection) endSessions(name string) tea.Cmd {
	return s.dialogs.Ask(dialog.Question{
		Name: s.tell(words.BoardKickTitle()), Text: s.tell(words.BoardKickQuestion(name)), YesLabel: s.tell(words.BoardKickYes()),
		OnYes: func(bool) tea.Cmd { return s.say(words.BoardKicked(s.options.Sessions.EndSessionsOf(name), name)) },
	})
}

// sayError shows in the footer why a request to another viewer failed.
func (s *ViewerConnection) sayError(err error) tea.Cmd {
	text := words.TextOf(err)
	for _, known := range []error{
		hub.ErrNoViewer, hub.ErrNoOtherViewers, hub.ErrNoWall, hub.ErrRateLimit, hub.ErrNotPermitted, hub.ErrEmpty, hub.ErrSelf,
	} {
		if errors.Is(err, known) {
			text = words.TextOf(known) // omits the name of the operation
		}
	}
	return s.say(words.Sentence(text))
}

package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/hub"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/phrases"
	"wallboard/ui/dialog"
)

// Commands returns the palette commands that concern other viewers. Without a connection, the only
// command says that a server is needed. say shows a message in the footer.
func (s *viewerConnection) Commands(say func(string) tea.Cmd) []dialog.Command {
	if s == nil {
		const reason = "Only boards on a server tell each other something: wallboard serve starts one."
		return []dialog.Command{{Name: "tell needs a server", Keywords: tellWords, Run: func() tea.Cmd { return say(reason) }}}
	}
	out := []dialog.Command{
		{Name: "viewers", Keywords: "people others presence who looks sessions", Run: s.showViewers},
		{Name: tellName, Keywords: tellWords, Run: func() tea.Cmd {
			return s.board.Say("Add a name and a text: tell anna lunch at one, or tell lunch at one for everyone.")
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
		out = append(out, dialog.Command{Name: "stop following", Keywords: "follow nobody", Run: s.stopFollowing})
	}
	return append(out, dialog.Command{Name: "remove followers", Keywords: "alone: nobody follows me", Run: s.removeFollowers})
}

// tellName is the name of the palette command that explains how to send a message. tellWords are
// the keywords of this command.
const (
	tellName  = "tell the others something (tell anna lunch at one)"
	tellWords = "message announce broadcast write"
)

// ParseCommand returns the command for a line such as "tell hall lunch at one", "page hall
// Services" or "follow anna". It returns nil for any other line, and if there is no connection.
func (s *viewerConnection) ParseCommand(text string) []dialog.Command {
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
			return one("tell everyone: "+words, func() tea.Cmd { return s.sendMessage("", words) })
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

// cutAddressee splits a line into the viewer's name at its beginning and the rest of the line. If
// the line does not begin with the name of a viewer, name is "" and rest is the whole line.
func (s *viewerConnection) cutAddressee(text string) (name, rest string) {
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

func (s *viewerConnection) sendMessage(to, text string) tea.Cmd {
	n, err := s.options.Seat.Send(to, text)
	if err != nil {
		return s.sayError(err)
	}
	return s.board.Say("Told " + boardCount(n) + ".")
}

func (s *viewerConnection) showPageOnWall(wall, page string) tea.Cmd {
	n, err := s.options.Seat.TurnPage(wall, page)
	if err != nil {
		return s.sayError(err)
	}
	return s.board.Say(wall + " shows " + page + " now, on " + boardCount(n) + ".")
}

func boardCount(n int) string { return phrases.Count(n, "board", "boards") }

func (s *viewerConnection) startFollowing(name string) tea.Cmd {
	if err := s.options.Seat.RequestFollow(name); err != nil {
		return s.sayError(err)
	}
	return s.board.Say("Asked " + name + " whether you may follow.")
}

func (s *viewerConnection) stopFollowing() tea.Cmd {
	s.following = ""
	s.options.Seat.Unfollow()
	return s.board.Say("You are not following anyone.")
}

// removeFollowers makes all other boards stop following this board. The returned command tells the
// viewer how many there were.
func (s *viewerConnection) removeFollowers() tea.Cmd {
	return s.board.Say(boardCount(s.options.Seat.DropFollowers()) + " followed yours until now.")
}

func (s *viewerConnection) endSessions(name string) tea.Cmd {
	return s.dialogs.Ask(dialog.Question{
		Name: "Show out", Text: "End all sessions of " + name + "? They may come again, unless they are taken out of the configuration.", YesLabel: "End them",
		OnYes: func(bool) tea.Cmd {
			return s.board.Say(phrases.Count(s.options.Sessions.EndSessionsOf(name), "session of "+name+" has", "sessions of "+name+" have") + " ended.")
		},
	})
}

// sayError shows in the footer why a request to another viewer failed.
func (s *viewerConnection) sayError(err error) tea.Cmd {
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

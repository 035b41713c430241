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
		{Name: words.BoardTell().In(l), Keywords: tellWords, Run: func() tea.Cmd { return s.showMessage(words.BoardTellHow()) }},
	}
	people, _ := s.options.Member.Viewers()
	for _, p := range people {
		if p.Name == s.options.Member.Viewer().Name {
			continue
		}
		if !p.Wall {
			out = append(out, dialog.Command{Name: words.BoardFollowCommand(p.Name).In(l), Keywords: words.BoardFollowKeywords().In(l), Run: func() tea.Cmd { return s.startFollowing(p.Name) }})
		}
		if s.options.Sessions != nil {
			out = append(out, dialog.Command{Name: words.BoardKick(p.Name).In(l), AffectsOthers: true, Run: func() tea.Cmd { return s.endSessions(p.Name) }})
		}
	}
	if s.following != "" {
		out = append(out, dialog.Command{Name: words.BoardFollowStop().In(l), Keywords: words.BoardFollowStopKeywords().In(l), Run: s.stopFollowing})
	}
	return append(out, dialog.Command{Name: words.BoardFollowersRemove().In(l), Keywords: words.BoardFollowersKeywords().In(l), Run: s.removeFollowers})
}

// translate returns a text in the viewer's language.
func (s *ViewerConnection) translate(text words.Text) string {
	return text.In(s.dialogs.Look().Format.Words)
}

// showMessage shows a message in the footer.
func (s *ViewerConnection) showMessage(text words.Text) tea.Cmd {
	return s.board.ShowMessage(s.translate(text))
}

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
		return []dialog.Command{{Name: s.translate(name), Run: run}}
	}
	switch strings.ToLower(verb) {
	case "tell":
		to, message := s.splitAddressee(rest)
		if to == "" {
			return one(words.BoardTellEveryone(message), func() tea.Cmd { return s.sendMessage("", message) })
		}
		return one(words.BoardTellOne(to, message), func() tea.Cmd { return s.sendMessage(to, message) })
	case "page":
		wall, page := s.splitAddressee(rest)
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

// splitAddressee splits a line into the viewer's name at its beginning and the rest of the line. If
// the line does not begin with the name of a viewer, name is "" and rest is the whole line.
func (s *ViewerConnection) splitAddressee(text string) (name, rest string) {
	people, _ := s.options.Member.Viewers()
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
	n, err := s.options.Member.SendMessage(to, text)
	if err != nil {
		return s.showError(err)
	}
	return s.showMessage(words.BoardTold(n))
}

func (s *ViewerConnection) showPageOnWall(wall, page string) tea.Cmd {
	n, err := s.options.Member.TurnPage(wall, page)
	if err != nil {
		return s.showError(err)
	}
	return s.showMessage(words.BoardPageTurned(wall, page, n))
}

func (s *ViewerConnection) startFollowing(name string) tea.Cmd {
	if err := s.options.Member.RequestFollow(name); err != nil {
		return s.showError(err)
	}
	return s.showMessage(words.BoardFollowAsked(name))
}

func (s *ViewerConnection) stopFollowing() tea.Cmd {
	s.following = ""
	s.options.Member.Unfollow()
	return s.showMessage(words.BoardFollowStopped())
}

// removeFollowers makes all other boards stop following this board. The returned command tells the
// viewer how many there were.
func (s *ViewerConnection) removeFollowers() tea.Cmd {
	return s.showMessage(words.BoardFollowersRemoved(s.options.Member.DropFollowers()))
}

func (s *ViewerConnection) endSessions(name string) tea.Cmd {
	return s.dialogs.OpenQuestionDialog(dialog.Question{
		Name: s.translate(words.BoardKickTitle()), Text: s.translate(words.BoardKickQuestion(name)), YesLabel: s.translate(words.BoardKickYes()),
		OnYes: func(bool) tea.Cmd {
			return s.showMessage(words.BoardKicked(s.options.Sessions.EndSessionsOf(name), name))
		},
	})
}

// showError shows in the footer why a request to another viewer failed.
func (s *ViewerConnection) showError(err error) tea.Cmd {
	text := words.TextOf(err)
	for _, known := range []error{
		hub.ErrNoViewer, hub.ErrNoOtherViewers, hub.ErrNoWall, hub.ErrRateLimit, hub.ErrNotPermitted, hub.ErrEmpty, hub.ErrSameViewer,
	} {
		if errors.Is(err, known) {
			text = words.TextOf(known) // omits the name of the operation
		}
	}
	return s.showMessage(words.Sentence(text))
}

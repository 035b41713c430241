package boarddialogs

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// showViewers opens a dialog that lists the viewers. A viewer who may end sessions sees all
// sessions with their network addresses instead.
func (s *ViewerConnection) showViewers() tea.Cmd {
	now := s.board.Now()
	return s.dialogs.Open(&dialog.Sheet[[]string]{
		Dialogs: s.dialogs, Name: s.translate(words.BoardViewers()), EmptyText: s.translate(words.BoardNoViewers()),
		Read: func(context.Context) ([]string, error) { return s.describeViewers(now), nil },
		Draw: func(lk *style.Look, list []string, w int) []dialog.Line {
			out := make([]dialog.Line, 0, len(list))
			for _, text := range list {
				out = append(out, dialog.Line{Text: lk.Style(themes.Text).Render(style.Truncate(text, w, lk.Glyphs.Ellipsis))})
			}
			return out
		},
	})
}

// describeViewers returns a line for each session if the viewer may end sessions. Otherwise it
// returns a line for each viewer.
func (s *ViewerConnection) describeViewers(now time.Time) []string {
	var out []string
	if s.options.Sessions != nil {
		for _, l := range s.options.Sessions.List() {
			out = append(out, model.CleanText(s.translate(l.Text(now)), model.MaxBody))
		}
		return out
	}
	people, _ := s.options.Member.Viewers()
	for _, p := range people {
		viewer := words.BoardViewer
		if p.Wall {
			viewer = words.BoardViewerWall
		}
		out = append(out, s.translate(viewer(p.Name, words.ClockOf(p.Since, nil))))
	}
	return out
}

// Text describes a session in one line. now is the time on the local clock.
func (l ViewerSession) Text(now time.Time) words.Text {
	traffic := words.BoardSessionTraffic(now.Sub(l.Since), l.BytesPerSecond/1000, strconv.FormatFloat(100*l.CoreShare, 'f', 2, 64))
	return words.BoardSession(l.User, l.Rights, l.Address, traffic)
}

package history

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// scrolled is the common part of views that are scrollable lines without selection.
type scrolled struct{ text dialog.Scroller }

func (s *scrolled) took(answer any) {
	if answer == nil {
		s.text.Top()
	}
}

func (s *scrolled) forget()                 { s.text.Forget() }
func (s *scrolled) top()                    { s.text.Top() }
func (s *scrolled) back() bool              { return false }
func (s *scrolled) restyle()                {}
func (s *scrolled) lines() *dialog.Scroller { return &s.text }

func (s *scrolled) point(msg tea.Msg) {
	if msg, ok := msg.(tea.MouseWheelMsg); ok {
		s.text.Wheel(msg)
	}
}

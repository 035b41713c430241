package history

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// scrolled is the common part of views that are scrollable lines without selection.
type scrolled struct{ text dialog.Scroller }

func (s *scrolled) receive(answer any) {
	if answer == nil {
		s.text.Top()
	}
}

func (s *scrolled) clearClicks()               { s.text.Disable() }
func (s *scrolled) scrollToTop()               { s.text.Top() }
func (s *scrolled) closeOpen() bool            { return false }
func (s *scrolled) restyle()                   {}
func (s *scrolled) scroller() *dialog.Scroller { return &s.text }

func (s *scrolled) handleMouse(msg tea.Msg) {
	if msg, ok := msg.(tea.MouseWheelMsg); ok {
		s.text.Wheel(msg)
	}
}

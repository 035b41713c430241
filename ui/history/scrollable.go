package history

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// scrollableView is embedded in views that consist of lines that scroll and cannot be selected.
type scrollableView struct{ text dialog.Scroller }

func (s *scrollableView) setAnswer(answer any) {
	if answer == nil {
		s.text.ScrollToTop()
	}
}

func (s *scrollableView) clearClicks()               { s.text.Disable() }
func (s *scrollableView) scrollToTop()               { s.text.ScrollToTop() }
func (s *scrollableView) closeDetails() bool         { return false }
func (s *scrollableView) restyle()                   {}
func (s *scrollableView) scroller() *dialog.Scroller { return &s.text }

func (s *scrollableView) handleMouse(msg tea.Msg) {
	if msg, ok := msg.(tea.MouseWheelMsg); ok {
		s.text.Wheel(msg)
	}
}

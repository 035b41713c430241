package term

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// read decodes the viewer's input until the input ends or inputClosed is set.
func (s *session) read() {
	defer s.queries.dropAll()
	k, in := NewKeyboard(s.viewer.In, func(e uv.Event) {
		s.queries.recordAnswer(e)
		msg := messageOf(e)
		if msg == nil {
			return
		}
		select {
		case s.inputMessages <- msg:
		case <-s.ctx.Done():
		}
	})
	defer k.Close()
	b := make([]byte, 1024)
	for !s.inputClosed.Load() {
		if _, err := in.Read(b); err != nil {
			return
		}
	}
}

// messageOf returns the Bubble Tea message for an event, or nil if the board does not use such
// events.
func messageOf(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg{Content: e.Content}
	case uv.MouseClickEvent:
		return tea.MouseClickMsg(e)
	case uv.MouseWheelEvent:
		return tea.MouseWheelMsg(e)
	case uv.MouseReleaseEvent:
		return tea.MouseReleaseMsg(e)
	case uv.MouseMotionEvent:
		return tea.MouseMotionMsg(e)
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.ModeReportEvent:
		return tea.ModeReportMsg(e)
	}
	return nil
}

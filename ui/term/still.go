package term

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// StillWriter generates the output of frames for a true-color terminal that cannot be queried, such
// as one that plays back a recording.
type StillWriter struct{ screen remoteScreen }

// NewStillWriter returns a StillWriter for a terminal of the given size.
func NewStillWriter(size Size) *StillWriter {
	return &StillWriter{remoteScreen{canvas: canvas{rows: RowPainter{Width: size.Width, Height: size.Height, Profile: colorprofile.TrueColor}}}}
}

// Begin returns the output to write before the first frame.
func (s *StillWriter) Begin() []byte { return s.screen.appendEnter(nil) }

// End returns the output that restores the terminal.
func (s *StillWriter) End() []byte { return s.screen.appendLeave(nil) }

// Show returns the output that makes the terminal show a view with its frame. The output is empty
// if neither has changed.
func (s *StillWriter) Show(v tea.View, frame []byte) []byte {
	return s.screen.appendView(nil, v, frame)
}

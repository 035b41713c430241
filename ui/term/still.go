package term

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// FrameWriter generates the output of frames for a true-color terminal that cannot be queried, such
// as one that plays back a recording.
type FrameWriter struct{ screen remoteScreen }

// NewFrameWriter returns a FrameWriter for a terminal of the given size.
func NewFrameWriter(size Size) *FrameWriter {
	return &FrameWriter{remoteScreen{canvas: canvas{rows: RowPainter{Width: size.Width, Height: size.Height, Profile: colorprofile.TrueColor}}}}
}

// Begin returns the output to write before the first frame.
func (s *FrameWriter) Begin() []byte { return s.screen.appendStart(nil) }

// End returns the output that restores the terminal.
func (s *FrameWriter) End() []byte { return s.screen.appendRestore(nil) }

// Show returns the output that makes the terminal show a view with its frame. The output is empty
// if neither has changed.
func (s *FrameWriter) Show(v tea.View, frame []byte) []byte {
	return s.screen.appendView(nil, v, frame)
}

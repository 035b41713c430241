package paint

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Stills writes frames for a true-color terminal that cannot be queried, such as one
// that plays back a recording.
type Stills struct{ screen screen }

// NewStills returns a Stills for a terminal of a size.
func NewStills(size Size) *Stills {
	return &Stills{screen{canvas: canvas{rows: Rows{Width: size.Width, Height: size.Height, Profile: colorprofile.TrueColor}}}}
}

// Begin returns the output before the first frame.
func (s *Stills) Begin() []byte { return s.screen.enter(nil) }

// End returns the output that restores the terminal.
func (s *Stills) End() []byte { return s.screen.leave(nil) }

// Show returns the output that changes the terminal to a frame, or nothing if it is
// unchanged.
func (s *Stills) Show(v tea.View, frame []byte) []byte { return s.screen.show(nil, v, frame) }

// Repaint makes the next Show write the whole frame.
func (s *Stills) Repaint() { s.screen.refresh() }

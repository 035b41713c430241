package paint

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Stills brings frames to a terminal of true colour that says nothing of itself, such as
// one that plays what was written before.
type Stills struct{ screen screen }

// NewStills returns what brings frames to a terminal of a size.
func NewStills(size Size) *Stills {
	return &Stills{screen{canvas: canvas{rows: Rows{Width: size.Width, Height: size.Height, Profile: colorprofile.TrueColor}}}}
}

// Begin returns what comes before the first frame, End what comes after the last.
func (s *Stills) Begin() []byte { return s.screen.enter(nil) }

// End returns what puts the terminal back as it was.
func (s *Stills) End() []byte { return s.screen.leave(nil) }

// Show returns what brings the terminal to a frame; nothing where it shows that already.
func (s *Stills) Show(v tea.View, frame []byte) []byte { return s.screen.show(nil, v, frame) }

// Repaint has the next Show write the whole frame.
func (s *Stills) Repaint() { s.screen.refresh() }

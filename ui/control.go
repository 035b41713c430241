package ui

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/look"
)

// controlState is what the header says about the service that acts on the
// platform. It is asked once a second, with the clock.
type controlState struct {
	text     string
	ok       bool
	insecure bool
}

func (s *controlState) look(sc *scene) {
	if c := sc.Controller; c != nil {
		s.text, s.ok = c.State()
		s.insecure = c.Insecure()
	}
}

// controlBadges say that nothing can be done from here, or why not.
func (m *Model) controlBadges(w int) []badge {
	const word = "read-only"
	if m.scene.Controller == nil {
		return []badge{{themes.StatusBar, word, 15}}
	}
	if m.control.ok {
		return nil
	}
	return []badge{{themes.StatusBar, wholeWords("control off: "+oneLine(m.control.text), w/3, m.scene.look.Glyphs.Ellipsis), 25}}
}

// wholeWords shortens a sentence to width cells, between its words.
func wholeWords(s string, width int, ellipsis string) string {
	if look.Width(s) <= width {
		return s
	}
	short := look.Cut(s, width-look.Width(ellipsis), "")
	if at := strings.LastIndexByte(short, ' '); at > 0 {
		short = short[:at]
	}
	return strings.TrimRight(short, " ,:;") + ellipsis
}

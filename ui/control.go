package ui

import (
	"wallboard/themes"
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
	text := "control off"
	if w >= 120 { // what else is there comes first; the menus say why
		text = cut(text+": "+oneLine(m.control.text), w/3, m.scene.glyphs.ellipsis)
	}
	return []badge{{themes.StatusBar, text, 25}}
}

package situations

import (
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/situation"
	"wallboard/situation/plainly"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Find returns the first of the situations of a view that is meant, of those that go
// on before those of the day; nil for none, and where there is no view.
func Find(v *situation.View, is func(*situation.Situation) bool) *situation.Situation {
	if v == nil {
		return nil
	}
	for _, list := range [][]situation.Situation{v.Live, v.Today} {
		for i := range list {
			if is(&list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

// Of returns what is wrong with a record, nil for nothing. What is wrong with an agent
// is one situation on all channels.
func Of(v *situation.View, k alert.Key) *situation.Situation {
	return Find(v, func(s *situation.Situation) bool {
		at := s.Place.Key
		if k.Scope == alert.User {
			at.Channel = k.Channel
		}
		return at == k
	})
}

// Named returns the situation of a view with an ID, nil where there is none.
func Named(v *situation.View, id string) *situation.Situation {
	return Find(v, func(s *situation.Situation) bool { return s.ID == id })
}

// Plain is a text of a situation with the characters that the terminal has.
func Plain(lk *look.Look, text string) string { return plainly.Signs(text, lk.ASCII) }

// Why are the causes of a situation, the largest first.
func Why(s *situation.Situation) []string {
	var out []string
	for i := range s.Causes {
		out = append(out, strings.TrimSuffix(s.Causes[i].Text, "."))
	}
	if len(out) == 0 && s.Unexplained != "" {
		out = append(out, s.Unexplained)
	}
	return out
}

// Helps are what would help, in phrases; with keys that do it, where somebody can press
// them.
func Helps(s *situation.Situation, keys bool) []string {
	h := &s.Help
	var out []string
	for i := range h.Needed {
		if t := NeededText(&h.Needed[i]); t != "" && len(out) < 2 {
			out = append(out, t)
		}
	}
	var who []string
	for i := range h.Who {
		who = append(who, HelperText(&h.Who[i]))
	}
	if len(who) > 0 {
		out = append(out, strings.Join(who[:min(len(who), 2)], ", "))
	}
	if h.ByItselfKnown {
		out = append(out, "clears by itself in "+About(h.ByItself))
	}
	for i := range h.Actions {
		if a := &h.Actions[i]; a.Key != "" && keys {
			out = append(out, a.Key+" "+a.Text)
		}
	}
	return out
}

// NeededText says what so many more agents do.
func NeededText(n *situation.Staffing) string {
	if !n.Known {
		return ""
	}
	agents := " more agents clear it in "
	if n.More == 1 {
		agents = " more agent clears it in "
	}
	return strconv.Itoa(n.More) + agents + About(n.Clear)
}

// HelperText says who could help, and why it may be them.
func HelperText(h *situation.Helper) string {
	text := h.Name
	var why []string
	for _, w := range []string{h.Why, h.Where} {
		if w != "" {
			why = append(why, w)
		}
	}
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	return text
}

// About is a duration as it is foretold: in minutes, or seconds below one.
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(max(d.Round(10*time.Second), 10*time.Second)/time.Second)) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " h"
}

// Situated is the colour and the mark of a situation.
func Situated(lk *look.Look, s *situation.Situation) (token themes.Token, glyph string) {
	switch {
	case s.Ack != (alert.Ack{}):
		return themes.Dim, render.TakenGlyph(lk.ASCII)
	case s.Level == alert.Critical:
		return themes.Critical, render.Critical.Glyph(lk.ASCII)
	}
	return themes.Warn, render.Warn.Glyph(lk.ASCII)
}

// Sentences cuts a text to the sentences that there is room for; of the first one as
// many words.
func Sentences(text string, w int, ascii bool) string {
	for look.Width(text) > w {
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return render.WholeWords(text, w, ascii)
		}
		text = text[:i+1]
	}
	return text
}

// Phrases cuts a text to the phrases between dots that there is room for.
func Phrases(text string, w int, lk *look.Look) string {
	dot := " " + lk.Glyphs.Dot + " "
	for look.Width(text) > w {
		i := strings.LastIndex(text, dot)
		if i < 0 {
			return render.WholeWords(text, w, lk.ASCII)
		}
		text = text[:i]
	}
	return text
}

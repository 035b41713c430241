package situation

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wallboard/alert"
	"wallboard/situation/plainly"
)

// Find returns the first of the situations that is meant: of those that go on, then of
// those that are not told, then of those of the day; nil for none, and where there is
// no view.
func (v *View) Find(is func(*Situation) bool) *Situation {
	if v == nil {
		return nil
	}
	for _, list := range [][]Situation{v.Live, v.Held, v.Today} {
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
func (v *View) Of(k alert.Key) *Situation {
	return v.Find(func(s *Situation) bool {
		at := s.Place.Key
		if k.Scope == alert.User {
			at.Channel = k.Channel
		}
		return at == k
	})
}

// Named returns the situation of a view with an ID, nil where there is none.
func (v *View) Named(id string) *Situation {
	return v.Find(func(s *Situation) bool { return s.ID == id })
}

// Told returns what goes on and is told, with an ID; nil where there is none.
func (v *View) Told(id string) *Situation {
	if v == nil {
		return nil
	}
	return named(v.Live, id)
}

// Why are the causes of a situation in sentences, the largest first.
func (sit *Situation) Why() []string {
	var out []string
	for i := range sit.Causes {
		out = append(out, plainly.Sentence(sit.Causes[i].Text))
	}
	if len(out) == 0 && sit.Unexplained != "" {
		out = append(out, sit.Unexplained)
	}
	return out
}

// Brief is the headline in fewer words, where there is no room for all of it.
func (sit *Situation) Brief() string {
	return strings.NewReplacer(", the longest ", ", longest ", " has been ready for ", " ready for ").Replace(sit.Headline)
}

// Helps are what would help, in phrases, and what they are called: where nobody can
// help, what will come of it by itself.
func (sit *Situation) Helps() (label string, phrases []string) { return sit.HelpsIn(math.MaxInt) }

// mostTold is how many numbers of agents, and how many names, are told in a line.
const mostTold = 2

// HelpsIn are what would help, in phrases of at most so many characters: figures first,
// and names give way before them.
func (sit *Situation) HelpsIn(room int) (label string, phrases []string) {
	h := &sit.Help
	var out []string
	for i := range h.Needed {
		if t := h.Needed[i].Words(); t != "" && len(out) < mostTold {
			out = append(out, t)
		}
	}
	if keeping := h.Keeping(); keeping != "" {
		out = append(out, keeping)
	}
	alone := h.Alone()
	if len(out)+len(h.Who) == 0 {
		if alone == "" {
			return "", nil
		}
		return "forecast", []string{alone}
	}
	var who []string
	for i := range h.Who[:min(len(h.Who), mostTold)] {
		who = append(who, h.Who[i].in(room))
	}
	if alone != "" { // after something that it is the other of
		if len(out) == 0 {
			return "what helps", slices.Insert(who, 1, "otherwise "+alone)
		}
		out = append(out, "otherwise "+alone)
	}
	return "what helps", append(out, who...)
}

// Alone says what becomes of a queue that nobody helps, "" where that is unknown.
func (h *Help) Alone() string {
	switch {
	case !h.ByItselfKnown:
		return ""
	case h.GivesUp:
		return "most give up within " + plainly.About(h.ByItself)
	}
	return "it clears by itself in " + plainly.About(h.ByItself)
}

// Words say what so many more agents do.
func (n *Staffing) Words() string {
	if !n.Known {
		return ""
	}
	agents, does := strconv.Itoa(n.More)+" more agents", " clear it in "+plainly.About(n.Clear)
	if n.More == 1 {
		agents, does = "1 more agent", " clears it in "+plainly.About(n.Clear)
	}
	if n.Each {
		return agents + ", one for each who waits"
	}
	return agents + does
}

// Keeping says how many more agents it takes to serve all who come, where those who clear
// the queue do not.
func (h *Help) Keeping() string {
	if n := len(h.Needed); h.KeepsUp == 0 || n > 0 && h.KeepsUp <= h.Needed[n-1].More {
		return ""
	}
	return "it takes " + strconv.Itoa(h.KeepsUp) + " more to serve as many as come"
}

// Words say who could help, and why it may be them.
func (h *Helper) Words() string { return h.in(math.MaxInt) }

// in says it in so many characters: why it may be them goes first, then the end of the
// name. Where they are, and for how long, stays.
func (h *Helper) in(room int) string {
	words := func(name string, why ...string) string {
		why = slices.DeleteFunc(why, func(w string) bool { return w == "" })
		if len(why) == 0 {
			return name
		}
		return name + " (" + strings.Join(why, ", ") + ")"
	}
	text := words(h.Name, h.Where, h.Why)
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	text = words(h.Name, h.Where)
	const least = 5 // of a name
	if over, name := utf8.RuneCountInString(text)-room, []rune(h.Name); over > 0 && len(name) > least {
		text = words(strings.TrimRight(string(name[:max(len(name)-over-1, least-1)]), " ")+"…", h.Where)
	}
	return text
}

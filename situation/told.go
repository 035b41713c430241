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
	for i := range v.Live {
		if v.Live[i].ID == id {
			return &v.Live[i]
		}
	}
	return nil
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

// mostNamed is how many of those who could help are named in a line.
const mostNamed = 2

// HelpsIn are what would help, in phrases of at most so many characters: one number of
// agents first, and names give way before it.
func (sit *Situation) HelpsIn(room int) (label string, phrases []string) {
	h := &sit.Help
	number, alone := h.Number(), h.Alone()
	if number == "" && len(h.Who) == 0 {
		if alone == "" {
			return "", nil
		}
		return "forecast", []string{alone}
	}
	var out []string
	if number != "" {
		out = append(out, number)
	}
	for i := range h.Who[:min(len(h.Who), mostNamed)] {
		out = append(out, h.Who[i].in(room))
	}
	if alone != "" { // after what it is the other of
		out = slices.Insert(out, 1, "otherwise "+alone)
	}
	return "what helps", out
}

// Number says how many more agents it takes, "" where none are needed or nobody has so
// many: as many as clear the queue soon; where that is one for each who waits, as many as
// serve those who come.
func (h *Help) Number() string {
	n := &h.Needed
	switch {
	case h.KeepsUp > 0 && (n.Each || n.More == 0):
		return plainly.Count(h.KeepsUp, "more agent keeps", "more agents keep") + " up with the calls"
	case n.More == 0:
		return ""
	case n.Each:
		return "one more agent for each who waits"
	}
	soon := " it in " + plainly.About(n.Clear)
	switch {
	case n.Least >= n.Most:
		return plainly.Count(n.More, "more agent clears", "more agents clear") + soon
	case n.Least == 0:
		return "up to " + strconv.Itoa(n.Most) + " more agents clear" + soon
	}
	return strconv.Itoa(n.Least) + " to " + strconv.Itoa(n.Most) + " more agents clear" + soon
}

// Alone says what becomes of a queue that nobody helps, "" where that is unknown.
func (h *Help) Alone() string {
	switch {
	case h.Lasts:
		return "the queue stays for more than an hour"
	case !h.ByItselfKnown:
		return ""
	case h.GivesUp:
		return "most give up within " + plainly.About(h.ByItself)
	}
	return "it clears by itself in " + plainly.About(h.ByItself)
}

// Words say who could help, why it may be them, and what it costs.
func (h *Helper) Words() string { return h.in(math.MaxInt) }

// in says it in so many characters: why it may be them goes first, then what it costs,
// then the end of the name. Where they are, and for how long, stays.
func (h *Helper) in(room int) string {
	words := func(name string, why ...string) string {
		why = slices.DeleteFunc(why, func(w string) bool { return w == "" })
		if len(why) == 0 {
			return name
		}
		return name + " (" + strings.Join(why, ", ") + ")"
	}
	for _, text := range []string{words(h.Name, h.Where, h.Why, h.Costs), words(h.Name, h.Where, h.Costs), words(h.Name, h.Where)} {
		if utf8.RuneCountInString(text) <= room {
			return text
		}
	}
	text := words(h.Name, h.Where)
	const least = 5 // of a name
	if over, name := utf8.RuneCountInString(text)-room, []rune(h.Name); over > 0 && len(name) > least {
		text = words(strings.TrimRight(string(name[:max(len(name)-over-1, least-1)]), " ")+"…", h.Where)
	}
	return text
}

package doctor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on names to hide. Shorter names would hide parts of ordinary text.
const (
	minNameSize  = 2 // bytes
	minDigits    = 3 // digits of a name that is a number
	minInnerSize = 4 // names of at least this size are also hidden inside words
)

// isHideable reports whether a name is long enough to be hidden.
func isHideable(name string) bool {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	return len(name) >= minNameSize && strings.ContainsFunc(name, isWordRune) && (len(name) >= minDigits || strings.ContainsFunc(name, func(r rune) bool { return !isDigit(r) }))
}

// needsBoundaries reports whether a name is hidden only where it is not adjacent to a letter
// or digit. This applies to a number and to a short ASCII name, because words of the program
// may contain it.
func needsBoundaries(name string) bool {
	isOther := func(r rune) bool { return r < '0' || r > '9' }
	return !strings.ContainsFunc(name, isOther) || len(name) < minInnerSize && !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isWordRune reports whether a rune is part of a word.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// foldRune maps all cases of a letter to the same rune.
func foldRune(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// hider finds names in a text, ignoring case, in time proportional to the length of the text.
// It is an Aho-Corasick automaton, in which each state stands for a prefix of a name.
type hider struct {
	edges  map[hiderEdge]int32
	states []hiderState
}

type hiderEdge struct {
	from int32
	next rune
}

type hiderState struct {
	name    hiddenName // the name that ends here; its size is 0 if none does
	suffix  int32      // longest state that is a proper suffix of this one
	shorter int32      // longest name that is a proper suffix of this state; 0: none
}

// hiddenName is a name in an automaton. Its size is in runes.
type hiddenName struct {
	size            int
	needsBoundaries bool
	startsAsWord    bool
	endsAsWord      bool
}

func newHider(names []string) *hider {
	h := &hider{edges: make(map[hiderEdge]int32), states: make([]hiderState, 1)}
	var order []hiderEdge // in the order in which the states were added
	for _, name := range names {
		state, runes := int32(0), []rune(name)
		for _, r := range runes {
			e := hiderEdge{state, foldRune(r)}
			next, found := h.edges[e]
			if !found {
				next = int32(len(h.states)) //nolint:gosec // the names fit into the memory
				h.edges[e] = next
				h.states = append(h.states, hiderState{})
				order = append(order, e)
			}
			state = next
		}
		h.states[state].name = hiddenName{len(runes), needsBoundaries(name), isWordRune(runes[0]), isWordRune(runes[len(runes)-1])}
	}
	depth := make([]int, len(h.states))
	for _, e := range order {
		depth[h.edges[e]] = depth[e.from] + 1
	}
	slices.SortStableFunc(order, func(a, b hiderEdge) int { return depth[a.from] - depth[b.from] })
	for _, e := range order { // the shortest states first
		state := &h.states[h.edges[e]]
		if e.from != 0 {
			state.suffix = h.step(h.states[e.from].suffix, e.next)
		}
		if state.shorter = state.suffix; h.states[state.suffix].name.size == 0 {
			state.shorter = h.states[state.suffix].shorter
		}
	}
	return h
}

// step returns the next state for the rune r.
func (h *hider) step(state int32, r rune) int32 {
	for {
		if next, found := h.edges[hiderEdge{state, r}]; found {
			return next
		}
		if state == 0 {
			return 0
		}
		state = h.states[state].suffix
	}
}

// hide returns text with each name replaced by [Hidden]. It replaces overlapping names together.
func (h *hider) hide(text string) string {
	runes := []rune(text)
	isWordAt := func(i int) bool { return i >= 0 && i < len(runes) && isWordRune(runes[i]) }
	type span struct{ from, to int } // runes
	var spans []span
	state := int32(0)
	for i, r := range runes {
		state = h.step(state, foldRune(r))
		for at := state; at != 0; at = h.states[at].shorter {
			n := &h.states[at].name
			from, to := i+1-n.size, i+1
			if n.size == 0 || n.needsBoundaries && (n.startsAsWord && isWordAt(from-1) || n.endsAsWord && isWordAt(to)) {
				continue
			}
			for len(spans) > 0 && spans[len(spans)-1].to > from {
				from = min(from, spans[len(spans)-1].from)
				spans = spans[:len(spans)-1]
			}
			spans = append(spans, span{from, to})
			break // the shorter names are within this one
		}
	}
	var b strings.Builder
	last := 0
	for _, s := range spans {
		b.WriteString(string(runes[last:s.from]))
		b.WriteString(Hidden)
		last = s.to
	}
	b.WriteString(string(runes[last:]))
	return b.String()
}

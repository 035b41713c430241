package headless

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// story tracks which situations were announced and how they changed since the last line.
type story struct {
	watch Situations
	view  *situation.View     // of the latest snapshot; nil before the first
	heard map[string]chapter  // last known state by situation
	queue map[string]happened // changes to announce by situation
}

// chapter is the state of a situation.
type chapter struct {
	title string
	level alert.Level
	worst alert.Level
	since time.Time
}

// happened is the kind of a change.
type happened int

const (
	began happened = iota
	worse
	eased
	over
)

func newStory(o *SpeakerOptions) story {
	return story{
		watch: o.Situations,
		heard: make(map[string]chapter), queue: make(map[string]happened),
	}
}

// look processes the current situations. If silent is true, changes are not announced,
// because the first paragraph covers them.
func (y *story) look(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time, silent bool) {
	y.view = y.watch.Look(s, active, changes, now)
	going := make(map[string]bool)
	for i := range y.view.Live {
		sit := &y.view.Live[i]
		if sit.Place.Key.Scope == alert.Feed {
			continue // the state of the feed is announced separately
		}
		going[sit.ID] = true
		was, known := y.heard[sit.ID]
		y.heard[sit.ID] = chapter{sit.Place.Title, sit.Level, max(was.worst, sit.Level), sit.Since}
		switch {
		case silent:
		case !known:
			y.queue[sit.ID] = began
		case sit.Level > was.level:
			y.becomes(sit.ID, worse)
		case sit.Level < was.level:
			y.becomes(sit.ID, eased)
		}
	}
	for id := range y.heard {
		if !going[id] && !silent {
			y.ends(id)
		}
	}
}

// becomes records a change; a situation that was not announced yet is announced in its
// current state.
func (y *story) becomes(id string, what happened) {
	if was, is := y.queue[id]; !is || was != began {
		y.queue[id] = what
	}
}

// ends records the end of a situation. A situation that was never announced is dropped.
func (y *story) ends(id string) {
	if was, is := y.queue[id]; is && was == began || y.silenced(id) {
		delete(y.queue, id)
		delete(y.heard, id)
		return
	}
	y.queue[id] = over
}

// silenced reports whether a situation continues silently.
func (y *story) silenced(id string) bool {
	was := y.heard[id]
	return slices.ContainsFunc(y.view.Silenced, func(s situation.Silenced) bool { return s.Place.Title == was.title })
}

// most is the maximum number of changes in one line.
const most = 3

// changes describes the changes since the last line, most urgent first; "" if there are
// none.
func (y *story) changes() string {
	ids := make([]string, 0, len(y.queue))
	for id := range y.queue {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(y.urgency(b), y.urgency(a)), y.heard[a].since.Compare(y.heard[b].since), cmp.Compare(a, b))
	})
	var lines []string
	for _, id := range ids[:min(len(ids), most)] {
		lines = append(lines, y.change(id))
	}
	if more := len(ids) - most; more > 0 {
		lines = append(lines, "And "+count(int64(more), "more change")+"; alerts tells all that is wrong.")
	}
	for _, id := range ids {
		if y.queue[id] == over {
			delete(y.heard, id)
		}
		delete(y.queue, id)
	}
	return strings.Join(lines, " ")
}

// urgency returns the sort order of changes: worse situations first, then ended ones.
func (y *story) urgency(id string) int {
	switch was, what := y.heard[id], y.queue[id]; {
	case what <= worse && was.level == alert.Critical:
		return 3
	case what <= worse:
		return 2
	case was.worst == alert.Critical:
		return 1
	}
	return 0
}

func (y *story) change(id string) string {
	was := y.heard[id]
	sit := y.view.ByID(id)
	if y.queue[id] == over || sit == nil {
		return "Over after " + inWords(y.view.At.Sub(was.since)) + ": " + sentence(aloud(was.title))
	}
	text := told(sit)
	switch y.queue[id] {
	case worse:
		return "Now critical: " + text
	case eased:
		return "No longer critical, still a warning: " + text
	case began, over:
	}
	return levelWord(sit.Level) + ": " + text + cause(sit)
}

// told describes a situation in a sentence.
func told(sit *situation.Situation) string {
	return sentence(aloud(sit.Place.Title + ": " + sit.Headline))
}

// cause returns the largest cause of a situation in a sentence, "" if unknown.
func cause(sit *situation.Situation) string {
	if why := sit.CauseLines(); len(sit.Causes) > 0 && len(why) > 0 {
		return " " + sentence(aloud(why[0]))
	}
	return ""
}

// goingOn describes a situation and how long it has lasted.
func goingOn(sit *situation.Situation, now time.Time) string {
	text := levelWord(sit.Level) + ", for " + inWords(now.Sub(sit.Since)) + ": " + told(sit)
	if sit.Ack.By != "" {
		text += " Taken over by " + sit.Ack.By + "."
	}
	return text
}

// spans matches durations as drawn on the screen, with the word before them, which shows
// whether they are times of day.
var spans = regexp.MustCompile(`(?:\b(at|since|before|from|to|until|by|between|after|and|about) )?\b(\d{1,3}):([0-5]\d)(?::([0-5]\d))?\b`)

// abbreviated matches abbreviations of the screen.
var abbreviated = regexp.MustCompile(`\bSL\b`)

// aloud converts screen text for reading aloud: "longest 1 minute 10 seconds", "59.1
// percent".
func aloud(text string) string {
	text = spans.ReplaceAllStringFunc(text, func(found string) string {
		m := spans.FindStringSubmatch(found)
		if m[1] != "" {
			return found
		}
		parts := make([]int, 0, 3)
		for _, p := range m[2:] {
			if n, err := strconv.Atoi(p); err == nil {
				parts = append(parts, n)
			}
		}
		seconds := 0
		for _, n := range parts {
			seconds = 60*seconds + n
		}
		return inWords(time.Duration(seconds) * time.Second)
	})
	text = strings.NewReplacer(" %", " percent", " · ", ", ", "–", "not known").Replace(text)
	return abbreviated.ReplaceAllString(text, "service level")
}

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
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// situationLog tracks the announced situations and the changes to announce.
type situationLog struct {
	view           *situation.View           // situations for the latest snapshot; nil before the first
	states         map[string]situationState // last known state of each situation, by ID
	pendingChanges map[string]changeKind     // changes that are not announced yet, by ID of the situation
	words          *words.Language           // language of the lines, in the form that is read aloud
}

// situationState holds the properties of a situation that are compared with its later state.
type situationState struct {
	title        string
	level        alert.Level
	highestLevel alert.Level
	since        time.Time
}

// changeKind is the kind of a situation's change.
type changeKind int

const (
	changeBegan changeKind = iota
	changeWorse
	changeEased
	changeEnded
)

func newSituationLog(l *words.Language) situationLog {
	return situationLog{states: make(map[string]situationState), pendingChanges: make(map[string]changeKind), words: l.Spoken()}
}

// update stores the current situations and records their changes. A nil view means that there
// are no situations. If silent is true, the changes are not announced, because the first
// summary covers the current situations.
func (y *situationLog) update(view *situation.View, silent bool) {
	if y.view = view; view == nil {
		y.view = &situation.View{}
	}
	isOpen := make(map[string]bool)
	for i := range y.view.Live {
		sit := &y.view.Live[i]
		if sit.Place.Key.Scope == alert.Feed {
			continue // the speaker announces the state of the feed separately
		}
		isOpen[sit.ID] = true
		was, known := y.states[sit.ID]
		y.states[sit.ID] = situationState{sit.Place.Title, sit.Level, max(was.highestLevel, sit.Level), sit.Since}
		switch {
		case silent:
		case !known:
			y.pendingChanges[sit.ID] = changeBegan
		case sit.Level > was.level:
			y.recordChange(sit.ID, changeWorse)
		case sit.Level < was.level:
			y.recordChange(sit.ID, changeEased)
		}
	}
	for id := range y.states {
		if !isOpen[id] && !silent {
			y.recordEnd(id)
		}
	}
}

// recordChange records a change of a situation. If the beginning of the situation was not announced
// yet, recordChange does nothing, because the announcement will describe the present state.
func (y *situationLog) recordChange(id string, what changeKind) {
	if was, is := y.pendingChanges[id]; !is || was != changeBegan {
		y.pendingChanges[id] = what
	}
}

// recordEnd records the end of a situation. The end is not announced if the beginning was not
// announced or the situation is silenced.
func (y *situationLog) recordEnd(id string) {
	if was, is := y.pendingChanges[id]; is && was == changeBegan || y.isSilenced(id) {
		delete(y.pendingChanges, id)
		delete(y.states, id)
		return
	}
	y.pendingChanges[id] = changeEnded
}

// isSilenced reports whether a situation still exists but is silenced.
func (y *situationLog) isSilenced(id string) bool {
	was := y.states[id]
	return slices.ContainsFunc(y.view.Silenced, func(s situation.SilencedSituation) bool { return s.Place.Title == was.title })
}

// maxChanges limits the number of changes that are described in one line.
const maxChanges = 3

// takeChanges returns a line about the changes since the last line, most urgent first, and
// forgets them. It returns "" if there are none.
func (y *situationLog) takeChanges() string {
	ids := make([]string, 0, len(y.pendingChanges))
	for id := range y.pendingChanges {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(y.urgency(b), y.urgency(a)), y.states[a].since.Compare(y.states[b].since), cmp.Compare(a, b))
	})
	var lines []string
	for _, id := range ids[:min(len(ids), maxChanges)] {
		lines = append(lines, y.changeText(id).In(y.words))
	}
	if more := len(ids) - maxChanges; more > 0 {
		lines = append(lines, words.SpeakMoreChanges(more).In(y.words))
	}
	for _, id := range ids {
		if y.pendingChanges[id] == changeEnded {
			delete(y.states, id)
		}
		delete(y.pendingChanges, id)
	}
	return strings.Join(lines, " ")
}

// urgency returns the rank of a change; higher ranks are announced first. New and worsened
// situations come first, critical ones before warnings. The other changes follow, with
// situations that were critical first.
func (y *situationLog) urgency(id string) int {
	switch state, change := y.states[id], y.pendingChanges[id]; {
	case change <= changeWorse && state.level == alert.Critical:
		return 3
	case change <= changeWorse:
		return 2
	case state.highestLevel == alert.Critical:
		return 1
	}
	return 0
}

func (y *situationLog) changeText(id string) words.Text {
	was := y.states[id]
	sit := y.view.ByID(id)
	if y.pendingChanges[id] == changeEnded || sit == nil {
		lasted := y.view.At.Sub(was.since)
		if ended := y.view.EndedByID(id); ended != nil {
			lasted = ended.Lasted()
		}
		if lasted < time.Second {
			return words.SpeakResolved(was.title)
		}
		return words.SpeakResolvedAfter(lasted, was.title)
	}
	text := situationText(sit)
	switch y.pendingChanges[id] {
	case changeWorse:
		return words.SpeakNowCritical(text)
	case changeEased:
		return words.SpeakNoLongerCritical(text)
	case changeBegan, changeEnded:
	}
	begun := words.SpeakProblem(levelWord(sit.Level), text)
	if why := sit.MainCause(); why != "" {
		return words.JoinSentences(begun, words.Name(why))
	}
	return begun
}

// situationText describes a situation in sentences.
func situationText(sit *situation.Situation) string { return textformat.AddFullStop(sit.Text()) }

// ongoingText describes a situation, its duration, and who has acknowledged it.
func ongoingText(sit *situation.Situation, now time.Time) words.Text {
	return words.JoinSentences(problemText(sit.Level, sit.Lasted(now), situationText(sit)), acknowledgedText(sit.Ack))
}

// problemText describes a problem with its level and, from a second on, its duration.
func problemText(level alert.Level, lasted time.Duration, text string) words.Text {
	if lasted < time.Second {
		return words.SpeakProblem(levelWord(level), text)
	}
	return words.SpeakProblemFor(levelWord(level), lasted, text)
}

// acknowledgedText says who has acknowledged an alert. It returns the zero text if it is not acknowledged.
func acknowledgedText(a alert.Ack) words.Text {
	if a.By == "" {
		return words.Text{}
	}
	return words.SpeakTakenBy(a.By)
}

// spokenMarks replaces separators of the screen, which are not read aloud, with commas.
var spokenMarks = strings.NewReplacer(" · ", ", ", " – ", ", ")

// durationPattern matches durations in messages of the screen. A match that begins with one of the words or a
// month is a time of day instead of a duration.
var durationPattern = regexp.MustCompile(`(?:\b(?i)(at|since|before|from|to|until|by|between|after|and|about|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?-i) )?\b(\d{1,3}):([0-5]\d)(?::([0-5]\d))?\b`)

// abbreviationPattern matches abbreviations used on the screen.
var abbreviationPattern = regexp.MustCompile(`\bSL\b`)

// speechText prepares a message of the screen for reading aloud. It replaces durations, signs and
// abbreviations with words, such as "longest 1 minute 10 seconds" and "59.1 percent". It is for
// English messages that are not in the catalogue yet.
func speechText(text string) string {
	spoken := words.English().Spoken()
	text = durationPattern.ReplaceAllStringFunc(text, func(found string) string {
		m := durationPattern.FindStringSubmatch(found)
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
		return words.Duration(time.Duration(seconds) * time.Second).In(spoken)
	})
	text = strings.NewReplacer(" %", " percent", " · ", ", ", " – ", ", ", "–", "unknown").Replace(text)
	return abbreviationPattern.ReplaceAllString(text, "service level")
}

package ask

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/model/contact"
)

// exactTime is the form of a time with its date, which every question may contain.
const exactTime = "2006-01-02T15:04:05"

// parseExact parses a time with its date, also with a zone, as in the JSON of answers.
func parseExact(word string, zone *time.Location) (t time.Time, ok bool) {
	for _, form := range []string{exactTime, time.RFC3339} {
		if t, err := time.ParseInLocation(form, strings.ToUpper(word), zone); err == nil {
			return t.In(zone), true
		}
	}
	return t, false
}

// cutTime removes the time from the words of a question: "at 14:05", "at 15", "at 3pm", "yesterday at
// 9", "monday", "40 minutes ago". The time is in the zone of now, and zero for "today" alone. Another day
// without a time of day means the time of day of now. valid is false if a word is a time of day that does
// not exist, such as 25:99, if the time is too long ago or, unless isNext is true, if it is to come.
func cutTime(words []string, now time.Time, isNext bool) (rest []string, at time.Time, found, valid bool) {
	if i, n, t := findExact(words, now.Location()); n > 0 {
		return removeWords(words, i, n), t, true, now.Sub(t) < maxAgo && (isNext || !t.After(now))
	}
	if i, n, span := findAgo(words); n > 0 {
		return removeWords(words, i, n), now.Add(-span), true, true
	}
	day, onDay := time.Time{}, false
	if i, n, d := findDay(words, now); n > 0 {
		words, day, onDay = removeWords(words, i, n), d, true
	}
	i, n, clock := findClock(words)
	switch {
	case n == 0 && !onDay:
		return words, at, false, !slices.ContainsFunc(words, looksLikeClock)
	case n == 0 && day.Equal(contact.StartOfDay(now, 0)):
		return words, at, true, true
	case n == 0:
		clock = time.Date(0, 1, 1, now.Hour(), now.Minute(), now.Second(), 0, time.UTC)
	default:
		words = removeWords(words, i, n)
	}
	if !onDay {
		day = contact.StartOfDay(now, 0)
	}
	at = nearestClock(time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location()), now, onDay, isNext)
	return words, at, true, isNext || !at.After(now)
}

// nearestClock returns at, a time of today, or the day before if at is later than now. If isNext is true, it
// instead takes a past hour before noon, such as 3, for the afternoon. If onDay is true, it returns at unchanged.
func nearestClock(at, now time.Time, onDay, isNext bool) time.Time {
	switch {
	case onDay:
	case isNext && at.Before(now.Add(-30*time.Minute)) && now.Hour() >= 12 && at.Hour() < 12 && at.Add(12*time.Hour).After(now):
		return at.Add(12 * time.Hour) // "at 3" in the afternoon
	case !isNext && at.After(now):
		return at.AddDate(0, 0, -1)
	}
	return at
}

// removeWords returns the words without n of them from i on.
func removeWords(words []string, i, n int) []string {
	return slices.Delete(slices.Clone(words), i, i+n)
}

// findExact finds a time with a date, such as "at 2026-03-16T11:00:05".
func findExact(words []string, zone *time.Location) (index, count int, t time.Time) {
	for i, w := range words {
		if t, ok := parseExact(w, zone); ok {
			from := i
			if i > 0 && strings.EqualFold(words[i-1], "at") {
				from--
			}
			return from, i + 1 - from, t
		}
	}
	return 0, 0, t
}

// findAgo finds a duration before now, such as "40m ago", "40 minutes ago" or "an hour ago".
func findAgo(words []string) (index, count int, span time.Duration) {
	for i, w := range words {
		if !strings.EqualFold(w, "ago") {
			continue
		}
		if i >= 1 {
			if d, err := time.ParseDuration(strings.ToLower(words[i-1])); err == nil && d > 0 && d < maxAgo {
				return i - 1, 2, d
			}
		}
		if i >= 2 {
			n, err := strconv.ParseFloat(strings.NewReplacer("an", "1", "a", "1").Replace(strings.ToLower(words[i-2])), 64)
			unit := map[string]time.Duration{"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hour": time.Hour, "d": 24 * time.Hour, "day": 24 * time.Hour}[strings.TrimSuffix(strings.ToLower(words[i-1]), "s")]
			if span := time.Duration(n * float64(unit)); err == nil && span > 0 && span < maxAgo {
				return i - 2, 3, span
			}
		}
	}
	return 0, 0, 0
}

// maxAgo is the maximum age of a moment that can be asked for.
const maxAgo = 366 * 24 * time.Hour

// findDay finds a day, such as "yesterday", "on monday", "last monday" or "today".
func findDay(words []string, now time.Time) (index, count int, day time.Time) {
	for i, w := range words {
		if len(w) < 5 { // "mon", "sat" and "sun" may be parts of names
			continue
		}
		d, ok := contact.ParseDay(w, now)
		if !ok {
			continue
		}
		from := i
		for from > 0 && slices.Contains([]string{"on", "last", "since", "with", "to"}, strings.ToLower(words[from-1])) {
			from--
		}
		return from, i + 1 - from, d
	}
	return 0, 0, day
}

// findClock finds a time of day. It accepts forms such as 14:05, 3pm and noon anywhere, and forms such as 15,
// 15h and 15.04 only after a word such as "at". If there are several times, it returns the last one.
func findClock(words []string) (index, count int, clock time.Time) {
	for i := len(words) - 1; i >= 0; i-- {
		from := i
		if i > 0 && slices.Contains([]string{"at", "around", "by", "from", "since", "until"}, strings.ToLower(words[i-1])) {
			from--
		}
		if t, ok := parseClock(words[i], from < i); ok {
			return from, i + 1 - from, t
		}
	}
	return 0, 0, clock
}

// parseClock parses a time of day. If bare is true, it also accepts the forms 15, 15h and 15.04.
func parseClock(word string, bare bool) (clock time.Time, ok bool) {
	word = strings.ToLower(word)
	if word == "noon" {
		word = "12:00"
	}
	forms := []string{"15:04", time.TimeOnly, "3:04pm", "3pm"}
	if bare {
		forms = append(forms, "15.04", "15", "15h")
	}
	for _, form := range forms {
		if t, err := time.Parse(form, word); err == nil {
			return t, true
		}
	}
	return clock, false
}

// looksLikeClock reports whether a word consists only of colons and digits, with a colon at least.
func looksLikeClock(word string) bool {
	return strings.Contains(word, ":") && strings.Trim(word, "0123456789:") == ""
}

// ParseTime parses a past time, such as "14:05", "yesterday at 9", "monday" or "40m ago".
func (f *Responder) ParseTime(text string) (at time.Time, ok bool) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 1 {
		words = append([]string{"at"}, words...)
		if _, _, day := findDay(words[1:], f.now()); !day.IsZero() || looksLikeClock(words[1]) {
			words = words[1:]
		}
	}
	rest, at, found, valid := cutTime(words, f.now(), false)
	return at, found && valid && len(rest) == 0
}

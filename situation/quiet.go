package situation

import (
	"fmt"
	"slices"
	"time"

	"wallboard/model"
	"wallboard/situation/plainly"
	"wallboard/situation/track"
)

// quiet says that all is well, and what of the day is not.
func quiet(s *model.Snapshot, today []Situation) string {
	var places []string
	for i := range today {
		places = append(places, today[i].Place.Title)
	}
	slices.Sort(places)
	return quietLine(s, slices.Compact(places))
}

// quietLine is what is said where nothing goes on: never that all is well where
// nobody knows.
func quietLine(s *model.Snapshot, today []string) string {
	n, unknown := 0, 0
	var longest time.Duration
	for r := range s.Services.All() {
		if r.Channel == model.MailACD || r.Channel == model.OmniDesk {
			continue // what lies there for hours by its nature is no wait
		}
		n++
		waiting, known := r.ChannelStats.QueuedCalls.Get()
		wait, timed := r.ChannelStats.LongestWait().Seconds()
		switch {
		case !known:
			unknown++
		case waiting > 0 && timed:
			longest = max(longest, wait)
		}
	}
	switch {
	case !fresh(s):
		return "Nothing is known of the present: the feed is not live"
	case s.Services.Len() == 0:
		return "No service is shown to this login"
	case unknown == n:
		return "Nothing is raised; who waits is not known"
	}
	text := fmt.Sprintf("All %s well · longest wait %s", plainly.Count(n, "service is", "services are"), plainly.Span(longest))
	if n == 1 {
		text = "The service is well · longest wait " + plainly.Span(longest)
	}
	switch {
	case len(today) == 1:
		text += " · today " + today[0] + " missed its target"
	case len(today) > 1:
		text += fmt.Sprintf(" · %d missed their target today", len(today))
	}
	if unknown > 0 {
		text += fmt.Sprintf(" · of %d it is not known", unknown)
	}
	return text
}

// fresh reports whether services and agents are told as they are now.
func fresh(s *model.Snapshot) bool { return track.Fresh(&s.Health) }

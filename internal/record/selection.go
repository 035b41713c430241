package record

import (
	"fmt"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// ParseInstant parses an instant of a recording: a time of day, a day, a date with time, or a
// duration before the end of the recording. Times are in the time zone of the recording. If text is
// "", it returns defaultTime. It returns an error if text is none of these, or a date with time after
// the end of the recording.
func (in *Info) ParseInstant(text string, defaultTime time.Time) (time.Time, error) {
	end := in.Last.In(in.Location())
	if text == "" {
		return defaultTime, nil
	}
	if instant, ok := contact.ParseTimeAgo(text, end); ok {
		return instant, nil
	}
	if day, ok := contact.ParseDay(text, end); ok {
		return day, nil
	}
	instant, err := contact.ParseInstant(text, end.Location())
	switch {
	case err != nil:
		return instant, fmt.Errorf("%q: want a time of the day (13:50), a day (yesterday), a time (2026-03-17T06:00) or how long before the end (40m)", text)
	case instant.After(end):
		return instant, fmt.Errorf("%q is after the end of the recording", text)
	}
	return instant, nil
}

// MergeNames returns the configured names. For codes without a configured name, it adds the names in
// the recording.
func (a *Metadata) MergeNames(configured model.Names) model.Names {
	out := make(model.Names)
	for _, c := range a.Codes {
		out.Add(model.NameKind(c.Kind), c.Code, c.Name)
	}
	for kind, names := range configured {
		for code, name := range names {
			out.Add(kind, code, name)
		}
	}
	return out
}

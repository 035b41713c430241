package record

import (
	"fmt"
	"time"
)

// Zone is the time zone of a board that recorded: whoever reads the file elsewhere tells the
// times that the floor went by. The zero value is that of a file that does not say.
type Zone struct {
	Name   string `json:"name,omitempty"` // in the IANA database; "" where it is not known
	Offset *int   `json:"offset"`         // seconds east of UTC when the board was begun
}

// mostOffset is how far a zone is from UTC at most.
const mostOffset = 18 * 60 * 60

// ZoneOf returns a zone at a time. The name is that of the zone, if it has one that other
// machines know.
func ZoneOf(zone *time.Location, name string, at time.Time) Zone {
	_, offset := at.In(zone).Zone()
	return Zone{name, &offset}
}

// Location returns the time zone that times of a recording are told in: nil where it does not
// say, or says nothing that could be one.
func (a About) Location() *time.Location {
	if name := a.Zone.Name; name != "" && name != "Local" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	if by := a.Zone.Offset; by != nil && *by >= -mostOffset && *by <= mostOffset {
		return time.FixedZone(offsetName(*by), *by)
	}
	return nil
}

// offsetName is what a zone is called of which no more is known.
func offsetName(by int) string {
	sign := '+'
	if by < 0 {
		sign, by = '-', -by
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, by/3600, by/60%60)
}

// Location returns the time zone that times of the recording are told in: the machine's where
// it does not say.
func (in Info) Location() *time.Location {
	if zone := in.About.Location(); zone != nil {
		return zone
	}
	return time.Local
}

// Elsewhere is what the time zone of the recording is called, where its clocks do not show
// what those of this machine show at an end of it; "" where they do, or nobody knows.
func (in Info) Elsewhere(here *time.Location) string {
	zone := in.About.Location()
	if zone == nil {
		return ""
	}
	for _, at := range []time.Time{in.First, in.Last} {
		_, there := at.In(zone).Zone()
		if _, ours := at.In(here).Zone(); ours != there {
			return zone.String()
		}
	}
	return ""
}

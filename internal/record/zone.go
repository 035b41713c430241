package record

import (
	"fmt"
	"time"
)

// Zone is the time zone of the board that made the recording. It lets viewers elsewhere see
// the floor's local times. The zero Zone is unknown.
type Zone struct {
	Name   string `json:"name,omitempty"` // IANA name; "" if unknown
	Offset *int   `json:"offset"`         // seconds east of UTC at the start of the recording
}

// maxZoneOffset is the largest valid offset in seconds, in both directions.
const maxZoneOffset = 18 * 60 * 60

// ZoneOf returns a Zone with the offset of a location at a time. name is the IANA name of the
// location, or "" if it is unknown.
func ZoneOf(zone *time.Location, name string, at time.Time) Zone {
	_, offset := at.In(zone).Zone()
	return Zone{name, &offset}
}

// Location returns the time zone of the recording, or nil if it is unknown or invalid.
func (a Metadata) Location() *time.Location {
	if name := a.Zone.Name; name != "" && name != "Local" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	if by := a.Zone.Offset; by != nil && *by >= -maxZoneOffset && *by <= maxZoneOffset {
		return time.FixedZone(offsetName(*by), *by)
	}
	return nil
}

// offsetName returns a name such as "UTC+02:00" for a time zone of which only by, the offset in
// seconds, is known.
func offsetName(by int) string {
	sign := '+'
	if by < 0 {
		sign, by = '-', -by
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, by/3600, by/60%60)
}

// Location returns the time zone of the recording, or the local time zone if it is unknown.
func (in Info) Location() *time.Location {
	if zone := in.About.Location(); zone != nil {
		return zone
	}
	return time.Local
}

// ForeignZone returns the name of the recording's time zone. It returns "" if the zone is
// unknown, or if clocks in that zone and in local show the same time at the start and at the
// end of the recording.
func (in Info) ForeignZone(local *time.Location) string {
	zone := in.About.Location()
	if zone == nil {
		return ""
	}
	for _, at := range []time.Time{in.First, in.Last} {
		_, there := at.In(zone).Zone()
		if _, ours := at.In(local).Zone(); ours != there {
			return zone.String()
		}
	}
	return ""
}

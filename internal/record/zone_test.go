package record

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestZoneOfTheFloor checks the time zones of recordings, including unknown and invalid
// ones.
func TestZoneOfTheFloor(t *testing.T) {
	t.Parallel()
	winter, summer := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), time.Date(2026, 7, 2, 12, 0, 0, 0, time.UTC)
	for head, want := range map[string]string{
		`{}`: "",
		`{"zone":{"name":"Europe/Rome","offset":3600}}`:      "Europe/Rome 13:00 14:00",
		`{"zone":{"name":"","offset":-16200}}`:               "UTC-04:30 07:30 07:30",
		`{"zone":{"name":"Nowhere/Land","offset":0}}`:        "UTC+00:00 12:00 12:00",
		`{"zone":{"name":"../../etc/passwd","offset":3600}}`: "UTC+01:00 13:00 13:00",
		`{"zone":{"name":"Local","offset":1000000}}`:         "",
		`{"zone":{"name":"Mars/Crater"}}`:                    "",
	} {
		var a Metadata
		if err := json.Unmarshal([]byte(head), &a); err != nil {
			t.Fatal(err)
		}
		got := ""
		if zone := a.Location(); zone != nil {
			got = strings.Join([]string{zone.String(), winter.In(zone).Format("15:04"), summer.In(zone).Format("15:04")}, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
		if in := (Info{About: a}); want == "" && in.Location() != time.Local {
			t.Errorf("%s: %v", head, in.Location())
		}
	}
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	about := Metadata{Platform: "here", Names: "full", Zone: ZoneOf(rome, "Europe/Rome", winter)}
	dir := testkit.PrivateDir(t)
	toTape(t, dir, about, winter)
	toTape(t, dir, Metadata{Platform: "here", Names: "full"}, winter.Add(-time.Hour)) // a recording of an earlier version, without a zone
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	in := r.Info()
	if in.Location().String() != "Europe/Rome" || in.ForeignZone(time.UTC) != "Europe/Rome" || in.ForeignZone(time.FixedZone("", 3600)) != "" || len(in.Parts) != 2 {
		t.Errorf("%+v", in)
	}
	for _, mode := range []model.NameMode{model.NamesHidden, model.NamesInitials} {
		if given := NewScrubber(mode, in.About).About(in.About); given.Zone.Name != "" || given.Location().String() != "UTC+01:00" {
			t.Errorf("given away with names %s: %+v", mode, given.Zone)
		}
	}
}

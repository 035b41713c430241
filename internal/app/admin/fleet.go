package admin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/textformat"
	"wallboard/ui/replay"
)

// FleetMembers returns the platforms of a configuration as members of a fleet.
func FleetMembers(c *config.Config, timeout time.Duration) []doctor.FleetMember {
	all := c.PlatformConfigs()
	differences := deviatingKeyLists(all)
	members := make([]doctor.FleetMember, len(all))
	for i, platform := range all {
		o := DoctorOptions(platform, slog.New(slog.DiscardHandler))
		o.Brief, o.Settle = true, timeout*2/3
		members[i] = doctor.FleetMember{
			Name:          platform.RTD.URL,
			DifferingKeys: differences[i],
			Examine:       func(ctx context.Context) (*doctor.Report, error) { return doctor.Examine(ctx, o) },
		}
		if platform.Platform != "" {
			members[i].Name = platform.Platform
		}
		if platform.Record.Enabled {
			members[i].LastRecorded = func() (time.Time, error) { return lastRecordedTime(platform) }
		}
	}
	return members
}

// deviatingKeyLists returns, for each configuration, the keys whose values differ from those of more than
// half of all configurations. It leaves out keys for which no value has this majority. It also
// leaves out addresses, credentials, names and codes, because every platform has its own.
func deviatingKeyLists(all []*config.Config) [][]string {
	unequal := make([]map[string]int, len(all)) // number of configurations with another value, by key
	hasMajority := make(map[string]bool)        // whether a value of the key has the majority
	inMajority := func(i int, key string) bool { return 2*unequal[i][key] < len(all) }
	for i := range all {
		unequal[i] = make(map[string]int)
		for j := range all {
			for _, key := range deviatingKeys(all[i], all[j]) {
				unequal[i][key]++
			}
		}
		for key := range unequal[i] {
			hasMajority[key] = hasMajority[key] || inMajority(i, key)
		}
	}
	out := make([][]string, len(all))
	for i := range all {
		for _, key := range slices.Sorted(maps.Keys(unequal[i])) {
			if hasMajority[key] && !inMajority(i, key) {
				out[i] = append(out[i], key)
			}
		}
	}
	return out
}

// platformSpecificKey matches the keys that each platform has its own value for.
var platformSpecificKey = textnorm.NewPattern(`^(platform|record\.dir|ui\.site|rtd\.(services|groups|campaigns|names|user_site)|(rtd|rest|history)\.(url|ws_url|username|ca_file|(password|access_token|api_key).*))$`)

func deviatingKeys(a, b *config.Config) []string {
	keys := slices.DeleteFunc(config.ChangedKeys(a, b), platformSpecificKey().MatchString)
	for section, configured := range map[string][2]bool{
		"rest": {a.REST.IsConfigured(), b.REST.IsConfigured()}, "history": {a.History.IsConfigured(), b.History.IsConfigured()},
	} {
		if configured[0] != configured[1] {
			keys = append(keys, section)
		}
	}
	return keys
}

// lastRecordedTime returns the time of a platform's last recorded snapshot, or the zero time if
// there is none.
func lastRecordedTime(c *config.Config) (time.Time, error) {
	r, err := app.OpenRecording(c)
	if errors.Is(err, replay.ErrNothingRecorded) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return r.Info().Last, r.Close()
}

// FleetRows returns a table with a line for each site, and a heading.
func FleetRows(sites []doctor.Site, now time.Time, ascii bool) [][]string {
	lines := [][]string{{"", "SITE", "VERSIONS", "CERTIFICATE", "CLOCK", "RECORDED", "PROBLEMS"}}
	for i := range sites {
		s := &sites[i]
		certificate, clock, recorded := "-", "-", "-"
		if days, ok := s.Certificate(now); ok {
			if certificate = strconv.Itoa(days) + " d"; days < 0 {
				certificate = "expired"
			}
		}
		if skew, ok := s.Clock(); ok {
			if clock = "ok"; math.Abs(skew) > 2 {
				clock = fmt.Sprintf("%+.0f s", skew)
			}
		}
		if !s.LastRecorded.IsZero() {
			recorded = textformat.ConfigDuration(now.Sub(s.LastRecorded).Truncate(time.Second)) + " ago"
		}
		lines = append(lines, []string{
			s.Mark(ascii) + " " + string(s.Verdict), s.Name, s.Versions(), certificate, clock, recorded, s.Summary(),
		})
	}
	return lines
}

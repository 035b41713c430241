package app

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/feeds/dialect"
	"wallboard/feeds/timeunit"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

const (
	profileFormat   = 1
	profileMaxAge   = 30 * 24 * time.Hour // an older stored dialect is ignored and detected again
	maxProfileBytes = 1 << 20
)

// profileFile stores the detected dialect of a server, that is, its variant of the protocol. The
// file has mode 0600.
type profileFile struct {
	path string
	now  func() time.Time
}

var _ dialect.ProfileStore = (*profileFile)(nil)

// newProfileStore returns the store for the dialect of the server at address. If the address has no
// host, it returns nil.
func newProfileStore(address string) dialect.ProfileStore {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	name := strings.NewReplacer(":", "_", "/", "_", `\`, "_").Replace(u.Host)
	return &profileFile{filepath.Join(xdg.StateHome, "wallboard", "servers", name+".json"), time.Now}
}

// storedProfile is the content of the file in JSON form.
type storedProfile struct {
	Format int `json:"format"`
	dialect.Profile
}

// Load returns the stored dialect. The bool result is false if the file is missing, too old or
// invalid. Errors are not reported, because the dialect can be detected again.
func (f *profileFile) Load() (dialect.Profile, bool) {
	b, err := securefile.Read(f.path, maxProfileBytes)
	if err != nil {
		return dialect.Profile{}, false
	}
	var stored storedProfile
	if json.Unmarshal(b, &stored) != nil || stored.Format != profileFormat {
		return dialect.Profile{}, false
	}
	if age := f.now().Sub(stored.LearntAt); age < 0 || age > profileMaxAge {
		return dialect.Profile{}, false
	}
	return stored.Profile, true
}

// Save implements dialect.ProfileStore.
func (f *profileFile) Save(p dialect.Profile) error {
	b, err := json.MarshalIndent(storedProfile{profileFormat, p}, "", "  ")
	if err != nil {
		return fmt.Errorf("profile of the server: %w", err)
	}
	if err := securefile.Replace(f.path, append(b, '\n')); err != nil {
		return fmt.Errorf("profile of the server: %w", err)
	}
	return nil
}

// pinnedDialect returns the properties of the dialect that the configuration sets.
func pinnedDialect(d *config.Dialect) dialect.PinnedValues {
	out := dialect.PinnedValues{Roots: d.Roots, Keyless: d.Keyless, MaxKeys: d.MaxKeys, Argument: d.Argument}
	if d.Filters != config.FiltersAuto {
		out.Filters = dialect.FilterForm(d.Filters)
	}
	if minutes, ok := config.ZoneMinutes(d.Zone); ok {
		out.Zone = timeunit.Zone{Minutes: minutes, Known: true}
	}
	for name, unit := range d.Units {
		f, okField := timeunit.FieldNamed(name)
		u, okUnit := timeunit.UnitNamed(unit)
		if !okField || !okUnit { // cannot happen: the configuration was checked when it was loaded
			continue
		}
		if out.Units == nil {
			out.Units = make(map[timeunit.Field]timeunit.Unit)
		}
		out.Units[f] = u
	}
	switch d.Meanings[dialect.LongestWaitField] {
	case config.MeaningCurrent:
		out.LongestWait = model.WaitCurrent
	case config.MeaningDaily:
		out.LongestWait = model.WaitDaily
	}
	out.MissingFields, out.ObjectMembers, out.Types = groupByOperation(append(unsupportedCounters(d.Meanings), d.Lacks...)), groupByOperation(d.Inside), groupByOperation(d.Types)
	return out
}

// unsupportedCounters returns the paths of the counters that are not requested because the board
// has no figure for the configured meaning.
func unsupportedCounters(meanings map[string]string) (paths []string) {
	assumed := map[string]string{
		dialect.CurrentCalls: config.MeaningCurrent, dialect.ConnectedCall: config.MeaningCurrent,
		dialect.AverageTimeOnQueue: config.MeaningDaily,
	}
	for _, field := range dialect.CounterFields() {
		if meaning := meanings[field]; meaning != "" && meaning != assumed[field] {
			paths = append(paths, string(model.OpServices)+".channelStats."+field)
		}
	}
	return paths
}

// groupByOperation groups paths by their first element, the operation. The paths in the result do
// not contain the operation.
func groupByOperation(paths []string) map[string][]string {
	out := make(map[string][]string)
	for _, p := range paths {
		op, path, _ := strings.Cut(p, ".")
		out[op] = append(out[op], path)
	}
	return out
}

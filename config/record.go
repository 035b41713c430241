package config

import (
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// Record says whether the board keeps what it was shown. It is read at the start
// only.
type Record struct {
	Enabled bool          `toml:"enabled"`  // What people did is kept: a decision of the site.
	Dir     string        `toml:"dir"`      // "" is wallboard/recordings in $XDG_STATE_HOME; a relative name is beside the configuration file.
	MaxSize Size          `toml:"max_size"` // Of all files; the oldest goes.
	MaxAge  time.Duration `toml:"max_age"`  // What is older goes.
	Names   string        `toml:"names"`    // How agents are named in it: full, initials, hidden.

	AgentShifts bool `toml:"agent_shifts"` // Whether the shift of an agent is shown as a band of states; false: no more than the last hour.
}

const (
	leastRecord    Size = 8 << 20
	mostRecord     Size = 1 << 40
	shortestRecord      = time.Hour
	longestRecord       = 366 * 24 * time.Hour
)

func defaultRecord() Record {
	return Record{MaxSize: 2 << 30, MaxAge: 72 * time.Hour, Names: "full", AgentShifts: true}
}

// Folder returns where the recordings are. After [Load] it is absolute if the
// configuration file's path was.
func (c Record) Folder() string {
	if c.Dir != "" {
		return c.Dir
	}
	return filepath.Join(xdg.StateHome, "wallboard", "recordings")
}

func (c Record) check(r *report) {
	within(r, "record.max_size", c.MaxSize, leastRecord, mostRecord)
	within(r, "record.max_age", c.MaxAge, shortestRecord, longestRecord)
	oneOf(r, "record.names", c.Names, []string{"full", "initials", "hidden"})
}

package config

import (
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// Record configures recording. It is only read at the start.
type Record struct {
	Enabled bool          `toml:"enabled"`  // Record what the board shows, including the activity of agents; the site must decide whether that is allowed.
	Dir     string        `toml:"dir"`      // Folder of the recordings; "": wallboard/recordings in $XDG_STATE_HOME.
	MaxSize Size          `toml:"max_size"` // Maximum size of all files; the oldest are deleted.
	MaxAge  time.Duration `toml:"max_age"`  // Maximum age of recordings; older ones are deleted.
	Names   string        `toml:"names"`    // How agents are named in the recording: full, initials or hidden.

	AgentShifts bool `toml:"agent_shifts"` // Show the whole shift of an agent as a band of states; false: only the last hour.
}

const (
	minRecordSize Size = 8 << 20
	maxRecordSize Size = 1 << 40
	minRecordAge       = time.Hour
	maxRecordAge       = 366 * 24 * time.Hour
)

func defaultRecord() Record {
	return Record{MaxSize: 2 << 30, MaxAge: 72 * time.Hour, Names: "full", AgentShifts: true}
}

// Folder returns the directory of the recordings. After [Load], it is absolute if the path of the
// configuration file was absolute.
func (c Record) Folder() string {
	if c.Dir != "" {
		return c.Dir
	}
	return filepath.Join(xdg.StateHome, "wallboard", "recordings")
}

func (c Record) check(r *report) {
	checkRange(r, "record.max_size", c.MaxSize, minRecordSize, maxRecordSize)
	checkRange(r, "record.max_age", c.MaxAge, minRecordAge, maxRecordAge)
	checkOneOf(r, "record.names", c.Names, []string{"full", "initials", "hidden"})
}

package config

import (
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/secret"
	"wallboard/model"
)

// Record configures recording. It is only read at the start.
type Record struct {
	Enabled bool          `toml:"enabled"`  // Record what the board shows, including the activity of agents.
	Dir     string        `toml:"dir"`      // Folder of the recordings; "": wallboard/recordings in $XDG_STATE_HOME.
	MaxSize Size          `toml:"max_size"` // Maximum size of all files; the oldest are deleted.
	MaxAge  time.Duration `toml:"max_age"`  // Maximum age of recordings; older ones are deleted.
	Names   string        `toml:"names"`    // How agents are named in the recording: full, initials or hidden.

	Recipients []string `toml:"recipients"` // Public keys of age (age1…) or SSH (ssh-ed25519, ssh-rsa). Each private key opens the recordings and exports; empty: not encrypted.
	KeyFiles   []string `toml:"key_files"`  // Files with private keys to open recordings on this machine.

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

// Privacy configures limits of what is stored and shown.
type Privacy struct {
	SmallestGroup    int           `toml:"smallest_group"`    // Hide smaller groups from viewers and recordings without full names; 2 to 100, or 0: show all.
	LongestRetention time.Duration `toml:"longest_retention"` // Refuse a configuration that keeps recordings longer than this; 0: no limit.
	SecondKey        []string      `toml:"second_key"`        // Public keys of a second person: files with full names open only with one of these and one of record.recipients; empty: one key is enough.
}

// RecipientSets returns the locks of recordings and exports with names in the given form: full, initials or
// hidden. They are nil if recordings are not encrypted.
func (p *Privacy) RecipientSets(rec *Record, names string) []secret.Lock {
	if len(rec.Recipients) == 0 {
		return nil
	}
	locks := make([]secret.Lock, 2)
	locks[0], _ = secret.ParseLock(rec.Recipients) // already checked
	if names != string(model.NamesInitials) && names != string(model.NamesHidden) {
		locks[1], _ = secret.ParseLock(p.SecondKey) // already checked
	}
	return locks
}

func (p *Privacy) check(r *report, rec *Record) {
	if p.LongestRetention < 0 {
		r.add("privacy.longest_retention", p.LongestRetention.String()+" is negative", "write a positive duration, or 0 for no limit")
	} else if longest := p.LongestRetention; longest > 0 && rec.MaxAge > longest {
		r.add("record.max_age", rec.MaxAge.String()+" is longer than privacy.longest_retention", "allowed: up to "+longest.String())
	}
	if p.SmallestGroup != 0 {
		checkInt(r, "privacy.smallest_group", p.SmallestGroup, 2, 100)
	}
	parse := func(key string, keys []string) secret.Lock {
		l, err := secret.ParseLock(keys)
		if err != nil {
			r.add(key, err.Error(), "write the public keys that age-keygen prints, or lines of ~/.ssh/id_ed25519.pub")
		}
		return l
	}
	first, second := parse("record.recipients", rec.Recipients), parse("privacy.second_key", p.SecondKey)
	if len(p.SecondKey) > 0 && len(rec.Recipients) == 0 {
		r.add("privacy.second_key", "has no effect without record.recipients", "write the keys of the first person there")
	}
	if first.Overlaps(second) {
		r.add("privacy.second_key", "one of the keys is also in record.recipients", "two persons need different keys")
	}
}

func (c Record) check(r *report) {
	checkRange(r, "record.max_size", c.MaxSize, minRecordSize, maxRecordSize)
	checkRange(r, "record.max_age", c.MaxAge, minRecordAge, maxRecordAge)
	checkOneOf(r, "record.names", c.Names, []string{"full", "initials", "hidden"})
}

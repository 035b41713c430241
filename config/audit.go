package config

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
)

// Audit says where the record of every action goes.
type Audit struct {
	File    string `toml:"file"`     // "" is wallboard/audit.jsonl in $XDG_STATE_HOME; a relative name is beside the configuration file.
	MaxSize Size   `toml:"max_size"` // A file that is larger is put aside and a new one begun.
	Keep    int    `toml:"keep"`     // How many files that were put aside are kept.
}

// The bounds of the audit file: smaller than the least, a day's work would be
// gone; larger than the most, nobody could read it.
const (
	leastAudit Size = 64 << 10
	mostAudit  Size = 1 << 30
	mostKept        = 1000
)

// Path returns the audit file. After [Load] it is absolute if the configuration
// file's path was.
func (a Audit) Path() string {
	if a.File != "" {
		return a.File
	}
	return filepath.Join(xdg.StateHome, "wallboard", "audit.jsonl")
}

// VisitsPath returns the file of those who came to look over SSH, which is beside the audit
// file: visits must not take the place of actions in it.
func (a Audit) VisitsPath() string {
	path := a.Path()
	return strings.TrimSuffix(path, ".jsonl") + "-visits.jsonl"
}

func (a Audit) check(r *report) {
	within(r, "audit.max_size", a.MaxSize, leastAudit, mostAudit)
	if a.Keep < 1 || a.Keep > mostKept {
		r.add("audit.keep", strconv.Itoa(a.Keep)+" is out of range", "allowed: 1 to "+strconv.Itoa(mostKept))
	}
}

// Size is a number of bytes.
type Size int64

// sizeUnits are the units of a Size, the largest first.
func sizeUnits() []struct {
	name  string
	bytes Size
} {
	return []struct {
		name  string
		bytes Size
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}
}

// String returns the size with the largest unit that loses nothing.
func (s Size) String() string {
	for _, u := range sizeUnits() {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

func (r *report) decodeSize(path string, value any, into *Size) {
	const remedy = `write it in quotes with its unit, for example "512KiB" or "10MiB"`
	text, ok := value.(string)
	if !ok {
		r.wrongType(path, "a size", value, remedy)
		return
	}
	for _, u := range sizeUnits() {
		if digits, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
			if err != nil {
				break
			}
			*into = Size(n) * u.bytes
			return
		}
	}
	r.add(path, quoted(text)+" is not a size", remedy)
}

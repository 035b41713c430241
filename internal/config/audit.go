package config

import (
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"wallboard/internal/control/audit"
)

// Audit configures the file that records every action.
type Audit struct {
	File    string `toml:"file"`     // Path of the file; "": wallboard/audit.jsonl in $XDG_STATE_HOME.
	MaxSize Size   `toml:"max_size"` // Size at which the file is rotated.
	Keep    int    `toml:"keep"`     // Number of rotated files to keep.
	Heads   string `toml:"heads"`    // Path of a file, best on another disk, with the hash of each line, for wallboard audit verify; "": none.
}

// Limits of [audit]. A file below minAuditSize would lose actions of the same day. A file above
// maxAuditSize would take too long to read.
const (
	minAuditSize Size = 64 << 10
	maxAuditSize Size = 1 << 30
	maxKeptFiles      = 1000
)

// LogOptions returns the options of the audit file for the platform of c.
func (a Audit) LogOptions(c *Config, log *slog.Logger) audit.Options {
	return audit.Options{
		Path: a.Path(), HeadsPath: a.Heads, MaxSize: int64(a.MaxSize), MaxGenerations: a.Keep,
		Platform: c.RTD.URL, User: c.REST.Username, Logger: log, AllowUnwritable: true,
	}
}

// VisitsOptions returns the options of the log of visits, which has the same format.
func (a Audit) VisitsOptions(c *Config, log *slog.Logger) audit.Options {
	o := a.LogOptions(c, log)
	o.Path, o.HeadsPath = a.VisitsPath(), a.VisitsHeadsPath()
	return o
}

// Path returns the path of the audit file. After [Load], it is absolute if the path of the
// configuration file was absolute.
func (a Audit) Path() string {
	if a.File != "" {
		return a.File
	}
	return filepath.Join(xdg.StateHome, "wallboard", "audit.jsonl")
}

// VisitsPath returns the path of the log of SSH viewers, a separate file next to the audit file.
// Visits therefore do not displace actions from the rotated files.
func (a Audit) VisitsPath() string { return visitsFileName(a.Path()) }

// VisitsHeadsPath returns the path of the file with the heads of the log of SSH viewers, or "" if
// there is none.
func (a Audit) VisitsHeadsPath() string {
	if a.Heads == "" {
		return ""
	}
	return visitsFileName(a.Heads)
}

func visitsFileName(path string) string { return strings.TrimSuffix(path, ".jsonl") + "-visits.jsonl" }

func (a Audit) check(r *report) {
	checkRange(r, "audit.max_size", a.MaxSize, minAuditSize, maxAuditSize)
	checkInt(r, "audit.keep", a.Keep, 1, maxKeptFiles)
}

// Size is a number of bytes.
type Size int64

// sizeUnits returns the units of a Size in the file, largest first.
func sizeUnits() []struct {
	name  string
	bytes Size
} {
	return []struct {
		name  string
		bytes Size
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}
}

// String returns the size as a whole number of the largest possible unit.
func (s Size) String() string {
	for _, u := range sizeUnits() {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

func (r *report) decodeSize(path string, value any, target *Size) {
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
			*target = Size(n) * u.bytes
			return
		}
	}
	r.add(path, quoteValue(text)+" is not a size", remedy)
}

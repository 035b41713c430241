package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// line holds the members of the JSON object on a line of the audit file.
type line struct {
	Time       string            `json:"time"` // [timeLayout], UTC
	Session    string            `json:"session"`
	Seq        uint64            `json:"seq"` // number of the line in the session, from 1
	ID         string            `json:"id"`
	Phase      phase             `json:"phase"`
	Platform   string            `json:"platform,omitempty"`
	User       string            `json:"user"`
	Person     string            `json:"person,omitempty"`
	OSUser     string            `json:"osUser"`
	Action     string            `json:"action"`
	Target     string            `json:"target"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Outcome    string            `json:"outcome,omitempty"`
	Status     int               `json:"status,omitempty"`
	Sentence   string            `json:"sentence,omitempty"`
	Warning    string            `json:"warning,omitempty"`
	DurationMS int64             `json:"durationMs,omitempty"`

	// Previous is the hash of the previous line: SHA-256 of its bytes without the newline, in
	// hexadecimal digits. It is [chainStart] in the first line, and "" in lines of versions before
	// December 2026.
	Previous string `json:"previous,omitempty"`
}

type phase string

const (
	phaseIntent  phase = "intent"
	phaseOutcome phase = "outcome"
)

// timeLayout is RFC 3339, always with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// maxTextBytes is the maximum length in bytes of each text in a line, and maxParameters that of all
// parameters together. The limits keep a line far below [maxLine].
const (
	maxTextBytes  = 4096
	maxParameters = 64 << 10
)

// encode returns the line as JSON with a newline at the end. Long texts are shortened.
func (ln line) encode() ([]byte, error) {
	ln.Platform, ln.User, ln.Person, ln.OSUser, ln.Target = truncate(ln.Platform), truncate(ln.User), truncate(ln.Person), truncate(ln.OSUser), truncate(ln.Target)
	ln.Sentence, ln.Warning = truncate(ln.Sentence), truncate(ln.Warning)
	ln.Parameters = limitParameters(ln.Parameters)
	b, err := json.Marshal(ln)
	if err != nil {
		return nil, fmt.Errorf("encode audit line: %w", err)
	}
	return append(b, '\n'), nil
}

// minLineSize is less than the length of any line with a time, an ID and a phase. Shorter lines are
// not decoded, because a damaged file may have millions of them.
const minLineSize = 60

// decodeIfLong parses a line. ok is false if the line is shorter than minLineSize or not valid.
func decodeIfLong(b []byte) (ln line, at time.Time, ok bool) {
	if len(b) < minLineSize {
		return line{}, at, false
	}
	return decodeLine(b)
}

func decodeLine(b []byte) (ln line, at time.Time, ok bool) {
	if json.Unmarshal(b, &ln) != nil || ln.ID == "" || ln.Phase != phaseIntent && ln.Phase != phaseOutcome {
		return ln, at, false
	}
	at, err := time.Parse(timeLayout, ln.Time)
	return ln, at, err == nil
}

// limitParameters returns the parameters with shortened names and values. In alphabetical order, it
// keeps as many as fit into maxParameters bytes, and adds a note with the number of the others.
func limitParameters(parameters map[string]string) map[string]string {
	if len(parameters) == 0 {
		return nil
	}
	short := make(map[string]string, len(parameters))
	size := 0
	for i, k := range slices.Sorted(maps.Keys(parameters)) {
		v := truncate(parameters[k])
		if size += len(k) + len(v); size > maxParameters {
			short["…"] = fmt.Sprintf("and %d more", len(parameters)-i)
			break
		}
		short[truncate(k)] = v
	}
	return short
}

// truncate shortens s to at most maxTextBytes bytes.
func truncate(s string) string {
	if len(s) <= maxTextBytes {
		return s
	}
	end := maxTextBytes - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.ToValidUTF8(s[:end], "\uFFFD") + "…"
}

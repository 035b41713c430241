package doctor

import (
	"slices"
	"strconv"
	"strings"
)

// visibleAttributes returns the attributes of log lines whose values are shown, because they
// are numbers, durations or words of the program.
func visibleAttributes() []string {
	return []string{
		"time", "level", "msg", "operation", "root", "took", "campaigns", "before", "after", "fields", "since_last", "state", "way",
		"attempt", "records", "snapshots", "part", "keys", "sequence", "subprotocol", "count", "ahead",
	}
}

// BundleLog returns the lines of a log, with the value of each attribute replaced by "…" unless it
// is in visibleAttributes. It drops other lines and returns their number.
func BundleLog(text string) (kept string, dropped int) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		attributes, ok := parseLogLine(line)
		if !ok {
			dropped++
			continue
		}
		for i, a := range attributes {
			if i > 0 {
				b.WriteByte(' ')
			}
			value := a.value
			if !slices.Contains(visibleAttributes(), a.name) {
				value = "…"
			}
			b.WriteString(a.name + "=" + value)
		}
		b.WriteByte('\n')
	}
	return b.String(), dropped
}

type attribute struct{ name, value string }

// parseLogLine splits a line written by [log/slog.TextHandler]. ok is false for other lines.
func parseLogLine(line string) (all []attribute, ok bool) {
	if !strings.HasPrefix(line, "time=") {
		return nil, false
	}
	for line != "" {
		name, rest, found := strings.Cut(line, "=")
		if !found || name == "" || strings.ContainsAny(name, ` "`) {
			return nil, false
		}
		value := rest
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, false
			}
			value = quoted
		} else if i := strings.IndexByte(rest, ' '); i >= 0 {
			value = rest[:i]
		}
		all = append(all, attribute{name, value})
		line = strings.TrimPrefix(rest[len(value):], " ")
	}
	return all, len(all) >= 3
}

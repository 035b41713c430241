package admin

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/record"
	"wallboard/internal/textformat"
)

// FileRows returns a table of the files of recordings, with a heading.
func FileRows(files []record.File) [][]string {
	lines := [][]string{{"FILE", "PLATFORM", "FROM", "TO", "SIZE", "MARKS", "NAMES", "STATE"}}
	for _, f := range files {
		if f.Problem != "" {
			lines = append(lines, []string{filepath.Base(f.Path), "", "", "", formatSize(f.Bytes), "", "", f.Problem})
			continue
		}
		state := "closed"
		if f.Unclosed > 0 {
			state = "not closed"
		}
		if n := len(f.DamagedGaps(f.First, f.Last)); n > 0 {
			state += ", damaged: see info"
		}
		if f.Encrypted > 0 {
			state += ", encrypted"
		}
		lines = append(lines, []string{
			filepath.Base(f.Path), DisplayName(f.About.Platform), f.First.In(f.Location()).Format(time.DateTime), f.Last.In(f.Location()).Format(time.DateTime),
			formatSize(f.Bytes), strconv.Itoa(len(f.Marks)), f.About.Names, state,
		})
	}
	return lines
}

// formatSize formats a number of bytes with a unit.
func formatSize(n int64) string { return string(textformat.Format{}.Size(nil, uint64(max(n, 0)))) }

// InfoRows returns a table that describes the recording at path. unread holds the reasons why parts
// of it cannot be read.
func InfoRows(path string, in record.Info, unread []error) [][]string {
	zone := in.Location()
	lines := [][]string{
		{"recording", path},
		{"of", DisplayName(in.About.Platform) + ", names " + NameModes(in.About, in.Parts, zone)},
		{"by", "wallboard " + describeValues(in.About.Board, "by", in.Parts, func(p record.SettingsPeriod) string { return p.Board })},
		{"from", in.First.In(zone).Format(time.DateTime)},
		{"to", in.Last.In(zone).Format(time.DateTime)},
		{"times", describeZone(in)},
		{"files", strconv.Itoa(in.Files)},
		{"size", formatSize(in.Bytes)},
	}
	if in.Encrypted > 0 {
		lines = append(lines, []string{"encrypted", textformat.CountWithNoun(in.Encrypted, "file", "files") + "; they open with the keys on this machine"})
	}
	if in.Unclosed > 0 {
		lines = append(lines, []string{"not closed", strconv.Itoa(in.Unclosed) + ": being written, or left by a program that crashed"})
	}
	for _, g := range in.Interruption {
		text := "nothing between"
		if g.Damaged {
			text = "damaged between"
		}
		lines = append(lines, []string{text, g.From.In(zone).Format(time.DateTime) + " and " + g.To.In(zone).Format(time.DateTime)})
	}
	if n := len(in.Unknown); n > 0 {
		lines = append(lines, []string{"left out", unknownFieldsText(in.Unknown)})
	}
	for _, err := range unread {
		lines = append(lines, []string{"cannot be read", err.Error()})
	}
	for _, m := range in.Marks {
		if m.Kind == record.MarkIncident { // incidents are needed only by a replay
			continue
		}
		lines = append(lines, []string{string(m.Kind), m.At.In(zone).Format(time.DateTime) + "  " + m.Text})
	}
	return lines
}

// NameModes describes how a recording names agents. It returns the name mode if all parts
// have the same one, otherwise the mode of each period.
func NameModes(about record.Metadata, parts []record.SettingsPeriod, zone *time.Location) string {
	var lines []record.SettingsPeriod
	for _, p := range parts {
		if n := len(lines) - 1; n >= 0 && lines[n].Names == p.Names {
			lines[n].Last = p.Last
			continue
		}
		lines = append(lines, p)
	}
	if len(lines) < 2 {
		return about.Names
	}
	words := make([]string, len(lines))
	for i, p := range lines {
		words[i] = fmt.Sprintf("%s from %s to %s", p.Names, p.First.In(zone).Format(time.DateTime), p.Last.In(zone).Format(time.DateTime))
	}
	return strings.Join(words, ", ")
}

// describeZone describes the time zone of the printed times, and the other zones in which parts
// were recorded.
func describeZone(in record.Info) string {
	if in.About.Location() == nil {
		return "of this machine: the recording does not say its time zone"
	}
	return describeValues(in.Location().String(), "in", in.Parts, func(p record.SettingsPeriod) string { return p.Zone })
}

// describeValues returns the value of a property in the newest part, followed by the different
// values in earlier parts. how is the preposition before those values, such as "in".
func describeValues(newest, how string, parts []record.SettingsPeriod, property func(record.SettingsPeriod) string) string {
	all := []string{newest}
	for _, p := range parts {
		if value := property(p); value != "" && !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	if len(all) == 1 {
		return newest
	}
	return newest + "; parts were recorded " + how + " " + strings.Join(all[1:], ", ")
}

// unknownFieldsText describes the recorded fields that this version does not know. It names at
// most five of them.
func unknownFieldsText(all []string) string {
	const maxNames = 5
	text := strconv.Itoa(len(all)) + " fields that this version does not know: "
	if len(all) == 1 {
		text = "a field that this version does not know: "
	}
	if rest := len(all) - maxNames; rest > 0 {
		return text + strings.Join(all[:maxNames], ", ") + " and " + strconv.Itoa(rest) + " more"
	}
	return text + strings.Join(all, ", ")
}

package doctor

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// addUnits adds the detected units of times to the report, together with the configuration lines
// that set them.
func (r *Report) addUnits(feed *feeds.Feed) {
	found, zone, _ := feed.Units()
	var lines []string
	for _, u := range found {
		about := "Unit"
		switch {
		case u.Unit == timeunit.UnitUnknown:
			r.addFinding(realTimeService, about, VerdictNote, u.Field.String()+": no number of it is a time in any unit; it stays unknown",
				"write its unit under [rtd.dialect.units]")
			continue
		case u.ContradictsPin:
			r.addFinding(realTimeService, about, VerdictFail, u.Field.String()+" is "+u.Unit.Description()+", and pinned to another unit", "correct [rtd.dialect.units]")
		case u.Presumed:
			r.addFinding(realTimeService, about, VerdictNote, u.Field.String()+": presumed to be "+u.Unit.Description(),
				"look again while the floor is busy, or write its unit under [rtd.dialect.units]")
		default:
			r.addFinding(realTimeService, about, VerdictNote, u.Field.String()+": "+u.Unit.Description(), "")
		}
		if u.Unit != timeunit.Seconds || u.Field.IsDate() { // seconds are the default for durations
			lines = append(lines, quotedKey(u.Field.String())+" = "+strconv.Quote(u.Unit.String()))
		}
	}
	switch {
	case zone.Known && zone.TextReceived:
		text := zone.Offset()
		r.addFinding(realTimeService, "Zone", VerdictNote, "instants come without one; it is "+text, "")
		r.addConfig("[rtd.dialect]", "zone = "+strconv.Quote(text))
	case zone.TextReceived:
		r.addFinding(realTimeService, "Zone", VerdictNote, "instants come without one; it is presumed to be "+zone.Offset(), "look again while the floor is busy")
	}
	if len(lines) > 0 {
		r.addConfig("[rtd.dialect.units]", lines...)
	}
}

// addMeanings adds the detected meanings of counters to the report, together with the configuration
// lines that set them.
func (r *Report) addMeanings(feed *feeds.Feed) {
	m := feed.CounterMeanings()
	const section, table = "Meaning", "[rtd.dialect.meanings]"
	var found []string
	for i, e := range m.LongestWaits {
		text := dialect.LongestWaitField + " on " + string(m.Channels[i]) + ": " + e.Describe()
		switch {
		case e.Contradicted:
			r.addFinding(realTimeService, section, VerdictFail, text, "correct "+table)
		case e.Meaning == model.WaitUndetermined:
			r.addFinding(realTimeService, section, VerdictNote, text, "look again while callers wait, or write it under "+table)
		default:
			r.addFinding(realTimeService, section, VerdictNote, text, "")
		}
		if meaning := map[model.WaitMeaning]string{model.WaitCurrent: "current", model.WaitDaily: "daily"}[e.Meaning]; meaning != "" && !e.Presumed {
			found = append(found, meaning)
		}
	}
	if slices.Contains(found, "daily") && len(slices.Compact(slices.Sorted(slices.Values(found)))) == 1 {
		r.addConfig(table, dialect.LongestWaitField+" = "+strconv.Quote(found[0]))
	}
	for _, c := range m.Contradicted {
		r.addFinding(realTimeService, section, VerdictFail, c.String(), "write it under "+table+"; the board then does not show it as what it is not")
		if c.Meaning != "" {
			r.addConfig(table, c.Field+" = "+strconv.Quote(c.Meaning))
		}
	}
}

// addConfig adds lines to a table of the suggested configuration. It adds the table if it is
// missing.
func (r *Report) addConfig(table string, lines ...string) {
	index := slices.Index(r.Config, table)
	if index < 0 {
		r.Config = append(r.Config, append([]string{table}, lines...)...)
		return
	}
	r.Config = slices.Insert(r.Config, index+1, lines...)
}

// quotedKey returns key in TOML syntax: in quotes if it contains a dot.
func quotedKey(key string) string {
	if strings.Contains(key, ".") {
		return strconv.Quote(key)
	}
	return key
}

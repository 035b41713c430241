package receipt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/phrases"
	"wallboard/internal/record"
	"wallboard/model"
)

// SnapshotsNear returns the snapshots within [Tolerance] of a time, nearest first.
func SnapshotsNear(r *record.Recording, at time.Time) (near []*model.Snapshot, err error) {
	p := r.Player()
	s, err := p.Seek(at.Add(-Tolerance))
	if err == nil && s == nil {
		s, err = p.Next()
	}
	for ; err == nil && s != nil && !s.At.After(at.Add(Tolerance)); s, err = p.Next() {
		if !s.At.Before(at.Add(-Tolerance)) {
			near = append(near, s)
		}
	}
	slices.SortStableFunc(near, func(a, b *model.Snapshot) int { return cmp.Compare(a.At.Sub(at).Abs(), b.At.Sub(at).Abs()) })
	return near, err
}

// Text returns receipts of one moment as text for users.
func Text(all []Receipt, zone *time.Location) string {
	var out strings.Builder
	for i := range all {
		r := &all[i]
		fmt.Fprintf(&out, "%s: %s %s", recordName(r), r.Title, formatReceipt(r))
		if r.Formula != "" { // a count has none
			out.WriteString(" = " + r.Formula)
		}
		out.WriteString("\n")
		names := make([]string, 0, len(r.Fields))
		for name := range r.Fields {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&out, "    %s = %s\n", name, r.Fields[name])
		}
		if g := r.Goal; g != nil && g.ServiceLevel != nil {
			fmt.Fprintf(&out, "    target %g, calls counted by the formula %s\n", *g.ServiceLevel, g.Formula)
		}
	}
	last := &all[0]
	verified := "not compared with the platform's full state yet"
	if !last.Verified.IsZero() {
		verified = "all records last compared with the platform's full state at " + last.Verified.In(zone).Format(time.TimeOnly)
	}
	found := "no difference was found until then"
	if last.Differences > 0 {
		found = phrases.Count(int(last.Differences), "difference", "differences") + " found and repaired until then, the last at " + last.LastDifference.In(zone).Format(time.TimeOnly) //nolint:gosec // a number of differences
	}
	fmt.Fprintf(&out, "at %s; %s; %s\n", last.Time.In(zone).Format(time.DateTime), verified, found)
	return out.String()
}

func recordName(r *Receipt) string {
	return strings.Join(slices.DeleteFunc([]string{string(r.Scope), r.Code, string(r.Channel)}, func(s string) bool { return s == "" }), " ")
}

func formatReceipt(r *Receipt) string {
	switch {
	case r.NA:
		return "n/a"
	case r.Value == nil:
		return "unknown"
	}
	return string(phrases.Format{}.KPI(nil, r.Unit, model.FigureOf(*r.Value)))
}

// Report describes the receipts that do not hold, and counts the others. It returns an error unless
// all receipts hold.
func Report(checks []Check, zone *time.Location) (text string, err error) {
	counts := make(map[Result]int)
	var out strings.Builder
	for i := range checks {
		c := &checks[i]
		counts[c.Result]++
		if c.Result == Holds {
			continue
		}
		fmt.Fprintf(&out, "%s at %s: %s %s %s: %s", recordName(&c.Receipt), c.Receipt.Time.In(zone).Format(time.DateTime), c.Receipt.Title, formatReceipt(&c.Receipt), c.Result, c.Reason)
		if c.Result == Differs {
			again := c.Receipt
			again.Value, again.NA = c.Recomputed, c.Recomputed == nil
			fmt.Fprintf(&out, "; the recording gives %s", formatReceipt(&again))
		}
		out.WriteString("\n")
	}
	if bad := len(checks) - counts[Holds]; bad > 0 {
		err = fmt.Errorf("%d of %s do not hold: %d differ, %d are not in the recording", bad, phrases.Count(len(checks), "figure", "figures"), counts[Differs], counts[NotRecorded])
	}
	out.WriteString(strconv.Itoa(counts[Holds]) + " of " + phrases.Count(len(checks), "figure", "figures") + " hold\n")
	return out.String(), err
}

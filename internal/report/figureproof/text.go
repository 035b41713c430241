package figureproof

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/internal/record"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// SnapshotsNear returns the snapshots within [TimeTolerance] of a time, nearest first.
func SnapshotsNear(r *record.Recording, at time.Time) (near []*model.Snapshot, err error) {
	p := r.Player()
	s, err := p.Seek(at.Add(-TimeTolerance))
	if err == nil && s == nil {
		s, err = p.Next()
	}
	for ; err == nil && s != nil && !s.At.After(at.Add(TimeTolerance)); s, err = p.Next() {
		if !s.At.Before(at.Add(-TimeTolerance)) {
			near = append(near, s)
		}
	}
	slices.SortStableFunc(near, func(a, b *model.Snapshot) int { return cmp.Compare(a.At.Sub(at).Abs(), b.At.Sub(at).Abs()) })
	return near, err
}

// ReceiptsText returns receipts for one moment as text in the language l. all must not be empty.
func ReceiptsText(all []Receipt, zone *time.Location, l *words.Language) string {
	var out strings.Builder
	for i := range all {
		r := &all[i]
		out.WriteString(formatReceipt(r, l))
		if r.Formula != "" { // a count has no formula
			out.WriteString(" = " + r.Formula)
		}
		out.WriteString("\n")
		for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
			fmt.Fprintf(&out, "    %s = %s\n", name, r.Fields[name])
		}
		if g := r.Goal; g != nil && g.ServiceLevel != nil {
			fmt.Fprintf(&out, "    %s\n", words.ReceiptTarget(fmt.Sprintf("%g", *g.ServiceLevel), string(g.Formula)).In(l))
		}
	}
	last := &all[0]
	differences := words.ReceiptNoDifference()
	if last.Differences > 0 {
		differences = words.ReceiptDifferencesLast(DifferencesText(last.Differences), last.LastDifference.In(zone).Format(time.TimeOnly))
	}
	out.WriteString(words.ReceiptAsOf(last.Time.In(zone).Format(time.DateTime), ComparisonText(last.Verified.In(zone)), differences).In(l) + "\n")
	return out.String()
}

// ComparisonText says when all records were compared with the platform's full state. The zero time means
// that they were not.
func ComparisonText(at time.Time) words.Text {
	if at.IsZero() {
		return words.ReceiptNotCompared()
	}
	return words.ReceiptCompared(at.Format(time.TimeOnly))
}

// DifferencesText says how many differences the comparisons have found.
func DifferencesText(n uint64) words.Text {
	return words.ReceiptDifferences(int(min(n, math.MaxInt32)))
}

// formatReceipt formats the record, the figure and its value.
func formatReceipt(r *Receipt, l *words.Language) string {
	record := slices.DeleteFunc([]string{string(r.Scope), r.Code, string(r.Channel)}, func(s string) bool { return s == "" })
	return strings.Join(record, " ") + ": " + r.Title + " " + formatValue(r, l)
}

func formatValue(r *Receipt, l *words.Language) string {
	switch {
	case r.NA:
		return words.NotApplicable().In(l)
	case r.Value == nil:
		return words.SpeakUnknown().In(l)
	}
	return string(textformat.Format{Words: l}.KPI(nil, r.Unit, model.FigureOf(*r.Value)))
}

// ReportText describes the receipts that do not hold, and counts the others, in a language. It returns an
// error unless all receipts hold.
func ReportText(checks []Check, zone *time.Location, l *words.Language) (text string, err error) {
	counts := make(map[Result]int)
	var out strings.Builder
	for i := range checks {
		c := &checks[i]
		counts[c.Result]++
		figure, at := formatReceipt(&c.Receipt, l), c.Receipt.Time.In(zone).Format(time.DateTime)
		var line words.Text
		switch c.Result {
		case ResultHolds:
			continue
		case ResultDiffers:
			again := c.Receipt
			again.Value, again.NA = c.Recomputed, c.Recomputed == nil
			line = words.ReceiptDiffersValue(words.ReceiptDiffers(figure, at, c.reason), formatValue(&again, l))
		case ResultNotRecorded:
			line = words.ReceiptNotRecorded(figure, at, c.reason)
		}
		out.WriteString(line.In(l) + "\n")
	}
	if bad := len(checks) - counts[ResultHolds]; bad > 0 {
		err = fmt.Errorf("%d of %s do not hold: %d differ, %d are not in the recording", bad, words.CountFigures(len(checks)).In(nil), counts[ResultDiffers], counts[ResultNotRecorded])
	}
	out.WriteString(words.ReceiptHold(counts[ResultHolds], words.CountFigures(len(checks))).In(l) + "\n")
	return out.String(), err
}

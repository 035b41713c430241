package floorview

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/textformat"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// ConditionRange returns the lowest and the highest value of all rows in the column of a filter's
// condition, and the title of that column. ok is false unless the filter consists of one valid
// condition, and its column is selected and has values.
func ConditionRange(rows render.Rows, filter string) (title string, low, high table.Value, ok bool) {
	parsed := table.ParseFilter(filter, rows.All())
	if len(parsed.Conditions) != 1 || len(parsed.Words) > 0 || parsed.Problem.Kind != table.NoProblem {
		return "", low, high, false
	}
	column := rows.All()[parsed.Conditions[0].Column]
	index := slices.IndexFunc(rows.Columns(), func(c table.Column) bool { return c.ID == column.ID })
	for i := 0; index >= 0 && i < rows.Len(); i++ {
		v := rows.Value(i, index)
		if !v.Known {
			continue
		}
		if !ok || v.Number < low.Number {
			low = v
		}
		if !ok || v.Number > high.Number {
			high = v
		}
		ok = true
	}
	return column.Title, low, high, ok
}

// FormatValue returns a value as a string for a sentence or a spreadsheet. It returns "" for an
// unknown value.
func FormatValue(v table.Value) string {
	switch {
	case !v.Known:
		return ""
	case v.Text != "" || v.Kind == table.TextValue:
		return strings.Join(strings.Fields(v.Text), " ")
	case v.Kind == table.DurationValue && v.Number < 0:
		return "-" + textformat.Duration(textformat.DurationFromSeconds(-v.Number))
	case v.Kind == table.DurationValue:
		return textformat.Duration(textformat.DurationFromSeconds(v.Number))
	case v.Kind == table.PercentValue:
		return strconv.FormatFloat(v.Rounded(), 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(v.Rounded(), 'f', -1, 64)
}

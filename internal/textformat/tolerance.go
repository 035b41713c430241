package textformat

import (
	"math"
	"strconv"
	"strings"

	"wallboard/model/kpi"
)

// ToleranceText describes a tolerance in percentage points, such as "tolerance SL 3, abandoned 1". It
// returns "" for the zero tolerance.
func ToleranceText(t kpi.Tolerance) string {
	var parts []string
	if t.ServiceLevel != 0 {
		parts = append(parts, "SL "+formatPoints(t.ServiceLevel))
	}
	if t.Abandon != 0 {
		parts = append(parts, "abandoned "+formatPoints(t.Abandon))
	}
	if len(parts) == 0 {
		return ""
	}
	return "tolerance " + strings.Join(parts, ", ")
}

// formatPoints formats a share as a number of percentage points with at most one decimal.
func formatPoints(share float64) string {
	return strconv.FormatFloat(math.Round(1000*share)/10, 'f', -1, 64)
}

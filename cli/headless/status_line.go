package headless

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/alert"
	"wallboard/model"
)

// Line is how the floor is doing, for a status line.
func (v *Viewer) Line() string {
	dot, ring, none := "●", "○", "–"
	if v.ascii {
		dot, ring, none = "*", "o", "-"
	}
	if v.Last == nil {
		return ring + " NOT LIVE"
	}
	var b strings.Builder
	if v.Live() {
		b.WriteString(dot + " LIVE")
	} else {
		link := &v.Last.Health.Link
		b.WriteString(ring + " NOT LIVE (connection: " + string(link.State) + cmp.Or(reason(link.Reason), reason(v.Last.Health.Notice)) + ")")
	}
	floor := alert.Key{Scope: alert.Floor, Channel: model.Call}
	figure := func(name string, factor float64, decimals int) string {
		f := v.Engine.Value(name, floor)
		if x, ok := f.Get(); ok {
			return strconv.FormatFloat(x*factor, 'f', decimals, 64)
		}
		if f.NA() {
			return "n/a"
		}
		return none
	}
	level := figure("serviceLevel", 100, 1)
	if v.Engine.Value("serviceLevel", floor).Known() {
		level += " %"
	}
	fmt.Fprintf(&b, "  SL %s  waiting %s  ready %s", level, figure("queuedCalls", 1, 0), figure("readyUsers", 1, 0))
	alerts := v.Engine.Active()
	critical, warning := Count(alerts)
	silent := len(alerts) - critical - warning
	alerts = slices.DeleteFunc(alerts, func(a alert.Alert) bool { return !a.Silent.IsZero() })
	if silent > 0 {
		fmt.Fprintf(&b, "  %d silent", silent)
	}
	if len(alerts) == 0 {
		return b.String()
	}
	b.WriteString(" ")
	if critical > 0 {
		fmt.Fprintf(&b, " %d critical", critical)
	}
	if warning > 0 {
		fmt.Fprintf(&b, " %d warning", warning)
	}
	b.WriteString(": " + alerts[0].Text)
	return b.String()
}

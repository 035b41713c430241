package backtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// ReportOptions holds the options of a report.
type ReportOptions struct {
	Width            int
	ASCII            bool
	Zone             *time.Location
	Names            model.Names
	IncludeUnchanged bool   // also list rules whose alerts are equal in all sets
	OnlyRule         string // list only this rule; "": all rules
}

// Numbers of alerts that a report lists for each set, for a comparison of two sets and of more
// sets.
const (
	maxListed     = 8
	maxListedEach = 3
)

// Report returns the lines of a report. The first part is a table with a row and a chart for each
// rule and set. The second part compares the sets with the first set, which holds the current
// rules: it lists the alerts that are no longer raised and the new alerts.
func (r *Result) Report(st ReportOptions) []string {
	if len(r.Outcomes) == 0 || r.Snapshots == 0 {
		return []string{"Nothing was recorded then."}
	}
	lines := []string{r.summaryLine(st)}
	for _, g := range r.Gaps[:min(len(r.Gaps), maxListed)] {
		lines = append(lines, fmt.Sprintf("Nothing is recorded between %s and %s.", textformat.Clock(g.From, st.Zone), textformat.Clock(g.To, st.Zone)))
	}
	if more := len(r.Gaps) - maxListed; more > 0 {
		lines = append(lines, fmt.Sprintf("Nothing is recorded in %d other stretches.", more))
	}
	rows, same, alerts := r.rows(st)
	lines = append(lines, "")
	if len(rows) > 0 {
		lines = append(lines, r.tableLines(rows, st)...)
	}
	switch {
	case len(r.Outcomes) > 1 && len(rows) == 0:
		lines = append(lines, fmt.Sprintf("All %d rules come to the same: %s.", same, textformat.CountWithNoun(alerts, "alert", "alerts")))
	case same > 0:
		lines = append(lines, "", fmt.Sprintf("%s to the same: %s.", otherRulesPhrase(same), textformat.CountWithNoun(alerts, "alert", "alerts")))
	}
	return append(lines, r.changeLines(rows, st)...)
}

func otherRulesPhrase(n int) string {
	if n == 1 {
		return "The other rule comes"
	}
	return fmt.Sprintf("The other %d rules come", n)
}

func (r *Result) summaryLine(st ReportOptions) string {
	from := r.From.In(st.Zone)
	return fmt.Sprintf("%s to %s: %s recorded, %d pictures.",
		from.Format("2 Jan 2006 15:04"), textformat.DayClock(r.To, from), textformat.Duration(r.Recorded.Round(time.Second)), r.Snapshots)
}

// row is a table row with the alerts of a rule in one set, compared with those in the first set.
type row struct {
	rule       string
	scope      alert.Scope
	setIndex   int
	comparison RuleComparison
}

// rows returns the table rows of the rules whose alerts differ between the sets, one row for each
// set. same is the number of rules without differences, and alerts the number of alerts of these
// rules.
func (r *Result) rows(st ReportOptions) (rows []row, same, alerts int) {
	today := &r.Outcomes[0]
	var compared [][]RuleComparison
	for i := range r.Outcomes {
		compared = append(compared, Compare(today, &r.Outcomes[i]))
	}
	keys := make(map[ruleKey]bool)
	for _, lines := range compared {
		for _, l := range lines {
			keys[ruleKey{l.Rule, l.Scope}] = true
		}
	}
	for _, k := range sortedKeys(keys) {
		if st.OnlyRule != "" && k.name != st.OnlyRule {
			continue
		}
		var of []row
		differs := len(compared) == 1 || st.IncludeUnchanged || st.OnlyRule != ""
		for set, lines := range compared {
			at := slices.IndexFunc(lines, func(l RuleComparison) bool { return l.Rule == k.name && l.Scope == k.scope })
			l := RuleComparison{Rule: k.name, Scope: k.scope}
			if at >= 0 {
				l = lines[at]
			}
			differs = differs || l.Other != l.Current || l.MedianLead != 0 || len(l.LostEpisodes)+len(l.NewEpisodes) > 0
			of = append(of, row{k.name, k.scope, set, l})
		}
		if !differs {
			same++
			alerts += of[0].comparison.Current.Alerts
			continue
		}
		rows = append(rows, of...)
	}
	return rows, same, alerts
}

func sortedKeys(keys map[ruleKey]bool) []ruleKey {
	var out []ruleKey
	for k := range keys {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b ruleKey) int { return strings.Compare(a.name+"/"+string(a.scope), b.name+"/"+string(b.scope)) })
	return out
}

// tableLines formats the rows as a table, with a chart on the right if the width allows it.
func (r *Result) tableLines(rows []row, st ReportOptions) []string {
	scopesOfRule := make(map[string]map[alert.Scope]bool)
	for _, w := range rows {
		if scopesOfRule[w.rule] == nil {
			scopesOfRule[w.rule] = make(map[alert.Scope]bool)
		}
		scopesOfRule[w.rule][w.scope] = true
	}
	cells := [][]string{{"RULE", "ALERTS", "MEDIAN", "IN ALL", "CRITICAL", "FLAPS", "EARLIER", "UNSEEN", "NEW"}}
	single := len(r.Outcomes) == 1
	for _, w := range rows {
		name := w.rule
		if len(scopesOfRule[w.rule]) > 1 {
			name += " (" + string(w.scope) + ")"
		}
		if !single {
			if w.setIndex > 0 {
				name = ""
			}
			name = strings.TrimSpace(name+"\t") + "\t" + r.Outcomes[w.setIndex].Set.Name
		}
		t := w.comparison.Other
		one := []string{name, fmt.Sprint(t.Alerts), textformat.Duration(t.MedianTime.Round(time.Second)), textformat.Duration(t.TotalTime.Round(time.Second)), textformat.Duration(t.CriticalTime.Round(time.Second)), fmt.Sprint(t.Reraised), "", "", ""}
		if w.setIndex > 0 {
			one[6] = earlierText(&w.comparison)
			one[7], one[8] = blankIfZero(len(w.comparison.LostEpisodes)), blankIfZero(len(w.comparison.NewEpisodes))
		}
		cells = append(cells, one)
	}
	if single {
		for i := range cells {
			cells[i] = cells[i][:6]
		}
	}
	lines := alignColumns(cells)
	for _, least := range []string{"MEDIAN", "NEW", "CRITICAL", "IN ALL"} { // while the table is too wide, drop a column, in this order
		at := slices.Index(cells[0], least)
		if textWidth(lines[0]) <= st.Width || at < 0 {
			continue
		}
		for i := range cells {
			cells[i] = slices.Delete(cells[i], at, at+1)
		}
		lines = alignColumns(cells)
	}
	width := textWidth(lines[0])
	room := min(st.Width-width-2, 96)
	const leastChart = 12
	if room < leastChart {
		return lines
	}
	from, to := textformat.Clock(r.From, st.Zone), textformat.Clock(r.To, st.Zone)
	lines[0] += "  " + from + strings.Repeat(" ", max(room-len(from)-len(to), 1)) + to
	for i, w := range rows {
		cells := r.Chart(&r.Outcomes[w.setIndex], room, func(e *Episode) bool { return e.Rule == w.rule && e.Key.Scope == w.scope })
		lines[i+1] += "  " + drawCells(cells, st.ASCII)
	}
	return lines
}

// alignColumns aligns the first column of a table to the left and the others to the right. A tab in
// the first column splits it into two columns.
func alignColumns(cells [][]string) []string {
	first, second := 0, 0
	for _, c := range cells {
		a, b, _ := strings.Cut(c[0], "\t")
		first, second = max(first, textWidth(a)), max(second, textWidth(b))
	}
	widths := make([]int, len(cells[0]))
	for _, c := range cells {
		for i := 1; i < len(c); i++ {
			widths[i] = max(widths[i], textWidth(c[i]))
		}
	}
	out := make([]string, len(cells))
	for i, c := range cells {
		a, b, _ := strings.Cut(c[0], "\t")
		line := a + strings.Repeat(" ", first-textWidth(a))
		if second > 0 {
			line += "  " + b + strings.Repeat(" ", second-textWidth(b))
		}
		for j := 1; j < len(c); j++ {
			line += "  " + strings.Repeat(" ", widths[j]-textWidth(c[j])) + c[j]
		}
		out[i] = line
	}
	return out
}

func textWidth(s string) int { return uniseg.StringWidth(s) }

func blankIfZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// earlierText formats how much earlier the second set raises the common alerts.
func earlierText(l *RuleComparison) string {
	switch {
	case l.CommonAlerts == 0 || l.MedianLead.Abs() < time.Second:
		return ""
	case l.MedianLead > 0:
		return textformat.Duration(l.MedianLead.Round(time.Second))
	}
	return "-" + textformat.Duration((-l.MedianLead).Round(time.Second))
}

// CellMarks returns the characters for the values of [ChartCell]: not recorded, quiet, warning,
// critical. If ascii is true, they are ASCII characters.
func CellMarks(ascii bool) [4]string {
	if ascii {
		return [...]string{" ", ".", "o", "#"}
	}
	return [...]string{" ", "·", "▂", "▆"} // low characters leave space between rows
}

func drawCells(cells []ChartCell, ascii bool) string {
	marks := CellMarks(ascii)
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(marks[c])
	}
	return b.String()
}

// changeLines lists, for each set except the first, the alerts of the first set that this set does
// not raise. For only two sets, it also lists the new alerts of the second set.
func (r *Result) changeLines(rows []row, st ReportOptions) (lines []string) {
	few := maxListed
	if len(r.Outcomes) > 2 {
		few = maxListedEach
	}
	list := func(title string, all []Episode) {
		if len(all) == 0 {
			return
		}
		lines = append(lines, "", title)
		for i, e := range all {
			if i == few {
				lines = append(lines, fmt.Sprintf("  and %d more", len(all)-few))
				break
			}
			lines = append(lines, "  "+e.reportLine(st))
		}
	}
	for set := 1; set < len(r.Outcomes); set++ {
		var unseen, fresh []Episode
		for _, w := range rows {
			if w.setIndex == set {
				unseen, fresh = append(unseen, w.comparison.LostEpisodes...), append(fresh, w.comparison.NewEpisodes...)
			}
		}
		byTime := func(a, b Episode) int { return a.Raised.Compare(b.Raised) }
		slices.SortStableFunc(unseen, byTime)
		slices.SortStableFunc(fresh, byTime)
		name := r.Outcomes[set].Set.Name
		list("No longer seen with "+name+":", unseen)
		if len(r.Outcomes) == 2 {
			list("New with "+name+":", fresh)
		}
	}
	return lines
}

// reportLine describes an alert in one line.
func (e *Episode) reportLine(st ReportOptions) string {
	from := textformat.Clock(e.Raised, st.Zone)
	if e.BeforeStart {
		from = "before"
	}
	level := "warning "
	if len(e.Critical) > 0 {
		level = "critical"
	}
	return fmt.Sprintf("%-6s %7s  %s  %s", from, textformat.Duration(e.Lasted.Round(time.Second)), level, e.Text)
}

// ResultJSON is the JSON form of a [Result].
type ResultJSON struct {
	From      time.Time  `json:"from"`
	To        time.Time  `json:"to"`
	Snapshots int        `json:"pictures"`
	Seconds   float64    `json:"seconds"` // length of the recorded time
	Rules     []RuleJSON `json:"rules"`
}

// RuleJSON is the JSON form of a rule in a set. Durations are in seconds.
type RuleJSON struct {
	Rule              string  `json:"rule"`
	Scope             string  `json:"scope"`
	Set               string  `json:"set"`
	Alerts            int     `json:"alerts"`
	MedianSeconds     float64 `json:"median"`
	TotalSeconds      float64 `json:"inAll"`
	CriticalSeconds   float64 `json:"critical"`
	Flaps             int     `json:"flaps"`
	MedianLeadSeconds float64 `json:"earlier"`
	Unseen            int     `json:"unseen"`
	New               int     `json:"new"`
}

// JSON returns the JSON form of the result.
func (r *Result) JSON() ResultJSON {
	out := ResultJSON{From: r.From, To: r.To, Snapshots: r.Snapshots, Seconds: r.Recorded.Seconds()}
	rows, _, _ := r.rows(ReportOptions{IncludeUnchanged: true})
	for _, w := range rows {
		t := w.comparison.Other
		out.Rules = append(out.Rules, RuleJSON{
			w.rule, string(w.scope), r.Outcomes[w.setIndex].Set.Name, t.Alerts, t.MedianTime.Seconds(), t.TotalTime.Seconds(), t.CriticalTime.Seconds(),
			t.Reraised, w.comparison.MedianLead.Seconds(), len(w.comparison.LostEpisodes), len(w.comparison.NewEpisodes),
		})
	}
	return out
}

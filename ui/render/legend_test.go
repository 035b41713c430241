package render

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/textformat"
	"wallboard/ui/table"
)

// glossary is a table whose columns are documented.
type glossary struct {
	title, kind string // kind is the kind of the panes with this table; "": none
	rows        Rows
	legend      textformat.Legend
}

func glossaries() []glossary {
	return []glossary{
		{"Services", "services", NewServices(), textformat.ServiceColumns()},
		{"Groups", "groups", NewGroups(), textformat.GroupColumns()},
		{"Agents", "agents", NewAgents(), textformat.AgentColumns()},
		{"Campaigns", "campaigns", NewCampaigns(), textformat.CampaignColumns()},
		{"Attendants", "attendants", NewAttendants(), textformat.AttendantColumns()},
		{"Operators", "operators", NewOperators(), textformat.OperatorColumns()},
		{"Situations", "", NewSituations(), textformat.SituationColumns()},
		{"Alerts", "alerts", NewAlertRows(), textformat.IncidentColumns()},
		{"Feed", "feed", NewFeed(), textformat.FeedColumns()},
	}
}

// TestColumnsAreExplained requires an explanation for each column, and no explanations for columns that
// do not exist.
func TestColumnsAreExplained(t *testing.T) {
	t.Parallel()
	for _, g := range glossaries() {
		there := make(map[string]bool)
		for _, c := range g.rows.All() {
			there[c.ID] = true
			if !strings.HasSuffix(c.Explanation, ".") && !strings.HasSuffix(c.Explanation, "(key m).") {
				t.Errorf("%s: nothing explains the column %s (%s): %q", g.title, c.ID, c.Title, c.Explanation)
			}
		}
		for id := range g.legend {
			if !there[id] {
				t.Errorf("%s: there is no column %s to explain", g.title, id)
			}
		}
	}
}

// TestColumnReference compares docs/user/columns.md with the columns; -update writes the
// file.
func TestColumnReference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	said := make(map[string]bool)
	for _, g := range glossaries() {
		g.write(&b, said)
	}
	testkit.CheckSection(t, "../../docs/user/columns.md", "columns", b.String())
}

// write writes the columns of a table in Markdown. It only names columns that an earlier
// table explains in the same words.
func (g *glossary) write(b *strings.Builder, said map[string]bool) {
	fmt.Fprintf(b, "\n## %s\n\n", g.title)
	if g.kind != "" {
		fmt.Fprintf(b, "In `[[page.row.pane]]`: `kind = %q`.\n\n", g.kind)
	}
	usual := make(map[string]bool)
	for _, c := range g.rows.Columns() {
		usual[c.ID] = true
	}
	var repeated []string
	for _, c := range g.rows.All() {
		row := fmt.Sprintf("- %s `%s`: %s\n", headOf(c), c.ID, c.Explanation+chosen(usual[c.ID]))
		if said[row] {
			repeated = append(repeated, headOf(c)+" `"+c.ID+"`")
			continue
		}
		said[row] = true
		b.WriteString(row)
	}
	if len(repeated) > 0 {
		fmt.Fprintf(b, "\nAs above: %s.\n", strings.Join(repeated, ", "))
	}
}

// headOf returns the title of a column for the documentation.
func headOf(c table.Column) string {
	if c.Title == "" {
		return "–"
	}
	return "**" + c.Title + "**"
}

func chosen(usual bool) string {
	if usual {
		return ""
	}
	return " Only where it is chosen."
}

package render

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/ui/legend"
	"wallboard/ui/table"
)

// glossary is a table whose columns are documented.
type glossary struct {
	title, kind string // kind is that of panes, "" for none
	rows        Rows
	legend      legend.Legend
}

func glossaries() []glossary {
	return []glossary{
		{"Services", "services", NewServices(), legend.Services()},
		{"Groups", "groups", NewGroups(), legend.Groups()},
		{"Agents", "agents", NewAgents(), legend.Agents()},
		{"Campaigns", "campaigns", NewCampaigns(), legend.Campaigns()},
		{"Attendants", "attendants", NewAttendants(), legend.Attendants()},
		{"Operators", "operators", NewOperators(), legend.Operators()},
		{"Situations", "", NewSituations(), legend.Situations()},
		{"Alerts", "alerts", NewAlertRows(), legend.Incidents()},
		{"Feed", "feed", NewFeed(), legend.Feed()},
	}
}

// TestColumnsAreExplained requires an explanation for each column, and none for others.
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
	for _, g := range glossaries() {
		g.write(&b)
	}
	testkit.CheckSection(t, "../../docs/user/columns.md", "columns", b.String())
}

// write writes the columns of a table in Markdown.
func (g *glossary) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", g.title)
	if g.kind != "" {
		fmt.Fprintf(b, "In `[[page.row.pane]]`: `kind = %q`.\n\n", g.kind)
	}
	b.WriteString("| column | `columns` | what it shows |\n|---|---|---|\n")
	usual := make(map[string]bool)
	for _, c := range g.rows.Columns() {
		usual[c.ID] = true
	}
	for _, c := range g.rows.All() {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", headOf(c), c.ID, c.Explanation+chosen(usual[c.ID]))
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

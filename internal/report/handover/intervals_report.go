package handover

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

//go:embed intervals_report.html
var intervalsTemplate string

// IntervalFormatters returns the functions that format a table of intervals in a language, by output
// format. The texts of the table itself are in English.
func IntervalFormatters(l *words.Language) map[string]func(analysis.Table) string {
	return map[string]func(analysis.Table) string{
		FormText: intervalsText, FormCSV: intervalsCSV, FormMarkdown: intervalsMarkdown,
		FormHTML: func(d analysis.Table) string { return intervalsHTML(d, l) },
	}
}

func intervalsText(d analysis.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Title())
	if len(d.Rows) == 0 {
		return b.String() + d.EmptyText() + "\n"
	}
	fmt.Fprintf(&b, "%s\n\n", d.About())
	b.WriteString(terminal.AlignColumns(append([][]string{analysis.ColumnTitles()}, d.Cells()...), 0))
	return b.String()
}

func intervalsCSV(d analysis.Table) string {
	var b strings.Builder
	_ = contact.WriteCSV(&b, analysis.CSVColumns(), d.CSVRows()) // writing to a strings.Builder cannot fail
	return b.String()
}

func intervalsMarkdown(d analysis.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", escaper.Replace(d.Title()))
	if len(d.Rows) == 0 {
		return b.String() + d.EmptyText() + "\n"
	}
	b.WriteString(d.About() + "\n\n")
	writeIntervalsTable(&b, &d)
	return b.String()
}

func writeIntervalsTable(b *strings.Builder, d *analysis.Table) {
	b.WriteString("| " + strings.Join(analysis.ColumnTitles(), " | ") + " |\n|---|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, row := range d.Cells() {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

func intervalsHTML(d analysis.Table, l *words.Language) string {
	page := struct {
		Language, Title, About, None, Created string
		Head                                  []string
		Rows                                  [][]string
	}{l.Tag(), d.Title(), d.About(), d.EmptyText(), words.HandoverCreated(d.CreatedAt.Format(createdForm)).In(l), analysis.ColumnTitles(), d.Cells()}
	var b strings.Builder
	if err := template.Must(template.New("intervals").Parse(headTemplate+intervalsTemplate)).Execute(&b, page); err != nil {
		panic("report: " + err.Error()) // cannot happen, because a test executes the template
	}
	return b.String()
}

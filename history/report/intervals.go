package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"wallboard/internal/output"
	"wallboard/model/past"
	"wallboard/recount"
)

//go:embed intervals.html
var intervalsTemplate string

// IntervalForms returns the function for each form of intervals.
func IntervalForms() map[string]func(recount.Table) string {
	return map[string]func(recount.Table) string{
		FormText: intervalsText, FormCSV: intervalsCSV, FormMarkdown: intervalsMarkdown, FormHTML: intervalsHTML,
	}
}

func intervalsText(d recount.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Title())
	if len(d.Rows) == 0 {
		return b.String() + d.None() + "\n"
	}
	fmt.Fprintf(&b, "%s\n\n", d.About())
	_ = output.Table(&b, append([][]string{recount.Head()}, d.Cells()...)) // a builder cannot fail
	return b.String()
}

func intervalsCSV(d recount.Table) string {
	var b strings.Builder
	_ = past.WriteCSV(&b, recount.CSVHead(), d.CSVRows()) // a builder cannot fail
	return b.String()
}

func intervalsMarkdown(d recount.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", markdown(d.Title()))
	if len(d.Rows) == 0 {
		return b.String() + d.None() + "\n"
	}
	b.WriteString(d.About() + "\n\n")
	intervalsTable(&b, &d)
	return b.String()
}

func intervalsTable(b *strings.Builder, d *recount.Table) {
	b.WriteString("| " + strings.Join(recount.Head(), " | ") + " |\n|---|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, row := range d.Cells() {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

func intervalsHTML(d recount.Table) string {
	page := struct {
		Title, About, None, Made string
		Head                     []string
		Rows                     [][]string
	}{d.Title(), d.About(), d.None(), d.Made.Format("2006-01-02 15:04 -07:00"), recount.Head(), d.Cells()}
	var b strings.Builder
	if err := template.Must(template.New("intervals").Parse(styleTemplate+intervalsTemplate)).Execute(&b, page); err != nil {
		panic("report: " + err.Error()) // covered by a test
	}
	return b.String()
}

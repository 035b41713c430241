package report

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/model/past"
)

// A report that lists the first organizations only says of how many, and how to
// get the rest.
func TestReportSaysHowManyOrganizations(t *testing.T) {
	t.Parallel()
	var r Day
	for i := range 10 {
		r.Organizations = append(r.Organizations, past.Group{Name: fmt.Sprint("Acme ", i), Count: 20 - i})
	}
	for all, want := range map[int]string{13: "Inbound calls by organization (10 of 13, --all lists all of them)", 10: "Inbound calls by organization"} {
		r.AllOrganizations = all
		for form, write := range Forms() {
			text := write(r)
			if form != FormCSV && (!strings.Contains(text, want) || strings.Contains(text, "--all") != (all > 10)) {
				t.Errorf("%s, %d: %s", form, all, text)
			}
		}
	}
}

// Names from the platform are text in every form of a report.
func TestReportEscapes(t *testing.T) {
	t.Parallel()
	r := Day{Organizations: []past.Group{{Name: "<script>alert(1)</script>|x", Count: 3}}}
	if page := HTML(r); strings.Contains(page, "<script") {
		t.Error("the page holds a script")
	}
	if text := Markdown(r); strings.Contains(text, "<script") || !strings.Contains(text, `\|x`) {
		t.Error(text)
	}
}

// TestMarkdownOfOthers writes no link and no mark that somebody else has put in a name.
func TestMarkdownOfOthers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://evil.example/x":    `https\://evil.example/x`,
		"www.evil.example":          `www\.evil.example`,
		"![x](http://evil.example)": `!\[x\](http\://evil.example)`,
		`a\|b & <c>`:                `a\\\|b &amp; &lt;c&gt;`,
	} {
		if got := markdown(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

package handover

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/model/contact"
)

// TestReportSaysHowManyOrganizations checks the note about organizations that are not
// listed.
func TestReportSaysHowManyOrganizations(t *testing.T) {
	t.Parallel()
	var r DayReport
	for i := range 10 {
		r.Organizations = append(r.Organizations, contact.Group{Name: fmt.Sprint("Acme ", i), Count: 20 - i})
	}
	for all, want := range map[int]string{13: "Inbound calls by organization (10 of 13, --all lists all of them)", 10: "Inbound calls by organization"} {
		r.OrganizationCount = all
		for form, write := range DayFormatters(nil) {
			text := write(r)
			if form != FormCSV && (!strings.Contains(text, want) || strings.Contains(text, "--all") != (all > 10)) {
				t.Errorf("%s, %d: %s", form, all, text)
			}
		}
	}
}

// TestReportEscapes checks that names are escaped in every form of a report.
func TestReportEscapes(t *testing.T) {
	t.Parallel()
	r := DayReport{Organizations: []contact.Group{{Name: "<script>alert(1)</script>|x", Count: 3}}}
	if page := dayHTML(r, nil); strings.Contains(page, "<script") {
		t.Error("the page holds a script")
	}
	if text := dayMarkdown(r, nil); strings.Contains(text, "<script") || !strings.Contains(text, `\|x`) {
		t.Error(text)
	}
}

// TestMarkdownOfOthers checks that names cannot contain links or markup.
func TestMarkdownOfOthers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://evil.example/x":    `https\://evil.example/x`,
		"www.evil.example":          `www\.evil.example`,
		"![x](http://evil.example)": `!\[x\](http\://evil.example)`,
		`a\|b & <c>`:                `a\\\|b &amp; &lt;c&gt;`,
	} {
		if got := escaper.Replace(in); got != want {
			t.Errorf("%q escaped as %q, want %q", in, got, want)
		}
	}
}

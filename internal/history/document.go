package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"wallboard/model/contact"
)

// rootField is a root field of a GraphQL document, without its alias.
type rootField struct {
	op   string     // name of the operation, for errors
	form resultForm // expected form of the answer
	text string
	// period is the range of time that the answer covers. The zero period means that the
	// answer may change at any time.
	period contact.Range
	secret bool // the answer must not be written to disk
}

// renderDocument returns a GraphQL document with all fields, under the aliases f0, f1, …
func renderDocument(fields []rootField) string {
	var b strings.Builder
	b.WriteString("query {")
	for i, f := range fields {
		fmt.Fprintf(&b, "\n  %s: %s", alias(i), f.text)
	}
	b.WriteString("\n}")
	return b.String()
}

func alias(i int) string { return "f" + strconv.Itoa(i) }

type month struct{ year, month int }

// searchArgument formats the argument of a search for contacts or support records in the month
// m that began in r (document 3, section "Resources and their fields"). page is appended to
// the argument and selects a page.
func searchArgument(m month, r contact.Range, page string) string {
	// BETWEEN may include its right end, so subtract one millisecond, the precision of times.
	return fmt.Sprintf("search: {year: %d, month: %d, startTime: {operator: BETWEEN, valueLeft: %s, valueRight: %s}%s}",
		m.year, m.month, timeLiteral(r.From), timeLiteral(r.To.Add(-time.Millisecond)), page)
}

// paginationArguments formats the arguments of a search that select a page of results sorted
// by key.
func paginationArguments(key string, offset, limit int) string {
	return fmt.Sprintf("pagination: {limit: %d, offset: %d}, sorting: {key: %s, direction: ASC}", limit, offset, key)
}

// timeLiteral formats a time as a literal in a search.
func timeLiteral(t time.Time) string { return t.UTC().Format(`"2006-01-02T15:04:05.000Z"`) }

// stringLiteral formats s as a string literal of GraphQL (October 2021, section 2.9.4).
func stringLiteral(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// monthsOf returns the months that may contain the contacts of a range, whether months begin in UTC
// or in loc.
func monthsOf(r contact.Range, loc *time.Location) []month {
	last := r.To.Add(-time.Millisecond)
	index := func(t time.Time) int { return t.Year()*12 + int(t.Month()) - 1 }
	from := min(index(r.From.UTC()), index(r.From.In(loc)))
	to := max(index(last.UTC()), index(last.In(loc)))
	var list []month
	for i := from; i <= to; i++ {
		list = append(list, month{i / 12, i%12 + 1})
	}
	return list
}

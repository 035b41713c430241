package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestMergingTakesTimeInProportion: messages are read in linear time, including
// keyed lists in any order.
func TestMergingTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	record := func(fields string) string {
		return `{"data":{"userStats":[{"username":"anna","channel":"CALL",` + fields + `}]}}`
	}
	elements := func(n int, key func(i, of int) int) string {
		const each = 32 // bytes per element
		var b strings.Builder
		for i := range n / each {
			fmt.Fprintf(&b, `{"activityCode":"%04d","totalTime":1},`, key(i, n/each))
		}
		return `[` + strings.TrimSuffix(b.String(), ",") + `]`
	}
	s := subjectNamed(t, "userStats")
	shared := s.open(t)
	read := func(payload string) {
		p := shared.empty()
		_, _ = p.apply(payload)
		_, _ = p.apply(payload) // the second time, there are elements to look up
	}
	each := func(payloads string) {
		for payload := range strings.SplitAfterSeq(payloads, "]}]}}") {
			read(payload)
		}
	}
	for name, key := range map[string]func(i, of int) int{
		"in order":  func(i, _ int) int { return i },
		"backwards": func(i, of int) int { return of - i },
		"mixed":     func(i, of int) int { return i * 7919 % of },
		"the same":  func(int, int) int { return 0 },
	} {
		// The longest lists have the maximum number of elements.
		testkit.CheckLinearText(t, name, func(n int) string { return strings.Repeat(record(`"timeInActivityCode":`+elements(n, key)), 16) }, each)
	}
	texts := append(testkit.JSONPatterns("data"), testkit.JSONPatterns("errors")...)
	for _, field := range []string{"name", "numberCallIn", "timeInState", "timeInActivityCode", "customStats", "unknown", "services", "__typename"} {
		for _, p := range testkit.JSONPatterns(field) {
			p.Before = strings.TrimSuffix(record(p.Before[min(1, len(p.Before)):]), "}]}}")
			texts = append(texts, p, testkit.Pattern{Before: p.Before, Repeated: p.Repeated, After: p.After + "]}}"})
		}
	}
	testkit.CheckLinear(t, texts, read)
}

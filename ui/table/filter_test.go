package table

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func columns() []Column {
	return []Column{
		{ID: "name", Title: "Agent"},
		{ID: "state", Title: "State"},
		{ID: "time", Title: "Time", HasFigures: true},
		{ID: "limit", Title: "Limit", HasFigures: true},
		{ID: "sl", Title: "SL", HasFigures: true},
		{ID: "waiting", Title: "Waiting", HasFigures: true},
		{ID: "todo", Title: "To do", HasFigures: true},
		{ID: "own", Title: "Büro", HasFigures: true},
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Problem{
		"":                 {},
		"ready":            {},
		"time>10m":         {},
		"TIME >= 10m":      {},
		"time > 1h30m foo": {},
		"sl<80%":           {},
		"sl < 79,5":        {},
		"wait>3":           {},
		"todo<5":           {},
		"buro>1":           {},
		"x=b":              {},
		">5":               {},
		"time>":            {Kind: MissingValue, Name: "time>"},
		"time>ten":         {Kind: InvalidValue, Name: "ten"},
		"tme>10m":          {Kind: UnknownColumn, Name: "tme"},
		"t>3":              {Kind: AmbiguousColumn, Name: "t", Titles: []string{"Time", "To do"}},
		"state>3":          {Kind: NoFigures, Name: "State"},
		"agent=anna":       {Kind: NoFigures, Name: "Agent"},
	} {
		if diff := cmp.Diff(want, ParseFilter(text, columns()).Problem); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestConditions checks that conditions compare values, regardless of how cells show them.
func TestConditions(t *testing.T) {
	t.Parallel()
	row := map[int]Value{
		2: {Kind: DurationValue, Known: true, Number: 727},
		3: {Kind: DurationValue, Known: true, Number: 90, Text: "▓▓▓ +1:30"},
		4: {Kind: PercentValue, Known: true, Number: 79.98},
		5: {Kind: NumberValue, Known: true, Number: 11245, Text: "11.2 k"},
		6: {Kind: NumberValue, Known: true},
		7: {Kind: NumberValue},
	}
	for text, want := range map[string]bool{
		"":                   true,
		"time>10m":           true,
		"time > 10m":         true,
		"time>12:07":         false,
		"time>=12:07":        true,
		"time<13m":           true,
		"time>600":           true, // a number without a unit is in seconds
		"limit>0":            true,
		"limit>2m":           false,
		"sl<80":              false,
		"sl<=80%":            true,
		"sl=80":              true, // compared with the precision that is shown
		"sl<80,1":            true,
		"waiting=11245":      true,
		"waiting>10m":        false, // the values are not durations
		"waiting>11k":        true,
		"waiting>0.1MB":      false,
		"todo=0":             true,
		"todo>0":             false,
		"own>0":              false, // the value is unknown
		"own<1":              false,
		"time>10m limit>0":   true,
		"time>10m limit>5m":  false,
		"time>":              true, // the viewer is still typing
		"time>x":             false,
		"nothing>3":          false,
		"time>10m nothing>3": false,
	} {
		f := ParseFilter(text, columns())
		if got := f.MeetsConditions(func(c int) Value { return row[c] }); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	want := []FilterWord{{"not", []string{"not"}}, {"ready", []string{"not ready", "ready"}}}
	if diff := cmp.Diff(want, ParseFilter("Not time>5m Réady", columns()).Words); diff != "" {
		t.Error(diff)
	}
}

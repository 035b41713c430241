package rowfilter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/ui/table"
)

func columns() []table.Column {
	return []table.Column{
		{ID: "name", Title: "Agent"},
		{ID: "state", Title: "State"},
		{ID: "time", Title: "Time", SortDescending: true},
		{ID: "limit", Title: "Limit", SortDescending: true},
		{ID: "sl", Title: "SL", SortDescending: true},
		{ID: "waiting", Title: "Waiting", SortDescending: true},
		{ID: "todo", Title: "To do", SortDescending: true},
		{ID: "own", Title: "Büro", SortDescending: true},
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                 "",
		"ready":            "",
		"time>10m":         "",
		"TIME >= 10m":      "",
		"time > 1h30m foo": "",
		"sl<80%":           "",
		"sl < 79,5":        "",
		"wait>3":           "",
		"todo<5":           "",
		"buro>1":           "",
		"x=b":              "",
		">5":               "",
		"time>":            "time> needs a value, like 10m or 80.",
		"time>ten":         "\"ten\" is no value: write 80, 79.5, 10m, 1h30m or 0:45.",
		"tme>10m":          "No column is called \"tme\".",
		"t>3":              "\"t\" may be Time, To do.",
		"state>3":          "State has no figures: type the word itself.",
		"agent=anna":       "Agent has no figures: type the word itself.",
	} {
		if got := Parse(text, columns()).Problem; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestConditions compares cells as the board draws them.
func TestConditions(t *testing.T) {
	t.Parallel()
	row := map[int]string{2: "12:07", 3: "▓▓▓ +1:30", 4: "80.0 %", 5: "11 245", 6: "·", 7: "–"}
	for text, want := range map[string]bool{
		"":                   true,
		"time>10m":           true,
		"time > 10m":         true,
		"time>12:07":         false,
		"time>=12:07":        true,
		"time<13m":           true,
		"time>600":           true, // seconds
		"limit>0":            true,
		"limit>2m":           false,
		"sl<80":              false,
		"sl<=80%":            true,
		"sl<80,1":            true,
		"waiting=11245":      true,
		"waiting>10m":        false, // no duration
		"todo=0":             true,
		"todo>0":             false,
		"own>0":              false, // unknown
		"own<1":              false,
		"time>10m limit>0":   true,
		"time>10m limit>5m":  false,
		"time>":              true, // the viewer is still typing
		"time>x":             false,
		"nothing>3":          false,
		"time>10m nothing>3": false,
	} {
		f := Parse(text, columns())
		if got := f.Holds(func(c int, dst *table.Cell) { dst.String(row[c]) }); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	want := []Word{{"not", []string{"not"}}, {"ready", []string{"not ready", "ready"}}}
	if diff := cmp.Diff(want, Parse("Not time>5m Réady", columns()).Words); diff != "" {
		t.Error(diff)
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	type value struct {
		N          float64
		IsDuration bool
		IsKnown    bool
	}
	for text, want := range map[string]value{
		"0:42": {42, true, true}, "1:02:33": {3753, true, true}, "4d 04:12": {4*86_400 + 4*3600 + 12*60, true, true},
		"~3:30": {210, true, true}, "3:30?": {210, true, true}, "+0:00": {0, true, true},
		"7": {7, false, true}, "-3": {-3, false, true}, "1 234 567": {1_234_567, false, true}, "52.9 %": {52.9, false, true},
		"9/30": {9, false, true}, "·": {0, false, true}, ".": {0, false, true},
		"–": {}, "-": {}, "n/a": {}, "": {}, "█████": {},
	} {
		n, isDuration, ok := Value(text)
		if !ok {
			n, isDuration = 0, false
		}
		if got := (value{n, isDuration, ok}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

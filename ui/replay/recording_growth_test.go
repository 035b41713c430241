package replay

import (
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
)

// growingRecording is a recording to which time and marks are added.
type growingRecording struct {
	Player
	from, to time.Time
	marks    []model.Mark
}

func (g *growingRecording) Span() (from, to time.Time) { return g.from, g.to }
func (g *growingRecording) Marks() []model.Mark        { return g.marks }

// TestMarksAreParsedOnlyWhenTheyChange lets a recording grow: the marks are parsed again only if there
// is another one, or if the recording begins earlier.
func TestMarksAreParsedOnlyWhenTheyChange(t *testing.T) {
	t.Parallel()
	nine := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	g := &growingRecording{from: nine, to: nine.Add(time.Hour), marks: []model.Mark{{At: nine, Kind: model.MarkNote, Text: "newsletter"}}}
	r := New(Options{Recording: g})
	parsed := r.recordedIncidents
	for _, step := range []struct {
		name   string
		grow   func()
		parses bool
	}{
		{"a second", func() { g.to = g.to.Add(time.Second) }, false},
		{"a mark", func() { g.marks = append(g.marks[:1:1], model.Mark{At: g.to, Kind: model.MarkNote, Text: "IVR down"}) }, true},
		{"another second", func() { g.to = g.to.Add(time.Second) }, false},
		{"an hour before", func() { g.from = g.from.Add(-time.Hour) }, true},
	} {
		step.grow()
		r.readGrowth()
		if got := r.recordedIncidents != parsed; got != step.parses {
			t.Errorf("%s: the marks were parsed: %v", step.name, got)
		}
		if parsed = r.recordedIncidents; !r.from.Equal(g.from) || !r.to.Equal(g.to) || len(r.marks) != len(g.marks) {
			t.Errorf("%s: from %v to %v, %d marks", step.name, r.from, r.to, len(r.marks))
		}
	}
}

// TestLimitedMarks checks that the marks until the instant on the screen reach the comparison of effects
// in a replay, and later ones do not.
func TestLimitedMarks(t *testing.T) {
	t.Parallel()
	nine := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	g := &growingRecording{marks: []model.Mark{{At: nine, Text: "a"}, {At: nine.Add(time.Hour), Text: "b"}}}
	for end, want := range map[time.Time]int{nine.Add(-time.Second): 0, nine: 1, nine.Add(2 * time.Hour): 2} {
		var limited analysis.Snapshots = limitedSnapshots{g, end}
		marked, ok := limited.(interface{ Marks() []model.Mark })
		if !ok || len(marked.Marks()) != want {
			t.Errorf("until %v: %v, want %d", end, ok, want)
		}
	}
}

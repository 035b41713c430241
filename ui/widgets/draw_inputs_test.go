package widgets

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// figures is a source of three figures, two of which share a panel.
type figures struct{ newest float64 }

func (*figures) ChartedKPIs(alert.Scope) []alert.KPI {
	return []alert.KPI{{Name: "a"}, {Name: "b", Format: alert.Percent}, {Name: "c"}}
}

func (*figures) Goal(string) alert.Goal { return alert.Goal{} }

func (f *figures) Value(string, alert.Key) model.Figure { return model.FigureOf(f.newest) }

func (*figures) Trend(dst []float64, _ string, _ alert.Key, _ time.Duration) alert.Trend {
	return alert.Trend{Samples: append(dst, 0.1, 0.2, 0.3), Step: time.Minute, End: time.Unix(1000, 0)}
}

// TestDrawnOnlyAfterChange checks that a chart is drawn again after a value has changed, and not with
// every frame. Drawing a chart costs ten times as much as the rest of a page of agents.
func TestDrawnOnlyAfterChange(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	f := &figures{newest: 0.5}
	sc := &Source{Look: style.New(style.Options{Theme: theme}, render.Options{}), Floor: &floorview.View{}, Engine: f, Trends: f}
	p := &Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{"a", "b", "c"}}
	p.View(sc, 0, 0, 100, 30)
	const mark = "as it was drawn before"
	p.drawn[0] = mark
	if p.View(sc, 0, 0, 100, 30)[0] != mark {
		t.Error("the chart is drawn again although nothing has changed")
	}
	f.newest = 0.6
	if p.View(sc, 0, 0, 100, 30)[0] == mark {
		t.Error("the chart is not drawn again although its values have changed")
	}
}

// TestLinesHaveTheWidth checks that the lines of a chart have its width at any size, because they are not
// measured again.
func TestLinesHaveTheWidth(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	for _, ascii := range []bool{false, true} {
		f := &figures{newest: 0.5}
		sc := &Source{Look: style.New(style.Options{Theme: theme, ASCII: ascii}, render.Options{}), Floor: &floorview.View{}, Engine: f, Trends: f}
		for w := 1; w < 130; w++ {
			for _, h := range []int{1, 4, 9, 30} {
				p := &Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{"a", "b", "c"}, HidesLegend: w%2 == 0, Target: model.FloatOf(0.4)}
				out := p.View(sc, 0, 0, w, h)
				if len(out) != h {
					t.Fatalf("%d lines at %dx%d", len(out), w, h)
				}
				for _, line := range out {
					if got := style.Width(line); got != w {
						t.Fatalf("a line of %d cells at %dx%d: %q", got, w, h, line)
					}
				}
			}
		}
	}
}

// habits is a source of figures with a known baseline.
type habits struct {
	figures
	days string
}

func (h *habits) Baseline(name string, _ alert.Key, over alert.Trend) forecast.UsualBand {
	if h.days == "" || name != "b" {
		return forecast.UsualBand{}
	}
	n := len(over.Samples)
	return forecast.UsualBand{Low: slices.Repeat([]float64{0.1}, n), High: slices.Repeat([]float64{0.15}, n), Days: words.Name(h.days), Trimmed: true}
}

// TestUsualIsSaid checks that the text about a baseline is shown as far as it fits.
func TestUsualIsSaid(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		w, abouts  int
		days, said string
	}{
		{100, 1, "last 5 working days", "typical 10 % to 15 % at this time, last 5 working days without extremes"},
		{60, 1, "last 5 working days", "typical 10 % to 15 %, last 5 working days"},
		{40, 1, "last 5 working days", "typical 10 % to 15 %"},
		{100, 1, "", ""},
		{100, 2, "last 5 working days", ""}, // with two lines, viewers could not tell to which one the baseline belongs
	} {
		f := &habits{days: tt.days}
		f.newest = 0.5
		sc := &Source{Look: style.New(style.Options{Theme: theme}, render.Options{}), Floor: &floorview.View{}, Engine: f, Trends: f}
		p := &Plot{Subjects: slices.Repeat([]alert.Key{{Scope: alert.Floor}}, tt.abouts), KPIs: []string{"a", "b"}}
		text := ansi.Strip(strings.Join(p.View(sc, 0, 0, tt.w, 30), "\n"))
		if tt.said == "" && strings.Contains(text, "typical") || !strings.Contains(text, tt.said) || strings.Count(text, "typical") > 1 {
			t.Errorf("%d cells, want %q:\n%s", tt.w, tt.said, text)
		}
	}
}

// TestJitterHasAPanel checks that figures that change with every call of a campaign have a separate
// panel, and that averages of past samples do not change.
func TestJitterHasAPanel(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	sc := &Source{Look: style.New(style.Options{Theme: theme}, render.Options{})}
	got := ""
	for _, p := range panelsOf(sc, []chartLine{
		{name: "talkingContacts"}, {name: "freeResources"}, {name: "ringingContacts"}, {name: "hitRate", format: alert.Percent},
	}) {
		got += "|"
		for i := range p.lines {
			got += p.lines[i].name + " "
		}
	}
	if want := "|talkingContacts |hitRate |freeResources ringingContacts "; got != want {
		t.Errorf("the panels are %q, want %q", got, want)
	}
	jitter := alert.Trend{Step: 10 * time.Second, End: time.Unix(6000, 0)}
	for i := range 360 {
		jitter.Samples = append(jitter.Samples, float64(i%2))
	}
	jitter.Samples[100] = math.NaN()
	before := averageSamples(&jitter, 70)
	if v := before[200]; v != 0.5 || !math.IsNaN(before[100]) || math.IsNaN(before[101]) {
		t.Errorf("the averages are %v", before)
	}
	jitter.Samples, jitter.End = append(jitter.Samples[1:], 9), jitter.End.Add(jitter.Step)
	if after := averageSamples(&jitter, 70); !slices.EqualFunc(before[7:350], after[6:349], EqualSample) {
		t.Error("a past average has changed")
	}
	if few := averageSamples(&jitter, 200); &few[0] != &jitter.Samples[0] {
		t.Error("samples that have room are not drawn as they are")
	}
}

// TestRangesShowShapes checks that the range for shares and times shows the shape of the line, and that a
// single caller does not fill the range for counts.
func TestRangesShowShapes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f         alert.Format
		values    []float64
		low, high float64
	}{
		{alert.Number, []float64{0, 1}, 0, 5},
		{alert.Number, []float64{0, 12}, 0, 12},
		{alert.Percent, []float64{0.22, 0.22}, 0.1925, 0.2475},
		{alert.Percent, []float64{1, 1}, 0.875, 1},
		{alert.Percent, []float64{0, 0}, 0, 0.02},
		{alert.Duration, []float64{200, 200}, 175, 225},
		{alert.Duration, []float64{0, 3}, 0, 10},
		{alert.Duration, nil, 0, 0},
	} {
		low, high := FittedRange(tt.f, append(tt.values, math.NaN(), math.Inf(1)))
		if math.Abs(low-tt.low)+math.Abs(high-tt.high) > 1e-9 {
			t.Errorf("%v are drawn from %v to %v, want %v to %v", tt.values, low, high, tt.low, tt.high)
		}
	}
	one := panel{format: alert.Number, lines: []chartLine{{drawnSamples: []float64{0, 1}}}}
	for h := 1; h < 40; h++ {
		if one.setScale(h, false); one.Max < 5 {
			t.Errorf("one caller is drawn on %v of %d lines", one.Scale, h)
		}
	}
	p := panel{format: alert.Percent, lines: []chartLine{{drawnSamples: []float64{0.215, 0.22}}}}
	if p.setScale(12, false); p.Min < 0.1 || p.Max > 0.3 {
		t.Errorf("22 %% are drawn on %v", p.Scale)
	}
}

package textformat

import (
	"testing"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// TestSpokenFigure checks figures for reading aloud.
func TestSpokenFigure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		unit  kpi.Unit
		value model.Figure
		want  string
	}{
		{kpi.Number, model.FigureOf(4), "4"},
		{kpi.Number, model.FigureOf(4.25), "4.3"},
		{kpi.Percent, model.FigureOf(0.874), "87.4 percent"},
		{kpi.Percent, model.FigureOf(1), "100 percent"},
		{kpi.Duration, model.FigureOf(0), "0 seconds"},
		{kpi.Duration, model.FigureOf(1), "1 second"},
		{kpi.Duration, model.FigureOf(65), "1 minute 5 seconds"},
		{kpi.Duration, model.FigureOf(7199.9), "2 hours"},
		{kpi.Duration, model.FigureOf(3661), "1 hour 1 minute"},
		{kpi.Duration, model.FigureOf(90000), "1 day 1 hour"},
		{kpi.Duration, model.FigureOf(-5), "minus 5 seconds"},
		{kpi.Duration, model.NotApplicable(), "not applicable"},
		{kpi.Percent, model.Figure{}, "unknown"},
	} {
		if got := SpokenFigure(tt.unit, tt.value).In(nil); got != tt.want {
			t.Errorf("%v as %v: %q, want %q", tt.value, tt.unit, got, tt.want)
		}
	}
}

// TestFigureText checks figures in messages.
func TestFigureText(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]words.Text{
		"12 345": FigureText(kpi.Number, model.FigureOf(12345)),
		"4.3":    FigureText(kpi.Number, model.FigureOf(4.25)),
		"87.4 %": FigureText(kpi.Percent, model.FigureOf(0.874)),
		"~2:00":  FigureText(kpi.Duration, model.FigureOf(120).AsEstimate()),
		"1:05?":  FigureText(kpi.Duration, model.FigureOf(65).WithPresumedUnit(true)),
		"-0:05":  FigureText(kpi.Duration, model.FigureOf(-5)),
		"n/a":    FigureText(kpi.Duration, model.NotApplicable()),
		"–":      FigureText(kpi.Percent, model.Figure{}),
	} {
		if told := got.In(nil); told != want {
			t.Errorf("%q, want %q", told, want)
		}
	}
}

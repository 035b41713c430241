package history

import (
	"strings"
	"testing"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestRestOfDaySaysTheVerdict checks that the dialog says whether the day will meet its target, and
// a reason for missing forecasts only once.
func TestRestOfDaySaysTheVerdict(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(day []string, rest *forecast.RestOfDay) string {
		p := &dialog.TextBuilder{Look: style.New(style.Options{Theme: theme}, render.Options{}), Width: 100}
		writeRestOfDay(p, day, rest)
		return strings.Join(p.Lines, "\n")
	}
	if got := draw([]string{"Target 80 %: probably yes, 84 % by 20:00 (82 to 86)."}, &forecast.RestOfDay{Days: 5}); !strings.Contains(got, "probably yes, 84 % by 20:00") {
		t.Errorf("no verdict in %q", got)
	}
	missing := &forecast.RestOfDay{MissingReason: words.ForecastNeedsLive()}
	if got := draw(words.AllIn(missing.Lines(), nil), missing); strings.Count(got, "It needs live figures.") != 1 {
		t.Errorf("the reason is not said once: %q", got)
	}
}

package pages

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestPlatformRow checks the row of a platform without data, and that situations that no viewer has taken
// over come before the others, with critical ones first.
func TestPlatformRow(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var view situation.View
	for _, s := range []struct {
		headline string
		level    alert.Level
		by       string
	}{{"taken", alert.Critical, "anna"}, {"warning", alert.Warning, ""}, {"critical", alert.Critical, ""}} {
		one := situation.Situation{Headline: s.headline, Level: s.level}
		one.Ack.By = s.by
		view.Live = append(view.Live, one)
	}
	p := Platform{
		Name: "Rome", Look: style.New(style.Options{Theme: theme}, render.Options{}),
		Floor: &floorview.View{LocalNow: now}, Situations: &view,
		Goal: func() alert.Goal { t.Error("a platform without data has no figures"); return alert.Goal{} },
	}
	row := p.Row(&model.FloorTally{}, model.Call)
	if row.Name != "Rome" || row.HasData || !row.Now.Equal(now) {
		t.Errorf("row %+v", row)
	}
	for i, want := range []string{"critical", "warning", "taken"} {
		if got := row.Situations[i].Headline; got != want {
			t.Errorf("situation %d is %q, want %q", i, got, want)
		}
	}
	if view.Live[0].Headline != "taken" {
		t.Error("the row has sorted the situations of the board")
	}
}

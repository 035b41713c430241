package forecast

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// TestNarrowLevel checks that a range wider than ten points says nothing.
func TestNarrowLevel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    Forecast
		want bool
	}{
		{Forecast{}, false},
		{Forecast{LevelKnown: true, Level: Band{Low: 0.79, High: 0.83}}, true},
		{Forecast{LevelKnown: true, Level: Band{Low: 0.63, High: 0.96}}, false},
	} {
		if got := tt.f.IsLevelRangeNarrow(); got != tt.want {
			t.Errorf("%+v is narrow: %v", tt.f.Level, got)
		}
	}
}

// TestSummary checks that a summary omits the ranges that are too wide to be useful.
func TestSummary(t *testing.T) {
	t.Parallel()
	const narrow, wide = 40, 400
	closing := time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		contacts, level float64 // widths of the ranges
		text, brief     string
	}{
		{narrow, 0.04, "forecast by 20:00: 980 to 1020 calls, service level 79 to 83 %, missed from about 16:15", "forecast: 980 to 1020 calls, 79 to 83 %"},
		{narrow, 0.2, "forecast by 20:00: 980 to 1020 calls", "forecast: 980 to 1020 calls"},
		{wide, 0.04, "forecast by 20:00: service level 79 to 83 %, missed from about 16:15", "forecast: 79 to 83 %"},
		{wide, 0.2, "", ""},
	} {
		f := Forecast{
			ContactsKnown: true, Contacts: Band{Low: 1000 - tt.contacts/2, Likely: 1000, High: 1000 + tt.contacts/2},
			LevelKnown: true, Level: Band{Low: 0.79, High: 0.79 + tt.level}, ClosingTime: closing, MissedFrom: closing.Add(-225 * time.Minute),
		}
		if text, brief := f.Summary(words.NounCalls()); text.In(nil) != tt.text || brief.In(nil) != tt.brief {
			t.Errorf("%q and %q, want %q and %q", text.In(nil), brief.In(nil), tt.text, tt.brief)
		}
	}
}

func TestLevelBand(t *testing.T) {
	t.Parallel()
	for want, level := range map[string]Band{"79 to 83 %": {Low: 0.79, High: 0.83}, "about 84 %": {Low: 0.836, High: 0.844}} {
		if f := (Forecast{Level: level}); f.LevelBand().In(nil) != want {
			t.Errorf("%s, want %s", f.LevelBand().In(nil), want)
		}
	}
}

// TestWideRangeOnOneSide checks the text about a wide range that lies entirely on one side of the target.
func TestWideRangeOnOneSide(t *testing.T) {
	t.Parallel()
	closing := time.Date(2026, 3, 2, 18, 30, 0, 0, time.UTC)
	for want, level := range map[string]Band{
		"Target 80 %: probably not by 18:30; no figure, because the range is still wider than 10 points.": {Low: 0.59, High: 0.704},
		"Target 80 %: probably yes by 18:30; no figure, because the range is still wider than 10 points.": {Low: 0.83, High: 0.95},
		"Service level by 18:30: too early to say, because the range is still wider than 10 points.":      {Low: 0.70, High: 0.90},
	} {
		f := Forecast{LevelKnown: true, Level: level, Target: model.FloatOf(0.8), ClosingTime: closing}
		if got := f.levelLine().In(nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	missed := Forecast{LevelKnown: true, ContactsKnown: true, Level: Band{Low: 0.59, High: 0.704}, Target: model.FloatOf(0.8), NeededShare: model.FloatOf(1.2), Verdict: VerdictUnreachable, ClosingTime: closing}
	want := []string{"Target 80 %: no by 18:30; no figure, because the range is still wider than 10 points.", "Out of reach, even if every call from now on is answered in time."}
	if got := words.AllIn(missed.Lines(), nil); !slices.Equal(got[:2], want) {
		t.Errorf("%q, want %q first", got, want)
	}
}

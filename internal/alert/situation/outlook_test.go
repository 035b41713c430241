package situation

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
)

// TestEstimateHoldsForAMinute plays a queue whose outlook changes within seconds: the board says when the queue
// clears only after this has been known for a minute, and never while agents are ready.
func TestEstimateHoldsForAMinute(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	known := Help{ClearTime: 2 * time.Minute, ClearTimeKnown: true}
	unknown := Help{}
	hangUps := Help{ClearTime: 2 * time.Minute, ClearTimeKnown: true, ClearsByHangUps: true}
	ready := Help{ClearTime: 2 * time.Minute, ClearTimeKnown: true, agentsReady: true}
	var last Help
	for _, tt := range []struct {
		second int
		help   Help
		told   bool
	}{
		{0, known, false},
		{59, known, false},
		{60, known, true},
		{70, hangUps, false},
		{71, known, false},
		{130, known, false},
		{131, known, true},
		{140, ready, false},
		{141, known, false},
		{201, known, true},
		{202, unknown, false},
	} {
		h := tt.help
		h.setEstimate(&last, began.Add(time.Duration(tt.second)*time.Second))
		if text := h.Estimate.String(); (text != "") != tt.told {
			t.Errorf("after %d s: %q, should be told: %v", tt.second, text, tt.told)
		}
		last = h
	}
}

// TestNeededAgentsAreHeld checks that the number of agents stays for a minute while it is about
// right, and changes at once when it is wrong.
func TestNeededAgentsAreHeld(t *testing.T) {
	t.Parallel()
	began := time.Unix(1000, 0)
	two, three := Staffing{MoreAgents: 2, MinMoreAgents: 1, MaxMoreAgents: 3}, Staffing{MoreAgents: 3, MinMoreAgents: 2, MaxMoreAgents: 4}
	five, perhaps, each := Staffing{MoreAgents: 5, MinMoreAgents: 3, MaxMoreAgents: 6}, Staffing{MaxMoreAgents: 2}, Staffing{MoreAgents: 2, OnePerContact: true}
	last := Help{}
	for _, tt := range []struct {
		second     int
		is, shown  Staffing
		clearsSoon bool
	}{
		{0, two, two, false},
		{10, three, two, false},
		{59, three, two, false},
		{60, three, three, false}, // the first number has been shown for a minute
		{70, five, five, false},   // the number is outside the range of the shown one
		{80, perhaps, perhaps, false},
		{90, Staffing{}, perhaps, true},      // probably none needed
		{100, Staffing{}, Staffing{}, false}, // too many to be realistic, or unknown
		{110, two, two, false},
		{120, each, each, false},
		{130, two, two, false},
	} {
		h := Help{Needed: tt.is, ClearTimeKnown: tt.clearsSoon}
		h.keepNeededAgents(&last, began.Add(time.Duration(tt.second)*time.Second))
		if h.Needed != tt.shown {
			t.Errorf("after %d s: %+v, want %+v", tt.second, h.Needed, tt.shown)
		}
		last = h
	}
}

// TestEstimateSaysWhatIsRight checks which estimates are shown, and how they are judged.
func TestEstimateSaysWhatIsRight(t *testing.T) {
	t.Parallel()
	for in, want := range map[time.Duration]string{
		0: "", 2 * time.Minute: "should clear on its own in about 2 min", 5 * time.Minute: "should clear on its own within 10 min", 11 * time.Minute: "",
	} {
		h := Help{ClearTime: in, ClearTimeKnown: true}
		h.setEstimate(&Help{clearsSince: time.Unix(0, 0)}, time.Unix(60, 0))
		if got := h.Estimate.String(); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
	uncertain := Help{ClearTime: 2 * time.Minute, ClearTimeKnown: true, Needed: Staffing{MaxMoreAgents: 2}}
	uncertain.setEstimate(&Help{clearsSince: time.Unix(0, 0)}, time.Unix(60, 0))
	if _, said := (&Situation{Help: uncertain}).HelpPhrases(); !slices.Equal(said, []string{"may need up to 2 more agents", "otherwise it should clear on its own within 6 min"}) {
		t.Errorf("%q of a queue that may need agents", said)
	}
	about, within := ClearEstimate{Duration: 6 * time.Minute}, ClearEstimate{Duration: 6 * time.Minute, IsUpperLimit: true}
	for took, want := range map[time.Duration][2]bool{
		time.Minute: {false, true}, 2 * time.Minute: {true, true}, 7 * time.Minute: {true, true}, 8 * time.Minute: {true, false}, 13 * time.Minute: {true, false}, 14 * time.Minute: {false, false},
	} {
		if got := [2]bool{about.IsRightAfter(took), within.IsRightAfter(took)}; got != want {
			t.Errorf("after %v: %v, want %v", took, got, want)
		}
	}
}

// TestWorstOfTheDay checks that a situation about figures of the day ends with the headline of its worst
// figure, and not with that of its end.
func TestWorstOfTheDay(t *testing.T) {
	t.Parallel()
	for rule, levels := range map[string][]float64{"service level": {0.79, 0.68, 0.81}, "abandon rate": {0.06, 0.11, 0.05}} {
		var sit Situation
		for i, value := range levels {
			sit.messages.headline = words.Name([]string{"begin", "worst", "end"}[i])
			sit.peak.day.update(&alert.Alert{Rule: rule, Value: model.FigureOf(value)}, sit.messages.headline)
		}
		sit.peak.day.update(&alert.Alert{Rule: "budget spent", Value: model.FigureOf(9)}, words.Name("another figure"))
		sit.peak.day.update(&alert.Alert{Rule: rule}, words.Name("unknown"))
		if got := sit.endedHeadline().In(nil); got != "At its worst: worst" {
			t.Errorf("%s: %q", rule, got)
		}
	}
}

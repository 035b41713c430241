package forecast

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestCheck checks days that are alike, and a last one whose afternoon is far worse.
func TestCheck(t *testing.T) {
	t.Parallel()
	key := model.ServiceKey{Code: "S", Channel: model.Call}
	goal := func(string) alert.Goal { return alert.DefaultGoal() }
	now := time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)
	check := func(last int, missedAfternoon uint32) Accuracy {
		var log CourseLog
		log.Restart(time.UTC)
		for day := 12; day <= last; day++ {
			c := new(Course)
			for slot := range c.Calls {
				n := uint32(400 * slot)
				c.Calls[slot], c.Known[slot] = Calls{Received: n, Counted: n, Missed: n / 10}, true
				if day == last && slot > 24 {
					c.Calls[slot].Missed += missedAfternoon * uint32(slot-24)
				}
			}
			log.Merge([]CourseDay{{Date: fmt.Sprintf("2026-01-%d", day), Services: map[model.ServiceKey]*Course{key: c}}})
		}
		return log.CheckAccuracy(t.Context(), now, goal)
	}
	if a := check(13, 0); a.Forecasts != 0 || !strings.Contains(a.String(), "three recorded days") {
		t.Errorf("with two days: %v", a)
	}
	if a := check(14, 0); a.Days != 1 || a.Forecasts < 20 || a.Within != a.Forecasts || a.Right != a.Verdicts {
		t.Errorf("a day like the others: %v", a)
	}
	if a := check(14, 200); a.Days != 1 || a.Within > a.Forecasts/2 || a.Right >= a.Verdicts {
		t.Errorf("a day unlike the others: %v", a)
	}
	if a := check(16, 0); a.Days != 2 {
		t.Errorf("today is checked: %v", a)
	}
}

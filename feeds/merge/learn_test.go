package merge_test

import (
	"fmt"
	"testing"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// TestManyAgentsTellNoUnit: a thousand agents of each profile take a break;
// together they spend a thousand seconds per second, which are not
// milliseconds.
func TestManyAgentsTellNoUnit(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	plan := planOf[model.ProfileStat](t, "userProfileStats", "id", "channel")
	for many, want := range map[bool]timeunit.Unit{true: timeunit.Seconds, false: timeunit.Millis} {
		env := &merge.Env{Times: timeunit.New(nil, timeunit.Zone{})}
		for look := range 3 {
			env.ReceivedAt = noon.Add(time.Duration(look) * 2 * time.Second)
			env.Now = env.ReceivedAt
			for id := range 4 {
				spent := 20_000 + id*1_000 + look*2_000
				payload := fmt.Sprintf(`{"data":{"userProfileStats":[{"id":%d,"channel":"CALL","timeInActivityCode":[{"activityCode":"PAUSE","totalTime":%d}]}]}}`, id, spent)
				_, err := plan.Read([]byte(payload), "userProfileStats", env, func(it *merge.Item[model.ProfileStat]) error {
					env.RawNumbers = merge.RawNumbers{}
					return it.Merge(new(model.ProfileStat))
				})
				if err != nil {
					t.Fatal(err)
				}
				env.LearnUnits("userProfileStats", id, many)
			}
			env.Times.EndFullState(env.ReceivedAt, env.Now)
		}
		if u := env.Times.Unit(timeunit.FieldCodes); u != want {
			t.Errorf("records of many agents %v: the unit is %v, want %v", many, u, want)
		}
	}
}

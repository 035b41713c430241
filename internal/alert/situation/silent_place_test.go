package situation_test

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestSilentServiceIsNotNamed checks contacts that wait in a group of a silenced
// service. The situation is that of the group unless both or neither are silenced.
func TestSilentServiceIsNotNamed(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, []string{"G"})
	f.service("S", 3, 50, 1, 0)
	f.group("G", 3, 1, 0)
	s := f.store.Publish(f.now, f.health)
	service := alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}
	group := alert.Key{Scope: alert.Group, Code: "G", Channel: model.Call}
	look := func(ofService, ofGroup time.Time) (places, silent []alert.Key) {
		f.now = f.now.Add(time.Second)
		v := f.watch.Update(s, []alert.Alert{
			{ID: "s", Rule: "nobody ready", Key: service, Level: alert.Warning, Since: noon, SilentUntil: ofService},
			{ID: "g", Rule: "nobody ready", Key: group, Level: alert.Warning, Since: noon, SilentUntil: ofGroup},
		}, nil, f.now)
		for i := range v.Live {
			places = append(places, v.Live[i].Place.Key)
		}
		for i := range v.Silenced {
			silent = append(silent, v.Silenced[i].Place.Key)
		}
		return places, silent
	}
	until := noon.Add(time.Hour)
	for _, step := range []struct {
		service, group time.Time
		live, silent   alert.Key
	}{
		{live: service},
		{service: until, live: group, silent: service}, // the situation belonged to the service before
		{service: until, group: until, silent: service},
		{live: service},
	} {
		live, silent := look(step.service, step.group)
		if len(live) > 1 || len(live) == 1 && live[0] != step.live || len(live) == 0 && step.live != (alert.Key{}) {
			t.Errorf("%+v: it tells of %v", step, live)
		}
		if len(silent) > 1 || len(silent) == 1 && silent[0] != step.silent || len(silent) == 0 && step.silent != (alert.Key{}) {
			t.Errorf("%+v: silent are %v", step, silent)
		}
	}
}

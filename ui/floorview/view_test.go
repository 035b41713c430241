package floorview_test

import (
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/floorview"
)

func at(seconds int) time.Time {
	return time.Date(2026, 3, 2, 9, 0, seconds, 0, time.UTC)
}

// picture returns a snapshot with the given sequence number and link state. heard is the time of the last
// frame in seconds.
func picture(seq uint64, heard int, state model.LinkState) *model.Snapshot {
	s := model.NewStore().Publish(at(heard), model.Health{
		Link:          model.Link{State: state, LastFrame: at(heard), Reason: "cut"},
		Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, LastData: at(heard)}},
	})
	s.Seq = seq
	return s
}

// TestFreeze freezes a snapshot, receives newer ones, and unfreezes the view.
func TestFreeze(t *testing.T) {
	t.Parallel()
	v := floorview.View{LocalNow: at(1), Channel: model.Call}
	first, second := picture(1, 1, model.LinkUp), picture(2, 5, model.LinkUp)
	v.SetNewest(first)
	v.Freeze()
	v.LocalNow = at(5)
	v.SetNewest(second)
	if v.Shown != first || v.Newest != second || !v.Now().Equal(at(1)) {
		t.Errorf("frozen: shown is snapshot %d at %s", v.Shown.Seq, v.Now())
	}
	other := v.OnChannel(model.Chat)
	if other.Channel != model.Chat || v.Channel != model.Call || other.Shown != first {
		t.Errorf("another channel: %s, and of the view itself %s", other.Channel, v.Channel)
	}
	v.Unfreeze()
	if v.Shown != second || !v.Now().Equal(at(5)) {
		t.Errorf("thawed: shown is snapshot %d at %s", v.Shown.Seq, v.Now())
	}
}

// TestDoubt breaks the link: figures are stale at once, faded after a while, and hidden
// later unless the viewer wants the last values.
func TestDoubt(t *testing.T) {
	t.Parallel()
	v := floorview.View{LocalNow: at(1)}
	v.SetNewest(picture(1, 1, model.LinkUp))
	if d := v.DoubtAbout(model.OpServices); d.Any() {
		t.Errorf("a doubt about live figures: %+v", d)
	}
	v.SetNewest(picture(2, 1, model.LinkBackoff))
	v.LocalNow = at(3)
	if d := v.DoubtAbout(model.OpServices); !d.Stale || !v.Now().Equal(at(1)) {
		t.Errorf("without a link: %+v at %s", d, v.Now())
	}
	v.LocalNow = at(1).Add(floorview.BlankAfter)
	if !v.IsBlanked(model.OpServices) {
		t.Error("figures of five minutes ago are not hidden")
	}
	v.ShowsOutdated = true
	if v.IsBlanked(model.OpServices) {
		t.Error("the last values are hidden")
	}
}

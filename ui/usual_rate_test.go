package ui

import (
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/uitest"
)

type fakeHistory = uitest.History

// newHistoryBoard opens the page History.
func newHistoryBoard(t testing.TB, f *fakeHistory, w, h int, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.History = f }}, change...)...)
	b.press("8")
	return b
}

// TestUsualRateOfAService checks each service's share of the floor's usual rate.
func TestUsualRateOfAService(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.History = &fakeHistory{} })
	var keys []model.ServiceKey
	for r := range b.scene.floor.Newest.Services.All() {
		if r.Channel == model.Call {
			keys = append(keys, r.Key())
		}
	}
	if _, _, ok := b.scene.baseline.VolumeEstimator.TypicalRate(b.scene.floor.Newest, keys[0], startTime()); ok {
		t.Error("a rate before anything was asked")
	}
	b.pass(time.Second)
	sum := 0.0
	for _, k := range keys {
		rate, basis, ok := b.scene.baseline.VolumeEstimator.TypicalRate(b.scene.floor.Newest, k, startTime())
		if ok == basis.IsZero() {
			t.Errorf("%v: %q, %v", k, basis.In(nil), ok)
		}
		sum += rate
	}
	if usual := float64(uitest.TypicalContacts(startTime().UTC().Hour())) / 60; sum > usual+1e-9 || sum < usual/2 {
		t.Errorf("%.3f a minute of all services, the floor has %.3f", sum, usual)
	}
	for _, k := range []model.ServiceKey{{Code: "nobody", Channel: model.Call}, {Code: keys[0].Code, Channel: model.MailACD}} {
		if rate, _, ok := b.scene.baseline.VolumeEstimator.TypicalRate(b.scene.floor.Newest, k, startTime()); ok {
			t.Errorf("%v: %v", k, rate)
		}
	}
}

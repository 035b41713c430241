package app

import (
	"errors"
	"os"
	"testing"
	"time"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/config"
	"wallboard/model"
)

// TestCoursesOfPlatforms checks that each platform has its own recorded days, that a restart finds
// them, and that a broken file does no harm.
func TestCoursesOfPlatforms(t *testing.T) { //nolint:paralleltest // it has a state folder of its own
	at := func(address string) *config.Config {
		c := config.Default()
		c.RTD.URL = "https://courses-of-" + address + ".example"
		return &c
	}
	formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
	update := func(l *forecast.IntradayLog, code string) {
		store, now := model.NewStore(), time.Date(2026, 3, 12, 10, 1, 0, 0, time.Local)
		store.Services.Put(&model.Service{Code: model.TextOf(code), Channel: model.Call, ChannelStats: model.ServiceCalls{
			ReceivedCalls: model.IntOf(9), AnsweredCalls: model.IntOf(9), HangupCalls: model.IntOf(0), AnsweredCallsUnderSpeedLimit: model.IntOf(8),
		}})
		l.Update(store.Publish(now, model.Health{
			Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}},
		}), now, formula)
	}
	codes := func(l *forecast.IntradayLog) (out []string) {
		for _, d := range l.Days() {
			for k := range d.Services {
				out = append(out, k.Code)
			}
		}
		return out
	}
	open := func(f *intradayFile, address string) error {
		return errors.Join(f.open(at(address), false), f.sync())
	}
	f := intradayFile{log: new(forecast.IntradayLog)}
	if err := open(&f, "a"); err != nil {
		t.Fatal(err)
	}
	update(f.log, "A")
	if err := open(&f, "b"); err != nil { // the other platform
		t.Fatal(err)
	}
	if got := codes(f.log); len(got) != 0 {
		t.Errorf("b has the days of a: %v", got)
	}
	update(f.log, "B")
	if err := f.sync(); err != nil {
		t.Fatal(err)
	}
	again := intradayFile{log: new(forecast.IntradayLog)}
	for address, want := range map[string]string{"a": "A", "b": "B"} {
		if err := open(&again, address); err != nil {
			t.Fatal(err)
		}
		if got := codes(again.log); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	if err := open(&again, "b"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(again.path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	f = intradayFile{log: new(forecast.IntradayLog)}
	if err := open(&f, "b"); err == nil {
		t.Error("a broken file is not reported")
	}
	if got := codes(f.log); len(got) != 0 {
		t.Errorf("a broken file has days: %v", got)
	}
	if err := f.open(at("b"), true); err != nil || f.path != "" {
		t.Error("the days of a demo are stored")
	}
}

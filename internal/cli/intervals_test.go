package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// taped writes a recording of two hours of a service to a folder, with a gap of ten minutes.
func taped(t *testing.T, dir, platform string, from time.Time, counted int64) {
	t.Helper()
	tape, err := record.NewBatchWriter(dir, record.Metadata{Platform: platform, Names: "full"})
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	for at := from; at.Before(from.Add(2 * time.Hour)); at = at.Add(10 * time.Second) {
		m := int64(at.Sub(from) / time.Minute)
		if m >= 70 && m < 80 {
			continue
		}
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf("SRV01")
		s.ChannelStats = model.ServiceCalls{
			ReceivedCalls: model.IntOf(counted + m), AnsweredCalls: model.IntOf(counted + m), AnsweredCallsUnderSpeedLimit: model.IntOf(counted + m/2), HangupCalls: model.IntOf(0),
		}
		st.Services.Put(s)
		health := model.Health{
			Link:          model.Link{State: model.LinkUp, LastFrame: at},
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1, LastData: at}},
		}
		if err := tape.Add(st.Publish(at, health)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestIntervalsCommand counts a recorded day in every format.
func TestIntervalsCommand(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	folder, other := filepath.Join(dir, "rec"), filepath.Join(dir, "other")
	config := func(folder string) string {
		return configFile(t, fmt.Sprintf("[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[record]\nenabled = true\ndir = %q\n[history]\ntime_zone = \"UTC\"\n", folder))
	}
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	taped(t, folder, "127.0.0.1:1/rtd", from, 0)
	taped(t, other, "elsewhere.example/rtd", from, 0)
	back := filepath.Join(dir, "back") // the clock was set back after two hours
	taped(t, back, "127.0.0.1:1/rtd", from, 0)
	taped(t, back, "127.0.0.1:1/rtd", from.Add(30*time.Minute+7*time.Second), 1000)
	for name, tt := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"text":             {nil, 0, []string{"All services by 30 minutes, Monday, 2 March 2026", "08:00–08:30  30", "only 19 min of 30 are recorded"}},
		"by the quarter":   {[]string{"--every", "15m"}, 0, []string{"08:00–08:15  15", "only 09:00 to 09:09 is recorded", "only 09:20 to 09:30 is recorded"}},
		"csv":              {[]string{"--format", "csv"}, 0, []string{"from,to,of,channel,received", "2026-03-02T08:00:00Z,2026-03-02T08:30:00Z,All services,CALL,30,30,15,0,0.5,"}},
		"markdown":         {[]string{"--format", "markdown"}, 0, []string{"# All services by 30", "| 08:00–08:30 | 30 |"}},
		"html":             {[]string{"--format", "html"}, 0, []string{"<!doctype html>", "<td>08:00–08:30</td><td>30</td>"}},
		"json":             {[]string{"--json"}, 0, []string{`"serviceLevel": 0.5`, `"handlingSeconds": null`}},
		"a service":        {[]string{"--service", "SRV01"}, 0, []string{"SRV01 by 30 minutes"}},
		"no such service":  {[]string{"--service", "SRV09"}, 1, []string{`no service "SRV09" on CALL is recorded`}},
		"another day":      {[]string{"--date", "2026-03-01"}, 0, []string{"Nothing of this day is recorded."}},
		"no day":           {[]string{"--date", "soon"}, 2, []string{`--date "soon" is not a day`}},
		"an hour":          {[]string{"--every", "1h"}, 2, []string{"want 15m or 30m"}},
		"no form":          {[]string{"--format", "pdf"}, 2, []string{`--format "pdf"`}},
		"no channel":       {[]string{"--channel", "PIGEON"}, 2, []string{`--channel "PIGEON"`}},
		"clock set back":   {[]string{back}, 0, []string{"08:00–08:30  30", "the counters contradict each other", "10:00–10:30  30"}},
		"a named folder":   {[]string{other}, 0, []string{"08:00–08:30  30"}},
		"nothing there":    {[]string{"--config", config(filepath.Join(dir, "none"))}, 1, []string{"no recording in", "[record]"}},
		"another platform": {[]string{"--config", config(other)}, 1, []string{"are not those of the configured platform 127.0.0.1:1/rtd: select one with --of: elsewhere.example/rtd"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"history", "intervals", "--config", config(folder)}, tt.args...)
			code, out, errs := run(t, args...)
			if code != tt.code {
				t.Errorf("exit code %d: %s", code, errs)
			}
			for _, w := range tt.want {
				if !strings.Contains(out+errs, w) {
					t.Errorf("no %q in:\n%s%s", w, out, errs)
				}
			}
		})
	}
	file := filepath.Join(dir, "day.csv")
	if code, _, errs := run(t, "history", "intervals", folder, "--format", "csv", "--out", file); code != 0 {
		t.Error(errs)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
}

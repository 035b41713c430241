package dialect_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// sample is one second of a capture.
type sample struct {
	Second   float64 `json:"second"`
	Services []struct {
		Code    string  `json:"code"`
		Queued  int64   `json:"queuedCalls"`
		Came    int64   `json:"receivedCalls"`
		Taken   int64   `json:"answeredCalls"`
		GaveUp  int64   `json:"hangupCalls"`
		Maximum int64   `json:"maxTimeCallOnQueue"`
		Average float64 `json:"averageTimeOnQueue"`
		Ready   int64   `json:"readyUsers"`
		True    float64 `json:"trueLongestWait"`
	} `json:"services"`
}

// capture reads five minutes recorded from a platform whose maxTimeCallOnQueue
// is the longest wait of the day.
func capture(t *testing.T, name string) []sample {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Samples []sample `json:"samples"`
	}
	if err := json.NewDecoder(z).Decode(&all); err != nil || len(all.Samples) < 290 {
		t.Fatal(len(all.Samples), err)
	}
	return all.Samples
}

// TestCaptures follows a recorded platform: the field is the longest wait of
// the day, a ringing caller does not count as waiting, and new callers are
// offered to agents who cannot take the waiting ones.
func TestCaptures(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"lunch", "surge"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tracker := dialect.NewWaitTracker(model.WaitAsSent)
			seconds, near, untold, low := 0, 0, 0, 0
			emptied := make(map[string]float64)
			for _, at := range capture(t, name) {
				now := time.Unix(1_800_000_000, 0).Add(time.Duration(at.Second * float64(time.Second)))
				for _, s := range at.Services {
					r := &model.Service{Code: model.TextOf(s.Code), Channel: model.Call, ChannelStats: model.ServiceCalls{
						QueuedCalls: model.IntOf(s.Queued), ReceivedCalls: model.IntOf(s.Came), AnsweredCalls: model.IntOf(s.Taken),
						HangupCalls: model.IntOf(s.GaveUp), MaxTimeCallOnQueue: model.IntOf(s.Maximum), AverageTimeOnQueue: model.FloatOf(s.Average),
					}}
					r.UserStats.ReadyUsers.Count = model.IntOf(s.Ready)
					tracker.Observe(r, now)
					if s.Queued == 0 {
						emptied[s.Code] = at.Second
						continue
					}
					r.ChannelStats.Wait = tracker.Wait(r.Key(), tracker.Evidence(model.Call), now)
					wait, _ := r.ChannelStats.LongestWait().Get()
					sure, _ := r.ChannelStats.CertainWait().Get()
					if sure > s.True+1 {
						t.Errorf("%s at %.0f s: at least %v is sure, true is %v", s.Code, at.Second, sure, s.True)
					}
					since, seen := emptied[s.Code]
					if !seen {
						untold++ // the callers were waiting before the recording began
						continue
					}
					seconds++
					if math.Abs(wait-s.True) <= 10 {
						near++
					}
					most, bounded := r.ChannelStats.MaxWait().Get()
					if !bounded || most+5 < s.True {
						t.Errorf("%s at %.0f s: at most %v, true is %v", s.Code, at.Second, most, s.True)
					} else if most+2 < s.True { // a call was answered out of turn
						low++
					}
					if wait > at.Second-since+1 {
						t.Errorf("%s at %.0f s: %v, the queue was empty %.0f s ago", s.Code, at.Second, wait, at.Second-since)
					}
				}
			}
			if e := tracker.Evidence(model.Call); e.Meaning != model.WaitDaily || e.Presumed {
				t.Errorf("the field is %v, presumed %v", e.Meaning, e.Presumed)
			}
			share := float64(near) / float64(seconds)
			t.Logf("within 10 s in %.1f %% of %d s; in %d s the callers had come before", 100*share, seconds, untold)
			if low*20 > seconds {
				t.Errorf("the bound is too low for %d s", low)
			}
			if share < 0.9 {
				t.Errorf("within 10 s in %.1f %% of the seconds only", 100*share)
			}
		})
	}
}

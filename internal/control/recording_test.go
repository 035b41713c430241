package control

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// TestRecordingOnConnectIsNotToldAsRecording checks that a ringing call is not reported as being
// recorded.
func TestRecordingOnConnectIsNotToldAsRecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		onConnect := true
		r := newPlatform(t).desk(t, nil).Calls.StartRecording(t.Context(), resource.Recording{Username: "anna", CallID: "c1", OnConnect: &onConnect})
		if r.Outcome != resource.OutcomeConfirmed || !strings.Contains(r.Text.In(nil), "once it is connected") || r.Warning.In(nil) == "" {
			t.Errorf("%+v", r)
		}
	})
}

// TestRecordingOnConnectIsFollowed checks that the outcome of a recording on connect is determined once
// the call is connected, and that otherwise the final report says what is unknown. It tries an existing
// call and a dialled one.
func TestRecordingOnConnectIsFollowed(t *testing.T) {
	t.Parallel()
	connect := func(c *resource.Call) { c.Answer = resource.TimeOf(time.Now()) }
	for _, tt := range []struct {
		name    string
		happens func(p *platform, c *resource.Call) // while the phone rings
		told    bool                                // the report says that the call is recorded
		warning words.Text
	}{
		{"connected", func(_ *platform, c *resource.Call) { connect(c); c.RecFileName = "rec.wav" }, true, words.Text{}},
		{"rings on", func(*platform, *resource.Call) {}, false, words.ControlNotYetRecorded()},
		{"named while it rings", func(_ *platform, c *resource.Call) { c.RecFileName = "rec.wav" }, false, words.ControlNotYetRecorded()},
		{"over", func(p *platform, _ *resource.Call) { p.calls["anna"] = nil }, false, words.ControlRecordingNotListed()},
		{"connected, not recorded", func(_ *platform, c *resource.Call) { connect(c); c.RecFileName = "" }, false, words.ControlRecordingNotSeen()},
	} {
		for verb, order := range map[string]func(ctx context.Context, d *ActionClient) words.ActionReport{
			"start": func(ctx context.Context, d *ActionClient) words.ActionReport {
				return d.Calls.StartRecording(ctx, resource.Recording{Username: "anna", CallID: "c1", OnConnect: yes()})
			},
			"dial": func(ctx context.Context, d *ActionClient) words.ActionReport {
				return d.Calls.Dial(ctx, resource.Dial{Username: "anna", Number: "0612345", RecordOnConnect: yes()})
			},
		} {
			t.Run(tt.name+"/"+verb, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					p, begun := newPlatform(t), time.Now()
					if verb == "dial" {
						p.calls["anna"] = nil
					}
					time.AfterFunc(2500*time.Millisecond, func() {
						p.mu.Lock()
						defer p.mu.Unlock()
						tt.happens(p, &p.calls["anna"][0])
					})
					r := order(t.Context(), p.desk(t, nil))
					if r.Outcome != resource.OutcomeConfirmed || strings.Contains(r.Text.In(nil), "is being recorded to rec.wav") != tt.told || !r.Warning.Equal(tt.warning) {
						t.Errorf("%+v", r)
					}
					if took := time.Since(begun); took > resolveTimeout {
						t.Errorf("it took %v", took)
					}
				})
			})
		}
	}
}

// TestEarlierRecordingIsNotTheOne checks that an earlier recording of the call does not count as the new
// one.
func TestEarlierRecordingIsNotTheOne(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rec.wav", ""} { // file name in the platform's answer
		synctest.Test(t, func(t *testing.T) {
			p := newPlatform(t)
			f := recordingObserver{calls: p.desk(t, nil).Calls, username: "anna", callID: "c1", person: words.Name("anna"), fileName: name, earlierFile: "old.wav"}
			p.calls["anna"][0].Answer, p.calls["anna"][0].RecFileName = resource.TimeOf(time.Now()), "old.wav"
			r := f.observe(t.Context(), words.ActionReport{Outcome: resource.OutcomeConfirmed, Warning: words.ControlNotYetRecorded()})
			if !r.Warning.Equal(words.ControlRecordingNotSeen()) {
				t.Errorf("%q: %+v", name, r)
			}
		})
	}
}

func yes() *bool {
	b := true
	return &b
}

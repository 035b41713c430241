package control

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model/resource"
)

// A call that still rings is not told as one that is being recorded.
func TestRecordingOnConnectIsNotToldAsRecording(t *testing.T) {
	t.Parallel()
	onConnect := true
	r := newPlatform(t).desk(t, nil).StartRecording(t.Context(), resource.Recording{Username: "anna", CallID: "c1", OnConnect: &onConnect})
	if r.Outcome != resource.Confirmed || !strings.Contains(r.Text, "once it is connected") || r.Warning == "" {
		t.Errorf("%+v", r)
	}
}

// What became of a recording that begins on connect is found out once the call
// is connected, or the last word says what is not known.
func TestRecordingOnConnectIsFollowed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		happens func(p *platform) // while the phone rings
		text    string
		warning string
	}{
		{"connected", func(p *platform) { p.calls["anna"][0].Answer = resource.TimeOf(time.Now()) }, "is being recorded to rec.wav", ""},
		{"rings on", func(*platform) {}, "once it is connected", notYetRecorded},
		{"over", func(p *platform) { p.calls["anna"] = nil }, "once it is connected", "The call is not listed any more; it is not known whether it was recorded."},
		{"another recording", func(p *platform) {
			p.calls["anna"][0].Answer, p.calls["anna"][0].RecFileName = resource.TimeOf(time.Now()), "old.wav"
		}, "once it is connected", notYetRecorded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, begun := newPlatform(t), time.Now()
				d, onConnect := p.desk(t, nil), true
				order := resource.Recording{Username: "anna", CallID: "c1", OnConnect: &onConnect}
				r := d.StartRecording(t.Context(), order)
				time.AfterFunc(2*time.Second, func() {
					p.mu.Lock()
					defer p.mu.Unlock()
					tt.happens(p)
				})
				r = d.AwaitRecording(t.Context(), order, r)
				if r.Outcome != resource.Confirmed || !strings.Contains(r.Text, tt.text) || r.Warning != tt.warning {
					t.Errorf("%+v", r)
				}
				if took := time.Since(begun); took > settleWithin {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

package proof_test

import (
	"testing"
	"testing/synctest"
	"time"

	"wallboard/feeds"
	"wallboard/internal/simulator/rtd"
	"wallboard/model"
)

// TestRenamedService changes the code of a service while the board runs. Within 10 s
// the board must show the new code instead of the old one.
func TestRenamedService(t *testing.T) {
	t.Parallel()
	for name, sw := range map[string]rtd.Switches{
		"as document 2 shows it": {},
		"zeros for what is not":  {Rules: rtd.Rules{ZerosForUnknown: true}},
		"nothing first":          {FirstMessage: rtd.FirstNone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRuled(t, sw, func(o *feeds.Options) { o.Services = nil })
				defer r.end()
				r.liveWithin(5 * time.Second)
				pass(20 * time.Second)
				if err := r.srv.RenameService("SRV01", "NEW"); err != nil {
					t.Fatal(err)
				}
				pass(10 * time.Second)
				codes := make(map[string]int)
				for _, s := range r.feed.Latest().Services.Rows() {
					codes[s.Code.String()]++
				}
				for _, s := range r.feed.Latest().Attendants.Rows() {
					codes[s.Code.String()]++
				}
				if codes["SRV01"] > 0 || codes["NEW"] == 0 {
					t.Errorf("services %v", codes)
				}
				if sub := r.feed.Latest().Health.Subscription(model.OpServices); sub.Drift != (model.Drift{}) {
					t.Errorf("drift: %+v", sub.Drift)
				}
			})
		})
	}
}

package admin

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/config"
)

// TestDeviations checks that each key is compared separately: a configuration that equals most others in
// one key may differ from them in another.
func TestDeviations(t *testing.T) {
	t.Parallel()
	site := func(lease, audit time.Duration, ascii bool) *config.Config {
		c := config.Default()
		c.Cluster.Lease, c.RTD.AuditInterval, c.UI.ASCII = lease, audit, ascii
		return &c
	}
	for _, tt := range []struct {
		sites []*config.Config
		want  [][]string
	}{
		{[]*config.Config{site(1, 1, false), site(2, 2, false), site(2, 1, true)}, [][]string{{"cluster.lease"}, {"rtd.audit_interval"}, {"ui.ascii"}}},
		{[]*config.Config{site(1, 1, false), site(2, 2, false), site(3, 3, false)}, [][]string{nil, nil, nil}},
		{[]*config.Config{site(1, 1, false), site(2, 1, false), site(2, 1, false), site(3, 1, false)}, [][]string{nil, nil, nil, nil}},
		{[]*config.Config{site(1, 1, false), site(2, 2, true)}, [][]string{nil, nil}},
	} {
		if got := deviatingKeyLists(tt.sites); !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

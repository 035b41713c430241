package admin

import (
	"testing"

	"wallboard/model"
)

func TestConnectionProblem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ notice, reason, want string }{
		{"host cannot be reached: connection refused", "connection refused", "host cannot be reached: connection refused"},
		{"WebSockets do not pass", "404", "WebSockets do not pass 404"},
		{"", "404", "404"},
		{"", "", "silent"},
	} {
		var h model.Health
		h.Notice, h.Link.Reason = tt.notice, tt.reason
		if got := connectionProblem(&h, "silent"); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

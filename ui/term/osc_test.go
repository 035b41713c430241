package term

import (
	"strings"
	"testing"
)

func TestClipboard(t *testing.T) {
	t.Parallel()
	const plain = "\x1b]52;c;YQ==\a"
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"xterm":         {[]string{"TERM=xterm-256color"}, plain},
		"tmux":          {[]string{"TERM=screen", "TMUX=/tmp/x"}, plain + "\x1bPtmux;\x1b\x1b]52;c;YQ==\a\x1b\\"},
		"tmux, by SSH":  {[]string{"TERM=tmux-256color"}, plain + "\x1bPtmux;\x1b\x1b]52;c;YQ==\a\x1b\\"},
		"Screen":        {[]string{"TERM=screen", "STY=1"}, "\x1bP" + plain + "\x1b\\"},
		"Linux console": {[]string{"TERM=linux"}, ""},
		"nothing known": {nil, ""},
	} {
		if got := ClipboardSequence(tt.env, "a"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestNotificationIsClean checks that a notification contains nothing that ends it or looks like
// one of its parts.
func TestNotificationIsClean(t *testing.T) {
	t.Parallel()
	hostile := "a;b\x1b\\c\ad\u202e" + strings.Repeat("x", 1000)
	for _, name := range []string{"xterm", "rxvt-unicode"} {
		got := NotificationSequence([]string{"TERM=" + name}, "Floor", hostile)
		body := strings.TrimSuffix(strings.TrimPrefix(got, "\x1b]"), "\a")
		if strings.ContainsAny(body, "\x1b\a\u202e") || len(got) > 2*maxNotification {
			t.Errorf("%s: %q", name, got)
		}
		if n := strings.Count(body, ";"); n != map[string]int{"xterm": 1, "rxvt-unicode": 3}[name] {
			t.Errorf("%s: %d separators in %q", name, n, got)
		}
	}
}

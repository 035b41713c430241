package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAlertsReport says what the rules have been worth over a recording.
func TestAlertsReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "rec")
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	taped(t, folder, "127.0.0.1:1/rtd", from, 0)
	config := configFile(t, fmt.Sprintf("[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[record]\ndir = %q\n", folder))
	for name, tt := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"text":          {nil, 0, []string{"quarters of an hour in which a service missed its level: ", "rule ", "before a miss", "longest wait"}},
		"a part":        {[]string{"--from", "30m"}, 0, []string{"longest wait"}},
		"json":          {[]string{"--json"}, 0, []string{`"Misses"`, `"Fired"`}},
		"a file":        {[]string{folder}, 0, []string{"service level"}},
		"nothing there": {[]string{filepath.Join(dir, "none")}, 1, []string{"none"}},
		"no time":       {[]string{"--from", "soon"}, 2, []string{`"soon"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := run(t, append([]string{"alerts", "report", "--config", config}, tt.args...)...)
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
}

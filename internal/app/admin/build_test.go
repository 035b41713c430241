package admin

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	t.Parallel()
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-28T05:00:00Z"}}
	changed := append(commit[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, c := range []struct {
		name, release, module string
		settings              []debug.BuildSetting
		version, commit       string
	}{
		{"release", "v1.2.3", "(devel)", commit, "1.2.3", "0123456789ab 2026-11-28T05:00:00Z"},
		{"release of a changed tree", "1.2.3", "v0.0.0-1+dirty", changed, "1.2.3", "0123456789ab+changes 2026-11-28T05:00:00Z"},
		{"tag", "", "v1.2.4", commit, "v1.2.4", "0123456789ab 2026-11-28T05:00:00Z"},
		{"commit", "", "(devel)", changed, "devel 0123456789ab+changes", "0123456789ab+changes 2026-11-28T05:00:00Z"},
		{"no version control", "", "(devel)", nil, "devel", "unknown"},
	} {
		b := describeBuild(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: c.module}, Settings: c.settings}, c.release)
		text := b.Text()
		if b.Version != c.version || !strings.HasPrefix(text, "wallboard "+c.version+"\n") ||
			!strings.Contains(text, "\ncommit    "+c.commit+"\n") || !strings.Contains(text, "\ngo        go1.26.8\n") {
			t.Errorf("%s: %q\n%s", c.name, b.Version, text)
		}
	}
}

package cli

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
)

// TestMark checks that a note of a script is listed, and that it is in the handover until it ends. An
// invalid command line writes nothing.
func TestMark(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, "")
	mark := func(want int, args ...string) string {
		t.Helper()
		code, out, errs := s.run("", append([]string{"mark"}, args...)...)
		if code != want {
			t.Errorf("%q: exit %d, want %d: %s%s", args, code, want, out, errs)
		}
		return out
	}
	if out := mark(cmdutil.ExitOK, "--list"); !strings.Contains(out, "No mark") {
		t.Errorf("at first there is %q", out)
	}
	for _, args := range [][]string{{}, {""}, {"--list", "newsletter"}, {"--until", "noon", "IVR down"}, {"--end", "--until", "15:00"}} {
		mark(cmdutil.ExitUsage, args...)
	}
	mark(cmdutil.ExitOK, "news\x1b[2Jletter")
	until := time.Now().Add(2 * time.Hour).Format("15:04")
	mark(cmdutil.ExitOK, "--until", until, "IVR", "down")
	if out := mark(cmdutil.ExitOK, "--list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "  IVR down, until "+until+" (") || strings.Contains(out, "\x1b") {
		t.Errorf("listed %q", out)
	}
	handover := func() string {
		t.Helper()
		code, out, errs := s.run("", "handover", "--watch", "100ms")
		if code != cmdutil.ExitOK {
			t.Fatalf("handover: exit %d: %s", code, errs)
		}
		return out
	}
	if out := handover(); !strings.Contains(out, "## Notes and marks\n") || !strings.Contains(out, " IVR down, until ") || !strings.Contains(out, until+" (") {
		t.Errorf("the handover lacks the note:\n%s", out)
	}
	if out := mark(cmdutil.ExitOK, "--end", "ivr"); out != "1 note has ended.\n" {
		t.Errorf("ended: %q", out)
	}
	if out := handover(); strings.Contains(out, "IVR down, until ") || !strings.Contains(out, " IVR down (") {
		t.Errorf("after its end the handover has:\n%s", out)
	}
}

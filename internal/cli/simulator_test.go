package cli

import (
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
)

// TestDemoHidesWhatTestsNeed checks that the help of the demo shows the most useful flags, that the demo
// accepts all flags of the simulator, and that the kiosk shows only its own flags.
func TestDemoHidesWhatTestsNeed(t *testing.T) {
	t.Parallel()
	for name, hidden := range map[string]bool{"--agents ": false, "--fault-drop ": false, "--keyless ": true, "--rest-lists ": true, "--updates ": true} {
		for args, want := range map[string]bool{"demo": !hidden, "simulator": true} {
			code, out, errs := run(t, args, "--help")
			if code != cmdutil.ExitOK || strings.Contains(out, name) != want {
				t.Errorf("%s --help shows %s: %v, want %v\n%s%s", args, name, !want, want, out, errs)
			}
		}
	}
	for name, want := range map[string]bool{"--agents ": false, "--fault-drop ": false, "--platforms ": false, "--demo ": true, "--metrics ": true} {
		if code, out, errs := run(t, "kiosk", "--help"); code != cmdutil.ExitOK || strings.Contains(out, name) != want {
			t.Errorf("kiosk --help shows %s: %v, want %v\n%s%s", name, !want, want, out, errs)
		}
	}
	if code, _, errs := run(t, "demo", "--keyless", "--numbers", "roman"); code != cmdutil.ExitUsage || !strings.Contains(errs, "roman") {
		t.Errorf("a hidden switch is not taken: exit %d, %s", code, errs)
	}
}

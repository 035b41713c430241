package ui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// types types a line into the palette and runs the first command.
func (th *theatre) types(line string) {
	th.t.Helper()
	th.press(":")
	for _, r := range line {
		th.press(string(r))
	}
	th.press("enter")
	th.pass(time.Second)
}

// TestCompare compares the tables with another time, live and on a replay.
func TestCompare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("2")
		th.types("compare 6m")
		th.shows("COMPARED WITH", "6:00 before", "y leave", "LIVE", "→·") // somebody waited then
		if th.v.live.scene.compare.reference.IsLater {
			t.Error("what was is not later")
		}
		th.press("y")
		if strings.Contains(th.text(), "COMPARED") || strings.Contains(th.text(), "→·") {
			t.Errorf("it is not over:\n%s", th.text())
		}
		th.press("Z", "space")
		th.types("compare " + time.Now().UTC().Add(-2*time.Minute).Format("15:04:05"))
		th.press("{") // before it
		th.pass(time.Second)
		th.shows("REWOUND", "COMPARED WITH", "after", "→·")
		if !th.v.replay.scene.compare.reference.IsLater {
			t.Error("it is later than what is shown")
		}
		th.press("}", "}")
		th.pass(time.Second)
		th.shows("before")
		th.press("Z")
		if strings.Contains(th.text(), "COMPARED") {
			t.Error("the live board compares")
		}
	})
}

// TestNothingToCompareWith checks the reasons why there is no comparison.
func TestNothingToCompareWith(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*Options)
		line   string
		want   string
	}{
		"no recording": {func(o *Options) { o.Memory = Archive{} }, "", "[record] of the configuration switches it on"},
		"broken": {func(o *Options) {
			o.Memory.Open = func() (Recording, error) { return nil, errors.New("the disk is away") }
		}, "", "the disk is away"},
		"nothing then": {func(*Options) {}, "compare 3h", "Nothing was recorded at"},
		"hidden names": {func(o *Options) { o.Memory.Pseudonymous = true }, "compare 6m", "Agents are not compared"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th := newTheatre(t, tt.change)
				if tt.line == "" {
					th.press("y")
				} else {
					th.types(tt.line)
				}
				th.pass(time.Second)
				th.shows(tt.want)
			})
		})
	}
}

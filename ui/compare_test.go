package ui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/ui/replay"
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

// isLater reports whether a board compares with a later instant.
func isLater(m *Model) bool {
	return m.shownFloor.scene.comparison.ReferenceFor(m.shownFloor.scene.floor.Now()).IsLater
}

// TestCompare compares the tables with another time, live and on a replay.
func TestCompare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("2")
		th.types("compare 6m")
		th.shows("COMPARED WITH", "6:00 before", "y exit compare", "LIVE", "→·") // a caller was waiting then
		if isLater(th.v) {
			t.Error("an earlier instant counts as later")
		}
		th.press("y")
		if strings.Contains(th.text(), "COMPARED") || strings.Contains(th.text(), "→·") {
			t.Errorf("it is not over:\n%s", th.text())
		}
		th.press("Z", "space")
		th.types("compare " + time.Now().UTC().Add(-2*time.Minute).Format("15:04:05"))
		th.press("{") // to an instant before the compared one
		th.pass(time.Second)
		th.shows("REWOUND", "COMPARED WITH", "after", "→·")
		if !isLater(th.v) {
			t.Error("a later instant does not count as later")
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
		"no recording": {func(o *Options) { o.Archive = replay.Archive{} }, "", "[record] in the configuration switches recording on"},
		"broken": {func(o *Options) {
			o.Archive.Open = func() (replay.Recording, error) { return nil, errors.New("the disk is away") }
		}, "", "the disk is away"},
		"nothing then": {func(*Options) {}, "compare 3h", "Nothing was recorded at"},
		"hidden names": {func(o *Options) { o.Archive.Pseudonymous = true }, "compare 6m", "Agents are not compared"},
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

// TestNoticesMoveNothing checks that a comparison, a replay, a frozen picture and a problem of
// the configuration have a line of their own, so that no row moves when it appears.
func TestNoticesMoveNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		place := func() (line, rows int) {
			lines := strings.Split(th.text(), "\n")
			for i, l := range lines {
				if strings.Contains(l, " Services ") && strings.Contains(l, "row ") {
					return i, len(lines)
				}
			}
			t.Fatalf("no table in:\n%s", th.text())
			return 0, 0
		}
		before, height := place()
		if height < minReservedHeight {
			t.Fatalf("the screen has only %d lines", height)
		}
		for name, notice := range map[string]struct {
			begin, end func()
			want       string
		}{
			"frozen":   {func() { th.press("p") }, func() { th.press("p") }, "FROZEN"},
			"compared": {func() { th.types("compare 6m") }, func() { th.press("y") }, "COMPARED WITH"},
			"replay":   {func() { th.press("Z"); th.pass(time.Second) }, func() { th.press("Z"); th.pass(time.Second) }, "back to now"},
		} {
			notice.begin()
			th.shows(notice.want)
			if line, _ := place(); line != before {
				t.Errorf("%s: the table begins at line %d, before at %d:\n%s", name, line, before, th.text())
			}
			notice.end()
			th.hides(notice.want)
		}
	})
}

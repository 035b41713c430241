package statefile

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// keeping opens the file as a board does, until stop.
func keeping(t *testing.T, path string) (f *AlertFile, stop func()) {
	t.Helper()
	f = NewAlertFile(path, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); f.run(ctx) }()
	return f, func() { cancel(); <-done }
}

func diffAlerts(want, got []alert.Alert) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(model.Figure{}))
}

func TestAlertFile(t *testing.T) {
	t.Parallel()
	mine, other := openAlert("a", "S1", 1), openAlert("b", "S1", 2) // alerts of two boards about the same condition
	critical := other
	critical.Level, critical.HighestLevel = alert.Critical, alert.Critical
	both := takenAlert(endedAlert(other, 9), "Anna", 3)
	both.Since = mine.Since
	for name, c := range map[string]struct{ kept, want []alert.Alert }{
		"taken":                    {[]alert.Alert{takenAlert(mine, "Anna", 3)}, []alert.Alert{takenAlert(mine, "Anna", 3)}},
		"open and nobody's":        {[]alert.Alert{mine}, nil},
		"taken by another":         {[]alert.Alert{takenAlert(mine, "Anna", 3), takenAlert(mine, "Bob", 4)}, []alert.Alert{takenAlert(mine, "Bob", 4)}},
		"became critical":          {[]alert.Alert{takenAlert(mine, "Anna", 3), critical}, nil},
		"ended on the other board": {[]alert.Alert{takenAlert(mine, "Anna", 3), endedAlert(other, 9)}, []alert.Alert{both}},
		"ended on both": {
			[]alert.Alert{takenAlert(mine, "Anna", 3), endedAlert(other, 9), takenAlert(endedAlert(mine, 9), "Anna", 3)},
			[]alert.Alert{takenAlert(endedAlert(mine, 9), "Anna", 3)},
		},
		"nobody saw the end": {
			[]alert.Alert{takenAlert(mine, "Anna", 3), endedAlert(openAlert("c", "S1", 13*60), 14*60)},
			[]alert.Alert{endedAlert(openAlert("c", "S1", 13*60), 14*60)},
		},
		"again later": {
			[]alert.Alert{endedAlert(mine, 3), endedAlert(openAlert("c", "S1", 5), 6), takenAlert(openAlert("d", "S1", 7), "Anna", 8)},
			[]alert.Alert{takenAlert(openAlert("d", "S1", 7), "Anna", 8), endedAlert(mine, 3), endedAlert(openAlert("c", "S1", 5), 6)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, stop := keeping(t, filepath.Join(testkit.PrivateDir(t), "wallboard", "alerts.jsonl"))
			f.queueAlerts(c.kept)
			stop()
			if diff := diffAlerts(c.want, f.Load()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTwoBoardsKeepAlerts checks that parallel writers lose nothing and that the file
// is bounded.
func TestTwoBoardsKeepAlerts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "alerts.jsonl")
	var boards sync.WaitGroup
	const each = 40
	for _, board := range []string{"A", "B"} {
		boards.Go(func() {
			f, stop := keeping(t, path)
			defer stop()
			for i := range each {
				name := fmt.Sprint(board, i)
				f.queueAlerts([]alert.Alert{takenAlert(openAlert(name, name, 1), board, 2)})
				f.queueAlerts([]alert.Alert{endedAlert(openAlert(name+"'", name+"'", 1), 2)})
			}
		})
	}
	boards.Wait()
	f, stop := keeping(t, path)
	all := make(map[string]bool)
	for _, a := range f.Load() {
		all[a.ID] = true
	}
	if len(all) != 4*each {
		t.Errorf("%d alerts are kept, want %d", len(all), 4*each)
	}
	for i := range maxStored + 5 {
		name := fmt.Sprint("C", i)
		f.queueAlerts([]alert.Alert{endedAlert(openAlert(name, name, 3), 4)})
	}
	stop()
	last := f.Load()
	if newest := last[len(last)-1]; len(last) != 2*each+maxStored || newest.ID != fmt.Sprint("C", maxStored+4) {
		t.Errorf("%d alerts are kept, the newest is %s", len(last), newest.ID)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
}

// TestAlertFileFromOutside checks that foreign content of the file does no harm.
func TestAlertFileFromOutside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "alerts.jsonl")
	f, stop := keeping(t, path)
	a := takenAlert(openAlert("a", "S1", 1), "Anna", 3)
	f.queueAlerts([]alert.Alert{a})
	stop()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := string(b)
	text := strings.Join([]string{
		"nonsense", "{}", strings.Replace(line, `"level":1`, `"level":7`, 1), strings.Replace(line, `"service"`, `"moon"`, 1),
		strings.Replace(line, "on it", `on\u001b[2Jit`, 1), line[:len(line)/2],
	}, "\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a.Ack.Note = "on\u241b[2Jit"
	if diff := diffAlerts([]alert.Alert{a}, f.Load()); diff != "" {
		t.Error(diff)
	}
}

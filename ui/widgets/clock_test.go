package widgets

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestDrawClock draws the time with seconds if they fit.
func TestDrawClock(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme, Location: time.UTC}, render.Options{})
	now := time.Date(2026, 3, 2, 14, 20, 5, 0, time.UTC)
	rome := time.FixedZone("Rome", 3600)
	for _, tt := range []struct {
		zone *time.Location
		w, h int
		want string // texts below the digits, or instead of them
	}{
		{nil, 12, 2, "14:20:05 Mon 2 Mar"},
		{nil, 40, 2, "14:20:05 Monday, 2 March 2026"},
		{rome, 40, 2, "15:20:05 Monday, 2 March 2026 · Rome"},
	} {
		lines := DrawClock(lk, now, tt.zone, tt.w, tt.h)
		if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(lines, " "))), " "); got != tt.want || len(lines) != tt.h {
			t.Errorf("%d×%d: %q in %d lines, want %q", tt.w, tt.h, got, len(lines), tt.want)
		}
	}
	for _, h := range []int{5, 6, 9} {
		lines := DrawClock(lk, now, nil, 40, h)
		if text := ansi.Strip(strings.Join(lines, "\n")); strings.Contains(text, "14:20") || len(lines) != h {
			t.Errorf("%d lines for digits in %d lines:\n%s", len(lines), h, text)
		}
	}
}

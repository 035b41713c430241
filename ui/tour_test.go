package ui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/ui/kiosk"
)

// newTour returns a kiosk that shows two platforms with two pages each.
func newTour(t *testing.T, change ...func(*kiosk.Options)) (*theatre, *other) {
	t.Helper()
	return newSites(t, func(milan, rome *Options) {
		for _, o := range []*Options{milan, rome} {
			o.Kiosk = &kiosk.Options{Pages: []string{"Services", "Agents"}, Dwell: 20 * time.Second}
			for _, c := range change {
				c(o.Kiosk)
			}
		}
	})
}

// on checks the platform, the page and the next page of the kiosk.
func (th *theatre) on(platform, page, next string) {
	th.t.Helper()
	if th.v.liveFloor.scene.Title != platform || th.v.isReplaying() || !strings.Contains(th.text(), " "+page+" ━") && !strings.Contains(th.text(), " "+page+" ─") || !strings.Contains(th.text(), "next: "+next) {
		th.t.Errorf("not on %s of %s before %s:\n%s", page, platform, next, th.text())
	}
}

// TestKioskTour checks that the platforms take turns.
func TestKioskTour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newTour(t)
		for range 2 {
			th.on("Milan", "Services", "Agents")
			th.pass(20 * time.Second)
			th.on("Milan", "Agents", "Rome")
			th.pass(20 * time.Second)
			th.on("Rome", "Services", "Agents")
			th.pass(20 * time.Second)
			th.on("Rome", "Agents", "Milan")
			th.pass(20 * time.Second)
		}
		th.press("left")
		th.on("Rome", "Agents", "Milan")
		th.press("right", "right", "right", "space")
		th.on("Rome", "Agents", "Milan")
		th.press("1", `\`, "ctrl+n", "f2", "d", "enter")
		th.on("Rome", "Services", "Agents")
	})
}

// TestKioskTourSites checks that the page Sites is shown once per round.
func TestKioskTourSites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newTour(t, func(k *kiosk.Options) { k.Pages = []string{"Sites", "Services"} })
		th.on("Milan", "Sites", "Services")
		th.shows("2  Rome")
		th.press("right")
		th.on("Milan", "Services", "Rome")
		th.press("right")
		th.on("Rome", "Services", "Milan")
		th.press("right")
		th.on("Milan", "Sites", "Services")

		th, rome := newTour(t, func(k *kiosk.Options) { k.Pages, k.FrontLevel = []string{"Sites"}, alert.Critical })
		th.shows("─ Sites")
		th.hides("next:")
		th.pass(time.Minute)
		th.shows("─ Sites") // a platform that shares all its pages gets no turn
		rome.troubled(th)
		th.on("Rome", "Services (alert)", "Milan")
		th.pass(20 * time.Second)
		th.shows("─ Sites", "Rome ▲ 1")
	})
}

// troubled lets more and more callers of the platform wait until the board reports a situation.
func (o *other) troubled(th *theatre) {
	th.t.Helper()
	for n := int64(40); !strings.Contains(th.text(), "CRITICAL ·"); n += 4 {
		if o.show(th, n); n > 800 {
			th.t.Fatalf("nothing became critical:\n%s", th.text())
		}
	}
}

// TestKioskTourFront checks that a hidden platform's situation comes to the front, and that
// the rotation continues afterwards.
func TestKioskTourFront(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newTour(t, front(alert.Critical), func(k *kiosk.Options) { k.Dwell = 2 * time.Minute })
		th.pass(2 * time.Minute)
		th.on("Milan", "Agents", "Rome")
		rome.troubled(th)
		th.on("Rome", "Services (alert)", "Milan")
		th.pass(2 * time.Minute)
		th.on("Milan", "Agents", "Rome") // the page gets its whole time again
		th.pass(2*time.Minute - 5*time.Second)
		th.on("Milan", "Agents", "Rome")
		th.pass(6 * time.Second)
		th.on("Rome", "Services", "Agents")
		th.shows("CRITICAL ·")
		th.pass(4 * time.Minute)
		th.on("Milan", "Services", "Agents") // the situation does not come to the front a second time
	})
}

package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// TestSubscriptionIsOpened checks that a small screen shows all details of a subscription when it is
// opened.
func TestSubscriptionIsOpened(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	sub := b.floor.Health.Subscription(model.OpServices)
	sub.Reason = "asked again without the fields that the server lacks, which it named one after another"
	sub.Lacks = strings.Repeat("serviceStats.someField, ", 12) + "serviceStats.lastField"
	b.publish()
	b.press("9")
	b.hides("lastField")
	b.press("enter")
	b.shows("Feed › Services", " lines")
	b.shows("Fields this server does not have")
	b.shows("lastField")
	b.press("end")
	b.shows("Reloads")

	b.press("p")
	b.floor.Health.Subscription(model.OpServices).Resyncs = 4711
	b.publish()
	b.press("end")
	b.shows("4711") // the board's own figures are not frozen
	b.press("esc")
	b.shows("─ 9 Feed ─")
}

func TestDetailSaysHowMuchIsOutOfView(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	b.press("2", "enter")
	b.shows(" lines, tab scrolls them")
	b.press("tab", "end")
	b.hides(" lines, tab scrolls them")
	b.shows(" lines ")
	b = newBoard(t, 200, 100)
	b.press("2", "enter")
	b.hides(" lines")
}

func TestChartOfAnAlertIsOfWhatItIsAbout(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Chat, 70)
	b := newBoardOn(t, f, 120, 40)
	b.press("7", "t")
	b.shows("╭ Sales Italy ─")
}

// TestChartsTakeTheRight checks that a large screen shows the charts of a service beside
// its figures.
func TestChartsTakeTheRight(t *testing.T) {
	t.Parallel()
	const w = 300
	b := newWatched(t, w, 80)
	b.press("2", "/", "b", "i", "l", "l", "enter", "enter") // a service with an attendant
	for _, part := range []string{"All agents", "Attendant on Calls", "Over time"} {
		b.shows(part)
	}
	for l := range strings.Lines(b.text()) {
		if before, _, ok := strings.Cut(l, "Over time"); ok && style.Width(before) < w*2/5 {
			t.Errorf("the charts begin at %d of %d", style.Width(before), w)
		}
	}
}

// TestDetailsOnLowWideScreens opens all details on wide, low screens with a message and a
// banner.
func TestDetailsOnLowWideScreens(t *testing.T) {
	t.Parallel()
	for _, w := range []int{140, 170, 220} {
		for h := frame.MinHeight; h < 22; h++ {
			for _, page := range []string{"2", "3", "4", "5"} {
				b := newBoard(t, w, h)
				b.press(page, "enter") // press fails the test if the board panics
				b.link(func(l *model.Link) { l.State = model.LinkBackoff })
				b.Now = b.Now.Add(time.Hour)
				b.send(clockMsg{})
				if got := strings.Count(b.View().Content, "\n") + 1; got != h {
					t.Errorf("%d lines at %dx%d, page %s", got, w, h, page)
				}
			}
		}
	}
}

// TestUnstaffedServiceNamesWhoLeft checks that the details of a service without agents name
// the agents who left, and when, like the cause of its situation.
func TestUnstaffedServiceNamesWhoLeft(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	for range 6 { // the board observes the floor for a minute and a half
		b.Now = b.Now.Add(15 * time.Second)
		b.publish()
	}
	for i := range 60 {
		b.floor.Users.Delete(agentName(i))
		b.floor.UserStats.Delete(model.UserStatKey{Username: agentName(i), Channel: model.Call})
	}
	for i := range 12 {
		r := *b.floor.Services.Get(model.ServiceKey{Code: serviceCode(i), Channel: model.Call})
		r.Version++
		r.UserStats = model.ServiceUsers{LoggedUsers: heads(0), ReadyUsers: heads(0), NotReadyUsers: heads(0)}
		b.floor.Services.Put(&r)
	}
	for range 8 {
		b.Now = b.Now.Add(15 * time.Second)
		b.publish()
	}
	b.press("2", "enter")
	b.shows("Agents who left")
	b.shows(": logged out")
}

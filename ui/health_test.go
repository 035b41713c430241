package ui

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
)

func TestLostConnectionMakesFiguresLookStale(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2")
	stale := b.scene.look.StaleSGR
	if strings.Contains(b.View().Content, stale+"   Billing") {
		t.Fatal("a live row looks stale")
	}
	b.floor.Health.Link = model.Link{
		State: model.LinkBackoff, Reason: "connection reset", LastFrame: b.Now, NextTry: b.Now.Add(49 * time.Second),
	}
	b.Now = b.Now.Add(42 * time.Second)
	b.publish()
	b.shows("▲ RETRYING")
	b.shows("STALE 0:42 · next try in 0:07 · no connection · connection reset")
	for _, name := range serviceNames() {
		for l := range strings.SplitSeq(b.View().Content, "\n") {
			if strings.Contains(l, name) && !strings.Contains(l, b.scene.look.Base()+stale) {
				t.Errorf("%s does not look stale: %q", name, l)
			}
		}
	}
	b.pass(3 * time.Second)
	b.shows("STALE 0:45", "next try in 0:04")
	for p := range pages.StandardCount {
		b.press(pageKey(p))
		b.shows("STALE 0:45")
	}
	for l := range strings.SplitSeq(b.View().Content, "\n") {
		if strings.Contains(l, "groupStats") && strings.HasPrefix(l, b.scene.look.Base()+stale) {
			t.Error("the feed's own figures look stale")
		}
	}
}

func TestStaleSubscriptionConcernsItsPagesOnly(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	sub := b.floor.Health.Subscription(model.OpGroups)
	sub.State, sub.Reason = model.SubStale, "the answer to the query did not come"
	b.publish()
	b.press("3")
	b.shows("STALE 0:01 · groups may be out of date: the answer to the query did not come")
	b.shows("PARTLY STALE")
	b.press("4")
	b.hides("STALE 0:01")
	b.shows("PARTLY STALE")
}

// TestBoardThatNeverHadDataSaysSo refuses all subscriptions from the start: nothing may be
// called old.
func TestBoardThatNeverHadDataSaysSo(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	for i := range b.floor.Health.Subscriptions {
		s := &b.floor.Health.Subscriptions[i]
		*s = model.Subscription{Name: s.Name, State: model.SubRefused, Reason: "no such field"}
	}
	b.publish()
	b.shows("NO DATA")
	b.hides("PARTLY STALE")
	b.floor.Health.Subscriptions[0].LastData = b.floor.Time
	b.publish()
	b.pass(time.Second)
	b.shows("PARTLY STALE")
}

// TestTroubleIsSaidInWords checks the text of every state of a subscription that is not
// current.
func TestTroubleIsSaidInWords(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("5")
	sub := b.floor.Health.Subscription(model.OpCampaigns)
	for state, want := range map[model.SubState]string{
		model.SubConnecting: "not subscribed yet", model.SubSyncing: "being fetched", model.SubStale: "may be out of date",
		model.SubRefused: "refused by the platform", model.SubBackoff: "interrupted, retrying",
	} {
		sub.State = state
		b.publish()
		b.shows("STALE 0:0", "campaigns "+want)
	}
	for _, state := range []model.SubState{model.SubLive, model.SubPolling, model.SubWaiting} {
		sub.State = state
		b.publish()
		b.hides("pdCampaignStats")
	}
}

func TestUnverifiedIsSaidButNotFaded(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	sub := b.floor.Health.Subscription(model.OpServices)
	sub.State, sub.Reason = model.SubUnverified, "the server has no such query"
	b.publish()
	b.press("2")
	b.shows("UNVERIFIED · services not verified: the server has no such query")
	b.hides("STALE")
}

func TestLinkStates(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	for state, word := range map[model.LinkState]string{
		model.LinkConnecting: "CONNECTING",
		model.LinkUp:         "LIVE",
		model.LinkBackoff:    "RETRYING",
		model.LinkRefused:    "REFUSED",
		model.LinkStopped:    "STOPPED",
		"new state":          "DOWN",
	} {
		b.link(func(l *model.Link) { l.State, l.NextTry = state, b.Now.Add(5*time.Second) })
		b.shows(word)
	}
}

func TestMarksStayOnEveryPageAndWidth(t *testing.T) {
	t.Parallel()
	for _, w := range []int{40, 60, 80, 200} {
		b := newBoard(t, w, 30)
		b.floor.Health.Notice = "The login is refused: check the password"
		b.floor.Health.Link.InsecureTLS = true
		b.publish()
		b.press("p")
		for p := range pages.StandardCount {
			b.press(pageKey(p))
			b.shows("TLS ", "VERIFIED")
			b.hides("LIVE")
			b.shows("FROZEN 0:00")
			b.shows("The login is refused")
		}
	}
}

func TestMarkInsecureByOption(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Process.ShowInsecureBadge = true })
	b.shows("TLS NOT VERIFIED")
}

func TestEmptyPanesSayWhy(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, nil, 120, 40)
	b.press("2")
	b.shows("No data yet")
	b.shows("CONNECTING")

	f := newFloorAt(startTime(), liveHealth(startTime()))
	f.Health.Subscription(model.OpUsers).State = model.SubSyncing
	b = newBoardOn(t, f, 120, 40)
	b.shows("Loading agents")
	b.hides("0 logged in")

	f = newFloorAt(startTime(), liveHealth(startTime()))
	f.Health.Subscription(model.OpServices).State = model.SubSyncing
	refused := f.Health.Subscription(model.OpGroups)
	refused.State, refused.Reason = model.SubRefused, "not authorised"
	f.Health.Subscription(model.OpCampaigns).State = model.SubWaiting
	b = newBoardOn(t, f, 120, 40)
	for key, want := range map[string]string{
		"1": "No agents on Calls.",
		"2": "Loading services",
		"3": "The platform refuses the groups: not authorised",
		"4": "No agents on this board.",
		"5": "No campaigns are configured: [rtd] campaigns = […]",
		"6": "No attendants on this board.",
	} {
		b.press(key)
		b.shows(want)
	}
}

// TestHiddenGroupsAreCounted shows boards without some or all of the groups, which are too small for the
// viewer. The platform has sent them, so the board must not say otherwise.
func TestHiddenGroupsAreCounted(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	members := make(map[string]int)
	for u := range f.Snapshot().Users.All() {
		for _, code := range u.Skillsets {
			members[code]++
		}
	}
	largest := slices.Max(slices.Collect(maps.Values(members))) + 1
	code := slices.Min(slices.Collect(maps.Keys(members)))
	for i := range largest - members[code] {
		f.Users.Put(&model.User{Username: model.TextOf("extra " + strconv.Itoa(i)), Skillsets: []string{code}})
	}
	all := newBoardOn(t, f, 120, 40)
	all.press("3")
	all.hides("too small to show")
	for smallest, want := range map[int]string{largest: "too small to show", largest + 1: "groups are hidden because too few agents are in them."} {
		b := newBoardOn(t, nil, 120, 40)
		b.floor, b.Mask = f, model.NewPartFilter(model.FloorPart{MinGroup: smallest}).Apply
		b.publish()
		b.press("3")
		b.shows(want)
		b.hides("No groups on this board")
	}
}

// TestSelectionShowsWithoutColour checks the frame of a terminal without colors.
func TestSelectionShowsWithoutColour(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if v := b.View(); v.BackgroundColor != nil || v.ForegroundColor != nil {
		t.Error("a terminal without colours is given some")
	}
	b.press("4", "down")
	if l, _ := b.row("Ferrari Mario"); !strings.HasPrefix(l, "│▌") {
		t.Errorf("nothing marks the selected row: %q", l)
	}
	b.shows("● Talking")
	b.shows("[4 Agents]")
}

func TestClockIsTheServers(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	b.floor.Health.ClockOffset = time.Hour
	b.publish()
	b.shows("platform 11:42:17")
	b.floor.Health.ClockOffset = -2 * time.Second
	b.publish()
	b.shows("  10:42:15")
}

func TestFeedTimesAreOurs(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.floor.Health.ClockOffset = time.Hour
	b.publish()
	b.press("9")
	b.shows("Services", "0:01", "0:20")
	b.shows("Live for 1:00:00")
	b.shows("Live for 2:00:00")
}

// TestStaleAgeOfAFeedThatForgets checks a feed that loses the time of its last frame with
// the connection.
func TestStaleAgeOfAFeedThatForgets(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.Now = b.Now.Add(20 * time.Second)
	b.link(func(l *model.Link) { l.State, l.LastFrame = model.LinkBackoff, time.Time{} })
	b.shows("STALE 0:20")
}

func TestNeverConnected(t *testing.T) {
	t.Parallel()
	f := newFloorAt(startTime(), model.Health{})
	f.Health.Link = model.Link{
		State: model.LinkRefused, Reason: "wrong password", NextTry: startTime().Add(5 * time.Minute),
	}
	b := newBoardOn(t, f, 120, 40)
	b.shows("REFUSED")
	b.shows("NO DATA YET · next try in 5:00 · the platform refuses the login or the address · wrong password")
	f.Health.Link.LastFrame = startTime() // the refusal was the last received frame
	b.Now = b.Now.Add(6 * time.Second)
	b.publish()
	b.pass(0)
	b.shows("NO DATA YET · next try in 4:54")
}

func TestRetry(t *testing.T) {
	t.Parallel()
	tries := 0
	b := newBoard(t, 120, 40, func(o *Options) { o.Actions.Reconnect = func() { tries++ } })
	b.press("ctrl+r")
	if tries != 0 {
		t.Error("a connection that is up was tried again")
	}
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.press("ctrl+r")
	if tries != 1 {
		t.Errorf("%d tries, want 1", tries)
	}
}

func TestOldSnapshotIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	old := b.floor.publish()
	b.floor.putService(2, model.Call, 99)
	b.publish()
	b.press("2")
	after, _ := b.row("Support Gold")
	b.send(snapshotMsg{Snapshot: old})
	if now, _ := b.row("Support Gold"); now != after {
		t.Errorf("an older picture is shown:\n%s", now)
	}
}

func TestTrends(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	const step, samples = 10 * time.Second, int(panes.FloorTrendSpan / (10 * time.Second))
	for i := range samples + 10 {
		b.floor.putService(0, model.Call, int64(i%9))
		b.Now = b.Now.Add(step)
		b.publish()
	}
	waiting := func() []float64 { return b.scene.paneScene().FloorTrend("queuedCalls").Samples }
	got := waiting()
	if len(got) != samples {
		t.Fatalf("%d samples are kept, want %d", len(got), samples)
	}
	waits, _ := floorOf(b.scene).Calls.QueuedCalls.Get()
	v := float64(waits)
	if last := got[len(got)-1]; last != v {
		t.Errorf("the newest sample is %v, want %v", last, v)
	}
	b.Now = b.Now.Add(20 * step)
	b.publish()
	gaps := 0
	got = waiting()
	for _, v := range got[len(got)-25:] {
		if math.IsNaN(v) {
			gaps++
		}
	}
	if gaps != 19 {
		t.Errorf("20 steps without data left %d gaps, want 19", gaps)
	}
	b.press("p")
	frozen := waiting()
	b.Now = b.Now.Add(20 * step)
	b.publish()
	if diff := cmp.Diff(frozen, waiting(), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the trend of a frozen picture moves:\n%s", diff)
	}
}

func floorOf(sc *scene) *model.Floor {
	f := model.FloorOf(sc.floor.Newest, sc.floor.Channel, nil, nil)
	return &f
}

// TestDialogsCountNoTimeWithoutConnection checks that durations do not grow while the connection is down.
func TestDialogsCountNoTimeWithoutConnection(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	agent := floorview.Target{Kind: floorview.Agent, Key: agentName(0)}
	before := b.scene.floor.NewestState(b.scene.look, agent)
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.pass(time.Minute)
	if now := b.scene.floor.NewestState(b.scene.look, agent); now != before {
		t.Errorf("%q has become %q", before, now)
	}
}

// TestNarrowHeaderNamesTheChannel checks that the narrow header names a channel other than calls.
func TestNarrowHeaderNamesTheChannel(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	b.press("2")
	b.hides("Bolzano · Calls")
	b.shows(" Bolzano ")
	b.press("c")
	b.shows(" Chat ", "● LIVE")
}

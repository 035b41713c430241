package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/report/handover"
	"wallboard/internal/report/headless"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
)

// TestStatements draws all outputs of several floors, at several sizes and for several
// viewers, and compares what they say with the snapshot. See [facts].
func TestStatements(t *testing.T) {
	t.Parallel()
	for name, scene := range statementScenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for viewer, seenBy := range statementViewers() {
				t.Run(viewer, func(t *testing.T) {
					t.Parallel()
					scene.show(t, seenBy)
				})
			}
		})
	}
}

// statementScene is a floor that changes for some seconds.
type statementScene struct {
	floor   func() *testFloor
	seconds int
	second  func(f *testFloor, n int)         // the floor at a second; nil: it does not change
	at      int                               // second at which then is called; 0: at the end
	then    func(f *testFloor, v *hub.Viewer) // changes the floor or the viewer; may be nil
}

// statementViewer is a viewer with the limits of what the viewer may see.
type statementViewer struct {
	visibility hub.Visibility
	sizes      [][2]int
	hidden     []string // texts that must not be on any page
	change     func(*Options)
}

func statementViewers() map[string]statementViewer {
	few := [][2]int{{80, 24}, {160, 45}}
	return map[string]statementViewer{
		"admin": {visibility: hub.Visibility{Names: model.NamesFull}, sizes: [][2]int{{60, 20}, {80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}}},
		"kiosk": {visibility: hub.Visibility{Names: model.NamesFull}, sizes: few, change: func(o *Options) {
			o.Kiosk = &kiosk.Options{Pages: []string{"Overview", "Services", "Agents", "Wall", "Situations"}, Dwell: 20 * time.Second}
		}},
		"act": {visibility: hub.Visibility{Names: model.NamesFull}, sizes: few, change: func(o *Options) {
			o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{Outcome: resource.OutcomeConfirmed}))
		}},
		"one service": {
			visibility: hub.Visibility{Names: model.NamesFull, Part: model.FloorPart{Services: []string{serviceCode(0)}}}, sizes: few,
			hidden: serviceNames()[1:],
		},
		"nameless": {
			visibility: hub.Visibility{Names: model.NamesHidden}, sizes: few,
			hidden: []string{"Rossi", "Bianchi", "Müller", "Schmidt", "Russo", "Ferrari", "Weber", "Colombo", "Ricci", "Wagner", "agent0"},
		},
	}
}

// calmService adds or replaces a service that is on target. waiting callers have waited for up to the
// given seconds.
func (f *testFloor) calmService(i int, waiting, seconds int64) {
	f.Services.Put(&model.Service{
		Code: model.TextOf(serviceCode(i)), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: known(waiting), MaxTimeCallOnQueue: known(seconds), CurrentCalls: known(waiting + 2), ReceivedCalls: known(200 + waiting),
			AnsweredCalls: known(198), AnsweredCallsUnderSpeedLimit: known(190), HangupCalls: known(2), AverageTimeOnQueue: model.FloatOf(9),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(5), ReadyUsers: heads(0), NotReadyUsers: heads(1), BusyOnServUsers: heads(4)},
	})
}

func newCalmFloor(services int) *testFloor {
	f := newFloorAt(startTime(), liveHealth(startTime()))
	for i := range services {
		f.calmService(i, 0, 0)
	}
	for i := range 12 {
		f.putAgent(i, 0)
	}
	return f
}

// waits returns a function that lets callers of some services wait longer every second.
func waits(callers int64, services ...int) func(*testFloor, int) {
	return func(f *testFloor, n int) {
		for _, i := range services {
			f.calmService(i, callers, int64(n))
		}
	}
}

// recovers returns a function that lets callers wait until second 100. More of them come after the first
// alert, so that an alert with an earlier start joins the situation later.
func recovers(service int) func(*testFloor, int) {
	return func(f *testFloor, n int) {
		switch {
		case n < 10:
			waits(2, service)(f, n)
		case n < 100:
			waits(9, service)(f, n)
		default:
			waits(0, service)(f, 0)
		}
	}
}

// take takes over all alerts.
func take(f *testFloor, v *hub.Viewer) {
	for _, a := range v.Active() {
		_, _ = v.Acknowledge(a.ID, "Zoe", "", f.Time)
	}
}

// lateChat adds or replaces a service with waiting chats.
func (f *testFloor) lateChat(i int, seconds, waiting int64) {
	r := *f.Services.Get(model.ServiceKey{Code: serviceCode(i), Channel: model.Call})
	r.Channel = model.Chat
	r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = known(waiting), known(seconds)
	f.Services.Put(&r)
}

// putGroup adds or replaces the group of most agents of service 0, with waiting callers.
func (f *testFloor) putGroup(waiting int64) {
	f.Groups.Put(&model.Group{
		Code: model.TextOf("GRP1"), Channel: model.Call, ChannelStats: model.GroupCalls{QueuedCalls: known(waiting)},
		UserStats: model.GroupUsers{LoggedUsers: heads(5), ReadyUsers: heads(0)},
	})
}

// joins lets callers wait for a service and its group. The last caller of the group still waits after the
// service has recovered.
func joins(f *testFloor, n int) {
	if n < 120 {
		f.calmService(0, 9, int64(n))
		f.putGroup(9)
		return
	}
	f.calmService(0, 1, 3)
	r := *f.Services.Get(model.ServiceKey{Code: serviceCode(0), Channel: model.Call})
	r.UserStats.ReadyUsers = heads(1)
	f.Services.Put(&r)
	f.putGroup(1)
}

func statementScenes() map[string]statementScene {
	calm := func() *testFloor { return newCalmFloor(12) }
	return map[string]statementScene{
		"calm":                 {floor: calm, seconds: 3},
		"trouble":              {floor: func() *testFloor { return newTestFloor(60) }, seconds: 3},
		"sixty":                {floor: func() *testFloor { return newCalmFloor(60) }, seconds: 40, second: waits(2, 7)},
		"watched":              {floor: calm, seconds: 40, second: waits(2, 3)},
		"one watched":          {floor: calm, seconds: 40, second: waits(2, 0)},
		"waits":                {floor: calm, seconds: 100, second: waits(9, 3, 5)},
		"taken":                {floor: calm, seconds: 100, second: waits(9, 3, 5), then: take},
		"taken, then critical": {floor: calm, seconds: 70, second: waits(9, 3), at: 25, then: take},
		"chat is watched": {floor: calm, seconds: 75, second: func(f *testFloor, n int) {
			f.lateChat(0, int64(n), 1) // critical, but not for long enough
		}},
		"chat is critical": {floor: calm, seconds: 100, second: func(f *testFloor, n int) { f.lateChat(0, int64(n), 9) }},
		// A surge that no rule has reported yet.
		"surge": {floor: calm, seconds: 15, second: func(f *testFloor, n int) {
			waits(12, 0)(f, n)
			r := *f.Services.Get(model.ServiceKey{Code: serviceCode(0), Channel: model.Call})
			r.UserStats.LoggedUsers = heads(14)
			f.Services.Put(&r)
		}},
		"one caller, two agents": {floor: calm, seconds: 12, second: func(f *testFloor, n int) {
			waits(1, 2)(f, n)
			r := *f.Services.Get(model.ServiceKey{Code: serviceCode(2), Channel: model.Call})
			r.UserStats.LoggedUsers = heads(2)
			f.Services.Put(&r)
		}},
		"joined":    {floor: calm, seconds: 130, second: joins},
		"groups":    {floor: calm, seconds: 50, second: func(f *testFloor, _ int) { f.putGroup(2) }},
		"campaigns": {floor: calm, seconds: 3, second: func(f *testFloor, _ int) { f.AddCampaigns() }}, // one of the campaigns has no contacts left
		"long break": {floor: calm, seconds: 3, second: func(f *testFloor, _ int) {
			f.agentOn(3, model.WNR, f.Time.Add(-5*time.Minute))
		}},
		"recovered":              {floor: calm, seconds: 110, second: recovers(3)},
		"recovered, one service": {floor: calm, seconds: 110, second: recovers(0)},
		"few misses": {floor: func() *testFloor {
			f := newCalmFloor(12)
			for i, inTime := range []int64{80, 79, 78} { // number of 100 calls that were answered in time; the target is 80 %
				r := *f.Services.Get(model.ServiceKey{Code: serviceCode(i), Channel: model.Call})
				r.ChannelStats.AnsweredCalls, r.ChannelStats.AnsweredCallsUnderSpeedLimit, r.ChannelStats.HangupCalls = known(100), known(inTime), known(0)
				f.Services.Put(&r)
			}
			return f
		}, seconds: 3},
		"no services": {floor: func() *testFloor {
			f := newFloorAt(startTime(), liveHealth(startTime()))
			f.Health.Link.State, f.Health.Subscriptions = model.LinkConnecting, nil
			return f
		}, seconds: 1},
		"partly stale": {floor: calm, seconds: 60, second: waits(9, 3), then: func(f *testFloor, _ *hub.Viewer) {
			f.Health.Subscription(model.OpServices).State = model.SubBackoff
		}},
	}
}

// checkBeginnings checks that no live situation has another beginning than before.
func checkBeginnings(t *testing.T, live []situation.Situation, began map[string]time.Time) {
	t.Helper()
	for _, s := range live {
		if at, known := began[s.ID]; known && !at.Equal(s.Since) {
			t.Errorf("%s began at %v, it was %v", s.Place.Title, s.Since, at)
		}
		began[s.ID] = s.Since
	}
}

// show draws all outputs for a viewer.
func (scene statementScene) show(t *testing.T, seenBy statementViewer) {
	f := scene.floor()
	begin := f.Time
	s := newShared(t, f, testNames())
	v, err := s.hub.NewViewer(seenBy.visibility, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var boards []*board
	for _, size := range seenBy.sizes {
		b := newBoardOn(t, nil, size[0], size[1], func(o *Options) {
			o.Source, o.Alerts, o.Actions.User = v, v, "ada"
			if seenBy.change != nil {
				seenBy.change(o)
			}
		})
		b.floor, b.Mask = f, func(*model.Snapshot) *model.Snapshot { return v.Latest() }
		boards = append(boards, b)
	}
	speaker := headless.NewSpeaker(headless.SpeakerOptions{Alerts: v, Names: v.Names(), Location: time.UTC})
	tick := func() {
		f.Health.Link.LastFrame = f.Time
		for i := range f.Health.Subscriptions {
			f.Health.Subscriptions[i].LastData, f.Health.Subscriptions[i].VerifiedAt = f.Time, f.Time
		}
		s.latest = f.publish()
		speaker.Update(v.Latest(), f.Time)
	}
	began := make(map[string]time.Time) // by ID of a live situation
	for n := range scene.seconds {
		f.Time = begin.Add(time.Duration(n) * time.Second)
		if scene.second != nil {
			scene.second(f, n)
		}
		tick()
		if scene.at > 0 && n == scene.at {
			scene.then(f, v)
		}
		checkBeginnings(t, situationsOf(v).Live, began)
	}
	if scene.then != nil && scene.at == 0 {
		scene.then(f, v)
		f.Time = f.Time.Add(time.Second)
		tick()
	}
	is := factsOf(v.Latest(), situationsOf(v), v.Goal, f.Time)
	is.check(t, "speaker", speaker.Summary(), seenBy.hidden)
	for _, question := range []string{"alerts", "why"} {
		lines, _ := speaker.Answer(question)
		is.check(t, "speaker "+question, strings.Join(lines, "\n"), seenBy.hidden)
		is.checkSpoken(t, "speaker "+question, strings.Join(lines, "\n"))
	}
	is.checkHeadless(t, &headless.Viewer{Viewer: v}, seenBy.hidden)
	is.check(t, "handover", is.handover(v), seenBy.hidden)
	is.checkRecovered(t, "handover", is.handover(v))
	for _, b := range boards {
		b.Now = f.Time
		b.send(snapshotMsg{Snapshot: v.Latest()})
		b.send(clockMsg{})
		size := fmt.Sprintf("%dx%d ", b.width, b.height)
		if b.scene.Kiosk != nil {
			size = "kiosk " + size
		}
		for p := range pages.StandardCount {
			b.press(pageKey(p))
			is.check(t, size+p.String(), b.text(), seenBy.hidden)
			is.checkRecovered(t, size+p.String(), b.text())
			is.checkLasted(t, size+p.String(), b.text())
			is.checkMarks(t, size+p.String(), b.text())
			is.checkCards(t, size+p.String(), b.text(), v.Names())
			if p == pages.Overview && b.width == 80 && b.scene.Kiosk == nil {
				is.checkTiles(t, b.text(), speaker.Summary())
			}
		}
		b.press("1", "w")
		is.check(t, size+"why", b.text(), seenBy.hidden)
		b.press("esc", "2", "enter")
		is.check(t, size+"service", b.text(), seenBy.hidden)
	}
}

// TestStatementsOfThePast compares a rewound board with the recorded snapshots: while a
// caller waits too long, and afterwards.
func TestStatementsOfThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		for _, before := range []time.Duration{9 * time.Minute, 7 * time.Minute, 4 * time.Minute} {
			th.back(before)
			past := th.v.shownFloor.scene
			is := factsOf(past.floor.Shown, past.alerts.Alarms().Situations, past.alerts.Alarms().Engine.Goal, time.Now())
			if wantLate := before > 5*time.Minute; (is.late > 0) != wantLate {
				t.Errorf("%v before the end: %d services are late", before, is.late)
			}
			for p := range pages.StandardCount {
				th.press(pageKey(p))
				is.check(t, before.String()+" ago, "+p.String(), th.text(), nil)
			}
		}
	})
}

// facts holds the true values of a floor, as far as the viewer may see them.
type facts struct {
	snapshot *model.Snapshot
	view     *situation.View
	at       time.Time
	current  bool  // the figures of services are current
	services int   // number of services on the channel of calls
	waiting  int64 // number of waiting callers
	longest  int64 // longest wait in seconds
	late     int   // number of services with a wait over the limit of the rule
	below    int   // number of services below their target
	calm     int   // number of services that are neither late nor below their target
	// unattended counts the services on which callers have waited for some seconds and no agent is
	// ready.
	unattended int
}

// waitLimit is the limit of the built-in rule about the longest wait, in seconds.
const waitLimit = 30

// unattendedLimit is the time in seconds that callers may wait without a ready agent. After that, no
// output may contain a reassuring phrase. The scenes change the floor every second; the longest wait is
// known.
const unattendedLimit = 6

func factsOf(s *model.Snapshot, view *situation.View, goalOf func(service string) alert.Goal, at time.Time) *facts {
	is := &facts{snapshot: s, at: at, view: view}
	sub := is.snapshot.Health.Subscription(model.OpServices)
	is.current = sub != nil && sub.State.IsCurrent() && is.snapshot.Health.Link.State == model.LinkUp
	for r := range is.snapshot.Services.All() {
		if r.Channel != model.Call {
			continue
		}
		c := &r.ChannelStats
		is.services++
		is.waiting += c.QueuedCalls.Or(0)
		seconds := int64(0)
		if c.QueuedCalls.Or(0) > 0 {
			seconds = c.MaxTimeCallOnQueue.Or(0)
		}
		if ready, known := r.UserStats.ReadyUsers.Count.Get(); known && ready == 0 && seconds >= unattendedLimit {
			is.unattended++
		}
		if is.longest = max(is.longest, seconds); seconds > waitLimit {
			is.late++
		}
		goal := goalOf(r.Key().Code)
		inTime, all, known := c.ServiceLevelCounts(goal.Formula)
		below := known && float64(inTime) < goal.ServiceLevel.Or(0)*float64(all)
		if below {
			is.below++
		}
		if !below && seconds <= waitLimit {
			is.calm++
		}
	}
	return is
}

// handover returns the text of a shift report.
func (is *facts) handover(v *hub.Viewer) string {
	r := handover.New(handover.Input{
		Snapshot: is.snapshot, Alerts: v, Situations: is.view, Names: v.Names(), From: is.at.Add(-8 * time.Hour), At: is.at, WatchedSince: is.at.Add(-time.Hour),
	})
	return handover.Markdown(r)
}

// needing counts the live situations that need action.
func (is *facts) needing() int {
	critical, warning := is.view.Counts()
	return critical + warning
}

// claim is a reassuring phrase, and whether the floor permits it.
type claim struct {
	text string
	true bool
}

// claims returns the reassuring phrases of all outputs.
func (is *facts) claims(where, text string) []claim {
	calm := is.current && is.services > 0
	inTime := calm && is.late == 0
	attended := calm && is.unattended == 0
	nobodyNeeded := attended && is.needing() == 0
	noneWaits, allClear := calm && is.waiting == 0, attended && inTime
	nothingWrong := calm && len(is.view.Live)+len(is.view.HeldBack)+len(is.view.Silenced) == 0
	return []claim{
		{"within limits", inTime},
		{"none over limit", inTime},
		{"Nothing needs action", attended && (inTime || nobodyNeeded && len(is.view.Live) > 0)},
		{"Nothing needs anybody", nobodyNeeded},
		{"No situation is open", nobodyNeeded},
		{"Nothing to do yet", allClear},
		{"All clear", allClear},
		{"✓ ", inTime && nobodyNeeded || strings.Contains(text, "✓ Resolved") || strings.Contains(text, "✓ All live") || strings.Contains(where, "Feed")},
		{"no one waiting", noneWaits},
		{"No one is waiting", noneWaits},
		{"services are on target", allClear && is.below == 0},
		{"Nothing is wrong.", nothingWrong && len(is.view.Today) == 0},
		// The first row is selected, and a service with a problem would be in the first row.
		{"Nothing is wrong with what is selected", nothingWrong},
		{"0 logged in", is.snapshot.UserStats.Len() > 0 || is.snapshot.Users.Len() > 0},
		{"just on target", is.atRisk()},
		{"just on it", is.atRisk()},
		{"or at risk", is.atRisk()},
	}
}

// check reports the statements of an output that contradict the floor, and texts that the
// viewer may not see.
func (is *facts) check(t *testing.T, where, text string, hidden []string) {
	t.Helper()
	for _, word := range hidden {
		if strings.Contains(text, word) {
			t.Errorf("%s: %q is hidden from this viewer:\n%s", where, word, text)
			return
		}
	}
	for _, claim := range is.claims(where, text) {
		if strings.Contains(text, claim.text) && !claim.true {
			t.Errorf("%s: it says %q, but %d callers waiting, longest %d s, %d services are late, %d below target, current %v, %d situations need action:\n%s",
				where, claim.text, is.waiting, is.longest, is.late, is.below, is.current, is.needing(), text)
			return
		}
	}
	if n := strings.Count(text, "action needed"); n > is.needing() {
		t.Errorf("%s: %d cards need action, but %d situations do:\n%s", where, n, is.needing(), text)
	}
	if n := strings.Count(text, "─ on target ─") + strings.Count(text, "╰ on target ─"); n > is.calm {
		t.Errorf("%s: %d services are on target, but %d of %d are late:\n%s", where, n, is.late, is.services, text)
	}
}

// needs counts the situations that need action. It derives them from their alerts.
func (is *facts) needs() (critical, warning int) {
	for i := range is.view.Live {
		s := &is.view.Live[i]
		taken := slices.ContainsFunc(s.Alerts, func(a alert.Alert) bool { return a.Level == s.Level && a.Ack != (alert.Ack{}) })
		switch {
		case taken || s.QueueEmpty:
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// levelMark matches the lines with the mark of a level. A sorted column and the axis of a chart have the marks too, beside other signs.
func levelMark(mark string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(.*[ │┃║])?` + mark + `.*$`)
}

// checkMarks checks that the header counts the situations that need action, that no other row,
// tile or badge has the mark of a level, and that the rows of their services have it.
func (is *facts) checkMarks(t *testing.T, where, text string) {
	t.Helper()
	critical, warning := is.needs()
	text = strings.NewReplacer("▲ critical alert", "", "△ warning", "").Replace(text) // removes the legend of charts
	header, page, _ := strings.Cut(text, "\n")
	for _, level := range []struct {
		mark string
		n    int
	}{{"▲", critical}, {"△", warning}} {
		if line := levelMark(level.mark).FindString(text); level.n == 0 && line != "" && !strings.HasSuffix(where, " Feed") { // on the page Feed, these marks are states of subscriptions
			t.Errorf("%s: no situation needs a person with %s: %s", where, level.mark, line)
		}
		if level.n > 0 && !strings.HasPrefix(where, "kiosk") && !strings.Contains(header, fmt.Sprintf("%s %d", level.mark, level.n)) {
			t.Errorf("%s: the header does not count %s %d:\n%s", where, level.mark, level.n, text)
		}
	}
	if !strings.HasSuffix(where, " Services") || strings.HasPrefix(where, "kiosk") {
		return
	}
	for i := range is.view.Live {
		s := &is.view.Live[i]
		if s.Place.Key.Scope != alert.Service || s.Place.Key.Channel != model.Call || !s.NeedsAction() {
			continue
		}
		mark := map[alert.Level]string{alert.Critical: "▲", alert.Warning: "△"}[s.Level]
		for line := range strings.Lines(page) {
			if row := regexp.MustCompile(`^(.{1,4})` + s.Place.Title + "  ").FindStringSubmatch(line); row != nil && !strings.Contains(row[1], mark) {
				t.Errorf("%s: a row of a situation has no %s: %s", where, mark, line)
			}
		}
	}
}

// markedCard matches the title of a card or a tile that has the mark of a level.
var markedCard = regexp.MustCompile(`[╭┏] (?:\S )?[△▲] ([^─━]+?) [─━]`)

// checkCards checks that each service and group whose card has the mark of a level, whatever words the
// card shows, is in a situation that needs action. A wall has such a card if there is a situation.
func (is *facts) checkCards(t *testing.T, where, text string, names model.Names) {
	t.Helper()
	inTrouble, known := make(map[string]bool), make(map[string]bool)
	for i := range is.view.Live {
		if s := &is.view.Live[i]; s.NeedsAction() {
			inTrouble[s.Place.Title] = true
			for _, a := range s.Alerts {
				inTrouble[names.NameOf(model.NameService, a.Key.Code)], inTrouble[names.NameOf(model.NameGroup, a.Key.Code)] = true, true
			}
		}
	}
	for r := range is.snapshot.Services.All() {
		known[names.NameOf(model.NameService, r.Key().Code)] = true
	}
	for r := range is.snapshot.Groups.All() {
		known[names.NameOf(model.NameGroup, r.Key().Code)] = true
	}
	cards := 0
	for _, found := range markedCard.FindAllStringSubmatch(text, -1) {
		if title := found[1]; known[title] {
			if cards++; !inTrouble[title] {
				t.Errorf("%s: the card of %s has a mark, but no situation needs a person:\n%s", where, title, text)
			}
		}
	}
	if where == "kiosk 160x45 Services" && cards == 0 && slices.ContainsFunc(is.view.Live, func(s situation.Situation) bool {
		return s.NeedsAction() && s.Place.Key.Scope == alert.Service && s.Place.Key.Channel == model.Call
	}) {
		t.Errorf("%s: no card has a mark:\n%s", where, text)
	}
}

// checkHeadless checks the status line and the metrics.
func (is *facts) checkHeadless(t *testing.T, v *headless.Viewer, hidden []string) {
	t.Helper()
	v.Evaluate()
	line := v.StatusLine(nil)
	is.check(t, "status", line, hidden)
	metrics := headless.Exposition([]*headless.Viewer{v}, is.at, false)
	is.check(t, "metrics", metrics, hidden)
	critical, warning := is.needs()
	for word, n := range map[string]int{"critical": critical, "warning": warning} {
		if n > 0 != strings.Contains(line, fmt.Sprintf("%d %s", n, word)) {
			t.Errorf("%d are %s, but the status is %q", n, word, line)
		}
		if want := fmt.Sprintf("wallboard_situations{severity=%q} %d\n", word, n); !strings.Contains(metrics, want) {
			t.Errorf("no %q in the metrics:\n%s", want, metrics)
		}
	}
}

// atRisk reports whether a service is on target but close to missing it.
func (is *facts) atRisk() bool {
	for i := range is.view.Today {
		if is.view.Today[i].AtRisk {
			return true
		}
	}
	return false
}

var tileRow = regexp.MustCompile(`(?m)^ Waiting .*\n (\S+)[\s\x{2800}-\x{28ff}]+(?:[▲△] )?(\S+)`)

// checkTiles compares the tiles of a small Overview with the snapshot and the text mode.
func (is *facts) checkTiles(t *testing.T, page, summary string) {
	t.Helper()
	found := tileRow.FindStringSubmatch(page)
	if found == nil {
		t.Errorf("no tiles:\n%s", page)
		return
	}
	if is.services == 0 {
		return
	}
	longest := textformat.Duration(time.Duration(is.longest) * time.Second)
	if found[1] != strconv.FormatInt(is.waiting, 10) || found[2] != longest {
		t.Errorf("the tiles are %q and %q, want %d and %s:\n%s", found[1], found[2], is.waiting, longest, page)
	}
	if is.waiting > 0 && is.current && !strings.Contains(summary, fmt.Sprintf("%d call", is.waiting)) {
		t.Errorf("%d wait, but the text mode says %q", is.waiting, summary)
	}
}

// noneReady matches the sentence with the time for which a service has had no ready agent.
var noneReady = regexp.MustCompile(`No one available for ([0-9:]+)`)

// checkLasted checks that all places show the same duration of a live situation. On the floors of the
// tests, no agent becomes ready and unready again during a situation.
func (is *facts) checkLasted(t *testing.T, where, text string) {
	t.Helper()
	durations := make(map[string]bool)
	for _, s := range slices.Concat(is.view.Live, is.view.HeldBack) {
		until := is.at
		if !s.StaleSince.IsZero() {
			until = s.StaleSince
		}
		span := textformat.Duration(until.Sub(s.Since))
		durations[span] = true
		row := regexp.MustCompile(`(?m)^.*(?:Critical|Warning).* ` + regexp.QuoteMeta(s.Place.Title) + `  .*$`).FindString(text)
		if strings.HasPrefix(where, "160x45 Situations") && row != "" && !strings.Contains(row, " "+span+" ") {
			t.Errorf("%s: %s has lasted %s, but its row says: %s", where, s.Place.Title, span, row)
		}
	}
	for _, found := range noneReady.FindAllStringSubmatch(text, -1) {
		if !durations[found[1]] {
			t.Errorf("%s: it says %q, but the situations have lasted %v:\n%s", where, found[0], durations, text)
		}
	}
}

// spokenNoneReady matches the duration of a situation, and the time for which no agent has been ready.
var spokenNoneReady = regexp.MustCompile(`, for ([^:]+): .*No one available for ([^.]+)\.`)

// checkSpoken is like [facts.checkLasted], for a text that is read aloud.
func (is *facts) checkSpoken(t *testing.T, where, text string) {
	t.Helper()
	for _, found := range spokenNoneReady.FindAllStringSubmatch(text, -1) {
		if found[1] != found[2] {
			t.Errorf("%s: a situation has lasted %s, but it says: %s", where, found[1], found[0])
		}
	}
}

// lasted is a duration in parentheses, or in a row of a table.
var lasted = regexp.MustCompile(`\(([0-9]+:[0-9]{2}|[0-9]+ s|[0-9]+ min)\)|  ([0-9]+:[0-9]{2})(?:  |$)`)

// checkRecovered checks that every line about a situation that has ended has its duration.
func (is *facts) checkRecovered(t *testing.T, where, text string) {
	t.Helper()
	for i := range is.view.Recovered {
		r := &is.view.Recovered[i]
		want, found := textformat.Duration(r.Ended.Sub(r.Began)), false
		if length := r.Ended.Sub(r.Began); where == "handover" && length >= 10*time.Minute {
			want = words.Minutes(length).In(nil)
		}
		for line := range strings.Lines(text) {
			var told []string
			if cells := strings.Split(line, " | "); len(cells) > 3 && strings.Contains(cells[0], "**"+r.Place.Title+"**") && where == "handover" {
				told = cells[3:4] // the column "total" of the incidents
			} else if strings.Contains(line, r.Place.Title) && strings.Contains(line, "esolved") {
				for _, span := range lasted.FindAllStringSubmatch(strings.TrimRight(line, "\n "), -1) {
					told = append(told, span[1]+span[2])
				}
			}
			for _, got := range told {
				found = true
				if got != want {
					t.Errorf("%s: %s lasted %s, but it says %s: %s", where, r.Place.Title, want, got, line)
				}
			}
		}
		if !found && (where == "handover" || strings.HasPrefix(where, "160x45 Situations")) {
			t.Errorf("%s: nothing about %s:\n%s", where, r.Place.Title, text)
		}
	}
}

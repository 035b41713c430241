package proof_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model"
)

// stageRun runs a board over the real protocol on a floor with one scenario.
type stageRun struct {
	seed    int64
	agents  int
	watched time.Duration // time for which the board runs before the scenario
	staged  world.Scenario
	scene   world.ScenarioLocation

	srv    *simulator.Server
	feed   *feeds.Feed
	engine *alert.Engine
	track  *diagnosis.History
	began  time.Time // start of the scenario
	height worstMoment

	watch        *situation.Tracker
	raised, told time.Time // the first alert of its place since then, and the board's first report
}

// worstMoment is the board's report at the worst moment.
type worstMoment struct {
	at          time.Time
	view        *situation.View
	queue       int64
	causes      []diagnosis.Cause
	unexplained string
	named       bool     // one of the named agents could help: by coming back, by ending after-call work or by joining
	offered     []string // agents who are named, with their state
	could       []string // agents who could help: not ready, or ready on another channel
	invented    []string // reports of figures that are not current
}

// causeKind returns the cause that the board must report for a staged cause.
func causeKind(c world.Cause) diagnosis.CauseKind {
	return map[world.Cause]diagnosis.CauseKind{
		world.MoreContacts:        diagnosis.MoreContacts,
		world.FewerAgents:         diagnosis.FewerAgents,
		world.LongerHandling:      diagnosis.LongerHandling,
		world.LongerWrapUp:        diagnosis.LongerWrapUp,
		world.AgentsBusyElsewhere: diagnosis.AgentsBusyElsewhere,
		world.NoSkill:             diagnosis.SkillMissing,
		world.Misrouted:           diagnosis.Routing,
		world.NoContacts:          diagnosis.CampaignOutOfContacts,
		world.PlatformFault:       diagnosis.FeedStale,
	}[c]
}

// right reports whether the first reported cause is a staged one, and whether all
// staged causes are reported.
func (r *stageRun) right() bool {
	if len(r.height.causes) == 0 || r.height.queue == 0 || len(r.height.invented) > 0 {
		return false
	}
	var first, all bool
	all = true
	for _, c := range r.staged.Causes {
		named := func(of []diagnosis.Cause) bool {
			return slices.ContainsFunc(of, func(o diagnosis.Cause) bool { return o.Kind == causeKind(c) })
		}
		first = first || named(r.height.causes[:1])
		all = all && named(r.height.causes)
	}
	return first && all
}

// TestStagedSituationsAreExplained runs scenarios and checks the reported cause when
// most contacts wait. STAGED selects a scenario or "all"; by default it runs four
// short ones. STAGED_SEED selects the floor.
func TestStagedSituationsAreExplained(t *testing.T) {
	t.Parallel()
	all := simulator.Scenarios()
	runs := make([]*stageRun, len(all))
	t.Run("stages", func(t *testing.T) {
		for i, s := range all {
			if !wanted(s.Name) {
				continue
			}
			r := &stageRun{seed: int64(setting(t, "STAGED_SEED", 1)), agents: 120, watched: 20 * time.Minute, staged: s}
			if os.Getenv("STAGED") == "" {
				r.agents, r.watched = 60, 7*time.Minute
			}
			runs[i] = r
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, r.play)
			})
		}
	})
	wrong := logScenarios(t, runs)
	if wrong > 2 || os.Getenv("STAGED") != "all" && wrong > 0 {
		t.Errorf("%d scenarios without the right cause", wrong)
	}
}

// logScenarios logs the report of each scenario and returns the number of scenarios
// whose cause was not reported.
func logScenarios(t *testing.T, runs []*stageRun) (wrong int) {
	t.Helper()
	var late []time.Duration
	could, named := 0, 0
	for _, r := range runs {
		if r == nil {
			continue
		}
		verdict := "right"
		if !r.right() {
			verdict = "WRONG"
			wrong++
		}
		if len(r.height.could) > 0 {
			if could++; r.height.named {
				named++
			} else {
				t.Logf("%s %d: %v could help, named are %v", r.staged.Name, r.seed, r.height.could, r.height.offered)
			}
		}
		told := "never told"
		if !r.told.IsZero() {
			told = fmt.Sprintf("told %v after its first alert", r.told.Sub(r.raised))
			late = append(late, r.told.Sub(r.raised))
		}
		t.Logf("%s %d %-24s %s, %d waiting at %s (staged: %v)", verdict, r.seed, r.staged.Name, told, r.height.queue, r.height.at.Format("15:04:05"), r.staged.Causes)
		for _, c := range r.height.causes {
			share, _ := c.Share.Get()
			t.Logf("      %3.0f %% %s: %s %s", share*100, c.Kind, c.Text, strings.Join(c.Steps, "; "))
		}
		for _, text := range append(r.height.invented, r.height.unexplained) {
			if text != "" {
				t.Log("      " + text)
			}
		}
	}
	t.Logf("agents could help in %d scenarios; one is named in %d of them", could, named)
	if named < could {
		t.Errorf("of %d scenarios in which agents could help, none is named in %d", could, could-named)
	}
	if slices.Sort(late); len(late) > 0 {
		sum := time.Duration(0)
		for _, d := range late {
			sum += d
		}
		t.Logf("reported after the first alert: mean %v, median %v, 90th percentile %v, all %d within %v",
			(sum / time.Duration(len(late))).Round(time.Second), late[len(late)/2], late[len(late)*9/10], len(late), late[len(late)-1])
	}
	return wrong
}

// TestStagedSituationsOnManyFloors runs scenarios on many floors without the
// protocol and checks the reported causes. STAGED_FLOORS is the number of floors
// with all scenarios; by default it runs three slow scenarios on one floor.
func TestStagedSituationsOnManyFloors(t *testing.T) {
	t.Parallel()
	floors := setting(t, "STAGED_FLOORS", 0)
	var runs []*stageRun
	t.Run("floors", func(t *testing.T) {
		for seed := range int64(max(floors, 1)) {
			for _, s := range world.Scenarios() {
				if floors == 0 && !slices.Contains([]string{"slow-decline", "chats-bind", "no-skill"}, s.Name) {
					continue
				}
				r := &stageRun{seed: seed + 1, agents: 120, watched: 20 * time.Minute, staged: s}
				runs = append(runs, r)
				t.Run(fmt.Sprintf("%s %d", s.Name, r.seed), func(t *testing.T) {
					t.Parallel()
					r.playStraight(t)
				})
			}
		}
	})
	wrong := logScenarios(t, runs)
	t.Logf("%d of %d right", len(runs)-wrong, len(runs))
	if wrong*12 > len(runs) { // at least 22 of 24 must be right
		t.Errorf("%d scenarios without the right cause", wrong)
	}
}

// TestStagedSituationsSideBySide plays all scenarios and writes what boards tell about each when most
// contacts wait, in all languages side by side, to the file SITUATIONS_FILE.
func TestStagedSituationsSideBySide(t *testing.T) {
	t.Parallel()
	file := os.Getenv("SITUATIONS_FILE")
	if file == "" {
		t.Skip("SITUATIONS_FILE is not set")
	}
	var out strings.Builder
	for _, s := range simulator.Scenarios() {
		r := &stageRun{seed: 1, agents: 120, watched: 20 * time.Minute, staged: s}
		if r.isPlatformFault() {
			synctest.Test(t, r.play)
		} else {
			r.playStraight(t)
		}
		fmt.Fprintf(&out, "\n## %s: %s\n", s.Name, s.Description)
		for _, tag := range words.AvailableLanguages.Tags() {
			l, _ := words.AvailableLanguages.Lookup(tag)
			r.writeIn(t, &out, l)
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeIn writes the situation at the worst moment in a language: its headline, causes and help, the arithmetic
// of the causes, the texts of its alerts, and what remains in the log of the shift.
func (r *stageRun) writeIn(t *testing.T, out *strings.Builder, l *words.Language) {
	t.Helper()
	sit := r.height.view.In(l).Find(func(s *situation.Situation) bool { return r.isAbout(s.Place.Key) })
	if sit == nil {
		t.Errorf("%s: no situation when most contacts wait", r.staged.Name)
		return
	}
	fmt.Fprintf(out, "- **%s** %s [%s]\n", l.Tag(), sit.Paragraph(), strings.Join(sit.Help.Assumptions, "; "))
	for i := range sit.Causes {
		c := &sit.Causes[i]
		fmt.Fprintf(out, "  - %s (%s): %s\n", c.ShortText(), c.Basis, strings.Join(c.Steps, " "))
	}
	for i := range sit.Help.Helpers {
		fmt.Fprintf(out, "  - %s\n", sit.Help.Helpers[i].Description())
	}
	for i := range sit.Alerts {
		fmt.Fprintf(out, "  - %s: %s\n", alert.RuleTitle(sit.Alerts[i].Rule).In(l), sit.Alerts[i].TranslatableText().In(l))
	}
}

// notReadyElsewhere reports whether STAGED_DIALECT selects a platform that sends
// NOT_READY on the other channels of busy agents.
func notReadyElsewhere() bool { return os.Getenv("STAGED_DIALECT") == "not-ready-elsewhere" }

// wanted reports whether to run a scenario.
func wanted(name string) bool {
	switch only := os.Getenv("STAGED"); only {
	case "all":
		return true
	case "":
		return !testkit.Race && slices.Contains([]string{"surge", "unstaffed", "routing", "platform-fault"}, name)
	default:
		return only == name
	}
}

// play runs a scenario.
func (r *stageRun) play(t *testing.T) {
	pass(10*time.Hour + 30*time.Minute)
	net := testkit.NewPipeListener()
	srv, err := simulator.New(simulator.Options{
		Listener: net, Tick: time.Second,
		World: world.Options{Seed: r.seed, Agents: r.agents, Start: time.Now(), Clock: time.Now(), NotReadyElsewhere: notReadyElsewhere()},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = srv.Close() }()
	account := webservice.DefaultAccount()
	r.feed, err = feeds.New(feeds.Options{
		URL: srv.HTTPURL(), WSURL: srv.WSURL(), Campaigns: srv.CampaignIDs(), DialContext: net.Dial,
		Credentials: feeds.Credentials{Username: account.Username, Password: secret.New(account.Password)}, Auth: feeds.AuthLogin,
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	defer func() { cancel(); <-done }()
	r.srv = srv
	r.begin(t)
	pass(500 * time.Millisecond)
	if _, r.scene, err = srv.StartScenario(r.staged.Name, r.watched); err != nil {
		t.Fatal(err)
	}
	r.began = time.Now().Add(r.watched)
	for end := r.began.Add(r.staged.Duration); time.Now().Before(end); {
		pass(time.Second)
		synctest.Wait()
		if s := r.feed.Latest(); s != nil {
			r.look(s, time.Now())
		}
	}
}

// begin creates the parts of a board that explain situations.
func (r *stageRun) begin(t *testing.T) {
	t.Helper()
	engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	r.engine, r.track = engine, diagnosis.NewHistory()
	r.watch = situation.New(situation.Options{Hold: held})
}

// playStraight runs a scenario without the protocol.
func (r *stageRun) playStraight(t *testing.T) {
	f := newDirectFeed(world.New(world.Options{Seed: r.seed, Agents: r.agents, NotReadyElsewhere: notReadyElsewhere()}))
	r.begin(t)
	_, scene, err := f.world.StartScenario(r.staged.Name, r.watched)
	if err != nil {
		t.Fatal(err)
	}
	r.scene, r.began = scene, f.world.Now().Add(r.watched)
	for end := r.began.Add(r.staged.Duration); f.world.Now().Before(end); {
		r.look(f.runSecond(), f.world.Now())
	}
}

// look takes a snapshot as the board does.
func (r *stageRun) look(s *model.Snapshot, now time.Time) {
	changes := r.engine.Evaluate(s, now)
	r.track.Update(s, now)
	view := r.watch.Update(s, r.engine.Active(), changes, now)
	for i := range view.Live {
		if r.told.IsZero() && !now.Before(r.began) && r.isAbout(view.Live[i].Place.Key) {
			r.told = now
		}
	}
	if r.isPlatformFault() {
		r.lookAtFeed(view, now)
	}
	for _, a := range r.engine.Active() {
		if r.raised.IsZero() && !a.Daily && !now.Before(r.began) && r.isAbout(a.Key) {
			r.raised = now
		}
		if a.Daily || !r.isAbout(a.Key) || a.Since.Before(r.began) || now.Sub(a.Since) < 20*time.Second {
			continue
		}
		if r.isPlatformFault() {
			continue
		}
		if r.scene.Campaign != 0 {
			if a.Rule == "dry" {
				r.height = worstMoment{at: now, view: view, queue: 1, causes: []diagnosis.Cause{{Kind: diagnosis.CampaignOutOfContacts, Text: a.Text}}}
			}
			return
		}
		key := model.ServiceKey{Code: r.scene.Service, Channel: model.Channel(r.scene.Channel)}
		queue, _ := s.Services.Get(key).ChannelStats.QueuedCalls.Get()
		if queue <= r.height.queue {
			continue
		}
		r.height = worstMoment{at: now, view: view, queue: queue}
		r.height.help(s, view, a.Key)
		causes, unexplained := diagnosis.ExplainQueue(r.track, s, diagnosis.CauseInput{
			Key: key, Since: a.Since, Now: now,
			Activity: func(code string) string { return code }, Service: func(code string) string { return code },
		})
		r.height.causes, r.height.unexplained = causes, unexplained.In(nil)
	}
}

// help records the agents who could help a service, and whether one of them is
// named.
func (h *worstMoment) help(s *model.Snapshot, view *situation.View, k alert.Key) {
	on := func(name string, ch model.Channel) model.UserStatus {
		if r := s.UserStats.Get(model.UserStatKey{Username: name, Channel: ch}); r != nil {
			return r.Status
		}
		return ""
	}
	for u := range s.Users.All() {
		name := u.Key()
		can := on(name, k.Channel) == model.NotReady
		for _, ch := range model.Channels() {
			can = can || ch != k.Channel && on(name, k.Channel) != model.Ready && on(name, ch) == model.Ready
		}
		if can && slices.Contains(u.Services, k.Code) {
			h.could = append(h.could, name)
		}
	}
	for _, sit := range slices.Concat(view.Live, view.HeldBack) {
		if sit.Place.Key != k {
			continue
		}
		for _, who := range sit.Help.Helpers {
			u := s.Users.Get(who.Username)
			serves := u != nil && slices.Contains(u.Services, k.Code)
			state := on(who.Username, k.Channel)
			h.offered = append(h.offered, fmt.Sprintf("%s (%s, serves it: %t)", who.Username, state, serves))
			h.named = h.named || slices.Contains(h.could, who.Username) ||
				serves && state == model.WNR || !serves && state == model.Ready
		}
	}
}

// isPlatformFault reports whether the platform is at fault. The board must then report that
// first, and no cause of a queue.
func (r *stageRun) isPlatformFault() bool { return r.staged.Causes[0] == world.PlatformFault }

// lookAtFeed records the report at the first moment at which the feed comes first and
// there is a queue as well, and everything reported about queues then.
func (r *stageRun) lookAtFeed(view *situation.View, now time.Time) {
	if len(view.Live) < 2 || view.Live[0].Place.Key.Scope != alert.Feed {
		return
	}
	h := &r.height
	if h.at.IsZero() {
		h.at, h.view, h.causes = now, view, view.Live[0].Causes
		const said = "The platform is not sending current figures: services"
		if c := h.causes; len(c) == 0 || !strings.HasPrefix(c[0].Text, said) {
			h.invented = append(h.invented, fmt.Sprintf("of the feed it says %+v", c))
		}
	}
	for i := range view.Live[1:] {
		sit := &view.Live[1+i]
		if sit.Place.Key.Scope != alert.Service {
			continue
		}
		if r.isQueue(sit.Place.Key) {
			h.queue = max(h.queue, int64(sit.Affected))
			h.unexplained = sit.UnexplainedReason
		}
		if len(sit.Causes) > 0 || sit.Help.Needed.MoreAgents > 0 || !strings.Contains(sit.UnexplainedReason, "figures are not current") {
			h.invented = append(h.invented, fmt.Sprintf("%s, %s: %+v %+v %s", now.Format("15:04:05"), sit.Place.Title, sit.Causes, sit.Help.Needed, sit.UnexplainedReason))
		}
	}
}

func (r *stageRun) isAbout(k alert.Key) bool {
	if r.isPlatformFault() {
		return k.Scope == alert.Feed
	}
	if r.scene.Campaign != 0 {
		return k.Scope == alert.Campaign
	}
	return r.isQueue(k)
}

// isQueue reports whether contacts are staged to wait there.
func (r *stageRun) isQueue(k alert.Key) bool {
	return k.Scope == alert.Service && k.Code == r.scene.Service && string(k.Channel) == r.scene.Channel
}

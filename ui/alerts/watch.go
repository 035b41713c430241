package alerts

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/plainly"
	"wallboard/situation/track"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

// Watch is what one board knows of alerts.
type Watch struct {
	engine Engine
	pool   Pool // the same; nil: it keeps nothing of what boards make
	floor  *floor.View
	usual  Usual
	public func(string) string // takes out what must not be seen
	noted  func(model.Event)   // nil: nobody records what is done

	recorder Recorder // nil: nobody records what the viewer does

	custom  map[alert.Scope][]alert.KPI
	latest  *render.Alerts // what is wrong now
	shown   *render.Alerts // what was wrong in what is shown
	figures render.Figures // custom KPIs of what is shown
	trends  render.Trends  // of what is shown

	situations Situations
	borrowed   bool            // they are the engine's
	company    bool            // others look at the same ones
	present    *situation.View // what is to be said of now
	said       *situation.View // of what is shown
	past       past            // what came and went

	silences []alert.Quiet // that are in force

	live   bool      // the feed has been live: what is raised from now on is news
	rang   time.Time // on our clock
	second int64     // of the server's clock, when the alerts were last taken over
}

// News is what a look at a picture has found.
type News struct {
	Changed bool          // anything of what is drawn
	Text    string        // of what has become critical; "": nothing
	Ring    bool          // the bell is to be rung
	Relief  bool          // so it is, for what is over, where that is wanted
	Marks   []model.Event // of what a recording is to be marked with
}

// New returns a watch over a floor, which needs an engine before anything else.
// public takes out of a text what must not be seen on this board.
func New(view *floor.View, public func(string) string, usual Usual) *Watch {
	return &Watch{floor: view, public: public, usual: usual}
}

// Usual tells how many contacts a minute usually come for a service of a picture; nil:
// nobody knows. Where an engine is shared it is asked from any goroutine.
type Usual func(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)

// Use has the watch go by an engine, which may be the one that it has. It reports whether
// the custom KPIs are others.
func (w *Watch) Use(e Engine) bool {
	before := w.custom
	w.engine, w.custom = e, customKPIs(e)
	w.pool, _ = e.(Pool)
	if s, ok := e.(Shared); ok {
		w.situations, w.borrowed = s.Situations(), true
		if common, is := e.(Common); is && w.usual != nil {
			common.Usual(w.usual)
		}
	} else if w.situations == nil || w.borrowed {
		w.situations, w.borrowed = w.none(), false
	}
	if w.floor.Frozen.IsZero() {
		w.figures, w.trends = e, e
	}
	return !reflect.DeepEqual(w.custom, before)
}

// none are situations that have seen nothing yet.
func (w *Watch) none() Situations {
	return situation.New(situation.Options{
		Names: w.floor.Names, Hold: time.Minute,
		Goal: func(service string) alert.Goal { return w.engine.Goal(service) },
		Usual: func(k model.ServiceKey, at time.Time) (float64, string, bool) {
			if w.usual == nil {
				return 0, "", false
			}
			return w.usual(w.floor.Newest, k, at)
		},
	})
}

// Company says whether others look at the same alerts.
func (w *Watch) Company(others bool) { w.company = others }

// Note has a function know who takes what over.
func (w *Watch) Note(noted func(model.Event)) { w.noted = noted }

// Restart forgets what was told: the floor is of another platform, or of another time.
func (w *Watch) Restart() {
	w.live, w.rang, w.second = false, time.Time{}, 0
	w.situations, w.borrowed = w.none(), false
}

// Remember has the board know what the floor did in the time before, as another watch
// has seen it.
func (w *Watch) Remember(past *situation.Watch) {
	if own, is := w.situations.(*situation.Watch); is {
		own.Remember(past, false)
	}
}

// Situations are what the alerts have been made into so far.
func (w *Watch) Situations() Situations { return w.situations }

// Latest is what is wrong now, frozen picture or not; nil before the first look.
func (w *Watch) Latest() *render.Alerts { return w.latest }

// Custom returns the custom KPIs, by what they are about.
func (w *Watch) Custom() map[alert.Scope][]alert.KPI { return w.custom }

// Alarms is what panes draw from.
func (w *Watch) Alarms() panes.Alarms {
	return panes.Alarms{
		Engine: w.engine, Own: w.custom, Latest: w.latest, Shown: w.shown, Figures: w.figures, Trends: w.trends,
		Situations: w.said, Present: w.present, Past: w.past.list, Hour: w.hour,
	}
}

// hour tells what an agent did in the last hour on a channel, frozen picture or not.
func (w *Watch) hour(k model.UserStatKey) track.Hour {
	return w.situations.Hour(k, w.floor.Server(w.floor.Ours))
}

// Of returns the active alerts about a record.
func (w *Watch) Of(k alert.Key) []alert.Alert { return w.engine.Of(k) }

// Freeze holds what is known of the picture that is shown.
func (w *Watch) Freeze() {
	w.trends = w.engine.Hold()
	w.figures = hold(w.engine, w.custom, w.floor)
}

// Thaw shows what is known now.
func (w *Watch) Thaw() {
	w.trends, w.shown, w.figures, w.said = w.engine, w.latest, w.engine, w.present
}

// Evaluate has the engine look at the newest picture, which goes on while the
// shown one is frozen, and returns what is new.
func (w *Watch) Evaluate(lk *look.Look) News {
	if w.floor.Newest == nil {
		return News{}
	}
	now := w.floor.Server(w.floor.Ours)
	changes := w.engine.Evaluate(w.floor.Newest, now)
	var out News
	// What alerts say changes all the time; once a second is enough to read it.
	if len(changes) > 0 || now.Unix() != w.second {
		w.second = now.Unix()
		before := w.present
		if out.Changed = w.look(changes, false); w.live {
			became := situation.Changes(before, w.present)
			if !w.borrowed { // whoever has the engine marks what it finds
				out.Marks = Marks(became)
			}
			w.announce(&out, lk, became)
		}
	}
	w.live = w.live || w.floor.Newest.Health.Live()
	return out
}

// Marks are the situations that have begun, become worse or are over. They name no agent.
func Marks(changes []situation.Change) []model.Event {
	var out []model.Event
	for i := range changes {
		c := &changes[i]
		sit := c.Situation
		if c.Day || sit.Place.Key.Scope == alert.User || c.Kind == situation.Joined {
			continue
		}
		kind, text := model.MarkWarning, sit.Place.Title+": "+sit.Headline
		switch {
		case c.Kind == situation.Over:
			kind, text = model.MarkRecovered, sit.Place.Title+": over"
		case sit.Level == alert.Critical:
			kind = model.MarkCritical
		}
		out = append(out, model.Event{Kind: kind, Text: text, Nameless: text})
	}
	return out
}

// Look takes over what the engine says, and reports whether anything has changed
// that is drawn.
func (w *Watch) Look() bool { return w.look(nil, true) }

// Relook takes over what the engine said when it last judged a picture.
func (w *Watch) Relook() { w.look(nil, false) }

// Unseen has nothing said of a picture that nobody has looked at yet.
func (w *Watch) Unseen() {
	w.latest, w.present = render.NewAlerts(nil, nil, w.latest), nil
	if w.floor.Frozen.IsZero() {
		w.shown, w.said = w.latest, w.present
	}
}

// look takes over what the engine says; fresh: somebody has done something since.
func (w *Watch) look(changes []alert.Change, fresh bool) bool {
	before, said := w.latest, w.present
	w.silences = w.engine.Silencer().InForce()
	for i := range w.silences {
		w.silences[i].Title, w.silences[i].By = w.public(w.silences[i].Title), w.public(w.silences[i].By)
	}
	made := w.entries(before, fresh)
	active := made.active
	if w.floor.Newest != nil {
		w.present = w.situations.Look(w.floor.Newest, active, changes, w.floor.Server(w.floor.Ours))
	}
	w.past = made.pastOf(w.floor, w.present)
	if w.floor.Frozen.IsZero() {
		w.shown, w.said = w.latest, w.present
	}
	return !w.latest.Same(before) || !w.present.Same(said)
}

// entries takes over what is wrong now. Of a shared engine it is one value for all
// boards, in which names are as all of them may see them.
func (w *Watch) entries(before *render.Alerts, fresh bool) *entries {
	if w.pool == nil {
		out := &entries{active: w.nameless(w.engine.Active()), over: w.nameless(w.engine.History()), past: w.past}
		w.latest = render.NewAlerts(out.active, out.over, before)
		return out
	}
	made := w.pool.Once(fresh, func(active, ended []alert.Alert, before any) any {
		out := &entries{over: ended}
		was, _ := before.(*entries)
		if was == nil {
			was = &entries{}
		}
		was.mu.Lock()
		defer was.mu.Unlock()
		out.alerts, out.past = render.NewAlerts(active, ended, was.alerts), was.past
		return out
	})
	out, _ := made.(*entries)
	w.latest = out.alerts
	return out
}

// entries is what boards make of the alerts of an engine: once for all who share it.
type entries struct {
	alerts *render.Alerts
	active []alert.Alert // of an engine that is not shared: it has its own situations else
	over   []alert.Alert

	mu       sync.Mutex
	past     past
	followed bool
}

// pastOf is what came and went, up to what is the case now.
func (e *entries) pastOf(view *floor.View, now *situation.View) past {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.followed {
		e.past.follow(view, e.over, now)
		e.followed = true
	}
	return e.past
}

// nameless takes the names that must not be seen out of what was said when alerts
// were taken over: that was on another board.
func (w *Watch) nameless(alerts []alert.Alert) []alert.Alert {
	for i := range alerts {
		a := &alerts[i].Ack
		a.By, a.Note = w.public(a.By), w.public(a.Note)
	}
	return alerts
}

// BellPause is how long the bell is silent after it rang.
const BellPause = 10 * time.Second

// announce names the first of the situations that have become critical, before those that
// are over, and rings once for all of them if a rule says so.
func (w *Watch) announce(out *News, lk *look.Look, changes []situation.Change) {
	var critical, over []string
	relief := false
	for i := range changes {
		c := &changes[i]
		sit := c.Situation
		rings := slices.ContainsFunc(c.New, func(a alert.Alert) bool { return a.Bell && a.Silent.IsZero() })
		switch {
		case c.Kind != situation.Over:
			out.Ring = out.Ring || rings
			if c.Kind != situation.Joined && sit.Level == alert.Critical {
				critical = append(critical, render.Critical.Glyph(lk.ASCII)+" "+sit.Place.Title+": "+sit.Headline)
			}
		case sit.Highest == alert.Critical:
			relief = relief || slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Bell })
			lasted := string(lk.Format.Duration(nil, c.Ended.Sub(sit.Since)))
			over = append(over, lk.Glyphs.Check+" "+sit.Place.Title+": over after "+lasted+". "+c.Headline)
		}
	}
	said := critical
	if len(said) == 0 {
		said = over
	}
	if n := len(said); n > 0 {
		out.Text = plainly.Signs(said[0], lk.ASCII)
		if n > 1 {
			out.Text += " (and " + lk.Count(n-1) + " more)"
		}
	}
	free := w.rang.IsZero() || !w.floor.Ours.Before(w.rang.Add(BellPause))
	out.Ring, out.Relief = out.Ring && free, relief && free && !out.Ring
	if out.Ring || out.Relief {
		w.rang = w.floor.Ours
	}
}

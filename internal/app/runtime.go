package app

import (
	"cmp"
	"context"
	"log/slog"
	"os/user"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/alertfile"
	"wallboard/internal/alert/situation"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// Runtime holds what all viewers of a platform share, a local one or many remote ones: the
// hub on its feed, the recording, and the stored alerts.
type Runtime struct {
	Hub      *hub.Hub
	Recorder *Recorder

	env *Environment
	log *slog.Logger

	mu         sync.Mutex
	alertStore *alertfile.Store // current store of alerts
}

// OpenRuntime opens the runtime of a platform on a feed, until Close. extra holds further
// options of the hub.
func (e *Environment) OpenRuntime(ctx context.Context, c *config.Config, feed hub.Source, log *slog.Logger, extra hub.Options) (*Runtime, error) {
	x := &Runtime{env: e, log: log, Recorder: e.StartRecorder(ctx, c, feed, log), alertStore: e.openAlerts(c, log)}
	extra.Source, extra.Engine, extra.Names, extra.Salt = feed, engineConstructor(c, x.env.Spoken), c.Names(), time.Now().String()
	extra.Secrets, extra.Breaks = maskedLogins(c), c.BreakLimits()
	extra.Restore = func(e *alert.Engine) { x.currentStore().Recall(e) }
	if x.alertStore.Keep != nil {
		extra.OnEnded = x.StoreAlerts
	}
	extra.Recorded = hub.Recorded{Snapshots: x.Recorder.EarlierHours, Days: x.Recorder.EarlierDays, Nameless: ArchiveOf(c).Pseudonymous}
	if x.Recorder.AddMark != nil {
		extra.OnChange = func(list []situation.Change) {
			for _, event := range alerts.Marks(list) {
				x.Recorder.AddMark(event)
			}
		}
	}
	var err error
	if x.Hub, err = hub.New(extra); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// openAlerts loads the stored alerts of a platform and stores new ones until they are
// stopped. A kiosk, where no alert can be taken over, only loads them.
func (e *Environment) openAlerts(c *config.Config, log *slog.Logger) *alertfile.Store {
	if e.Simulated {
		return alertfile.NoStore()
	}
	f := alertfile.New(alertfile.Path(c.RTD.URL), log)
	if c.Kiosk.Enabled {
		return f.OpenReadOnly()
	}
	return f.Open()
}

func (x *Runtime) currentStore() *alertfile.Store {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.alertStore
}

// StoreAlerts stores alerts. It never blocks; alerts may be dropped.
func (x *Runtime) StoreAlerts(list []alert.Alert) {
	if k := x.currentStore(); k.Keep != nil {
		k.Keep(list)
	}
}

// ApplyConfig applies a changed configuration, which may name another platform. It returns a
// function that closes the previous store of alerts, or nil.
func (x *Runtime) ApplyConfig(c *config.Config, after time.Duration, platformChanged bool) (closePrevious func(), err error) {
	if platformChanged {
		next := x.env.openAlerts(c, x.log)
		x.mu.Lock()
		closePrevious, x.alertStore = x.alertStore.Stop, next
		x.mu.Unlock()
	}
	err = x.Hub.Reconfigure(hub.Change{Engine: engineConstructor(c, x.env.Spoken), Names: c.Names(), Secrets: maskedLogins(c), Breaks: c.BreakLimits(), UnclaimedAfter: after, NewPlatform: platformChanged})
	return closePrevious, err
}

// Close closes the runtime after the last viewer has left.
func (x *Runtime) Close() {
	x.Recorder.Stop()
	if !finishesWithin(maxShutdownWait, x.currentStore().Stop) {
		x.log.Error("disk timeout: the last alerts may not be stored", "after", maxShutdownWait)
	}
}

// ViewerName returns the name for acknowledgements: the login user, or else the user of the
// operating system.
func ViewerName(c *config.Config) string {
	if name := cmp.Or(c.REST.Username, c.RTD.Username); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// maskedLogins returns login names, which are masked together with agent names. On a kiosk it
// includes the user of boards that share its stored alerts.
func maskedLogins(c *config.Config) []string {
	out := []string{c.RTD.Username, c.REST.Username}
	if c.Kiosk.Enabled {
		out = append(out, ViewerName(c))
	}
	return out
}

// LocalVisibility returns what the local board may show: a kiosk may hide names.
func LocalVisibility(c *config.Config) hub.Visibility {
	if c.Kiosk.Enabled {
		return hub.Visibility{Names: model.NameMode(c.Kiosk.Names)}
	}
	return hub.Visibility{Names: model.NamesFull}
}

// engineConstructor returns a constructor for engines, with spoken texts if spoken is true.
func engineConstructor(c *config.Config, spoken bool) func(model.Part) (*alert.Engine, error) {
	return func(part model.Part) (*alert.Engine, error) {
		c := Restrict(c, part)
		o := c.AlertOptions(c.Names())
		o.SpellOut = spoken
		return newAlertEngine(o)
	}
}

// HubEngine adapts a hub viewer, which shares situations, to a board.
type HubEngine struct{ *hub.Viewer }

// Situations implements [alerts.Pool].
func (s HubEngine) Situations() alerts.Situations { return s.Viewer.Situations() }

// Usual implements [alerts.Common].
func (s HubEngine) Usual(volume alerts.TypicalVolume) { s.SetTypicalVolume(hub.TypicalVolume(volume)) }

var _ alerts.Common = HubEngine{}

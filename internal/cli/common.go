package cli

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/alertfile"
	"wallboard/internal/alert/situation"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// sharedParts holds what all viewers of a platform share, a local one or many remote ones: the
// hub on its feed, the recording, and the stored alerts.
type sharedParts struct {
	board     *commandSetup
	log       *slog.Logger
	hub       *hub.Hub
	recording *recordingState
	spoken    bool // texts of alerts are spoken

	mu         sync.Mutex
	alertStore *alertfile.Store // current store of alerts
}

// openCommon opens the shared parts on a feed, until close. extra holds further options
// of the hub.
func (b *commandSetup) openCommon(ctx context.Context, c *config.Config, feed snapshotFeed, log *slog.Logger, extra hub.Options) (*sharedParts, error) {
	x := &sharedParts{board: b, log: log, recording: b.startRecording(ctx, c, feed, log), alertStore: b.openAlerts(c, log), spoken: b.textMode.enabled}
	extra.Source, extra.Engine, extra.Names, extra.Salt = feed, engineConstructor(c, x.spoken), c.Names(), time.Now().String()
	extra.Secrets, extra.Breaks = maskedLogins(c), c.BreakLimits()
	extra.Restore = func(e *alert.Engine) { x.currentStore().Recall(e) }
	if x.alertStore.Keep != nil {
		extra.OnEnded = x.storeAlerts
	}
	extra.Recorded = hub.Recorded{Snapshots: x.recording.earlierHours, Days: x.recording.earlierDays, Nameless: archive(c).Pseudonymous}
	if x.recording.addMark != nil {
		extra.OnChange = func(list []situation.Change) {
			for _, e := range alerts.Marks(list) {
				x.recording.addMark(e)
			}
		}
	}
	var err error
	if x.hub, err = hub.New(extra); err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

func (x *sharedParts) currentStore() *alertfile.Store {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.alertStore
}

// storeAlerts stores alerts. It never blocks; alerts may be dropped.
func (x *sharedParts) storeAlerts(list []alert.Alert) {
	if k := x.currentStore(); k.Keep != nil {
		k.Keep(list)
	}
}

// applyConfig applies a changed configuration, which may name another platform. It returns a
// function that closes the previous store of alerts, or nil.
func (x *sharedParts) applyConfig(c *config.Config, after time.Duration, platformChanged bool) (closePrevious func(), err error) {
	if platformChanged {
		next := x.board.openAlerts(c, x.log)
		x.mu.Lock()
		closePrevious, x.alertStore = x.alertStore.Stop, next
		x.mu.Unlock()
	}
	err = x.hub.Reconfigure(hub.Change{Engine: engineConstructor(c, x.spoken), Names: c.Names(), Secrets: maskedLogins(c), Breaks: c.BreakLimits(), UnclaimedAfter: after, NewPlatform: platformChanged})
	return closePrevious, err
}

// close closes the shared parts after the last viewer has left.
func (x *sharedParts) close() {
	x.recording.stop()
	if !finishesWithin(maxShutdownWait, x.currentStore().Stop) {
		x.log.Error("disk timeout: the last alerts may not be stored", "after", maxShutdownWait)
	}
}

// maskedLogins returns login names, which are masked together with agent names. On a kiosk it
// includes the user of boards that share its stored alerts.
func maskedLogins(c *config.Config) []string {
	out := []string{c.RTD.Username, c.REST.Username}
	if c.Kiosk.Enabled {
		out = append(out, viewerName(c))
	}
	return out
}

// localVisibility returns what the local board may show: a kiosk may hide names.
func localVisibility(c *config.Config) hub.Visibility {
	if c.Kiosk.Enabled {
		return hub.Visibility{Names: model.NameMode(c.Kiosk.Names)}
	}
	return hub.Visibility{Names: model.NamesFull}
}

// engineConstructor returns a constructor for engines, with spoken texts if spoken is true.
func engineConstructor(c *config.Config, spoken bool) func(model.Part) (*alert.Engine, error) {
	return func(part model.Part) (*alert.Engine, error) {
		c := commands.Restrict(c, part)
		o := c.AlertOptions(c.Names())
		o.SpellOut = spoken
		return newAlertEngine(o)
	}
}

// hubEngine adapts a hub viewer, which shares situations, to a board.
type hubEngine struct{ *hub.Viewer }

// Situations implements [alerts.Pool].
func (s hubEngine) Situations() alerts.Situations { return s.Viewer.Situations() }

// Usual implements [alerts.Common].
func (s hubEngine) Usual(volume alerts.TypicalVolume) { s.SetTypicalVolume(hub.TypicalVolume(volume)) }

var _ alerts.Common = hubEngine{}

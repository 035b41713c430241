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

// common holds what all viewers of a platform share, a local one or many remote ones: the
// hub on its feed, the recording, and the stored alerts.
type common struct {
	board *board
	log   *slog.Logger
	hub   *hub.Hub
	tape  *tape
	aloud bool // texts of alerts are spoken

	mu   sync.Mutex
	kept *alertfile.Store // current store of alerts
}

// openCommon opens the shared parts on a feed, until close. more holds further options of
// the hub.
func (b *board) openCommon(ctx context.Context, c *config.Config, feed snapshotFeed, log *slog.Logger, more hub.Options) (*common, error) {
	x := &common{board: b, log: log, tape: b.record(ctx, c, feed, log), kept: b.openAlerts(c, log), aloud: b.plain.on}
	more.Source, more.Engine, more.Names, more.Salt = feed, engineMaker(c, x.aloud), c.Names(), time.Now().String()
	more.Secrets, more.Breaks = secretsOf(c), c.BreakLimits()
	more.Restore = func(e *alert.Engine) { x.present().Recall(e) }
	if x.kept.Keep != nil {
		more.OnEnded = x.keep
	}
	more.Recorded = hub.Recorded{Snapshots: x.tape.before, Days: x.tape.days, Nameless: memory(c).Pseudonymous}
	if x.tape.marked != nil {
		more.OnChange = func(list []situation.Change) {
			for _, e := range alerts.Marks(list) {
				x.tape.marked(e)
			}
		}
	}
	var err error
	if x.hub, err = hub.New(more); err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

func (x *common) present() *alertfile.Store {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.kept
}

// keep stores alerts. It never blocks; alerts may be dropped.
func (x *common) keep(list []alert.Alert) {
	if k := x.present(); k.Keep != nil {
		k.Keep(list)
	}
}

// applyConfig applies a changed configuration, which may name another platform. It returns a
// function that closes the previous store of alerts, or nil.
func (x *common) applyConfig(c *config.Config, after time.Duration, elsewhere bool) (over func(), err error) {
	if elsewhere {
		next := x.board.openAlerts(c, x.log)
		x.mu.Lock()
		over, x.kept = x.kept.Stop, next
		x.mu.Unlock()
	}
	err = x.hub.Reconfigure(hub.Change{Engine: engineMaker(c, x.aloud), Names: c.Names(), Secrets: secretsOf(c), Breaks: c.BreakLimits(), UnclaimedAfter: after, NewPlatform: elsewhere})
	return over, err
}

// close closes the shared parts after the last viewer has left.
func (x *common) close() {
	x.tape.stop()
	if !within(longestEnd, x.present().Stop) {
		x.log.Error("disk timeout: the last alerts may not be stored", "after", longestEnd)
	}
}

// secretsOf returns login names, which are masked together with agent names. On a kiosk it
// includes the user of boards that share its stored alerts.
func secretsOf(c *config.Config) []string {
	out := []string{c.RTD.Username, c.REST.Username}
	if c.Kiosk.Enabled {
		out = append(out, viewerName(c))
	}
	return out
}

// localSight returns what the local board may show: a kiosk may hide names.
func localSight(c *config.Config) hub.Visibility {
	if c.Kiosk.Enabled {
		return hub.Visibility{Names: model.NameMode(c.Kiosk.Names)}
	}
	return hub.Visibility{Names: model.NamesFull}
}

// engineMaker returns a constructor for engines, with spoken texts if aloud is true.
func engineMaker(c *config.Config, aloud bool) func(model.Part) (*alert.Engine, error) {
	return func(part model.Part) (*alert.Engine, error) {
		c := commands.Restrict(c, part)
		o := c.AlertOptions(c.Names())
		o.Words = aloud
		return engineOf(o)
	}
}

// hubEngine adapts a hub viewer, which shares situations, to a board.
type hubEngine struct{ *hub.Viewer }

// Situations implements [alerts.Pool].
func (s hubEngine) Situations() alerts.Situations { return s.Viewer.Situations() }

// Usual implements [alerts.Common].
func (s hubEngine) Usual(of alerts.TypicalVolume) { s.SetTypicalVolume(hub.TypicalVolume(of)) }

var _ alerts.Common = hubEngine{}

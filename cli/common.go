package cli

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/cli/serving"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/alerts"
)

// common is what all who look at a platform share, be it one at this terminal or many
// elsewhere: the hub between its feed and them, the recording, and what is kept of alerts.
type common struct {
	board *board
	log   *slog.Logger
	hub   *hub.Hub
	tape  *tape
	aloud bool // messages of alerts are in words

	mu   sync.Mutex
	kept *alertfile.Kept // the present ones
}

// openCommon opens it on a feed, until close. more is what else the hub is told.
func (b *board) openCommon(ctx context.Context, c *config.Config, feed shownFeed, log *slog.Logger, more hub.Options) (*common, error) {
	x := &common{board: b, log: log, tape: b.record(ctx, c, feed, log), kept: b.openAlerts(c, log), aloud: b.plain.on}
	more.Source, more.Engine, more.Names, more.Salt = feed, engineMaker(c, x.aloud), c.Names(), time.Now().String()
	more.Secrets, more.Breaks = secretsOf(c), c.BreakLimits()
	more.Begin = func(e *alert.Engine) { x.present().Recall(e) }
	if x.kept.Keep != nil {
		more.Keep = x.keep
	}
	more.Before = hub.Before{Pictures: x.tape.before, Days: x.tape.days, Nameless: memory(c).Nameless}
	if x.tape.marked != nil {
		more.Changed = func(list []situation.Change) {
			for _, e := range alerts.Marks(list) {
				x.tape.marked(e)
			}
		}
	}
	var err error
	if x.hub, err = hub.New(more); err != nil {
		x.close()
		return nil, err //nolint:wrapcheck // it says so
	}
	return x, nil
}

func (x *common) present() *alertfile.Kept {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.kept
}

// keep keeps alerts, at once or not at all.
func (x *common) keep(list []alert.Alert) {
	if k := x.present(); k.Keep != nil {
		k.Keep(list)
	}
}

// follow goes by a changed configuration, which may be that of another platform, and returns
// what ends what was kept of the one before; nil: nothing does.
func (x *common) follow(c *config.Config, after time.Duration, elsewhere bool) (over func(), err error) {
	if elsewhere {
		next := x.board.openAlerts(c, x.log)
		x.mu.Lock()
		over, x.kept = x.kept.Stop, next
		x.mu.Unlock()
	}
	err = x.hub.Follow(hub.Change{Engine: engineMaker(c, x.aloud), Names: c.Names(), Secrets: secretsOf(c), Breaks: c.BreakLimits(), After: after, Elsewhere: elsewhere})
	return over, err //nolint:wrapcheck // it says so
}

// close ends all that. Nobody looks any more.
func (x *common) close() {
	x.tape.stop()
	if !within(longestEnd, x.present().Stop) {
		x.log.Error("the disk did not answer: the last alerts may not be kept", "after", longestEnd)
	}
}

// secretsOf are the words that are hidden where names are: who logs in, and on a kiosk
// whoever's boards keep alerts beside it.
func secretsOf(c *config.Config) []string {
	out := []string{c.RTD.Username, c.REST.Username}
	if c.Kiosk.Enabled {
		out = append(out, viewerName(c))
	}
	return out
}

// sightOf is what is seen at the terminal of a configuration: on a kiosk names may be
// hidden.
func sightOf(c *config.Config) hub.Sight {
	if c.Kiosk.Enabled {
		return hub.Sight{Names: model.NameMode(c.Kiosk.Names)}
	}
	return hub.Sight{Names: model.NamesFull}
}

// engineMaker makes engines by a configuration, whose messages may be in words.
func engineMaker(c *config.Config, aloud bool) func(model.Part) (*alert.Engine, error) {
	return func(part model.Part) (*alert.Engine, error) {
		c := serving.PartOf(c, part)
		o := c.AlertOptions(c.Names())
		o.Words = aloud
		return engineOf(o)
	}
}

// seen is what a viewer of the hub sees, as a board knows it: the situations are shared,
// too.
type seen struct{ *hub.Viewer }

// Situations implements [alerts.Pool].
func (s seen) Situations() alerts.Situations { return s.Viewer.Situations() }

// Usual implements [alerts.Common].
func (s seen) Usual(of alerts.Usual) { s.Viewer.Usual(hub.Usual(of)) }

var _ alerts.Common = seen{}

// Package deeds finds out what other programs of this machine have done on the platform, by
// the audit file that they share: commands, and boards that do not record.
package deeds

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"wallboard/audit"
	"wallboard/model"
	"wallboard/model/resource"
)

// every is how often the audit file is looked at.
const every = 2 * time.Second

// Watch tells what others have done. It is for one goroutine.
type Watch struct {
	path, platform string
	since          time.Time
	own            string // what the sessions of this program begin with
	names          model.Names
	mark           func(model.Event)

	last fs.FileInfo     // the file as it was looked at
	told map[string]bool // actions, by their id
}

// New returns what marks the actions of others on a platform from now on.
func New(path, platform string, names model.Names, mark func(model.Event)) *Watch {
	return &Watch{
		path: path, platform: platform, since: time.Now(), own: strconv.Itoa(os.Getpid()) + "-",
		names: names, mark: mark, told: make(map[string]bool),
	}
}

// Run looks until the context ends.
func (d *Watch) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.look()
		}
	}
}

// look reads the file where it has changed. What cannot be read is told elsewhere: by
// `wallboard audit`.
func (d *Watch) look() {
	info, err := os.Stat(d.path)
	if err != nil || d.last != nil && os.SameFile(info, d.last) && info.Size() == d.last.Size() {
		return
	}
	d.last = info
	for e, err := range audit.Read(d.path, audit.Filter{Since: d.since, Platform: d.platform}) {
		if err != nil || !e.Finished || d.told[e.ID] || strings.HasPrefix(e.Session, d.own) {
			continue
		}
		d.told[e.ID] = true
		if op := resource.Operation(e.Action); op.Known() && op.Endpoint().Acts {
			d.mark(d.event(op, &e))
		}
	}
}

// event is what a recording is marked with, as for the actions of the board: campaigns are
// named, and nobody else.
func (d *Watch) event(op resource.Operation, e *audit.Entry) model.Event {
	words := op.Words()
	text := strings.ToUpper(words[:1]) + words[1:]
	if name := d.campaign(e.Target); name != "" {
		text += ": " + name
	}
	outcome := e.Outcome
	if outcome == resource.Unknown.String() {
		outcome = "not known whether it happened"
	}
	text += ", " + outcome
	return model.Event{At: e.Time, Kind: model.MarkAction, Text: text, Nameless: text}
}

// campaign is what a campaign is called that an action was about, "" where it was not about
// one.
func (d *Watch) campaign(target string) string {
	id, is := strings.CutPrefix(target, "campaign ")
	if _, err := strconv.ParseInt(id, 10, 64); !is || err != nil {
		return ""
	}
	return d.names.Of(model.NameCampaign, id)
}

package commands

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/model"
	"wallboard/model/resource"
)

// every is the interval at which the audit log is checked.
const every = 2 * time.Second

// Watch reports the actions of others. It must not be used concurrently.
type Watch struct {
	path, platform string
	since          time.Time
	own            string // prefix of this process's session ids
	name           func(campaign string) string
	mark           func(model.Event)

	last fs.FileInfo     // file at the last check
	told map[string]bool // reported actions, by id
}

// NewAuditWatch returns a watch that reports the actions of others on a platform from now on.
// name returns the name of a campaign.
func NewAuditWatch(path, platform string, name func(campaign string) string, mark func(model.Event)) *Watch {
	return &Watch{
		path: path, platform: platform, since: time.Now(), own: strconv.Itoa(os.Getpid()) + "-",
		name: name, mark: mark, told: make(map[string]bool),
	}
}

// Run checks the audit log until ctx ends.
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

// look reads the audit log if it has changed. `wallboard audit` reports errors in it.
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
		if op := resource.Operation(e.Action); op.Known() && op.Endpoint().Mutates {
			d.mark(d.event(op, &e))
		}
	}
}

// event returns the mark for the recording. As for the board's own actions it names
// campaigns, but no people.
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

// campaign returns the name of the campaign of an action, "" if it has none.
func (d *Watch) campaign(target string) string {
	id, is := strings.CutPrefix(target, "campaign ")
	if _, err := strconv.ParseInt(id, 10, 64); !is || err != nil {
		return ""
	}
	return d.name(id)
}

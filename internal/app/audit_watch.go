package app

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// auditCheckInterval is how often auditWatch checks the audit log for changes.
const auditCheckInterval = 2 * time.Second

// auditWatch reads the actions of other processes from the audit log and reports them as marks for
// the recording. It is not safe for concurrent use.
type auditWatch struct {
	path, platform string
	since          time.Time
	ownPrefix      string // prefix of the session IDs of this process
	campaignName   func(campaign string) string
	addMark        func(model.Event)

	lastInfo    fs.FileInfo     // state of the file at the last check
	reportedIDs map[string]bool // IDs of the actions already reported
}

// newAuditWatch returns a watch that calls mark for each action that another process has carried
// out on a platform since the time since. name returns the name of a campaign.
func newAuditWatch(path, platform string, since time.Time, name func(campaign string) string, mark func(model.Event)) *auditWatch {
	return &auditWatch{
		path: path, platform: platform, since: since, ownPrefix: strconv.Itoa(os.Getpid()) + "-",
		campaignName: name, addMark: mark, reportedIDs: make(map[string]bool),
	}
}

// run checks the audit log until ctx ends.
func (d *auditWatch) run(ctx context.Context) {
	tick := powersave.NewTicker(auditCheckInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.check()
		}
	}
}

// check reads the audit log if it has changed, and reports new actions. It ignores invalid lines,
// because the command `wallboard audit` reports them.
func (d *auditWatch) check() {
	info, err := os.Stat(d.path)
	if err != nil || d.lastInfo != nil && os.SameFile(info, d.lastInfo) && info.Size() == d.lastInfo.Size() {
		return
	}
	d.lastInfo = info
	for e, err := range audit.Read(d.path, audit.Filter{Since: d.since, Platform: d.platform}) {
		if err != nil || !e.Finished || d.reportedIDs[e.ID] || strings.HasPrefix(e.Session, d.ownPrefix) {
			continue
		}
		d.reportedIDs[e.ID] = true
		if op := resource.Operation(e.Action); op.Known() && op.Endpoint().Mutates {
			d.addMark(d.newMark(op, &e))
		}
	}
}

// newMark returns the mark for an action. Like marks of this board's own actions, it names
// campaigns but no people.
func (d *auditWatch) newMark(op resource.Operation, e *audit.Entry) model.Event {
	m := words.RecordedAction(op, d.targetCampaign(e.Target), words.OutcomeOf(e.Outcome))
	text, message := m.In(nil), m.Stored()
	return model.Event{At: e.Time, Kind: model.MarkAction, Text: text, Message: message, Nameless: text, NamelessMessage: message}
}

// targetCampaign returns the name of the campaign that was the target of an action, or "" if the
// target was not a campaign.
func (d *auditWatch) targetCampaign(target string) string {
	id, isCampaign := strings.CutPrefix(target, "campaign ")
	if _, err := strconv.ParseInt(id, 10, 64); !isCampaign || err != nil {
		return ""
	}
	return d.campaignName(id)
}

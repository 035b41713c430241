package dialect

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// estimateInterval is how often the estimated waits in the records are updated. It is one second
// because a platform that sends the current wait also updates it once a second.
const estimateInterval = time.Second

// ServiceTable is the table of services whose waits a [WaitTracker] sets.
type ServiceTable = model.MutableTable[model.ServiceKey, model.Service, *model.Service]

// UpdateWaits processes the services that have changed, and all services once a second, and sets their longest
// current waits. If fresh is false, the figures are not up to date. UpdateWaits then learns nothing, and changed
// records get the waits that were valid when all figures were last processed.
func (t *WaitTracker) UpdateWaits(services *ServiceTable, fresh bool, now time.Time) {
	if fresh {
		t.processServices(services, now)
		return
	}
	for _, r := range services.Rows() {
		if t.processed[r.Key()] != r {
			t.setWait(services, r, t.Evidence(r.Channel), t.processedAt)
		}
	}
}

func (t *WaitTracker) processServices(services *ServiceTable, now time.Time) {
	due := now.Sub(t.processedAt) >= estimateInterval
	var fresh []*model.Service
	for _, r := range services.Rows() {
		if due || t.processed[r.Key()] != r {
			t.Observe(r, now)
			fresh = append(fresh, r)
		}
	}
	if due {
		t.processedAt = now
		t.forgetRemoved(services)
	}
	if len(fresh) == 0 {
		return
	}
	evidence := make(map[model.Channel]WaitEvidence)
	for _, r := range fresh {
		k := r.Key()
		e, known := evidence[k.Channel]
		if !known {
			e = t.Evidence(k.Channel)
			evidence[k.Channel] = e
		}
		t.setWait(services, r, e, now)
	}
}

// setWait sets the longest current wait in the record r. e is the evidence for the channel of the
// record.
func (t *WaitTracker) setWait(services *ServiceTable, r *model.Service, e WaitEvidence, now time.Time) {
	k := r.Key()
	if w := t.Wait(k, e, now); w != r.ChannelStats.Wait {
		amended := *r
		amended.ChannelStats.Wait = w
		r = &amended
		services.Amend(r)
	}
	t.processed[k] = r
}

// forgetRemoved forgets the services that the table no longer contains.
func (t *WaitTracker) forgetRemoved(services *ServiceTable) {
	if len(t.services) <= services.Len() {
		return
	}
	for k := range t.services {
		if services.Get(k) == nil {
			delete(t.services, k)
			delete(t.processed, k)
		}
	}
}

// Channels returns the channels of the services processed so far, in the order of document 2.
func (t *WaitTracker) Channels() []model.Channel {
	var out []model.Channel
	for _, ch := range model.Channels() {
		for k := range t.services {
			if k.Channel == ch {
				out = append(out, ch)
				break
			}
		}
	}
	return out
}

// Describe describes the meaning of maxTimeCallOnQueue on each channel, for display. It returns ""
// if no service was processed.
func (t *WaitTracker) Describe() string {
	var lines []string
	byText := make(map[string][]string)
	for _, ch := range t.Channels() {
		e := t.Evidence(ch)
		text := e.Describe()
		if !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
		byText[text] = append(byText[text], string(ch))
	}
	for i, text := range lines {
		if len(lines) > 1 {
			lines[i] = text + " (" + strings.Join(byText[text], ", ") + ")"
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return LongestWaitField + ": " + strings.Join(lines, "; ")
}

// LongestWaitField is the name in document 2 of the field whose meaning [WaitTracker] detects.
const LongestWaitField = "maxTimeCallOnQueue"

// Describe describes the meaning of maxTimeCallOnQueue and its certainty, for display.
func (e WaitEvidence) Describe() string {
	text := e.Meaning.String()
	switch {
	case e.Contradicted:
		text += ", as configured; what is observed contradicts that"
	case e.Pinned:
		text += ", as configured"
	case e.Presumed && e.Meaning != model.WaitUndetermined:
		text += ", presumed"
	}
	if !e.Meaning.IsCurrent() {
		text += "; the current wait is estimated from the counters"
	}
	return text
}

package feeds

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// awaitsUsers reports whether the filter of the subscription s will soon include further users,
// because users are still being queried or some logged in while the connection was down.
func (b *filterBuilder) awaitsUsers(s *subscription, now time.Time) bool {
	u := b.subs.byOperation(opUsers)
	if traitsByOperation[s.doc.Root].filterSource == "" {
		return false
	}
	if u.status.State == model.SubSyncing || b.awaitsAgents(s, now) {
		return true
	}
	return !s.coverage.coversAll && now.Sub(u.progress.firstVerifiedAt) < coverTimeout(s.filter.maxUpdateDelay(s.handover.lastDuration)) &&
		(b.staleFilters != (staleFilterSet{}) || s.filter.wantedRequest.IsWanted && s.filter.differs())
}

// awaitsAgents reports whether the filter of s depends on an operation other than the users that
// does not cover all current users yet. For example, the filter of the profiles depends on the
// agents' figures. Until that operation covers all users, an empty request of s is not final.
func (b *filterBuilder) awaitsAgents(s *subscription, now time.Time) bool {
	follows := traitsByOperation[s.doc.Root].filterSource
	return follows != "" && follows != opUsers && b.awaitsUsers(b.subs.byOperation(follows), now)
}

// reportBlocked sets the displayed state of operations whose filter depends on data that the platform refuses
// or does not send. Without reportBlocked, the board would show these operations as waiting forever.
func (b *filterBuilder) reportBlocked(now time.Time) {
	for _, s := range b.subs {
		traits := traitsByOperation[s.doc.Root]
		if traits.filterSource == "" {
			continue
		}
		of := b.subs.byOperation(traits.filterSource)
		if !s.requests.Connected() || s.filter.wantedRequest.IsWanted || s.activeID != "" || s.handover.pendingID != "" {
			continue
		}
		why := "the platform refuses " + of.doc.Root + ", which determines the records to request"
		switch {
		case of.status.State == model.SubRefused:
			s.status.setState(model.SubRefused, why+": "+of.status.Reason, now)
		case of.status.State == model.SubUnverified && of.merger.Records() == 0:
			s.status.setState(model.SubBackoff, "the records to request are not known: "+of.status.Reason, now)
		case slices.Contains(dialect.UnavailableFields(of.dialect.MissingFields(of.doc.Root), of.dialect.Types(of.doc.Root)), traits.keyField):
			instead := ""
			if traits.setting != "" {
				instead = "; name them in [rtd] " + traits.setting
			}
			s.status.setState(model.SubRefused, "the platform does not send "+of.doc.Root+" "+traits.keyField+", which determines the records to request"+instead, now)
		}
	}
}

// describeLeftOut describes the records or codes that s leaves out because of the limits. It
// returns "" if there are none.
func (b *filterBuilder) describeLeftOut(s *subscription) string {
	if n := s.merger.OmittedRecords(); n > 0 {
		return fmt.Sprintf("%d or more records are left out: the board keeps %d ([rtd] max_records)", n, b.opts.Bounds.Records)
	}
	describe := func(c *codeSet, codes string) string {
		if !c.overflow {
			return ""
		}
		return fmt.Sprintf("some %s are left out: the board asks for %d ([rtd] max_codes)", codes, b.opts.Bounds.Codes)
	}
	switch key := traitsByOperation[s.doc.Root].setting; key {
	case "services":
		return describe(&b.services, key)
	case "groups":
		return describe(&b.groups, key)
	}
	return ""
}

// reportLeftOut marks current subscriptions that leave out records or codes as unverified. If h has
// no banner text, it sets one.
func (b *filterBuilder) reportLeftOut(h *model.Health) {
	var why []string
	for i, s := range b.subs {
		text := b.describeLeftOut(s)
		if text == "" {
			continue
		}
		st := &h.Subscriptions[i]
		if st.State.IsCurrent() {
			st.State = model.SubUnverified
		}
		if st.Reason == "" {
			st.Reason = text
		}
		why = append(why, text)
	}
	if len(why) == 0 || h.Notice != "" {
		return
	}
	slices.Sort(why)
	h.Notice = "The platform has more than the board takes: " + strings.Join(slices.Compact(why), "; ") + "."
}

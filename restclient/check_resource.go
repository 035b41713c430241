package restclient

import (
	"fmt"
	"strings"
	"unicode"

	"wallboard/model/resource"
)

func checkDial(d resource.Dial) error {
	c := requestCheck{op: resource.OpDial}
	c.checkPhoneNumber("number", d.Number)
	return c.err()
}

func checkRecording(op resource.Operation, r resource.Recording) error {
	c := requestCheck{op: op}
	c.checkPathID("userId", "the name of the user", r.Username)
	c.checkPathID("callId", "the id of the call", r.CallID)
	return c.err()
}

func checkSMS(s resource.SMS) error {
	c := requestCheck{op: resource.OpSMSSend}
	c.checkPhoneNumber("phoneNumber", s.PhoneNumber)
	if len(c.problems) == 0 && (!strings.ContainsAny(s.PhoneNumber, "0123456789") || strings.ContainsFunc(s.PhoneNumber, unicode.IsLetter)) {
		c.addProblem("phoneNumber", "this is not a telephone number: %s", s.PhoneNumber)
	}
	c.checkRequired("message", "the text of the message", s.Message)
	checkIntegers(&c, s)
	return c.err()
}

// checkIntegers adds a problem for each integer of a resource that does not fit into an int32.
func checkIntegers[T any](c *requestCheck, r T) {
	for n := range resource.Integers(r) {
		c.checkInt32(n.Field, "the "+n.Label, &n.Value)
	}
}

// Negative numbers are rejected only when a resource is created. In an update, they may come
// from the platform itself.

func checkCampaign(op resource.Operation, campaign resource.Campaign) error {
	c := requestCheck{op: op}
	if op == resource.OpCampaignCreate {
		c.checkNotNegative("priority", "the priority", campaign.Priority)
		for i, l := range campaign.Lists {
			c.checkNotNegative(fmt.Sprintf("lists[%d].priority", i+1), fmt.Sprintf("the priority of list %d", i+1), l.Priority)
		}
	} else {
		c.checkID("id", "the id of the campaign", campaign.ID)
	}
	checkIntegers(&c, campaign)
	c.checkOrder("endDate", "the campaign", campaign.StartDate, campaign.EndDate)
	return c.err()
}

func checkList(op resource.Operation, l resource.List) error {
	c := requestCheck{op: op}
	if op == resource.OpListCreate {
		c.checkNotNegative("noAnswerAttempts", "the number of attempts after no answer", l.NoAnswerAttempts)
		c.checkNotNegative("busyAttempts", "the number of attempts after busy", l.BusyAttempts)
		c.checkNotNegative("cancelAttempts", "the number of attempts after a cancelled call", l.CancelAttempts)
		c.checkNotNegative("congestionAttempts", "the number of attempts after congestion", l.CongestionAttempts)
		c.checkNotNegative("voicemailAttempts", "the number of attempts after voicemail", l.VoicemailAttempts)
		c.checkNotNegative("vendorClosedAttempts", "the number of attempts while the vendor is closed", l.VendorClosedAttempts)
	} else {
		c.checkID("id", "the id of the list", l.ID)
	}
	checkIntegers(&c, l)
	return c.err()
}

func checkItems(op resource.Operation, items []resource.Item) error {
	c := requestCheck{op: op}
	if len(items) == 0 {
		c.addProblem("", "there are no items")
	}
	for i, item := range items {
		at := requestCheck{}
		checkIntegers(&at, item)
		for _, p := range at.problems {
			c.addProblem(fmt.Sprintf("[%d].%s", i+1, p.Field), "item %d: %s", i+1, p.Text)
		}
	}
	return c.err()
}

func checkRun(op resource.Operation, r resource.Run) error {
	c := requestCheck{op: op}
	if op == resource.OpRunEdit {
		c.checkID("id", "the id of the run", r.ID)
	}
	checkIntegers(&c, r)
	c.checkOrder("endDate", "the run", r.StartDate, r.EndDate)
	c.checkOrder("scheduledEndDate", "the run's schedule", r.ScheduledStartDate, r.ScheduledEndDate)
	c.checkOrder("instantMessagingEndDate", "the run's messaging", r.InstantMessagingStartDate, r.InstantMessagingEndDate)
	return c.err()
}

func checkMessageQuery(q resource.MessageQuery) error {
	c := requestCheck{op: resource.OpMessageHistory}
	if p := q.Pagination; p != nil {
		c.checkPage(Page{p.PageNumber, p.PageSize})
	}
	if s := q.Search; s != nil && s.Month != nil && (*s.Month < 1 || *s.Month > 12) {
		c.addProblem("search.month", "the month must be from 1 to 12, not %d", *s.Month)
	}
	checkIntegers(&c, q)
	return c.err()
}

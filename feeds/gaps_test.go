package feeds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// listBench returns a bench with a subscription to one service, whose list
// holds a person's codes.
func listBench(t *testing.T) (b *bench, list func(...string) string, codes func() string) {
	t.Helper()
	b, _ = newRequestBench(t, new(graphql.Restriction).CodesRequest("services", []string{"A"}, 0), opServices, func(s *model.Store) *model.MutableTable[model.ServiceKey, model.Service, *model.Service] {
		return &s.Services
	}, "code", "channel")
	list = func(codes ...string) string {
		var elements []string
		for _, c := range codes {
			name, count, _ := strings.Cut(c, " ")
			elements = append(elements, fmt.Sprintf(`{"activityCode":%q,"count":%s}`, name, cmp.Or(count, "1")))
		}
		return `{"data":{"serviceStats":[{"code":"A","channel":"CALL","userStats":{"activityCodeIndicators":[` + strings.Join(elements, ",") + `]}}]}}`
	}
	codes = func() string {
		var names []string
		for _, e := range b.st.Services.Rows()[0].UserStats.ActivityCodeIndicators {
			names = append(names, e.ActivityCode)
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	b.next(b.sub.handover.queryID, list("LUNCH", "COACH"))
	b.want(model.SubLive)
	return b, list, codes
}

// TestShorterListIsAskedForAtOnce checks that a shorter list is queried at once if it is unknown whether the
// server omits unchanged elements.
func TestShorterListIsAskedForAtOnce(t *testing.T) {
	t.Parallel()
	for name, left := range map[string][]string{"shorter": {"LUNCH"}, "empty": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, list, codes := listBench(t)
			b.next(b.sub.activeID, list(left...))
			if got := codes(); got != "COACH LUNCH" || b.sub.handover.queryID == "" {
				t.Fatalf("%q is shown, query %q", got, b.sub.handover.queryID)
			}
			verified := b.sub.status.VerifiedAt
			b.next(b.sub.handover.queryID, list(left...))
			if got := codes(); got != strings.Join(left, " ") || b.sub.handover.queryID != "" {
				t.Fatalf("%q is shown, query %q", got, b.sub.handover.queryID)
			}
			b.want(model.SubLive)
			if !b.sub.status.VerifiedAt.Equal(verified) {
				t.Error("an answer for one record replaced all")
			}
		})
	}
}

// TestWholeListsAreLearnt: a server that repeats unchanged elements sends complete lists, so missing elements
// are removed at once. If a removed element turns out to exist, the board no longer relies on this.
func TestWholeListsAreLearnt(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	for i := range minConsistent {
		b.pass(time.Second)
		b.next(b.sub.activeID, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.next(b.sub.activeID, list("LUNCH"))
	if got := codes(); got != "LUNCH" || b.sub.handover.queryID != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.queryID)
	}
	b.next(b.sub.activeID, list())
	if got := codes(); got != "" || b.sub.handover.queryID != "" {
		t.Fatalf("%q is shown after [], query %q", got, b.sub.handover.queryID)
	}
	b.pass(auditAfter)
	for range maxLooks {
		b.look(list("LUNCH"))
	}
	if got := codes(); got != "LUNCH" || b.sub.incompleteRecords.completeLists.isKnownTrue() {
		t.Fatalf("%q is shown, lists are whole: %v", got, b.sub.incompleteRecords.completeLists.isKnownTrue())
	}
}

// TestPartialListsAreLearnt: if a server sends only changed elements, shorter
// lists are not queried, but empty ones are.
func TestPartialListsAreLearnt(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	for i := range minConsistent {
		b.pass(time.Second)
		b.next(b.sub.activeID, list(fmt.Sprintf("LUNCH %d", i+2)))
		if b.sub.handover.queryID == "" {
			t.Fatalf("change %d is not queried", i)
		}
		b.next(b.sub.handover.queryID, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.pass(time.Second)
	b.next(b.sub.activeID, list("LUNCH 9"))
	if got := codes(); got != "COACH LUNCH" || b.sub.handover.queryID != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.queryID)
	}
	b.pass(time.Second)
	b.next(b.sub.activeID, list())
	if b.sub.handover.queryID == "" {
		t.Fatal("an empty list is not queried")
	}
	b.next(b.sub.handover.queryID, list("COACH"))
	if got := codes(); got != "COACH" {
		t.Fatalf("%q is shown", got)
	}
	b.next(b.sub.activeID, list("LUNCH 9"))
	b.pass(shorterListInterval)
	if b.sub.handover.queryID == "" {
		t.Fatal("the omitted elements are never queried")
	}
}

// TestPartOfAListIsNotWhole checks lists of changed elements that repeat an element that changed earlier. The
// omitted elements still exist.
func TestPartOfAListIsNotWhole(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	b.next(b.sub.activeID, list("LUNCH", "COACH", "DESK"))
	for i := range minConsistent {
		b.next(b.sub.activeID, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.next(b.sub.activeID, list("LUNCH 9"))
	if got := codes(); got != "COACH DESK LUNCH" || b.sub.incompleteRecords.completeLists.isKnownTrue() {
		t.Fatalf("%q is shown, lists are whole: %v", got, b.sub.incompleteRecords.completeLists.isKnownTrue())
	}
}

// TestOlderElementIsNotTaken: a lagging replica answers the query about a short
// list; the update is newer.
func TestOlderElementIsNotTaken(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	b.pass(time.Second)
	b.next(b.sub.activeID, list("LUNCH 2"))
	b.next(b.sub.handover.queryID, list("LUNCH 1", "COACH", "DESK"))
	if got := codes(); got != "COACH DESK LUNCH" || b.sub.handover.queryID != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.queryID)
	}
	for _, e := range b.st.Services.Rows()[0].UserStats.ActivityCodeIndicators {
		if e.ActivityCode == "LUNCH" && e.Count.Or(0) != 2 {
			t.Errorf("%d on LUNCH, want 2", e.Count.Or(0))
		}
	}
}

// TestWhoIsToldInPartIsAskedFor checks that a record that first appears in an update is queried, because the
// update may contain only some of its fields.
func TestWhoIsToldInPartIsAskedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.next(b.sub.activeID, campaign(`{"campaignId":2,"startedCalls":3}`))
	if q := b.wire.sent[b.sub.handover.queryID]; !strings.Contains(q, "campaigns:[2]") {
		t.Fatalf("query: %s", q)
	}
	b.next(b.sub.activeID, campaign(`{"campaignId":2,"startedCalls":4}`))
	b.next(b.sub.handover.queryID, campaign(`{"campaignId":2,"startedCalls":3,"usedChannels":7}`))
	c := b.st.Campaigns.Get(2)
	if c.StartedCalls.Or(-1) != 4 || c.UsedChannels.Or(-1) != 7 || b.started(1) != 10 {
		t.Fatalf("%+v", c)
	}
	b.want(model.SubLive)
}

// TestWholeArrivalsAreLearnt: after a few complete new records, new ones are
// not queried.
func TestWholeArrivalsAreLearnt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sub.setWanted(graphql.CampaignsRequest([]int64{1, 2, 3, 4, 5, 6, 7, 8}), true, b.now)
	b.pass(filterDelay)
	b.live()
	asked := 0
	for id := 2; id <= 8; id++ {
		record := campaign(fmt.Sprintf(`{"campaignId":%d,"startedCalls":1}`, id))
		b.pass(time.Second)
		b.next(b.sub.activeID, record)
		if b.sub.handover.queryID != "" {
			asked++
			b.next(b.sub.handover.queryID, record)
		}
	}
	if asked != minConsistent {
		t.Errorf("queried %d of 7", asked)
	}
}

// TestAnswerForOneLeavesTheOthersWhole checks that an answer about one record does not change another record,
// which was updated while the first one was queried by name.
func TestAnswerForOneLeavesTheOthersWhole(t *testing.T) {
	t.Parallel()
	b, _ := newRequestBench(t, new(graphql.Restriction).CodesRequest("services", []string{"A", "B"}, 0), opServices, func(s *model.Store) *model.MutableTable[model.ServiceKey, model.Service, *model.Service] {
		return &s.Services
	}, "code", "channel")
	message := func(code, fields string) string {
		return fmt.Sprintf(`{"code":%q,"channel":"CALL","userStats":{%s}}`, code, fields)
	}
	list := func(records ...string) string {
		return `{"data":{"serviceStats":[` + strings.Join(records, ",") + `]}}`
	}
	codes := `"activityCodeIndicators":[{"activityCode":"LUNCH","count":1},{"activityCode":"COACH","count":1}]`
	b.next(b.sub.handover.queryID, list(message("A", codes), message("B", codes)))
	b.next(b.sub.activeID, list(message("A", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":2}]`)))
	if b.sub.handover.queryID == "" {
		t.Fatal("a shorter list is not queried")
	}
	b.next(b.sub.activeID, list(message("B", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":3}]`)))
	b.next(b.sub.handover.queryID, list(message("A", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":2}]`)))
	var got []string
	for _, s := range b.st.Services.Rows() {
		for _, e := range s.UserStats.ActivityCodeIndicators {
			got = append(got, fmt.Sprintf("%s %s %d", s.Code, e.ActivityCode, e.Count.Or(-1)))
		}
	}
	slices.Sort(got)
	if want := []string{"A LUNCH 2", "B COACH 1", "B LUNCH 3"}; !slices.Equal(got, want) {
		t.Errorf("%q is shown, not %q", got, want)
	}
}

// TestUpdateThatOnlyNamesIsAskedAbout: a server only names a record that left
// the filter and returned, so its changes are unknown. Once such updates are
// known to hide nothing, they are queried less often.
func TestUpdateThatOnlyNamesIsAskedAbout(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	const returned = `{"data":{"serviceStats":[{"code":"A","channel":"CALL"}]}}`
	b.pass(time.Second)
	b.next(b.sub.activeID, returned)
	if b.sub.handover.queryID == "" {
		t.Fatal("the record is not queried")
	}
	b.next(b.sub.handover.queryID, list("LUNCH", "DESK"))
	if got := codes(); got != "DESK LUNCH" {
		t.Fatalf("%q is shown", got)
	}
	for i := range minConsistent {
		b.pass(time.Second)
		b.next(b.sub.activeID, returned)
		if b.sub.handover.queryID == "" {
			t.Fatalf("repetition %d is not queried", i)
		}
		b.next(b.sub.handover.queryID, list("LUNCH", "DESK"))
	}
	b.pass(gapQueryInterval)
	if b.next(b.sub.activeID, returned); b.sub.handover.queryID != "" {
		t.Fatal("the record is queried as often as on a server that hides changes")
	}
	b.pass(namedQueryInterval)
	if b.sub.handover.queryID == "" {
		t.Fatal("the record is never queried")
	}
}

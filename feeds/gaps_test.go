package feeds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// listBench is a subscription to one service, whose list holds the codes that a
// person is on.
func listBench(t *testing.T) (b *bench, list func(...string) string, codes func() string) {
	t.Helper()
	b, _ = newRequestBench(t, new(queries.Narrow).CodesRequest("services", []string{"A"}, 0), opServices, func(s *model.Store) *model.Live[model.ServiceKey, model.Service, *model.Service] {
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
	b.next(b.sub.handover.query, list("LUNCH", "COACH"))
	b.want(model.SubLive)
	return b, list, codes
}

// TestShorterListIsAskedForAtOnce has a server that nothing is known of leave
// elements out of a list: gone, or only unchanged?
func TestShorterListIsAskedForAtOnce(t *testing.T) {
	t.Parallel()
	for name, left := range map[string][]string{"shorter": {"LUNCH"}, "empty": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, list, codes := listBench(t)
			b.next(b.sub.active, list(left...))
			if got := codes(); got != "COACH LUNCH" || b.sub.handover.query == "" {
				t.Fatalf("%q is shown, query %q", got, b.sub.handover.query)
			}
			verified := b.sub.status.VerifiedAt
			b.next(b.sub.handover.query, list(left...))
			if got := codes(); got != strings.Join(left, " ") || b.sub.handover.query != "" {
				t.Fatalf("%q is shown, query %q", got, b.sub.handover.query)
			}
			b.want(model.SubLive)
			if !b.sub.status.VerifiedAt.Equal(verified) {
				t.Error("one record is taken for all")
			}
		})
	}
}

// TestWholeListsAreLearnt has a server repeat what has not changed: then what it
// leaves out is gone, at once. An element that was there after all unlearns it.
func TestWholeListsAreLearnt(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	for i := range enoughSeen {
		b.pass(time.Second)
		b.next(b.sub.active, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.next(b.sub.active, list("LUNCH"))
	if got := codes(); got != "LUNCH" || b.sub.handover.query != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.query)
	}
	b.next(b.sub.active, list())
	if got := codes(); got != "" || b.sub.handover.query != "" {
		t.Fatalf("%q is shown after [], query %q", got, b.sub.handover.query)
	}
	b.pass(auditAfter)
	for range maxLooks {
		b.look(list("LUNCH"))
	}
	if got := codes(); got != "LUNCH" || b.sub.gaps.lists.known() {
		t.Fatalf("%q is shown, lists are whole: %v", got, b.sub.gaps.lists.known())
	}
}

// TestPartialListsAreLearnt has a server send changed elements only: it is not
// asked for each of them, but for a list that is empty.
func TestPartialListsAreLearnt(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	for i := range enoughSeen {
		b.pass(time.Second)
		b.next(b.sub.active, list(fmt.Sprintf("LUNCH %d", i+2)))
		if b.sub.handover.query == "" {
			t.Fatalf("change %d is not asked for", i)
		}
		b.next(b.sub.handover.query, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.pass(time.Second)
	b.next(b.sub.active, list("LUNCH 9"))
	if got := codes(); got != "COACH LUNCH" || b.sub.handover.query != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.query)
	}
	b.pass(time.Second)
	b.next(b.sub.active, list())
	if b.sub.handover.query == "" {
		t.Fatal("an empty list is not asked for")
	}
	b.next(b.sub.handover.query, list("COACH"))
	if got := codes(); got != "COACH" {
		t.Fatalf("%q is shown", got)
	}
	b.next(b.sub.active, list("LUNCH 9"))
	b.pass(shorterEvery)
	if b.sub.handover.query == "" {
		t.Fatal("what a short list leaves out is never asked for")
	}
}

// TestPartOfAListIsNotWhole has lists of changed elements that repeat one which
// had changed before: what they leave out is still there.
func TestPartOfAListIsNotWhole(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	b.next(b.sub.active, list("LUNCH", "COACH", "DESK"))
	for i := range enoughSeen {
		b.next(b.sub.active, list(fmt.Sprintf("LUNCH %d", i+2), "COACH"))
	}
	b.next(b.sub.active, list("LUNCH 9"))
	if got := codes(); got != "COACH DESK LUNCH" || b.sub.gaps.lists.known() {
		t.Fatalf("%q is shown, lists are whole: %v", got, b.sub.gaps.lists.known())
	}
}

// TestOlderElementIsNotTaken has a replica that is behind answer what a short list
// has left open: what that has told is newer.
func TestOlderElementIsNotTaken(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	b.pass(time.Second)
	b.next(b.sub.active, list("LUNCH 2"))
	b.next(b.sub.handover.query, list("LUNCH 1", "COACH", "DESK"))
	if got := codes(); got != "COACH DESK LUNCH" || b.sub.handover.query != "" {
		t.Fatalf("%q is shown, query %q", got, b.sub.handover.query)
	}
	for _, e := range b.st.Services.Rows()[0].UserStats.ActivityCodeIndicators {
		if e.ActivityCode == "LUNCH" && e.Count.Or(0) != 2 {
			t.Errorf("%d on LUNCH, want 2", e.Count.Or(0))
		}
	}
}

// TestWhoIsToldInPartIsAskedFor has records come under a filter with their keys
// only.
func TestWhoIsToldInPartIsAskedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.live()
	b.next(b.sub.active, campaign(`{"campaignId":2,"startedCalls":3}`))
	if q := b.wire.sent[b.sub.handover.query]; !strings.Contains(q, "campaigns:[2]") {
		t.Fatalf("asked for: %s", q)
	}
	b.next(b.sub.active, campaign(`{"campaignId":2,"startedCalls":4}`))
	b.next(b.sub.handover.query, campaign(`{"campaignId":2,"startedCalls":3,"usedChannels":7}`))
	c := b.st.Campaigns.Get(2)
	if c.StartedCalls.Or(-1) != 4 || c.UsedChannels.Or(-1) != 7 || b.started(1) != 10 {
		t.Fatalf("%+v", c)
	}
	b.want(model.SubLive)
}

// TestWholeArrivalsAreLearnt has them come whole: after a few, nobody asks.
func TestWholeArrivalsAreLearnt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sub.setWanted(queries.CampaignsRequest([]int64{1, 2, 3, 4, 5, 6, 7, 8}), true, b.now)
	b.pass(reshapeAfter)
	b.live()
	asked := 0
	for id := 2; id <= 8; id++ {
		record := campaign(fmt.Sprintf(`{"campaignId":%d,"startedCalls":1}`, id))
		b.pass(time.Second)
		b.next(b.sub.active, record)
		if b.sub.handover.query != "" {
			asked++
			b.next(b.sub.handover.query, record)
		}
	}
	if asked != enoughSeen {
		t.Errorf("asked for %d of 7", asked)
	}
}

// TestAnswerForOneLeavesTheOthersWhole has an update about a record come while
// another one is asked for by name: what the answer is not about stays as it is.
func TestAnswerForOneLeavesTheOthersWhole(t *testing.T) {
	t.Parallel()
	b, _ := newRequestBench(t, new(queries.Narrow).CodesRequest("services", []string{"A", "B"}, 0), opServices, func(s *model.Store) *model.Live[model.ServiceKey, model.Service, *model.Service] {
		return &s.Services
	}, "code", "channel")
	message := func(code, fields string) string {
		return fmt.Sprintf(`{"code":%q,"channel":"CALL","userStats":{%s}}`, code, fields)
	}
	list := func(records ...string) string {
		return `{"data":{"serviceStats":[` + strings.Join(records, ",") + `]}}`
	}
	codes := `"activityCodeIndicators":[{"activityCode":"LUNCH","count":1},{"activityCode":"COACH","count":1}]`
	b.next(b.sub.handover.query, list(message("A", codes), message("B", codes)))
	b.next(b.sub.active, list(message("A", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":2}]`)))
	if b.sub.handover.query == "" {
		t.Fatal("a shorter list is not asked for")
	}
	b.next(b.sub.active, list(message("B", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":3}]`)))
	b.next(b.sub.handover.query, list(message("A", `"activityCodeIndicators":[{"activityCode":"LUNCH","count":2}]`)))
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

// TestUpdateThatOnlyNamesIsAskedAbout has a server name a record that left the filter and
// came back: no update holds what changed meanwhile. Once such updates are known to hide
// nothing, they are asked about less often.
func TestUpdateThatOnlyNamesIsAskedAbout(t *testing.T) {
	t.Parallel()
	b, list, codes := listBench(t)
	const returned = `{"data":{"serviceStats":[{"code":"A","channel":"CALL"}]}}`
	b.pass(time.Second)
	b.next(b.sub.active, returned)
	if b.sub.handover.query == "" {
		t.Fatal("the record is not asked for")
	}
	b.next(b.sub.handover.query, list("LUNCH", "DESK"))
	if got := codes(); got != "DESK LUNCH" {
		t.Fatalf("%q is shown", got)
	}
	for i := range enoughSeen {
		b.pass(time.Second)
		b.next(b.sub.active, returned)
		if b.sub.handover.query == "" {
			t.Fatalf("repetition %d is not asked about", i)
		}
		b.next(b.sub.handover.query, list("LUNCH", "DESK"))
	}
	b.pass(againEvery)
	if b.next(b.sub.active, returned); b.sub.handover.query != "" {
		t.Fatal("the record is asked for at the pace of a server that hides changes")
	}
	b.pass(namedEvery)
	if b.sub.handover.query == "" {
		t.Fatal("the record is never asked for")
	}
}

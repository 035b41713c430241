package feeds

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// crowd is a server with many campaigns, and the subscription that is about them.
type crowd struct {
	*bench
	started map[int64]int64 // what the server knows
	wanted  []int64
	quiet   bool // the server sends no first frame
}

// newCrowd is live with the first campaigns, each started as often as its number says.
func newCrowd(t *testing.T, many int64) *crowd {
	t.Helper()
	c := &crowd{bench: newBench(t), started: make(map[int64]int64)}
	for id := range many {
		c.started[id+1] = id + 1
	}
	c.ask(slices.Sorted(maps.Keys(c.started))...)
	c.settle()
	c.want(model.SubLive)
	c.is()
	return c
}

// ask wants some campaigns.
func (c *crowd) ask(ids ...int64) {
	c.wanted = ids
	c.sub.ask(campaignsRequest(ids), true, c.now)
}

// names returns what an operation asks for.
func (c *crowd) names(id string) (ids []int64) {
	text := c.wire.sent[id]
	_, list, _ := strings.Cut(text, "campaigns:[")
	list, _, _ = strings.Cut(list, "]")
	for n := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			c.t.Fatalf("%q asks for no campaigns", text)
		}
		ids = append(ids, id)
	}
	return ids
}

// full is what the server knows of some campaigns.
func (c *crowd) full(ids []int64) string {
	var records []string
	for _, id := range ids {
		if n, there := c.started[id]; there {
			records = append(records, fmt.Sprintf(`{"campaignId":%d,"startedCalls":%d}`, id, n))
		}
	}
	return campaign(strings.Join(records, ","))
}

// begin sends the first frame of the pending subscription.
func (c *crowd) begin() {
	if id := c.sub.pending; id != "" && !c.sub.started && !c.quiet {
		c.next(id, c.full(c.names(id)))
	}
}

// answer answers what is asked.
func (c *crowd) answer() {
	if id := c.sub.query; id != "" {
		c.next(id, c.full(c.names(id)))
	}
	if l := c.sub.audit.look; l != nil {
		c.next(l.id, c.full(c.names(l.id)))
	}
}

// settle lets everything come to its end.
func (c *crowd) settle() {
	for range 150 {
		c.pass(100 * time.Millisecond)
		c.begin()
		c.answer()
	}
}

// audit looks at what is due, and tells who is asked about.
func (c *crowd) audit(asked func(id int64)) {
	i, due, ok := c.sub.nextLook()
	if ok && !due.After(c.now) {
		c.sub.startLook(i, c.st.Version(), c.now)
		for _, id := range c.names(c.sub.audit.look.id) {
			asked(id)
		}
	}
	c.answer()
}

// update changes a campaign, and tells every subscription that has it.
func (c *crowd) update(id int64) {
	if _, there := c.started[id]; !there {
		return
	}
	c.started[id]++
	for _, s := range []string{c.sub.joined.id, c.sub.active, c.sub.pending} {
		if s != "" && slices.Contains(c.names(s), id) {
			c.next(s, c.full([]int64{id}))
		}
	}
}

// is fails unless the store has what the server knows of who is wanted.
func (c *crowd) is() {
	c.t.Helper()
	want := make(map[int64]int64)
	for _, id := range c.wanted {
		if n, there := c.started[id]; there {
			want[id] = n
		}
	}
	got := make(map[int64]int64)
	for _, r := range c.st.Campaigns.Rows() {
		got[r.CampaignID.Or(0)] = r.StartedCalls.Or(-1)
	}
	if !maps.Equal(got, want) {
		for id := range want {
			if got[id] != want[id] {
				c.t.Fatalf("%d records, want %d; campaign %d is %d, want %d", len(got), len(want), id, got[id], want[id])
			}
		}
		c.t.Fatalf("%d records, want %d", len(got), len(want))
	}
	if d := c.sub.status.Drift; d.Total() != 0 {
		c.t.Fatalf("drift %+v", d)
	}
}

func TestNewcomersDoNotCostAFullStateOfAll(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys)
	base, sent := c.sub.active, c.wire.n
	c.started[5000] = 5
	c.ask(append(c.wanted, 5000)...)
	c.pass(reshapeAfter)
	if got := c.names(c.wire.last(kindSubscription)); !slices.Equal(got, []int64{5000}) {
		t.Fatalf("subscribed to %d campaigns", len(got))
	}
	c.begin()
	c.update(5000)
	c.update(7)
	if got := c.names(c.sub.query); !slices.Equal(got, []int64{5000}) {
		t.Fatalf("asked for %d campaigns", len(got))
	}
	c.update(5000)
	c.update(7)
	c.answer()
	c.is()
	c.want(model.SubLive)
	if c.sub.active != base || c.wire.n != sent+2 || c.sub.have != c.sub.want {
		t.Fatalf("active %s, was %s; %d operations", c.sub.active, base, c.wire.n-sent)
	}
	c.update(5000)
	c.update(7)
	c.is()
	small := c.sub.joined.id
	c.started[6000] = 6
	c.ask(append(c.wanted, 6000)...)
	c.settle()
	c.is()
	if got := c.names(c.sub.joined.id); !slices.Equal(got, []int64{5000, 6000}) || !slices.Contains(c.wire.stopped, small) {
		t.Fatalf("the small one has %v; stopped %v", got, c.wire.stopped)
	}
	asked := make(map[int64]bool)
	for range 1000 {
		c.pass(100 * time.Millisecond)
		c.audit(func(id int64) { asked[id] = true })
	}
	if len(asked) != len(c.wanted) || c.sub.active != base {
		t.Fatalf("%d of %d are audited", len(asked), len(c.wanted))
	}
	c.is()
}

func TestWhoLeavesALargeFloorIsForgotten(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys+10)
	sent := c.wire.n
	all := c.wanted
	c.ask(all[1:]...)
	c.settle()
	c.is()
	c.update(1) // the subscription is about him still
	c.is()
	if c.wire.n != sent {
		t.Fatalf("%d operations because somebody left", c.wire.n-sent)
	}
	c.ask(all...)
	c.settle()
	c.update(1)
	c.is()
	if c.sub.joined.id == "" || len(c.sub.joined.left) != 0 {
		t.Fatalf("%+v", c.sub.joined)
	}
	c.ask(all[1:]...)
	c.settle()
	c.update(1)
	c.is()
}

// TestWhoIsBackWhileOthersJoinIsThereWhole has somebody leave while another one
// comes, and come back when that came to nothing.
func TestWhoIsBackWhileOthersJoinIsThereWhole(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys+10)
	all := c.wanted
	c.started[5000] = 5
	c.ask(append(slices.Clone(all[1:]), 5000)...)
	c.pass(reshapeAfter)
	c.sub.complete(c.sub.pending, c.now)
	c.ask(append(slices.Clone(all), 5000)...)
	c.settle()
	c.is()
	c.update(1)
	c.is()
}

func TestServerThatBearsOneSubscriptionGetsOne(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(c *crowd, id string){
		"refuses the second at once": func(c *crowd, id string) {
			c.sub.fail(id, []graphqlws.GraphQLError{{Message: "one is enough"}}, c.now)
		},
		"refuses it later": func(c *crowd, id string) {
			c.settle()
			c.sub.fail(id, []graphqlws.GraphQLError{{Message: "one is enough"}}, c.now)
		},
		"ends it": func(c *crowd, id string) {
			c.settle()
			c.sub.complete(id, c.now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, largeKeys)
			for _, id := range []int64{5000, 6000} {
				c.started[id] = id
				c.ask(append(c.wanted, id)...)
				c.pass(reshapeAfter)
				if small := c.sub.pending; len(c.names(small)) == 1 {
					end(c, small)
					c.want(model.SubLive)
				} else if id == 5000 {
					t.Fatal("no small subscription")
				}
				c.settle()
				c.is()
				c.update(id)
				c.update(1)
				c.is()
				c.want(model.SubLive)
			}
		})
	}
}

func TestManyWhoComeAreTakenInWhole(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys)
	for n := range int64(maxJoined + 1) {
		c.started[5000+n] = n
	}
	c.ask(slices.Sorted(maps.Keys(c.started))...)
	c.settle()
	c.is()
	if got := len(c.names(c.sub.active)); got != len(c.wanted) || c.sub.joined.id != "" {
		t.Fatalf("the large subscription has %d names, want %d", got, len(c.wanted))
	}
}

// TestSmallAnswerThatFailsMakesAllBeAskedFor has the query for those who came
// come to nothing.
func TestSmallAnswerThatFailsMakesAllBeAskedFor(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys)
	c.started[5000] = 5
	c.ask(append(c.wanted, 5000)...)
	c.quiet = true
	c.pass(reshapeAfter)
	c.pass(queryAfter)
	c.sub.fail(c.sub.query, []graphqlws.GraphQLError{{Message: "timeout"}}, c.now)
	c.want(model.SubUnverified)
	c.settle()
	c.is()
	c.want(model.SubLive)
}

// TestLateAnswerAboutSomebodyNewIsNoDrift has a replica that is behind tell of
// who came.
func TestLateAnswerAboutSomebodyNewIsNoDrift(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, largeKeys)
	c.sub.audit.syncedAt = c.now.Add(-time.Hour)
	c.started[5000] = 5
	c.ask(append(c.wanted, 5000)...)
	c.settle()
	c.started[5000] = 6 // no update tells
	for range 3000 {
		c.pass(100 * time.Millisecond)
		c.audit(func(int64) {})
	}
	c.is()
	if c.sub.status.Late != 1 {
		t.Fatalf("late %d", c.sub.status.Late)
	}
}

func TestLostChannelMakesTheLargeOneAgain(t *testing.T) {
	t.Parallel()
	doc, err := loadDocument(opUserStats)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	data, err := newTable(doc, &b.st.UserStats, "username", "channel")
	if err != nil {
		t.Fatal(err)
	}
	old := b.sub
	b.sub = newSub(doc, data, old.env, old.warn, old.clean)
	users := make([]string, largeKeys)
	for i := range users {
		users[i] = fmt.Sprintf("u%04d", i)
	}
	on := func(call, chat []string) {
		b.sub.ask(namesRequest(map[model.Channel][]string{model.Call: call, model.Chat: chat}), true, b.now)
		for range 150 {
			b.pass(100 * time.Millisecond)
			for _, id := range []string{b.sub.pending, b.sub.query} {
				if id != "" {
					b.next(id, `{"data":{"userStats":[{"username":"u0000","channel":"CALL"}]}}`)
				}
			}
		}
	}
	b.sub.linkUp(b.wire, b.now)
	on(users, users[:10])
	base := b.sub.active
	on(users, users[:11])
	if text := b.wire.sent[b.sub.joined.id]; b.sub.active != base || !strings.Contains(text, `{CALL:{users:["u0010"]} CHAT:{users:["u0010"]}}`) {
		t.Fatalf("a channel more: active %s, was %s; beside it %q", b.sub.active, base, text)
	}
	on(users, users[:9])
	if b.sub.active == base || b.sub.joined.id != "" {
		t.Fatal("a channel less: the large one is not made again")
	}
}

// TestComingAndGoingAtRandom has campaigns come, go, come back and change, and
// subscriptions end, and looks at the picture whenever all is still.
func TestComingAndGoingAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newCrowd(t, largeKeys+100)
		for range 6 {
			for range 40 {
				c.disturb(r)
			}
			c.quiet = false
			for range 300 { // a platform that ends a subscription is asked again later
				c.settle()
				if c.sub.status.State == model.SubLive && c.sub.have == c.sub.want {
					break
				}
			}
			c.is()
		}
	}
}

// disturb does one thing at random.
func (c *crowd) disturb(r *rand.Rand) {
	switch r.IntN(12) {
	case 0, 1, 2:
		id := int64(largeKeys + r.IntN(300))
		if _, there := c.started[id]; !there {
			c.started[id] = id
		}
		if !slices.Contains(c.wanted, id) {
			c.ask(slices.Sorted(slices.Values(append(slices.Clone(c.wanted), id)))...)
		}
	case 3, 4:
		i := r.IntN(len(c.wanted))
		c.ask(slices.Delete(slices.Clone(c.wanted), i, i+1)...)
	case 5:
		if ids := []string{c.sub.active, c.sub.joined.id, c.sub.pending}; r.IntN(10) == 0 {
			if id := ids[r.IntN(3)]; id != "" {
				c.sub.complete(id, c.now)
			}
		}
	case 6:
		c.quiet = !c.quiet
	case 7, 8:
		c.pass(time.Duration(r.IntN(3000)) * time.Millisecond)
	case 9:
		c.begin()
	case 10:
		c.answer()
	case 11:
		c.audit(func(int64) {})
	}
	for range 5 {
		c.update(c.wanted[r.IntN(len(c.wanted))])
		c.update(int64(1 + r.IntN(largeKeys+300)))
	}
}

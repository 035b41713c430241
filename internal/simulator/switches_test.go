package simulator_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
)

// update returns the raw payload of the first two messages of a subscription to
// userStats. The second one is the first update.
func update(t *testing.T, s *simulator.Server, selection string) (first, second string) {
	t.Helper()
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("s", "subscription {userStats(filter: "+listed(t, s)["userStats"]+") {"+selection+"}}")
	return string(c.read().Payload), string(c.read().Payload)
}

func fast(sw rtd.Switches) simulator.Options {
	return simulator.Options{Speed: 30, Tick: 30 * time.Millisecond, Switches: sw}
}

func TestNullKeys(t *testing.T) {
	t.Parallel()
	const selection = "username numberCallIn status activityCode timeInState timeInActivityCode {totalTime}"
	first, second := update(t, start(t, fast(rtd.Switches{})), selection)
	if strings.Contains(first, "null") || !strings.Contains(second, `"activityCode":null`) {
		t.Errorf("present: first %.300s, then %.300s", first, second)
	}
	first, second = update(t, start(t, fast(rtd.Switches{NullKeys: rtd.NullKeysAbsent})), selection)
	if !strings.Contains(first, `"activityCode":`) || strings.Contains(second, "null") || !strings.Contains(second, `"username":`) {
		t.Errorf("absent: first %.300s, then %.300s", first, second)
	}
	if !json.Valid([]byte(second)) {
		t.Errorf("not JSON: %s", second)
	}
}

func TestNumberAndDateForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		switches                   rtd.Switches
		number, date, averageQueue string
	}{
		{rtd.Switches{}, `\d+`, `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`, `[\d.]+`},
		{rtd.Switches{Numbers: rtd.NumbersFloat, DateForm: rtd.DateSeconds}, `\d+\.0`, `\d{10}`, `\d+\.\d+`},
		{rtd.Switches{Numbers: rtd.NumbersString, DateForm: rtd.DateMilliseconds}, `"\d+"`, `\d{13}`, `"[\d.]+"`},
	} {
		s := start(t, simulator.Options{Switches: c.switches})
		s.Pause()
		sock := open(t, s, rtd.SubprotocolTransport)
		filters := listed(t, s)
		// The date's alias is a number field elsewhere: the format must depend on
		// the type.
		sock.subscribe("u", "{userStats(filter: "+filters["userStats"]+") {a: username n: numberCallIn d: timeInState}}")
		record := regexp.MustCompile(`^\{"data":\{"userStats":\[(\{"a":"[^"]+","n":` + c.number + `,"d":` + c.date + `\},?)+\]\}\}$`)
		if got := sock.read().Payload; !record.Match(got) {
			t.Errorf("%+v: %.200s does not match %s", c.switches, got, record)
		}
		sock.expect("complete", "u")
		sock.subscribe("s", "{serviceStats(filter: "+filters["serviceStats"]+") {channelStats {... on ServiceCcCallAtStat {averageTimeOnQueue}}}}")
		record = regexp.MustCompile(`\{"averageTimeOnQueue":` + c.averageQueue + `\}`)
		if got := sock.read().Payload; !record.Match(got) {
			t.Errorf("%+v: %.200s does not match %s", c.switches, got, record)
		}
	}
}

func TestNumericUsernameStaysText(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{
		Switches: rtd.Switches{Numbers: rtd.NumbersFloat},
		Users:    []webservice.Account{{Username: "1001", Password: "7", Name: `4"2`}},
	})
	_, r := post(t, s, `mutation {login(username: "1001", password: "7") {username name session {expiresIn}}}`)
	got, err := json.Marshal(r.Data["login"])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"4\"2","session":{"expiresIn":1800},"username":"1001"}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFirstMessage(t *testing.T) {
	t.Parallel()
	t.Run("delta", func(t *testing.T) {
		t.Parallel()
		s := start(t, simulator.Options{Switches: rtd.Switches{FirstMessage: rtd.FirstDelta}})
		s.Pause()
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("s", "subscription {serviceStats(filter: "+listed(t, s)["serviceStats"]+") {code customStats {key}}}")
		// At most the records that changed in one step, never all.
		if list := c.result("s").Data["serviceStats"].([]any); len(list) >= len(truth(t, s)["serviceStats"]) {
			t.Errorf("the first message has all %d records", len(list))
		}
	})
	t.Run("keys", func(t *testing.T) {
		t.Parallel()
		s := start(t, simulator.Options{Switches: rtd.Switches{FirstMessage: rtd.FirstKeys}})
		s.Pause()
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("s", "subscription {serviceStats(filter: "+listed(t, s)["serviceStats"]+") {code channel customStats {key} userStats {readyUsers {count}}}}")
		list := c.result("s").Data["serviceStats"].([]any)
		if len(list) != len(truth(t, s)["serviceStats"]) {
			t.Errorf("the first message has %d records", len(list))
		}
		for _, e := range list {
			if r := e.(map[string]any); r["code"] == nil || r["channel"] == nil || r["customStats"] != nil || r["userStats"] != nil {
				t.Errorf("the first message must contain exactly the keys: %v", r)
			}
		}
	})
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		s := start(t, fast(rtd.Switches{FirstMessage: rtd.FirstNone}))
		s.Pause()
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("s", "subscription {userStats(filter: "+listed(t, s)["userStats"]+") {username name status timeInState}}")
		// The answer to the query comes later than a first message would.
		c.subscribe("q", "{version {server {major}}}")
		c.result("q")
		c.expect("complete", "q")
		s.Resume()
		for _, e := range c.result("s").Data["userStats"].([]any) {
			if r := e.(map[string]any); r["name"] != nil {
				t.Errorf("the first record is not an update: %v", r)
			}
		}
	})
}

func TestKeylessDeltas(t *testing.T) {
	t.Parallel()
	s := start(t, fast(rtd.Switches{KeylessDeltas: true}))
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("s", "subscription {serviceStats(filter: "+listed(t, s)["serviceStats"]+") {code channel channelStats {... on ServiceCcCallAtStat {receivedCalls}} userStats {readyUsers {count}}}}")
	for _, e := range c.result("s").Data["serviceStats"].([]any) {
		if e.(map[string]any)["code"] == nil {
			t.Error("the first message has no code")
		}
	}
	for _, e := range c.result("s").Data["serviceStats"].([]any) {
		if r := e.(map[string]any); r["code"] != nil || r["channel"] != nil {
			t.Errorf("the update has a key: %v", r)
		}
	}
}

func TestRenamedRoots(t *testing.T) {
	t.Parallel()
	s := start(t, fast(rtd.Switches{RenamedRoots: true}))
	c := open(t, s, rtd.SubprotocolTransport)
	for _, root := range s.RTD().Roots() {
		filter := "(filter: " + listed(t, s)[root.Query] + ")"
		if root.Query == "version" || root.Query == "serverHealth" {
			filter = ""
		}
		c.subscribe("old "+root.Query, "subscription {"+root.Query+filter+"{__typename}}")
		c.expect("error", "old "+root.Query)
		c.subscribe(root.Query, "subscription {"+root.Subscription+filter+"{__typename}}")
		if r := c.result(root.Query); r.Data[root.Subscription] == nil {
			t.Errorf("%s: %v", root.Subscription, r)
		}
		c.send(root.Query, "complete", nil)
		c.subscribe("sync", "{version{server{major}}}")
		for c.read().ID != "sync" {
			continue
		}
		c.expect("complete", "sync")
	}
}

func TestIntrospection(t *testing.T) {
	t.Parallel()
	const direct = "{__schema {subscriptionType {fields {name args {name}}}}}"
	const hidden = `query {...F} fragment F on Query {... on Query {t: __type(name: "User") {name}}}`
	s := start(t, simulator.Options{})
	for _, query := range []string{direct, hidden} {
		if _, r := post(t, s, query, tokenCookie(token)); len(r.Errors) > 0 || len(r.Data) == 0 {
			t.Errorf("on: %+v", r)
		}
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("i", query)
		if r := c.result("i"); len(r.Data) == 0 {
			t.Errorf("on, over the socket: %+v", r)
		}
	}
	s = start(t, simulator.Options{Switches: rtd.Switches{NoIntrospection: true}})
	for _, query := range []string{direct, hidden} {
		if _, r := post(t, s, query, tokenCookie(token)); len(r.Errors) == 0 || r.Data != nil {
			t.Errorf("off: %+v", r)
		}
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("i", query)
		c.expect("error", "i")
	}
}

func TestSubprotocolsAllowed(t *testing.T) {
	t.Parallel()
	both := []string{rtd.SubprotocolLegacy, rtd.SubprotocolTransport}
	s := start(t, simulator.Options{})
	if got := dial(t, s, both...).ws.Subprotocol(); got != rtd.SubprotocolTransport {
		t.Errorf("chose %q of both", got)
	}
	s = start(t, simulator.Options{Switches: rtd.Switches{Subprotocols: []string{rtd.SubprotocolLegacy}}})
	if got := dial(t, s, both...).ws.Subprotocol(); got != rtd.SubprotocolLegacy {
		t.Errorf("chose %q, only the legacy one is allowed", got)
	}
	if code := dial(t, s, rtd.SubprotocolTransport).closed(); code != 4406 {
		t.Errorf("closed with %d", code)
	}
}

func TestSwitchesAreChecked(t *testing.T) {
	t.Parallel()
	for _, sw := range []rtd.Switches{
		{FirstMessage: "all"}, {NullKeys: "x"}, {Numbers: "hex"}, {DateForm: "x"}, {Subprotocols: []string{"mqtt"}},
	} {
		if s, err := simulator.New(simulator.Options{World: small(), Switches: sw}); err == nil {
			t.Errorf("%+v was accepted", sw)
			_ = s.Close()
		}
	}
}

// TestArrivals logs agents in and out, and checks the messages about agents who log
// in.
func TestArrivals(t *testing.T) {
	t.Parallel()
	for arrivals, whole := range map[rtd.Arrivals]bool{rtd.ArrivalsWhole: true, rtd.ArrivalsKeys: false} {
		o := fast(rtd.Switches{FirstMessage: rtd.FirstNone})
		o.Arrivals, o.GatherTime, o.World.LogoutsPerMinute = arrivals, 20*time.Millisecond, 600
		s := start(t, o)
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("s", "subscription {users(filter: {}) {mutation username name}}")
		gone := make(map[any]bool)
		for found := false; !found; {
			for _, e := range c.result("s").Data["users"].([]any) {
				u := e.(map[string]any)
				if gone[u["username"]] {
					found = true
					if (u["name"] != nil) != whole || (u["mutation"] == "CREATED") != whole {
						t.Errorf("%s: %v", arrivals, u)
					}
				}
				gone[u["username"]] = u["mutation"] == "DELETED"
			}
		}
	}
}

package simulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// frozen runs a server whose world is paused. There are always agents to call.
func frozen(t *testing.T) *simulator.Server {
	t.Helper()
	s := start(t, simulator.Options{World: world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 40, Operators: 3, Campaigns: 3, TrafficFactor: 0.3}})
	s.Pause()
	return s
}

// readyAgent returns the figures of an agent who is ready for calls and has a telephone.
func readyAgent(t *testing.T, s *simulator.Server) map[string]any {
	t.Helper()
	for _, v := range truth(t, s)["userStats"] {
		u := v.(map[string]any)
		if u["channel"] == "CALL" && u["status"] == "READY" && int(u["loggedProfileId"].(float64))%12 != 0 {
			return u
		}
	}
	t.Fatal("no agent is ready")
	return nil
}

// requestREST sends a request to the configuration service.
func requestREST(t *testing.T, s *simulator.Server, method, path string) (status int, answer any, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.RESTURL()+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := httpClient().Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close() //nolint:errcheck // the body was read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return res.StatusCode, nil, err
	}
	return res.StatusCode, answer, json.Unmarshal(body, &answer)
}

// order sends an action that must succeed and returns its answer.
func order(t *testing.T, s *simulator.Server, path string) any {
	t.Helper()
	status, answer, err := requestREST(t, s, http.MethodPost, path)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, status, err)
	}
	return answer
}

// A subscription receives a dial at once, even if the world is paused.
func TestDialShowsInTheFeed(t *testing.T) {
	t.Parallel()
	s := frozen(t)
	before := readyAgent(t, s)
	agent := before["username"].(string)
	feed := open(t, s, rtd.SubprotocolTransport)
	feed.subscribe("u", `subscription {userStats(filter: {CALL: {users: ["`+agent+`"]}}) {username status numberCallOut}}`)
	feed.result("u")

	call := order(t, s, "/rest/phone/call/dial?number=0612&returnCallId=true&username="+agent).(string)
	told := feed.result("u").Data["userStats"].([]any)[0].(map[string]any)
	if told["status"] != "BUSY_dn_call_out" || told["numberCallOut"] != before["numberCallOut"].(float64)+1 {
		t.Errorf("the feed reported %v after %v", told, before)
	}
	order(t, s, "/rest/phone/call/hangup?callId="+call)
	if told = feed.result("u").Data["userStats"].([]any)[0].(map[string]any); told["status"] != "READY" {
		t.Errorf("the feed reported %v after the call", told)
	}
	if status, _, err := requestREST(t, s, http.MethodPost, "/rest/phone/call/hangup?callId="+call); status != http.StatusNotFound {
		t.Errorf("hanging up twice: %d, %v", status, err)
	}

	if got := order(t, s, "/rest/phone/call/dial?number=0612&callData=x%3D1&username="+agent); got != "" {
		t.Errorf("unrequested call id %v", got)
	}
	order(t, s, "/rest/phone/call/hangup?username="+agent)
	var got []string
	for _, x := range s.REST().Executions() {
		if x.CallID == "" || x.At.IsZero() {
			t.Errorf("executed %+v", x)
		}
		got = append(got, x.Operation+" "+x.Target+" "+x.CallData)
	}
	want := []string{"dial " + agent + " ", "hangup  ", "dial " + agent + " x=1", "hangup " + agent + " "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("executed (-want +got):\n%s", diff)
	}
}

// A cut request to the configuration service does not affect the real-time display service.
func TestCutsDoNotAffectFeed(t *testing.T) {
	t.Parallel()
	s := frozen(t)
	s.Faults().REST.CutRequest(10)
	health(t, s)
	post(t, s, probe, tokenCookie(token))
	if _, _, err := requestREST(t, s, http.MethodGet, "/rest/auth/isValidSession"); err == nil {
		t.Error("the request was not cut")
	}
}

package rest_test

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
)

// A ringing call is answered while the world runs, and a stopped campaign releases
// its channels.
func TestEffectsOnTheWorld(t *testing.T) {
	t.Parallel()
	s := frozen(t, simulator.Options{Speed: 50})
	c := client(t, s)
	agent := agents(t, s, "READY")[0]
	c.must("POST /rest/phone/call/dial?number=999200&username="+agent, "") // answers and talks without end
	s.Resume()
	waitUntil(t, func() bool {
		calls := c.must("GET /rest/phone/call/service-calls-on-user/"+agent+"?onlyAnswered=true", "").([]any)
		return len(calls) == 1 && calls[0].(map[string]any)["answer"] != nil
	})
	allocated := func() any { return figures(t, s, "pdCampaignStats", "campaignId", 301.0)["allocatedChannels"] }
	c.must("POST /rest/powerdialer/phone/campaign/stop/301", "")
	waitUntil(t, func() bool { return allocated() == 0.0 })
	c.must("POST /rest/powerdialer/phone/campaign/start/301", "")
	if allocated() == 0.0 {
		t.Error("the campaign was started and has no channels")
	}
	c.must("PUT /rest/powerdialer/campaign", `{"id":302,"name":"Off","serviceCode":"SRV01","enabled":false}`)
	if got := c.must("POST /rest/powerdialer/phone/campaign/start/302", ""); got != false {
		t.Errorf("a campaign that is not enabled was started: %v", got)
	}
	created := c.must("POST /rest/powerdialer/campaign", `{"name":"New","serviceCode":"SRV01","lists":[{"listId":701,"enabled":true}]}`)
	figures(t, s, "pdCampaignStats", "campaignId", created.(map[string]any)["id"])
}

// Concurrent requests: each is executed once, none is lost.
func TestRESTConcurrency(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{World: calm(), Speed: 20, Tick: 10 * time.Millisecond})
	c := client(t, s)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 12 {
				id := strconv.Itoa(301 + (i+k)%3)
				for _, r := range [][2]string{
					{"POST /rest/powerdialer/phone/campaign/stop/" + id, ""},
					{"POST /rest/powerdialer/phone/campaign/start/" + id, ""},
					{"POST /rest/addressbook-contact/external", `{"name":"N"}`},
					{"GET /rest/powerdialer/phone/campaign/search?pageSize=2", ""},
				} {
					if status, answer, err := c.try(r[0], r[1]); err != nil || status != http.StatusOK {
						t.Errorf("%s: %d %s %v", r[0], status, answer, err)
					}
				}
			}
		})
	}
	wg.Wait()
	count := map[string]int{}
	for _, x := range s.REST().Executions() {
		count[x.Operation]++
	}
	if want := map[string]int{"campaign-stop": 96, "campaign-start": 96, "contact-create": 96}; !cmp.Equal(count, want) {
		t.Errorf("executed %v, want %v", count, want)
	}
}

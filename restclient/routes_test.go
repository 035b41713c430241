package restclient

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/model/resource"
)

// dialer is a platform that has its dialer operations at one path and answers others with a
// bare 404.
type dialer struct {
	mu    sync.Mutex
	at    string // prefix of "campaign" and "list"
	asked []string
}

func (d *dialer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/rest/powerdialer/")
	d.asked = append(d.asked, r.Method+" "+path)
	rest, ok := strings.CutPrefix("/rest/powerdialer/"+path, d.at)
	switch {
	case !ok || strings.HasPrefix(rest, "phone/"):
		respond(w, http.StatusNotFound, "")
	case strings.HasSuffix(rest, "/search"):
		respond(w, http.StatusOK, `{"result":[{"id":7,"name":"Spring"}],"tot":1}`)
	case strings.HasPrefix(rest, "list/items"):
		respond(w, http.StatusOK, `[]`)
	default:
		respond(w, http.StatusOK, `true`)
	}
}

// TestDialerOperationsAreFound checks that the dialer operations of edition 1.4.0 are found: reads at
// either path, and actions at the path of the search.
func TestDialerOperationsAreFound(t *testing.T) {
	t.Parallel()
	search := func(c *Client) error {
		_, err := model.Collect(c.Campaigns.AllCampaigns(t.Context(), CampaignTerm{}))
		return err
	}
	start := func(c *Client) error { _, err := c.Campaigns.StartCampaign(t.Context(), 7, nil); return err }
	add := func(c *Client) error { _, err := c.Lists.AddItems(t.Context(), make([]resource.Item, 1)); return err }
	for name, tt := range map[string]struct {
		at    string
		paths map[resource.Operation]string
		do    []func(*Client) error
		want  []string
		err   error
	}{
		"where they were": {
			at: phonePath, do: []func(*Client) error{search, start, add},
			want: []string{"GET phone/campaign/search", "POST phone/campaign/start/7", "POST phone/list/items"},
		},
		"moved": {
			at: movedPath, do: []func(*Client) error{search, start, search, start},
			want: []string{"GET phone/campaign/search", "GET campaign/search", "POST campaign/start/7", "GET campaign/search", "POST campaign/start/7"},
		},
		"moved, acting first": {
			at: movedPath, do: []func(*Client) error{add, add},
			want: []string{"POST phone/list/items", "GET phone/list/search", "GET list/search", "POST list/items", "POST list/items"},
		},
		"nowhere": {
			at: "/rest/other/", do: []func(*Client) error{search}, err: ErrPathNotFound,
			want: []string{"GET phone/campaign/search", "GET campaign/search"},
		},
		"nowhere, acting": {
			at: "/rest/other/", do: []func(*Client) error{start}, err: ErrPathNotFound,
			want: []string{"POST phone/campaign/start/7", "GET phone/campaign/search", "GET campaign/search"},
		},
		"configured": {
			at: movedPath, paths: map[resource.Operation]string{resource.OpCampaignStart: "/rest/powerdialer/go/{id}"}, do: []func(*Client) error{start},
			want: []string{"POST go/7"},
		},
		"configured wrong": {
			at: movedPath, paths: map[resource.Operation]string{resource.OpCampaignStart: "/rest/powerdialer/phone/go/{id}"}, do: []func(*Client) error{start}, err: ErrPathNotFound,
			want: []string{"POST phone/go/7"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &dialer{at: tt.at}
			c := newClient(t, Options{URL: serve(t, d.ServeHTTP), Paths: tt.paths})
			var last error
			for _, do := range tt.do {
				last = do(c)
			}
			if !errors.Is(last, tt.err) || errors.Is(last, ErrNotFound) {
				t.Errorf("%v, want %v", last, tt.err)
			}
			if !slices.Equal(d.asked, tt.want) {
				t.Errorf("asked %q\nwant  %q", d.asked, tt.want)
			}
		})
	}
}

// TestReadsWaitForThePlatform checks that reads wait as long as the platform requests, within their time
// limit, and that actions are not sent again.
func TestReadsWaitForThePlatform(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after  string
		status int
		times  int
		do     func(*Client) error
		asked  int
		least  time.Duration
		most   time.Duration
		err    error
		fails  bool
	}{
		"seconds":           {"7", 429, 1, findLists, 2, 7 * time.Second, 8 * time.Second, nil, false},
		"a time":            {"Thu, 01 Jan 2026 00:00:09 GMT", 429, 1, findLists, 2, 9 * time.Second, 10 * time.Second, nil, false},
		"again and again":   {"3", 429, 4, findLists, 5, 12 * time.Second, 13 * time.Second, nil, false},
		"it does not say":   {"", 429, 3, findLists, 4, time.Second, 10 * time.Second, nil, false},
		"unavailable":       {"5", 503, 1, findLists, 2, 5 * time.Second, 6 * time.Second, nil, false},
		"too long":          {"300", 429, 1, findLists, 1, 0, time.Second, ErrRateLimited, true},
		"for ever":          {"10", 429, 1000, findLists, 5, 40 * time.Second, 41 * time.Second, ErrRateLimited, true},
		"a search by POST":  {"2", 429, 1, findTickets, 2, 2 * time.Second, 3 * time.Second, nil, false},
		"what acts":         {"2", 429, 1, endCall, 1, 0, time.Second, ErrRateLimited, true},
		"what acts, by 503": {"2", 503, 1, endCall, 1, 0, time.Second, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				c := inMemory(t, func(w http.ResponseWriter, _ *http.Request) {
					if asked++; asked > tt.times {
						respond(w, http.StatusOK, `{"result":[],"tot":0}`)
						return
					}
					w.Header().Set("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
					if tt.after != "" {
						w.Header().Set("Retry-After", tt.after)
					}
					respond(w, tt.status, "")
				})
				began := time.Now()
				err := tt.do(c)
				if tt.fails != (err != nil) || tt.err != nil && !errors.Is(err, tt.err) {
					t.Errorf("%v, want %v", err, tt.err)
				}
				if took := time.Since(began); asked != tt.asked || took < tt.least || took > tt.most {
					t.Errorf("%d requests in %v, want %d in %v to %v", asked, took, tt.asked, tt.least, tt.most)
				}
			})
		})
	}
}

// inMemory returns a client with its own clock for a server in an in-memory network.
func inMemory(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	network := testkit.NewPipeListener()
	server := &http.Server{Handler: h}
	go server.Serve(network) //nolint:errcheck // it ends with the test
	c := newClient(t, Options{URL: "http://platform.test", DialContext: network.Dial})
	t.Cleanup(func() { _ = server.Close() })
	return c
}

func findLists(c *Client) error {
	_, err := c.Lists.SearchLists(c.Session.loginContext, "", Page{})
	return err
}

func findTickets(c *Client) error {
	_, err := c.Tickets.SearchTickets(c.Session.loginContext, resource.TicketQuery{})
	return err
}

func endCall(c *Client) error {
	_, err := c.Calls.HangUp(c.Session.loginContext, resource.HangUp{})
	return err
}

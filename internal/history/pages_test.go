package history_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"testing"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/model"
	"wallboard/model/contact"
)

// TestPagesOfThePast checks that a platform with smaller pages is read completely, and
// that changes between pages are reported.
func TestPagesOfThePast(t *testing.T) {
	t.Parallel()
	hour10 := contact.Range{From: time.Date(2026, 3, 17, 10, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 17, 11, 0, 0, 0, time.UTC)}
	lists := map[string]func(c *history.Client) (n int, short *model.Incomplete, err error){
		"calls": func(c *history.Client) (int, *model.Incomplete, error) {
			f, err := model.Collect(c.Calls(t.Context(), contact.Query{Kind: contact.Inbound, Range: hour10}, nil))
			return len(f.Items), f.Short, err
		},
		"contacts": func(c *history.Client) (int, *model.Incomplete, error) {
			f, err := model.Collect(c.Contacts(t.Context(), contact.AddressQuery{}, nil))
			return len(f.Items), f.Short, err
		},
	}
	for name, read := range lists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, short, err := read(open(t, nil).client(t, nil))
			if err != nil || want < 40 || short != nil {
				t.Fatalf("%d rows, %v, %v", want, short, err)
			}
			for _, change := range []string{"", rest.RowAppears, rest.RowDisappears} {
				p := open(t, func(o *simulator.Options) { o.Stat.MaxRows = 9 })
				p.Faults().REST.ChangeLists(change)
				n, short, err := read(p.client(t, nil))
				if err != nil || (short != nil && short.Changed) != (change != "") || n < want-1 || n > want {
					t.Errorf("%q: %d of %d rows, %v, %v", change, n, want, short, err)
				}
				if change == "" && (n != want || short != nil) {
					t.Errorf("%d of %d rows, %v", n, want, short)
				}
			}
		})
	}
}

// TestNewestFirst reads the last contacts of a range over the end of a month, from a platform that reports
// the number of contacts and from one that does not.
func TestNewestFirst(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	for name, change := range map[string]func(*history.Options){"counted": nil, "not counted": uncounted(t, p)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkNewest(t, p.client(t, change)) // few requests, because of the budget
		})
	}
}

// uncounted puts a proxy in front of a platform. The proxy removes the numbers from the answers to counts.
func uncounted(t *testing.T, p platform) func(*history.Options) {
	t.Helper()
	target, err := url.Parse(p.StatURL())
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`("f\d+":)\d+`)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	proxy.Transport = &http.Transport{DialContext: p.net.Dial, DisableCompression: true}
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		body = number.ReplaceAll(body, []byte("${1}null"))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return func(o *history.Options) {
		o.URL, o.DialContext = server.URL+target.Path, nil
	}
}

func checkNewest(t *testing.T, c *history.Client) {
	t.Helper()
	days := contact.Range{From: time.Date(2026, 2, 28, 16, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	all, err := model.Collect(c.Calls(t.Context(), contact.Query{Kind: contact.Inbound, Range: days}, nil))
	if err != nil || len(all.Items) < 50 {
		t.Fatalf("%d contacts, %v", len(all.Items), err)
	}
	for _, limit := range []int{1, 20, len(all.Items) - 1, len(all.Items), len(all.Items) + 1, 0} {
		got, err := model.Collect(c.Calls(t.Context(), contact.Query{Kind: contact.Inbound, Range: days, Limit: limit, Newest: true}, nil))
		if err != nil {
			t.Fatal(err)
		}
		want := len(all.Items)
		if limit > 0 {
			want = min(limit, want)
		}
		if len(got.Items) != want {
			t.Errorf("limit %d: %d contacts, want %d", limit, len(got.Items), want)
			continue
		}
		for i := range got.Items {
			if id := all.Items[len(all.Items)-1-i].ID; got.Items[i].ID != id {
				t.Errorf("limit %d: contact %d is %s, want %s", limit, i, got.Items[i].ID, id)
				break
			}
		}
		if short := got.Short; (short != nil) != (want < len(all.Items)) || short != nil && (short.Got != want || short.Total != len(all.Items)) {
			t.Errorf("limit %d: %v", limit, short)
		}
	}
}

// TestOffsetIgnored checks that reading a list ends if each page of a platform has the same rows, with
// or without IDs.
func TestOffsetIgnored(t *testing.T) {
	t.Parallel()
	for _, page := range []string{`[{"id":"1"},{"id":"2"}]`, `[{"startTime":"a"},{"startTime":"b"}]`} {
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if requests++; requests > 20 {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			_, _ = io.WriteString(w, `{"data":{"f0":`+page+`}}`)
		}))
		defer server.Close()
		c, err := history.New(history.Options{
			URL: server.URL, APIKey: secret.New("key"), Location: time.UTC, Now: opening, Names: map[string]string{history.OpSupports: "supports"},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		found, err := model.Collect(c.Supports(t.Context(), hour()))
		if err != nil || len(found.Items) != 2 || found.Short == nil || !found.Short.Changed {
			t.Errorf("%s: %d rows, %v, %v after %d requests", page, len(found.Items), found.Short, err, requests)
		}
	}
}

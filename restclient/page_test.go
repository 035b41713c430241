package restclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/model/resource"
)

// listing is a platform that has the lists 1 to n.
type listing struct {
	n       int
	most    int  // on a page, whatever is asked for
	deaf    bool // knows no pages: returns the first one always
	total   string
	asked   int
	badPage int // which answers 500; 0: none
}

func (l *listing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.asked++
	var number, size int
	q := r.URL.Query()
	if _, err := fmt.Sscan(q.Get("pageNumber")+" "+q.Get("pageSize"), &number, &size); err != nil {
		number = 1
		if _, err := fmt.Sscan(q.Get("size"), &size); err != nil {
			respond(w, http.StatusNotAcceptable, "")
			return
		}
	}
	if number == l.badPage {
		respond(w, http.StatusInternalServerError, "")
		return
	}
	if l.most > 0 {
		size = min(size, l.most)
	}
	if l.deaf {
		number = 1
	}
	ids := []string{}
	for id := (number-1)*size + 1; id <= l.n && id <= number*size; id++ {
		ids = append(ids, fmt.Sprintf(`{"id":%d}`, id))
	}
	respond(w, http.StatusOK, `{"result":[`+strings.Join(ids, ",")+`]`+l.total+`}`)
}

func TestPages(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		listing
		want, asked int
		err         error
	}{
		"none":                    {listing{total: `,"tot":0`}, 0, 1, nil},
		"one page":                {listing{n: 100, total: `,"tot":100`}, 100, 1, nil},
		"three pages":             {listing{n: 250, total: `,"tot":250`}, 250, 3, nil},
		"small pages":             {listing{n: 250, most: 50, total: `,"tot":250`}, 250, 5, nil},
		"no total":                {listing{n: 250}, 250, 4, nil},
		"none of those told":      {listing{total: `,"tot":250`}, 0, 1, ErrAnswer},
		"total too high":          {listing{n: 150, total: `,"tot":500`}, 150, 3, ErrAnswer},
		"no pages":                {listing{n: 40, most: 40, deaf: true}, 40, 2, nil},
		"no pages, items missing": {listing{n: 40, most: 30, deaf: true, total: `,"tot":40`}, 30, 2, ErrAnswer},
		"an error in between":     {listing{n: 250, badPage: 2}, 100, 2, errors.New("")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := tt.listing
			c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
			var got []int
			var last error
			for list, err := range c.Lists(t.Context(), "") {
				if last = err; err == nil {
					got = append(got, *list.ID)
				}
			}
			if (tt.err == nil) != (last == nil) || errors.Is(tt.err, ErrAnswer) != errors.Is(last, ErrAnswer) {
				t.Errorf("ended with %v, want %v", last, tt.err)
			}
			if len(got) != tt.want || l.asked != tt.asked {
				t.Errorf("%d lists by %d requests, want %d by %d", len(got), l.asked, tt.want, tt.asked)
			}
			for i, id := range got {
				if id != i+1 {
					t.Fatalf("list %d at place %d", id, i)
				}
			}
		})
	}
}

func TestPagesEndWhenTheReaderDoes(t *testing.T) {
	t.Parallel()
	l := listing{n: 250}
	c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
	for list, err := range c.Lists(t.Context(), "") {
		if err != nil || *list.ID == 100 {
			break
		}
	}
	if l.asked != 1 {
		t.Errorf("%d requests", l.asked)
	}
}

func TestPagesEndSomeTime(t *testing.T) {
	t.Parallel()
	n := 0
	var last error
	for _, err := range pages(OpListSearch, func(p Page) (Result[int], error) {
		r := Result[int]{Items: []int{p.Number}, Total: -1}
		r.sum[0], r.sum[1] = byte(p.Number), byte(p.Number>>8)
		return r, nil
	}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != maxPages || !errors.Is(last, ErrTooLarge) {
		t.Errorf("%d pages, %v", n, last)
	}
}

func TestAllPeople(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		listing
		want, asked int
		fails       bool
	}{
		"few":        {listing{n: 100, total: `,"tot":100`}, 100, 1, false},
		"many":       {listing{n: 250, total: `,"tot":250`}, 250, 2, false},
		"no total":   {listing{n: 100}, 100, 1, false},
		"never more": {listing{n: 250, most: 20, total: `,"tot":250`}, 20, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := tt.listing
			c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
			n := 0
			var last error
			for _, err := range c.AllTicketAgents(t.Context(), resource.PersonQuery{Size: is(1)}) {
				if last = err; err == nil {
					n++
				}
			}
			if n != tt.want || l.asked != tt.asked || (last != nil) != tt.fails {
				t.Errorf("%d by %d requests, %v", n, l.asked, last)
			}
		})
	}
}

func TestResult(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"result":[{"id":1},null],"tot":"2"}`: `[{"id":1},null] 2`,
		`{"result":[]}`:                        `[] -1`,
		`{"tot":0}`:                            `null 0`,
		`{"tot":-1}`:                           "error",
		`{"result":null,"tot":null}`:           "error",
		`{"error":"quota"}`:                    "error",
		`[]`:                                   "error",
		`null`:                                 "error",
		`{"result":{}}`:                        "error",
		`{"result":[1]}`:                       "error",
	} {
		var r Result[resource.List]
		got := "error"
		if err := r.decode([]byte(body)); err == nil {
			items, _ := json.Marshal(r.Items)
			got = fmt.Sprintf("%s %d", items, r.Total)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", body, d)
		}
	}
}

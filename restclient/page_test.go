package restclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
	"wallboard/model/resource"
)

// shelf is a platform with the lists 1 to n.
type shelf struct {
	n       int
	most    int  // maximum size of a page; 0: no maximum
	ours    bool // if the page is smaller than requested, the page number still counts pages of the requested size
	refuses bool // a larger size than most is refused
	deaf    bool // ignores the parameters and always returns the first page
	total   string
	index   string // what the parameter index counts: rows or pages, from 0 or from 1; "": it does not exist
	asked   int
	badPage int // page that is answered with 500; 0: none
	after   int // number of requests after which the list changes; 0: it does not
	gone    int // the entry that is removed then
	added   int // the number of entries that are added at the beginning then
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked++
	var ids []string
	for id := 1; id <= s.n; id++ {
		if s.after == 0 || s.asked <= s.after || id != s.gone {
			ids = append(ids, fmt.Sprintf(`{"id":%d,"uid":"%d"}`, id, id))
		}
	}
	if s.after > 0 && s.asked > s.after {
		for i := range s.added {
			ids = append([]string{fmt.Sprintf(`{"id":%d,"uid":"%d"}`, s.n+1+i, s.n+1+i)}, ids...)
		}
	}
	read := func(name string, def int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
			return n
		}
		return def
	}
	number, size := read("pageNumber", 1), read("pageSize", read("size", 50))
	if number == s.badPage || s.refuses && size > s.most && r.URL.Query().Has("pageSize") {
		respond(w, map[bool]int{true: http.StatusInternalServerError, false: http.StatusPreconditionFailed}[number == s.badPage], "")
		return
	}
	asked := size
	if s.most > 0 {
		size = min(size, s.most)
	}
	from := (number - 1) * size
	if s.ours {
		from = (number - 1) * asked
	}
	switch s.index {
	case "rows from 0":
		from = read("index", 0)
	case "rows from 1":
		from = read("index", 1) - 1
	case "pages from 0":
		from = read("index", 0) * size
	case "pages from 1":
		from = (read("index", 1) - 1) * size
	}
	if s.deaf {
		from = 0
	}
	from = max(min(from, len(ids)), 0)
	total := strings.ReplaceAll(s.total, "N", strconv.Itoa(len(ids)))
	respond(w, http.StatusOK, `{"result":[`+strings.Join(ids[from:min(from+size, len(ids))], ",")+`]`+total+`}`)
}

const told = `,"tot":N`

func TestPages(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shelf
		want, asked int
		short       string // what is missing; "": nothing
	}{
		"none":                    {shelf{total: told}, 0, 1, ""},
		"one page":                {shelf{n: 100, total: told}, 100, 1, ""},
		"three pages":             {shelf{n: 250, total: told}, 250, 3, ""},
		"small pages":             {shelf{n: 250, most: 50, total: told}, 250, 5, ""},
		"pages in our size":       {shelf{n: 20, most: 3, ours: true, total: told}, 20, 7, ""},
		"in our size, no total":   {shelf{n: 20, most: 3, ours: true}, 20, 8, ""},
		"large pages are refused": {shelf{n: 45, most: 50, refuses: true, total: told}, 45, 2, ""},
		"no total":                {shelf{n: 250}, 250, 4, ""},
		"none of those told":      {shelf{total: `,"tot":250`}, 0, 1, "0 of 250"},
		"total too high":          {shelf{n: 150, total: `,"tot":500`}, 150, 3, "150 of 500"},
		"no pages":                {shelf{n: 40, most: 40, deaf: true}, 40, 2, ""},
		"no pages, items missing": {shelf{n: 40, most: 30, deaf: true, total: told}, 30, 2, "30 of 40"},
		"one goes meanwhile":      {shelf{n: 250, total: told, after: 1, gone: 7}, 249, 3, "249; the list changed while it was read, one may be missing"},
		"one comes meanwhile":     {shelf{n: 250, total: told, after: 1, added: 1}, 250, 3, "250 of 251; the list changed while it was read, one may be missing"},
		"one comes, no total":     {shelf{n: 250, after: 1, added: 1}, 250, 4, "250; the list changed while it was read, one may be missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := tt.shelf
			c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
			got, err := model.Collect(c.Lists.AllLists(t.Context(), ""))
			if err != nil {
				t.Fatal(err)
			}
			checkShort(t, got.Short, tt.short)
			if len(got.Items) != tt.want || l.asked != tt.asked {
				t.Errorf("%d lists by %d requests, want %d by %d", len(got.Items), l.asked, tt.want, tt.asked)
			}
			last := 0
			for _, list := range got.Items {
				if *list.ID <= last {
					t.Fatalf("list %d after %d", *list.ID, last)
				}
				last = *list.ID
			}
		})
	}
}

func checkShort(t *testing.T, got *model.Incomplete, want string) {
	t.Helper()
	text := ""
	if got != nil {
		text = got.String()
	}
	if text != want {
		t.Errorf("short %q, want %q", text, want)
	}
}

func TestPagesEndWithAnError(t *testing.T) {
	t.Parallel()
	l := shelf{n: 250, badPage: 2}
	c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
	_, err := model.Collect(c.Lists.AllLists(t.Context(), ""))
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusInternalServerError {
		t.Errorf("ended with %v", err)
	}
}

func TestPagesEndWhenTheReaderDoes(t *testing.T) {
	t.Parallel()
	l := shelf{n: 250}
	c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
	for list, err := range c.Lists.AllLists(t.Context(), "") {
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
	for _, err := range allPages(resource.OpListSearch, func(at pagePosition) (Result[int], error) {
		r := Result[int]{Items: []int{at.number}, Total: -1, rowCount: 1, rows: make([]rowIdentity, 1)}
		r.hash[0], r.hash[1] = byte(at.number), byte(at.number>>8)
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
		shelf
		want, asked int
		short       string
	}{
		"few":                         {shelf{n: 100, total: told}, 100, 1, ""},
		"many":                        {shelf{n: 250, total: told}, 250, 2, ""},
		"no total":                    {shelf{n: 100, index: "rows from 0"}, 100, 3, ""},
		"rows from 0":                 {shelf{n: 50, most: 20, total: told, index: "rows from 0"}, 50, 5, ""},
		"rows from 1":                 {shelf{n: 50, most: 20, total: told, index: "rows from 1"}, 50, 6, ""},
		"pages from 0":                {shelf{n: 50, most: 20, total: told, index: "pages from 0"}, 50, 4, ""},
		"pages from 1":                {shelf{n: 50, most: 20, total: told, index: "pages from 1"}, 50, 5, ""},
		"one at a time, rows from 0":  {shelf{n: 4, most: 1, total: told, index: "rows from 0"}, 4, 5, ""},
		"one at a time, pages from 1": {shelf{n: 4, most: 1, total: told, index: "pages from 1"}, 4, 6, ""},
		"never more":                  {shelf{n: 250, most: 20, total: told, deaf: true}, 20, 4, "20 of 250"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := tt.shelf
			c := newClient(t, Options{URL: serve(t, l.ServeHTTP)})
			got, err := model.Collect(c.Tickets.AllTicketAgents(t.Context(), resource.PersonQuery{Size: is(1)}))
			if err != nil {
				t.Fatal(err)
			}
			checkShort(t, got.Short, tt.short)
			if len(got.Items) != tt.want || l.asked != tt.asked {
				t.Errorf("%d by %d requests, want %d by %d", len(got.Items), l.asked, tt.want, tt.asked)
			}
			for i, p := range got.Items {
				if p.UID != strconv.Itoa(i+1) {
					t.Fatalf("%s at place %d", p.UID, i)
				}
			}
		})
	}
}

// TestListings checks that every documented form of a list is read for every operation. Anything else
// must be reported as an error, never as an empty list.
func TestListings(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"result":[{"id":1},null],"tot":"2"}`: `[{"id":1},null] 2`,
		`{"result":[]}`:                        `[] -1`,
		`{"tot":0}`:                            `null 0`,
		`[{"id":1}]`:                           `[{"id":1}] -1`,
		`[]`:                                   `[] -1`,
		`{"total":23,"data":[{"id":1}],"code":"200"}`: `[{"id":1}] 23`,
		`{"result":{"data":[{"id":1}]},"tot":7}`:      `[{"id":1}] 7`,
		`{"article_count":0}`:                         `[{"article_count":0}] -1`,

		`{"tot":-1}`:                 `an object with "tot" (a number)`,
		`{"result":null,"tot":null}`: `an object with "result" (null), "tot" (null)`,
		`{"error":"quota"}`:          `an object with "error" (a text)`,
		`{"hits":[1,2,3],"took":4}`:  `an object with "hits" (a list of 3), "took" (a number)`,
		`{"code":"401","data":null}`: `an object with "code" (a text), "data" (null)`,
		`{"result":{"result":{}}}`:   `an object with "result" (an object)`,
		`null`:                       `null`,
		`true`:                       `true or false`,
		``:                           `empty`,
		`{}`:                         `an object without members`,
		`[1`:                         `not JSON`,
		`{"result":[1]}`:             "error",
		`{"\u001b[31m":1}`:           `an object with "␛[31m" (a number)`,
	} {
		var r Result[resource.List]
		err := r.decode([]byte(body))
		var shape *ShapeError
		got := "error"
		switch {
		case errors.As(err, &shape):
			got = shape.Received
			if !errors.Is(err, ErrInvalidAnswer) {
				t.Errorf("%s: %v is no ErrAnswer", body, err)
			}
		case err == nil:
			items, _ := json.Marshal(r.Items)
			got = fmt.Sprintf("%s %d", items, r.Total)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", body, d)
		}
	}
}

// TestListingsTakeLinearTime checks that the time to read a list grows linearly.
func TestListingsTakeLinearTime(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string][2]string{
		"nested results": {`{"result":`, `}`},
		"nested lists":   {`[`, `]`},
		"members":        {`{"a":1,"result":[],"b":[`, `]}`},
	} {
		const depth = 9000 // encoding/json accepts at most 10,000
		body := strings.Repeat(unit[0], depth) + strings.Repeat(unit[1], depth)
		began := time.Now()
		_, err := readListing([]byte(body))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: %v, %v", name, took, err)
		}
	}
}

func TestTicketPages(t *testing.T) {
	t.Parallel()
	const article = `{"id":%d,"ticket_id":%d,"subject":"s"}`
	one := func(id int) string { return fmt.Sprintf(article, id, id/2) }
	for name, tt := range map[string]struct {
		body  string
		all   bool
		want  string
		short string
	}{
		"as document 1 shows it":   {`{"article_count":2,"articles":[` + one(4) + `,` + one(5) + `]}`, false, "4 5", "2, perhaps not all: the platform does not say how many there are"},
		"a part of the articles":   {`{"article_count":12,"articles":[` + one(4) + `]}`, false, "4", "1 of 12"},
		"numbers only":             {`{"article_count":3,"article":` + one(4) + `,"article_ids":[4,5,6]}`, false, "4 #5 #6", "3, perhaps not all: the platform does not say how many there are"},
		"none":                     {`{"article_count":0,"articles":[],"article_ids":[]}`, false, "", ""},
		"paged, whole tickets":     {`{"tot":12,"result":[{"id":1,"articles":[` + one(4) + `]},{"id":2,"article":` + one(6) + `}]}`, false, "4 6", "2 of 12"},
		"paged, articles":          {`{"tot":2,"result":[` + one(4) + `,` + one(5) + `]}`, false, "4 5", ""},
		"paged, nothing known":     {`{"tot":1,"result":[{"id":7,"title":"Late","state":2}]}`, false, "id 7, title Late, state 2", ""},
		"paged, none":              {`{"tot":0,"result":[]}`, false, "", ""},
		"an array":                 {`[{"id":1,"articles":[` + one(4) + `]}]`, false, "4", "1, perhaps not all: the platform does not say how many there are"},
		"all, as document 1 shows": {`{"article_count":2,"articles":[` + one(4) + `,` + one(5) + `]}`, true, "4 5", ""},
		"all, paged":               {`{"tot":2,"result":[{"id":1,"articles":[` + one(4) + `]},{"id":2,"article":` + one(6) + `}]}`, true, "4 6", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, tt.body) })})
			var found model.FetchedList[resource.Ticket]
			var err error
			if tt.all {
				found, err = model.Collect(c.Tickets.AllTickets(t.Context(), resource.TicketQuery{}))
			} else {
				var page Result[resource.Ticket]
				page, err = c.Tickets.SearchTickets(t.Context(), resource.TicketQuery{})
				found = page.FetchedList()
			}
			if err != nil {
				t.Fatal(err)
			}
			checkShort(t, found.Short, tt.short)
			var got []string
			for _, ticket := range found.Items {
				for _, a := range ticket.AllArticles() {
					got = append(got, strconv.Itoa(*a.ID))
				}
				for _, id := range ticket.MissingArticleIDs() {
					got = append(got, "#"+strconv.Itoa(id))
				}
				if len(ticket.AllArticles())+len(ticket.MissingArticleIDs()) == 0 {
					got = append(got, ticket.Summary())
				}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

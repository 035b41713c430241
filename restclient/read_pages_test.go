package restclient

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// TestPageWithoutTotal reads a page of 35 rows without a total: the output says that there
// are more, or that it is unknown.
func TestPageWithoutTotal(t *testing.T) {
	t.Parallel()
	const usual = 20
	for name, tt := range map[string]struct {
		total int  // number of rows on the platform
		deaf  bool // the platform ignores the parameters
		page  Page
		want  string
	}{
		"the usual size":           {35, false, Page{}, "20, and there are more"},
		"a size":                   {35, false, Page{Size: 10}, "10, and there are more"},
		"a page in the middle":     {35, false, Page{Number: 2, Size: 10}, "10, and there are more"},
		"the last page":            {35, false, Page{Number: 4, Size: 10}, ""},
		"the last page is full":    {40, false, Page{Number: 4, Size: 10}, ""},
		"all of them":              {20, false, Page{}, ""},
		"none":                     {0, false, Page{}, ""},
		"a page of unknown size":   {35, false, Page{Number: 2}, "15, perhaps not all: the platform does not say how many there are"},
		"it knows no pages":        {20, true, Page{}, "20, perhaps not all: the platform does not say how many there are"},
		"it knows no pages, 1 row": {1, true, Page{}, "1, perhaps not all: the platform does not say how many there are"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				number, size := 1, usual
				if n, err := strconv.Atoi(r.FormValue("pageNumber")); err == nil && !tt.deaf {
					number = n
				}
				if n, err := strconv.Atoi(r.FormValue("pageSize")); err == nil && !tt.deaf {
					size = n
				}
				from := min((number-1)*size, tt.total)
				rows := []map[string]any{}
				for id := from; id < min(from+size, tt.total); id++ {
					rows = append(rows, map[string]any{"id": id + 1})
				}
				_ = json.NewEncoder(w).Encode(rows) // if this fails, the client reports an error
			}))
			defer srv.Close()
			client, err := New(Options{URL: srv.URL, Auth: AuthBearer, AccessToken: secret.New("x"), Edition: Edition140})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			found, err := ReadPages(true, tt.page, func(p Page) (Result[resource.List], error) {
				return client.Lists.SearchLists(t.Context(), "", p)
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			if found.Short != nil {
				said = found.Short.String()
			}
			if said != tt.want {
				t.Errorf("%d rows, %q, want %q", len(found.Items), said, tt.want)
			}
		})
	}
}

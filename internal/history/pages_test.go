package history_test

import (
	"testing"
	"time"

	"wallboard/internal/history"
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

// TestNewestFirst reads the last contacts of a range over the end of a month.
func TestNewestFirst(t *testing.T) {
	t.Parallel()
	c := open(t, nil).client(t, nil) // few requests, because of the budget
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

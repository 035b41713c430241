package history_test

import (
	"testing"
	"time"

	"wallboard/history"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/simulator"
	"wallboard/simulator/rest"
)

// A platform with smaller pages than are asked for is read to the end, and a list
// that changes between two of its pages says so.
func TestPagesOfThePast(t *testing.T) {
	t.Parallel()
	hour10 := past.Range{From: time.Date(2026, 3, 17, 10, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 17, 11, 0, 0, 0, time.UTC)}
	lists := map[string]func(c *history.Client) (n int, short *model.Short, err error){
		"calls": func(c *history.Client) (int, *model.Short, error) {
			f, err := model.Collect(c.Calls(t.Context(), past.Query{Kind: past.Inbound, Range: hour10}, nil))
			return len(f.Items), f.Short, err
		},
		"contacts": func(c *history.Client) (int, *model.Short, error) {
			f, err := model.Collect(c.Contacts(t.Context(), past.ContactQuery{}, nil))
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
			for _, change := range []string{"", rest.RowComes, rest.RowGoes} {
				p := open(t, func(o *simulator.Options) { o.Stat.MostRows = 9 })
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

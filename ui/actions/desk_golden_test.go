package actions_test

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/ui"
	"wallboard/ui/uitest"
)

// TestGoldenDesk compares forms, questions and results of the desk's dialogs with golden
// files.
func TestGoldenDesk(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	views := []struct {
		name    string
		command string
		fields  []string
		submit  bool
		keys    []string
	}{
		{"sms", "send a text message", []string{"+39 333 1", "Your order is ready.\nPlease bring the receipt."}, false, nil},
		{"sms-asked", "send a text message", []string{"+39 333 1", "Your order is ready."}, true, nil},
		{"tickets-search", "search tickets", nil, false, nil},
		{"tickets", "search tickets", nil, true, nil},
		{"article", "search tickets", nil, true, []string{"enter"}},
		{"people", "search ticket agents", nil, true, nil},
		{"person", "search ticket agents", nil, true, []string{"enter"}},
		{"nobody", "search ticket customers", nil, true, nil},
		{"chat", "read a chat", []string{"s-4711"}, true, nil},
		{"contact", "open a contact", []string{"c-17"}, true, nil},
		{"contact-edit", "open a contact", []string{"c-17"}, true, []string{"e"}},
		{"contact-delete", "open a contact", []string{"c-17"}, true, []string{"d", "A"}},
		{"lists", "search lists", nil, true, nil},
		{"list", "search lists", nil, true, []string{"enter"}},
		{"list-edit", "search lists", nil, true, []string{"enter", "e"}},
		{"items", "add items to a list", []string{"5", "", "0471 1;Anna;gold\n0471 2\nnobody"}, true, nil},
		{"items-delete", "delete items from a list", []string{"5", "1, 2, 3"}, true, nil},
		{"items-reset", "reset ALL items of all lists", nil, false, nil},
		{"run", "open a run by its id", []string{"9"}, true, nil},
		{"run-edit", "open a run by its id", []string{"9"}, true, []string{"e"}},
	}
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		for i, v := range views {
			if size[0] == 200 && i%4 != 0 {
				continue // most views look the same as at 120x40
			}
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], v.name), func(t *testing.T) {
				t.Parallel()
				b := newDesk(t, &uitest.FakePlatform{}, size[0], size[1], v.command)
				b.Fill(v.fields...)
				if v.submit {
					submit(b)
				}
				b.Press(v.keys...)
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

func TestGoldenDeskASCII(t *testing.T) {
	t.Parallel()
	b := newDesk(t, &uitest.FakePlatform{}, 80, 24, "search lists", func(o *ui.Options) { o.Display.ASCII = true })
	submit(b)
	b.Press("enter", "e", "tab", "tab", "x")
	golden.RequireEqual(t, b.Text())
}

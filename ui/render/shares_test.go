package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/model"
)

func TestRemainderOfAWhole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		parts []stateShare
		whole model.Int
		want  int64 // expected remainder; 0: none
	}{
		{"some are left", []stateShare{{value: n(4)}, {value: n(3)}}, n(20), 13},
		{"parts that are in another part count once", []stateShare{{value: n(4)}, {value: n(3), isSubpart: true}}, n(20), 16},
		{"unknown parts", []stateShare{{value: n(4)}, {}}, n(20), 16},
		{"more parts than the whole", []stateShare{{value: n(21)}}, n(20), 0},
		{"no part is known", []stateShare{{}}, n(20), 0},
		{"the whole is not known", []stateShare{{value: n(4)}}, model.Int{}, 0},
	} {
		var got int64
		for _, s := range withRemainder(tt.parts, tt.whole) {
			if s.state.Word.Equal(words.StateOther()) {
				got = s.value.Or(0)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %d others, want %d", tt.name, got, tt.want)
		}
	}
}

func TestGroupDetailNamesWhoIsBusy(t *testing.T) {
	t.Parallel()
	s := floor()
	busy := rossi()
	busy.Status = model.Busy
	s.UserStats.Put(busy)
	got := ansi.Strip(strings.Join(GroupDetail(s.Publish(now, model.Health{}), view(model.Call), "G1", 100), "\n"))
	for _, want := range []string{"● Talking               1  11.1 %", "? Other                 4  44.4 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

package ui

import (
	"math/rand/v2"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/style"
)

// TestAlikeBoards compares boards that share rendering caches with boards that do not:
// their output must be the same bytes after any input.
func TestAlikeBoards(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	all, alike := newShared(t, f, testNames()), new(style.LookCache)
	sizes := [][2]int{{200, 60}, {200, 60}, {120, 40}, {200, 60}}
	var sharing, alone []*board
	for _, size := range sizes {
		sharing = append(sharing, newBoardOn(t, f, size[0], size[1], func(o *Options) {
			all.seenBy(t, o, model.NamesFull)
			o.Process.SharedCaches, o.Navigation.StartPage = alike, "Agents"
		}))
		alone = append(alone, newBoardOn(t, f, size[0], size[1], func(o *Options) {
			newShared(t, f, testNames()).seenBy(t, o, model.NamesFull)
			o.Navigation.StartPage = "Agents"
		}))
	}
	both := func(i int, do func(b *board)) { do(sharing[i]); do(alone[i]) }
	keys := []string{
		"down", "down", "up", "pgdown", "end", "home", "s", "S", "c", "enter", "esc", "tab", "1", "2", "3", "4", "4", "4",
		"/", "r", "o", "enter", "esc", "T", "f", "left", "right", "w",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for step := range 600 {
		switch random.IntN(4) {
		case 0:
			for range random.IntN(4) {
				f.putAgent(random.IntN(60), random.IntN(1000))
			}
			f.Time = sharing[0].Now
			picture := f.publish()
			for i := range sizes {
				both(i, func(b *board) { b.send(snapshotMsg{Snapshot: picture}) })
			}
		case 1:
			for i := range sizes {
				both(i, func(b *board) { b.pass(time.Second / 2 * time.Duration(1+step%2)) })
			}
		default:
			i, k := random.IntN(len(sizes)), keys[random.IntN(len(keys))]
			both(i, func(b *board) { b.press(k) })
		}
		for i := range sizes {
			if got, want := string(sharing[i].Frame()), string(alone[i].Frame()); got != want {
				t.Fatalf("step %d, board %d shows\n%s\nits twin\n%s", step, i, got, want)
			}
		}
	}
	if drawn, taken := alike.CountRows(); taken < 500 {
		t.Errorf("%d rows were drawn, %d taken over: hardly anything is shared", drawn, taken)
	}
}

package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/render"
)

// redFloor returns a floor of n services in order of their names, some of them critical.
func redFloor(n int, ch model.Channel, red ...int) *testFloor {
	f := newTestFloor(0)
	for i := range serviceNames() {
		f.Services.Delete(model.ServiceKey{Code: serviceCode(i), Channel: model.Call})
		f.Services.Delete(model.ServiceKey{Code: serviceCode(i), Channel: model.Chat})
	}
	for i := range n {
		f.Services.Put(&model.Service{Code: model.TextOf(fmt.Sprintf("S%05d", i)), Channel: model.Call})
	}
	for _, i := range red {
		f.putRed(i, ch)
	}
	return f
}

func (f *testFloor) putRed(i int, ch model.Channel) {
	r := &model.Service{Code: model.TextOf(fmt.Sprintf("S%05d", i)), Channel: ch}
	r.ChannelStats.QueuedCalls, r.UserStats.LoggedUsers = known(1), heads(0)
	f.Services.Put(r)
}

func TestUnseenAlarms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		red  []int
		keys []string
		want string
	}{
		"none":       {nil, nil, "─ row 1 of 12"},
		"in view":    {[]int{0, 6}, nil, "─ row 1 of 12"},
		"below":      {[]int{0, 7, 11}, nil, "▲ 2 more below  row 1 of 12"},
		"above":      {[]int{0, 11}, []string{"end"}, "▲ 1 more above  row 12 of 12"},
		"both sides": {[]int{0, 11}, []string{"end", "up", "home", "pgdown", "down", "down"}, "▲ 2 out of view  row 9 of 12"},
		"filtered":   {[]int{0, 11}, []string{"/", "S", "0", "0", "0", "0", "enter"}, "▲ 1 more below  filter \"S0000\": 10 of 12"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			red := tt.red
			if name == "filtered" {
				red = []int{0, 9, 11} // the last of these services does not match the filter
			}
			b := newBoardOn(t, redFloor(12, model.Call, red...), 80, 12, func(o *Options) { o.Names = nil })
			b.press("2")
			b.pages.CurrentPage().Focused().SortBy("name", false)
			b.pass(0)
			b.press(tt.keys...)
			b.shows("Services ─", tt.want)
		})
	}
}

func TestUnseenAlarmsFollow(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, redFloor(12, model.Call), 80, 12, func(o *Options) { o.Names = nil })
	b.press("2")
	b.pages.CurrentPage().Focused().SortBy("name", false)
	b.pass(0)
	b.hides("below")
	b.floor.putRed(11, model.Call)
	b.Now = b.Now.Add(time.Second)
	b.publish()
	b.shows("▲ 1 more below")
	b.send(windowSize(80, 30))
	b.hides("below")
}

func TestStatusOfRows(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("tab")
	b.shows("Services ━", "━ row 1 of 12")
	b.shows("Campaigns ─", "─ row 1 of 3")
	b.press("2", "down")
	b.shows("─ row 2 of 12")
	b.press("/")
	b.words(" sales")
	b.shows("filter \"sales\": 2 of 12")
	b.words(" germany")
	b.shows("filter \"sales germany\": 1 of 12")
	b.words("x")
	b.shows("filter \"sales germanyx\": 0 of 12")
	b.shows("No match for \"sales germanyx\" in 12 services; esc clears the filter.")
	b.press("esc")
	b.shows("─ row 2 of 12")
	b.press("/", " ", "enter") // a filter of spaces is empty
	b.shows("─ row 2 of 12")
}

func TestThousandsAreGroupedInSummaries(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, newTestFloor(12000), 120, 40)
	b.shows("Agents by state", "12 000 logged in")
	b.press("4")
	b.shows("row 1 of 12 000")
}

func TestAlarmsOnOtherChannels(t *testing.T) {
	t.Parallel()
	f := redFloor(3, model.Chat, 1)
	b := newBoardOn(t, f, 120, 30, func(o *Options) { o.Process.ShowInsecureBadge = true })
	b.shows("▲ 1 Chat", "● LIVE")
	b.press("c")
	b.shows("· Chat")
	b.hides("▲ 1 Chat")
	b.press("C", "p") // the mark describes the newest snapshot, not the frozen one
	for _, ch := range []model.Channel{model.OmniDesk, "SMOKE_SIGNALS_FROM_THE_HILL"} {
		f.putRed(1, ch)
	}
	b.publish()
	b.shows("▲ Chat +2 ")
	f.Services.Delete(model.ServiceKey{Code: "S00001", Channel: model.Chat})
	f.Services.Delete(model.ServiceKey{Code: "S00001", Channel: model.OmniDesk})
	b.publish()
	b.shows("▲ 1 SMOKE_SIGNALS…")
	b.send(windowSize(40, 12))
	b.hides("SMOKE")
	b.shows("FROZEN")
}

func TestTooSmallIsNotCut(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	whole := []string{"Too small", "40x12 at least;", "min 40x12", "Small", "40x12", "!", ""}
	for w := 1; w < frame.MinWidth; w++ {
		for _, h := range []int{1, 3, 11, 24, 200} {
			b := newBoardOn(t, nil, w, h)
			size := fmt.Sprintf("%dx%d", w, h)
			for _, l := range b.trimmed() {
				if !slices.Contains(whole, l) && l != "now "+size && l != "this is "+size {
					t.Errorf("%s: a line is cut: %q", size, l)
				}
			}
		}
	}
}

// TestOperatorShowsHisProfile checks that an operator's page shows the figures of the operator profile,
// because operators have no figures of their own.
func TestOperatorShowsHisProfile(t *testing.T) {
	t.Parallel()
	st := model.NewStore()
	st.Users.Put(&model.User{Username: model.TextOf("olga"), Surname: model.TextOf("Operator")})
	st.Operators.Put(&model.Operator{Username: model.TextOf("olga"), Channel: model.Call, LoggedProfileID: model.IntOf(77)})
	p := &model.ProfileStat{ID: model.IntOf(77)}
	p.Channel, p.Status, p.NumberCallFromServiceAnswered = model.Call, model.Ready, model.IntOf(4711)
	st.OperatorProfiles.Put(p)
	s := st.Publish(time.Now(), model.Health{})
	v := &render.View{Options: &render.Options{}, Scope: render.Scope{Channel: model.Call}, Now: s.At}
	if got := strings.Join(render.UserDetail(s, v, "olga", 100), "\n"); !strings.Contains(got, "4711") {
		t.Errorf("the operator's figures are missing:\n%s", got)
	}
}

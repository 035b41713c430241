package ui

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// sgr matches the only escape sequences that a frame may contain.
var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// TestFrame checks that the frame fits the screen after any input, at any size, with any
// names.
func TestFrame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := newTestFloor(rapid.IntRange(0, 30).Draw(rt, "agents"))
		hostile := rapid.SliceOfN(hostileName(), 1, 6).Draw(rt, "names")
		addHostile(f, hostile)
		w, h := rapid.IntRange(0, 220).Draw(rt, "width"), rapid.IntRange(0, 70).Draw(rt, "height")
		b := newBoardOn(t, f, w, h, func(o *Options) {
			o.Display.ASCII = rapid.Bool().Draw(rt, "ascii")
			o.Title = hostile[0]
			if rapid.Bool().Draw(rt, "acts") {
				outcome := rapid.SampledFrom([]resource.Outcome{
					resource.OutcomeUnknown, resource.OutcomeConfirmed, resource.OutcomeRejected, resource.OutcomeNotSent,
				}).Draw(rt, "outcome")
				o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{Outcome: outcome, Text: words.Name(hostile[0]), Warning: words.Name(hostile[len(hostile)-1])}))
			}
		})
		b.checkFrame(rt, w, h)
		for _, step := range rapid.SliceOfN(anyStep(), 1, 25).Draw(rt, "steps") {
			step(b)
			b.checkFrame(rt, b.width, b.height)
		}
	})
}

// checkFrame checks the invariants of a frame.
func (b *board) checkFrame(rt *rapid.T, w, h int) {
	rt.Helper()
	content := b.View().Content
	if w == 0 || h == 0 {
		return
	}
	lines := strings.Split(content, "\n")
	if len(lines) != h {
		rt.Fatalf("%dx%d: %d lines:\n%s", w, h, len(lines), b.text())
	}
	for i, l := range lines {
		// Terminals disagree on the width of emoji sequences. The board pads by one measure
		// or the other.
		if min(ansi.StringWidth(l), ansi.StringWidthWc(l)) > w {
			rt.Fatalf("%dx%d: line %d is %d wide: %q", w, h, i, ansi.StringWidth(l), l)
		}
		for _, r := range sgr.ReplaceAllString(l, "") {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
				rt.Fatalf("%dx%d: line %d holds %U: %q", w, h, i, r, l)
			}
		}
	}
}

// hostileName generates an agent's name, cleaned as by the feed.
func hostileName() *rapid.Generator[string] {
	return rapid.Custom(func(rt *rapid.T) string {
		s := rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom([]string{
				"北京市朝阳区客户服务中心", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "\x1b[31mred\x1b[0m", "a\u202eb", "e\u0301\u0301\u0301\u0301\u0301\u0301",
				"", strings.Repeat("x", 400), "__EMPTY__", "\x9b31m", "نص عربي", "ก็็็็็", "\U0001F1EE\U0001F1F9",
			}),
		).Draw(rt, "name")
		return model.CleanText(s, model.MaxName)
	})
}

func addHostile(f *testFloor, names []string) {
	for i, n := range names {
		f.Services.Put(&model.Service{
			Code: model.TextOf(n), Channel: model.Call,
			ChannelStats: model.ServiceCalls{
				QueuedCalls: known(math.MaxInt64), ReceivedCalls: known(math.MinInt64), HangupCalls: known(-5),
				AverageTimeOnQueue: model.FloatOf(math.MaxFloat64), MaxTimeCallOnQueue: known(math.MaxInt64),
			},
		})
		f.Users.Put(&model.User{Username: model.TextOf(n), Surname: model.TextOf(n), Services: []string{n}})
		r := &model.UserStat{Username: model.TextOf(n), Surname: model.TextOf(n)}
		r.Channel, r.Status = model.Call, model.UserStatus(n)
		r.TimeInState = model.InstantOfMilli(math.MaxInt64 / 2)
		r.CurrentService, r.ActivityCode = model.TextOf(n), model.TextOf(n)
		f.UserStats.Put(r)
		f.Groups.Put(&model.Group{Code: model.TextOf(n), Channel: model.Channel(n)})
		f.Campaigns.Put(&model.Campaign{CampaignID: known(int64(i) - 3)})
		f.Health.Notice = n
		f.Health.Subscriptions[i%9].State = model.SubRefused
		f.Health.Subscriptions[i%9].Reason = n
	}
}

// anyStep generates an event for a board.
func anyStep() *rapid.Generator[func(*board)] {
	keys := []string{
		"1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "tab", "shift+tab", "left", "right", "up", "down", "pgup", "pgdown",
		"home", "end", "enter", "esc", "/", ":", "?", "p", "space", "t", "u", "h", "o", "i", "+", "s", "S", "#", "c", "C", "a", "e", "r", "é", "backspace",
		"d", "x", "v", "l", "m", "w", "y", "n", "ctrl+s",
	}
	return rapid.Custom(func(rt *rapid.T) func(*board) {
		switch rapid.IntRange(0, 9).Draw(rt, "what") {
		case 0:
			w, h := rapid.IntRange(1, 220).Draw(rt, "w"), rapid.IntRange(1, 70).Draw(rt, "h")
			return func(b *board) { b.send(tea.WindowSizeMsg{Width: w, Height: h}) }
		case 1:
			x, y := rapid.IntRange(0, 220).Draw(rt, "x"), rapid.IntRange(0, 70).Draw(rt, "y")
			return func(b *board) { b.click(x, y) }
		case 2:
			d := time.Duration(rapid.IntRange(0, 7200).Draw(rt, "seconds")) * time.Second
			state := rapid.SampledFrom([]model.LinkState{model.LinkUp, model.LinkBackoff, model.LinkRefused, "?"}).Draw(rt, "link")
			return func(b *board) {
				b.Now = b.Now.Add(d)
				b.link(func(l *model.Link) { l.State = state })
			}
		case 3:
			return func(b *board) { b.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}) }
		}
		k := rapid.SampledFrom(keys).Draw(rt, "key")
		return func(b *board) { b.press(k) }
	})
}

func TestUnchangedFrameIsTheSameString(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 200, 60)
	before := b.View().Content
	b.send(clockMsg{})
	b.send(animateMsg{})
	b.send(tea.KeyReleaseMsg{Code: 'x'})
	b.send(snapshotMsg{Snapshot: b.scene.floor.Newest})
	after := b.View().Content
	if before != after {
		t.Error("the frame changed although nothing did")
	}
}

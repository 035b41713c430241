package actions_test

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui"
	"wallboard/ui/uitest"
)

// TestGoldenActions compares the dialogs about agents and campaigns with golden files.
func TestGoldenActions(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	rejected := words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("Bianchi Anna has no phone logged in, so no call can be made for her.")}
	warned := done()
	warned.Warning = words.ControlUnrecorded()
	views := []struct {
		name   string
		report words.ActionReport
		calls  string
		page   string
		keys   []string
	}{
		{"menu-agent", done(), uitest.OneCallJSON, pageAgents, []string{"a"}},
		{"menu-campaign", done(), uitest.OneCallJSON, pageCampaigns, []string{"a"}},
		{"dial", done(), uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3"}},
		{"rejected", rejected, uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3", "ctrl+s"}},
		{"unknown", unknown(), uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3", "ctrl+s"}},
		{"warning", warned, uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3", "ctrl+s"}},
		{"pending", done(), uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3", "ctrl+s"}},
		{"pending-agent", done(), uitest.OneCallJSON, pageAgents, []string{"d", "1", "2", "3", "ctrl+s", "enter"}},
		{"hang-up", done(), uitest.OneCallJSON, pageAgents, []string{"x"}},
		{"calls", done(), uitest.TwoCallsJSON, pageAgents, []string{"l"}},
		{"no-calls", done(), `[]`, pageAgents, []string{"x"}},
		{"start", done(), uitest.OneCallJSON, pageCampaigns, []string{"d"}},
		{"stop", done(), uitest.OneCallJSON, pageCampaigns, []string{"down", "down", "x"}},
		{"campaign", done(), uitest.OneCallJSON, pageCampaigns, []string{"l"}},
		{"campaign-edit", done(), uitest.OneCallJSON, pageCampaigns, []string{"e", "tab", "9"}},
		{"campaign-diff", done(), uitest.OneCallJSON, pageCampaigns, []string{"e", "tab", "9", "ctrl+s"}},
		{"discard", done(), uitest.OneCallJSON, pageAgents, []string{"d", "1", "esc"}},
		{"log", unknown(), uitest.OneCallJSON, pageAgents, []string{"x", "y", "enter", "v", "y", "enter", "i"}},
	}
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		for _, v := range views {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], v.name), func(t *testing.T) {
				t.Parallel()
				c := uitest.NewController(v.report)
				c.CallsText = v.calls
				b := newActing(t, c, size[0], size[1], v.page)
				b.Press(v.keys...)
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

func TestGoldenActionsASCII(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(unknown()), 80, 24, pageAgents, func(o *ui.Options) { o.Display.ASCII = true })
	b.Press("x", "y", "enter", "i")
	golden.RequireEqual(t, b.Text())
}

func TestGoldenActingHelp(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(done()), 100, 30, pageAgents)
	b.Press("?")
	golden.RequireEqual(t, b.Text())
}

package boarddialogs

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/report/figureproof"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/dialog"
)

// TestReceiptCommand checks which receipts the command saves, and that it computes them only in the
// background.
func TestReceiptCommand(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	for _, code := range []string{"SRV01", "SRV02"} {
		store.Services.Put(&model.Service{Code: model.TextOf(code), Channel: model.Call, ChannelStats: model.ServiceCalls{
			ReceivedCalls: model.IntOf(50), AnsweredCalls: model.IntOf(40), AnsweredCallsUnderSpeedLimit: model.IntOf(30), HangupCalls: model.IntOf(5),
		}})
	}
	s := store.Publish(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), model.Health{})
	goals := func(service string) kpi.Goal {
		g := alert.DefaultGoal()
		if g.ServiceLevel = model.FloatOf(0.8); service == "SRV02" {
			g.ServiceLevel = model.FloatOf(0.9)
		}
		return g
	}
	var saved []byte
	save := func(name string, data []byte) (string, error) {
		saved = data
		return name, nil
	}
	for _, c := range []struct {
		key     alert.Key
		target  float64
		message string
	}{
		{alert.Key{Scope: alert.Service, Code: "SRV02", Channel: model.Call}, 0.9, "Saved as receipt-2026-03-"},
		{alert.Key{Scope: alert.Floor, Channel: model.Call}, 0.8, "Saved as receipt-2026-03-"},
		{alert.Key{Scope: alert.Service, Code: "SRV09", Channel: model.Call}, 0, "No figures are known here."},
	} {
		saved = nil
		command := FigureProofCommands(nil, save, s, c.key, figureproof.Rules{Goal: goals})[0].Run()
		if saved != nil {
			t.Fatalf("%v: saved before the command ran", c.key)
		}
		notice, ok := command().(dialog.NoticeMsg)
		if !ok || !strings.HasPrefix(notice.Text, c.message) {
			t.Errorf("%v: message %+v, want %q", c.key, notice, c.message)
		}
		if c.target == 0 {
			continue
		}
		all, err := figureproof.ReadReceipts(bytes.NewReader(saved))
		if err != nil {
			t.Fatalf("%v: %v", c.key, err)
		}
		levels := 0
		for _, r := range all {
			if r.Scope != c.key.Scope || r.Code != c.key.Code || r.Channel != c.key.Channel {
				t.Errorf("%v: a receipt is about %s %s", c.key, r.Scope, r.Code)
			}
			if r.Figure == "serviceLevel" && r.Goal != nil && *r.Goal.ServiceLevel == c.target {
				levels++
			}
		}
		if levels != 1 {
			t.Errorf("%v: %d receipts for the service level with the target %v", c.key, levels, c.target)
		}
	}
	for name, commands := range map[string][]dialog.Command{
		"nothing can save": FigureProofCommands(nil, nil, s, alert.Key{Scope: alert.Floor}, figureproof.Rules{Goal: goals}),
		"no snapshot":      FigureProofCommands(nil, save, nil, alert.Key{Scope: alert.Floor}, figureproof.Rules{Goal: goals}),
	} {
		if len(commands) > 0 {
			t.Errorf("%s: there is a command", name)
		}
	}
}

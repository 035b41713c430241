package ui

import (
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/report/figureproof"
	"wallboard/model"
)

// TestReceiptsOfFrozenBoard checks that on a frozen board, the receipt for a figure of [[kpi]] describes
// the frozen snapshot, like the other receipts.
func TestReceiptsOfFrozenBoard(t *testing.T) {
	t.Parallel()
	engine := func() (*alert.Engine, error) {
		return alert.New(alert.Options{Goal: alert.DefaultGoal(), KPIs: []alert.KPI{{Name: "own", Scope: alert.Service, Expr: "receivedCalls"}}})
	}
	b := newBoard(t, 120, 40, func(o *Options) { o.Archive.Engine = engine })
	set := func(received int64) {
		b.floor.Services.Put(&model.Service{
			Code: model.TextOf("ZZZ"), Channel: model.Call, ChannelStats: model.ServiceCalls{ReceivedCalls: model.IntOf(received)},
		})
		b.publish()
	}
	set(10)
	b.press("p")
	set(20)
	r, ok := figureproof.NewReceipt(b.scene.floor.Shown, b.scene.figureRules(), alert.Key{Scope: alert.Service, Code: "ZZZ", Channel: model.Call}, "own")
	if !ok || r.Value == nil || *r.Value != 10 {
		t.Errorf("%+v, want the value 10", r)
	}
}

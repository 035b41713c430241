package headless

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
)

// still is a platform with a single snapshot.
type still struct{ picture *model.Snapshot }

func (s still) Latest() *model.Snapshot { return s.picture }

func (s still) Wait(context.Context, uint64) (*model.Snapshot, error) { return s.picture, nil }

var _ hub.Source = still{}

// TestMarksOfTimes checks that the status line, its JSON document and the metrics mark an estimated longest
// wait in a presumed unit.
func TestMarksOfTimes(t *testing.T) {
	t.Parallel()
	for presumed, want := range map[model.Presumed]string{model.PresumedLongest: "1", 0: "0"} {
		store := model.NewStore()
		store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(3), MaxTimeCallOnQueue: model.IntOf(900), AverageTimeOnQueue: model.FloatOf(20),
			Wait: model.Wait{Meaning: model.WaitDaily, For: model.IntOf(100), AtLeast: model.IntOf(90)},
		}})
		h := model.Health{Link: model.Link{State: model.LinkUp}, Presumed: presumed}
		for _, op := range model.Operations() {
			h.Subscriptions = append(h.Subscriptions, model.Subscription{Name: op.Name, State: model.SubLive})
		}
		floor, err := hub.New(hub.Options{
			Source: still{store.Publish(time.Now(), h)},
			Engine: func(model.FloorPart) (*alert.Engine, error) {
				c := config.Default()
				return alert.New(c.AlertOptions(nil))
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		v, err := NewViewer(floor, "", false)
		if err != nil {
			t.Fatal(err)
		}
		v.Evaluate()
		if line := v.StatusLine(nil); !strings.Contains(line, "about 1:40") || strings.Contains(line, "1:40 (presumed)") != (want == "1") {
			t.Errorf("the line is %q", line)
		}
		text := collectMetrics([]*Viewer{v}, time.Now()).String()
		for _, sample := range []string{
			`wallboard_service_kpi_presumed{kpi="longestWait",channel="CALL",service="S"} ` + want,
			`wallboard_service_kpi_estimated{kpi="longestWait",channel="CALL",service="S"} 1`,
			`wallboard_service_kpi_presumed{kpi="asa",channel="CALL",service="S"} 0`,
			`wallboard_service_kpi_estimated{kpi="asa",channel="CALL",service="S"} 0`,
			`wallboard_floor_kpi_presumed{kpi="longestWait",channel="CALL"} ` + want,
			`wallboard_floor_kpi_estimated{kpi="longestWait",channel="CALL"} 1`,
		} {
			if !strings.Contains(text, "\n"+sample+"\n") {
				t.Errorf("there is no %s in\n%s", sample, text)
			}
		}
		doc, err := json.Marshal(v.StatusDoc().KPIs)
		if err != nil {
			t.Fatal(err)
		}
		var kpis []struct {
			Name                string
			Estimated, Presumed bool
		}
		if err := json.Unmarshal(doc, &kpis); err != nil {
			t.Fatal(err)
		}
		for _, k := range kpis {
			if is := k.Name == "longestWait"; k.Estimated != is || k.Presumed != (want == "1" && (is || k.Name == "longestToday")) {
				t.Errorf("%+v", k)
			}
		}
	}
}

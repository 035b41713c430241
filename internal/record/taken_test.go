package record

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestTakeOverIsRead writes acknowledgements to a file and reads them; in an anonymized
// file they are removed.
func TestTakeOverIsRead(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	tape, err := NewBatchWriter(dir, Metadata{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tape.Add(model.NewStore().Publish(morning, model.Health{})); err != nil {
		t.Fatal(err)
	}
	want := Mark{At: morning.Add(time.Second), Kind: MarkNote, Text: "Taken over", Taken: model.TakenAlert{
		Rule: "longest wait", Scope: "service", Code: "SALES", Channel: model.Call, Level: 2, By: "Maria",
	}}
	want.Incident = &model.Incident{
		ID: "1", Scope: "service", Code: "SALES", Channel: model.Call, Title: "Sales", Level: 2, Began: morning, Ended: morning.Add(time.Second),
		Alerts: []model.IncidentAlert{{TakenAlert: want.Taken, Text: "Sales: 9 waiting", Since: morning, Raised: morning}},
	}
	if err := tape.WriteMark(want); err != nil {
		t.Fatal(err)
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Info().Marks
	if len(got) != 1 || got[0].Taken != want.Taken || !got[0].At.Equal(want.At) {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(want.Incident, got[0].Incident); diff != "" {
		t.Error(diff)
	}
	if m := NewScrubber(model.NamesInitials, r.Info().About).AnonymizeMark(want); m.Taken != (model.TakenAlert{}) || m.Incident != nil {
		t.Errorf("anonymized file contains %+v, %+v", m.Taken, m.Incident)
	}
}

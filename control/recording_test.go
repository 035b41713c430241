package control

import (
	"strings"
	"testing"

	"wallboard/model/resource"
)

// A call that still rings is not told as one that is being recorded.
func TestRecordingOnConnectIsNotToldAsRecording(t *testing.T) {
	t.Parallel()
	onConnect := true
	r := newPlatform(t).desk(t, nil).StartRecording(t.Context(), resource.Recording{Username: "anna", CallID: "c1", OnConnect: &onConnect})
	if r.Outcome != resource.Confirmed || !strings.Contains(r.Text, "once it is connected") || r.Warning == "" {
		t.Errorf("%+v", r)
	}
}

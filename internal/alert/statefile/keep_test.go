package statefile

import (
	"strconv"
	"testing"
	"time"

	"wallboard/model"
)

// TestActiveNotesOutlastMarks checks that hundreds of newer marks do not remove a note that is still
// active.
func TestActiveNotesOutlastMarks(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	list := []model.Note{{ID: "tolerance", At: at, Until: at.Add(17 * time.Hour)}, {ID: "ended", At: at, Until: at.Add(time.Hour)}}
	for i := range 600 {
		list = append(list, model.Note{ID: strconv.Itoa(i), At: at.Add(time.Duration(i+1) * time.Minute)})
	}
	kept := keepNewest(list, 500)
	if len(kept) != 500 || kept[0].ID != "tolerance" || kept[1].ID != "101" || kept[499].ID != "599" {
		t.Errorf("%d kept, the first are %s and %s, the last is %s", len(kept), kept[0].ID, kept[1].ID, kept[len(kept)-1].ID)
	}
}

package diagnosis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// listedNotes holds notes and the ID of the last one that a surge followed.
type listedNotes struct {
	list     []model.Note
	followed string
}

func (l *listedNotes) All() []model.Note                  { return l.list }
func (l *listedNotes) RecordSurge(id string, _ time.Time) { l.followed = id }

// surgeRun simulates a service with a surge of calls. The surge begins at onset, has several times the usual
// rate and lasts until the end. surgeRun returns the cause of the queue if it is the surge, otherwise the
// zero Cause, and the ID of the mark that the surge follows, or "" if there is none.
func surgeRun(rnd *rand.Rand, marks []model.Note, start, onset time.Time) (cause diagnosis.Cause, followed string) {
	h := newCauseHall(8)
	h.now = start
	for i := range h.states {
		h.agent(i, model.Ready, "", "")
	}
	every := 16 + rnd.IntN(15)
	h.works(int(onset.Sub(start).Seconds()), every, 60, 20, 0)
	h.works(150+rnd.IntN(120), every/4, 60, 20, 3)
	notes := &listedNotes{list: marks}
	causes, _ := diagnosis.ExplainQueue(h.track, h.snap, diagnosis.CauseInput{
		Key: key, Since: h.now.Add(-100 * time.Second), Now: h.now,
		Activity: func(code string) string { return code }, Service: func(code string) string { return code },
		Notes: notes,
	})
	for _, c := range causes {
		if c.Kind == diagnosis.MoreContacts {
			return c, notes.followed
		}
	}
	return diagnosis.Cause{}, ""
}

// TestSurgesAreNamed checks 100 surges that follow a mark and 100 that do not: at least 90 % of the first
// have the name of their mark, and at least 95 % of the others have none. Marks have texts with and without a
// usual delay; the day of a surge also has two unrelated marks.
func TestSurgesAreNamed(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(41, 3))
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	mark := func(text string, at time.Time) model.Note {
		return model.Note{ID: fmt.Sprint(text, at), Text: text, At: at}
	}
	// earlier returns three marks of earlier days that were followed about seven minutes later, and some
	// with another text that nothing ever followed.
	earlier := func() (list []model.Note) {
		for day := range 3 {
			at := start.AddDate(0, 0, -3+day)
			m := mark("newsletter", at)
			m.Surge = at.Add(time.Duration((6 + 2*rnd.Float64()) * float64(time.Minute)))
			list = append(list, m, mark("backup", at.Add(time.Hour)))
		}
		return append(list, mark("backup", start.Add(-time.Hour)))
	}
	const runs = 100
	seen, named, unrelatedSeen, unrelatedNamed := 0, 0, 0, 0
	for range runs {
		onset := start.Add(22*time.Minute + time.Duration(rnd.Float64()*float64(8*time.Minute)))
		other := func(text string) model.Note { // at any time of the working day
			return mark(text, start.Add(time.Duration(rnd.Float64()*8*float64(time.Hour))))
		}
		cause, delay := mark("newsletter", onset), time.Duration((6+2*rnd.Float64())*float64(time.Minute))
		if rnd.IntN(2) == 0 {
			cause, delay = mark("TV spot", onset), time.Duration(rnd.Float64()*10*float64(time.Minute))
		}
		cause.At = onset.Add(-delay)
		for _, related := range []bool{true, false} {
			list := append(earlier(), other("newsletter"), other("backup"))
			if related {
				list = append(list, cause)
			}
			slices.SortFunc(list, func(a, b model.Note) int { return a.At.Compare(b.At) })
			c, followed := surgeRun(rnd, list, start, onset)
			switch {
			case c.Text == "":
			case related:
				if seen++; followed == cause.ID && strings.Contains(c.Text, cause.Text) {
					named++
				}
			default:
				if unrelatedSeen++; followed != "" {
					unrelatedNamed++
				}
			}
		}
	}
	t.Logf("%d of %d surges after a mark have its name; %d of %d others have one", named, seen, unrelatedNamed, unrelatedSeen)
	if seen < runs*9/10 || unrelatedSeen < runs*9/10 {
		t.Fatalf("only %d and %d surges are seen", seen, unrelatedSeen)
	}
	if named*100 < seen*90 {
		t.Errorf("%d of %d surges have the name of their mark, want 90 %%", named, seen)
	}
	if unrelatedNamed*100 > unrelatedSeen*5 {
		t.Errorf("%d of %d unrelated surges have a name, want at most 5 %%", unrelatedNamed, unrelatedSeen)
	}
}

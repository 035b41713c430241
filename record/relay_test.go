package record

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

// TestRelay has a decoder rebuild what an encoder was given, from a whole frame in the
// middle on, and says so of frames that cannot be read.
func TestRelay(t *testing.T) {
	t.Parallel()
	f := newBusy(50)
	e := NewEncoder()
	store := model.NewStore()
	d, err := NewDecoder(e.Schema(), store)
	if err != nil {
		t.Fatal(err)
	}
	e.Frame(second(f, 50), true)
	for i := range 20 {
		snap := second(f, 50)
		whole := i%7 == 0
		if err := d.Read(e.Frame(snap, whole), whole); err != nil {
			t.Fatal(err)
		}
		got := d.Show(d.Health())
		if diff := cmp.Diff(snap.UserStats.Sorted(), got.UserStats.Sorted(), exact); diff != "" || !got.At.Equal(snap.At) || got.Seq != uint64(i+1) {
			t.Fatalf("frame %d at %v (%v), number %d: %s", i, got.At, snap.At, got.Seq, diff)
		}
	}
	if err := d.Read([]byte{0xff}, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("a frame that ends too soon: %v", err)
	}
	for _, told := range []string{"", `{"tables":[{"op":"other"}]}`, strings.Repeat("[", 10)} {
		if _, err := NewDecoder([]byte(told), store); err == nil {
			t.Errorf("schema %q is taken", told)
		}
	}
}

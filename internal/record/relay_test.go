package record

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestRelay decodes the frames of an encoder, starting from a whole frame in the
// middle, and checks errors of invalid frames.
func TestRelay(t *testing.T) {
	t.Parallel()
	f := newBusy(50)
	e := NewRelayEncoder()
	store := model.NewStore()
	d, err := NewRelayDecoder(e.Schema(), store)
	if err != nil {
		t.Fatal(err)
	}
	e.EncodeFrame(second(f, 50), true)
	for i := range 20 {
		snap := second(f, 50)
		whole := i%7 == 0
		if err := d.DecodeFrame(e.EncodeFrame(snap, whole), whole); err != nil {
			t.Fatal(err)
		}
		got := d.Publish(d.Health())
		if diff := cmp.Diff(snap.UserStats.Sorted(), got.UserStats.Sorted(), exact); diff != "" || !got.At.Equal(snap.At) || got.Seq != uint64(i+1) {
			t.Fatalf("frame %d at %v (%v), number %d: %s", i, got.At, snap.At, got.Seq, diff)
		}
	}
	if err := d.DecodeFrame([]byte{0xff}, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("a frame that ends too soon: %v", err)
	}
	for _, told := range []string{"", `{"tables":[{"op":"other"}]}`, strings.Repeat("[", 10)} {
		if _, err := NewRelayDecoder([]byte(told), store); err == nil {
			t.Errorf("schema %q is accepted", told)
		}
	}
}

// TestTextsOfOthers checks that unclean texts from a relay and a file are cleaned, and
// that empty texts stay known.
func TestTextsOfOthers(t *testing.T) {
	t.Parallel()
	st := model.NewStore()
	for code, name := range map[string]string{"hostile": "\x1b[2J\u202e\u009b", "empty": ""} {
		st.Users.Put(&model.User{Username: model.TextOf(code), Name: model.TextOf(name)})
	}
	s := st.Publish(morning, model.Health{Notice: "a\nb"})
	e := NewRelayEncoder()
	d, err := NewRelayDecoder(e.Schema(), model.NewStore())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.DecodeFrame(e.EncodeFrame(s, true), true); err != nil {
		t.Fatal(err)
	}
	dir := testkit.PrivateDir(t)
	tape, err := NewBatchWriter(dir, Metadata{Platform: "\x1b", Codes: []Code{{"service", "S1", "\u2028"}}})
	if err != nil {
		t.Fatal(err)
	}
	mark := Mark{At: morning, Kind: MarkNote, Text: "\u009b", Taken: model.TakenAlert{Rule: "\r", By: "\u2066"}}
	mark.Incident = &model.Incident{Title: "\r", Alerts: []model.IncidentAlert{{Text: "\r", TakenAlert: model.TakenAlert{By: "\r"}}}}
	if err := errors.Join(tape.Add(s), tape.WriteMark(mark), tape.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	played, err := r.Player().Seek(morning)
	if err != nil {
		t.Fatal(err)
	}
	for from, got := range map[string]*model.Snapshot{"a relay": d.Publish(d.Health()), "a file": played} {
		if text, known := got.Users.Get("empty").Name.Get(); text != "" || !known {
			t.Errorf("%s: an empty text is %q, known %v", from, text, known)
		}
		if text := got.Users.Get("hostile").Name.String(); text != "␛[2J\ufffd\ufffd" || got.Health.Notice != "a␊b" {
			t.Errorf("%s: %q, %q", from, text, got.Health.Notice)
		}
	}
	in := r.Info()
	got := in.Marks[0]
	want := Mark{At: got.At, Kind: MarkNote, Text: "\ufffd", Taken: model.TakenAlert{Rule: "␍", By: "\ufffd"}}
	want.Incident = &model.Incident{Title: "␍", Alerts: []model.IncidentAlert{{Text: "␍", TakenAlert: model.TakenAlert{By: "␍"}}}}
	if diff := cmp.Diff(want, got); diff != "" || in.About.Platform != "␛" || in.About.Codes[0].Name != "\ufffd" {
		t.Errorf("%+v\n%s", in, diff)
	}
}

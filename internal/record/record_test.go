package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// morning is when all recordings here begin.
var morning = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

func TestEveryOperationIsRecorded(t *testing.T) {
	t.Parallel()
	recorded := make(map[model.Op]bool)
	for _, tab := range tables() {
		recorded[tab.operation()] = true
	}
	for _, o := range model.Operations() {
		if o.HasRecords() != recorded[o.Name] {
			t.Errorf("%s: has records %v, recorded %v", o.Name, o.HasRecords(), recorded[o.Name])
		}
	}
}

// fill sets fields to random values, including unexported ones and elements of lists;
// some stay unchanged.
func fill(rng *rand.Rand, v reflect.Value) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf([]time.Time{{}, time.UnixMilli(rng.Int64N(1 << 42))}[rng.IntN(2)]))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[model.Stamp]() {
			return
		}
		for i := range v.NumField() {
			if rng.IntN(4) > 0 {
				fill(rng, v.Field(i))
			}
		}
	case reflect.Slice:
		n := rng.IntN(4) - 1
		if n < 0 {
			v.SetZero()
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(rng, v.Index(i))
		}
	case reflect.String:
		v.SetString([]string{"", "a", "Müller", "\x00", strings.Repeat("x", 200)}[rng.IntN(5)])
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat(rng.NormFloat64())
	default:
		n := []int64{0, 1, -1, 7, 1 << 40, -1 << 63, 1<<63 - 1, rng.Int64()}[rng.IntN(8)]
		if v.CanInt() {
			v.SetInt(n)
		} else {
			v.SetUint(uint64(n))
		}
	}
}

// exact compares everything except versions, which the player's store assigns, and
// times in milliseconds.
var exact = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmpopts.IgnoreTypes(model.Stamp{}),
	cmp.Comparer(func(a, b time.Time) bool { return a.UnixMilli() == b.UnixMilli() && a.IsZero() == b.IsZero() }),
}

// TestEveryFieldComesBack encodes random values of every recorded type as differences
// from others and reads them back.
func TestEveryFieldComesBack(t *testing.T) {
	t.Parallel()
	types := []reflect.Type{reflect.TypeFor[model.Health]()}
	for _, tab := range tables() {
		types = append(types, tab.layout().typ)
	}
	for _, typ := range types {
		t.Run(typ.Name(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			p := newPlan(typ)
			r, ok := mappingOf(p.fieldSchemas(), p, 0)
			if !ok {
				t.Fatal("no reading of its own fields")
			}
			var e encoder
			var d decoder
			e.startChunk()
			have := reflect.New(typ)
			read := reflect.New(typ)
			for range 300 {
				now := reflect.New(typ)
				now.Elem().Set(have.Elem())
				fill(rng, now.Elem())
				e.buf = e.buf[:0]
				e.writeDiff(p, have.UnsafePointer(), now.UnsafePointer())
				d.data, d.frameBytes = e.buf, 0
				d.readDiff(r, read.UnsafePointer())
				if d.err != nil || len(d.data) > 0 {
					t.Fatalf("%v, %d bytes left", d.err, len(d.data))
				}
				if diff := cmp.Diff(now.Interface(), read.Interface(), exact); diff != "" {
					t.Fatal(diff)
				}
				if !p.equal(now.UnsafePointer(), read.UnsafePointer()) {
					t.Fatal("the same is called something else")
				}
				have = now
			}
		})
	}
}

// TestUnequalIsSeen changes one leaf of a record at a time.
func TestUnequalIsSeen(t *testing.T) {
	t.Parallel()
	for _, tab := range tables() {
		p := tab.layout()
		for _, l := range p.leaves {
			v := reflect.New(p.typ)
			at := unsafe.Add(v.UnsafePointer(), l.offset)
			switch l.kind {
			case kindText:
				*(*string)(at) = "x"
			case kindList, kindIntList:
				*(*sliceHeader)(at) = sliceHeader{data: unsafe.Pointer(new(int64))}
			default:
				*(*uint8)(at) = 1
			}
			if p.equal(p.zeroValue, v.UnsafePointer()) {
				t.Errorf("%s: %s is not compared", tab.operation(), l.path)
			}
		}
	}
}

// floor is a store with random changes.
type floor struct {
	rng   *rand.Rand
	store *model.Store
	at    time.Time
}

func newFloor(seed uint64) *floor {
	return &floor{rand.New(rand.NewPCG(seed, 7)), model.NewStore(), morning}
}

func change[K comparable, T any, R model.Record[K, T]](f *floor, l *model.MutableTable[K, T, R], keyed func(*T, int)) {
	for range 3 {
		r, n := new(T), f.rng.IntN(8)
		keyed(r, n)
		if old := l.Get(R(r).Key()); old != nil {
			*r = *old
		}
		fill(f.rng, reflect.ValueOf(r).Elem())
		keyed(r, n)
		if f.rng.IntN(6) == 0 {
			l.Delete(R(r).Key())
			continue
		}
		l.Put(r)
	}
}

// step returns another snapshot, a second later.
func (f *floor) step() *model.Snapshot {
	name := func(n int) model.Text { return model.TextOf(fmt.Sprint("n", n)) }
	s := f.store
	if f.rng.IntN(5) > 0 {
		change(f, &s.Users, func(r *model.User, n int) { r.Username = name(n) })
		change(f, &s.Services, func(r *model.Service, n int) { r.Code, r.Channel = name(n), model.Call })
		change(f, &s.Groups, func(r *model.Group, n int) { r.Code, r.Channel = name(n), model.Chat })
		change(f, &s.UserStats, func(r *model.UserStat, n int) { r.Username, r.Channel = name(n), model.Call })
		change(f, &s.Profiles, func(r *model.ProfileStat, n int) { r.ID, r.Channel = model.IntOf(int64(n)), model.Call })
		change(f, &s.OperatorProfiles, func(r *model.ProfileStat, n int) { r.ID, r.Channel = model.IntOf(int64(n)), model.Call })
		change(f, &s.Campaigns, func(r *model.Campaign, n int) { r.CampaignID = model.IntOf(int64(n)) })
		change(f, &s.Attendants, func(r *model.Attendant, n int) { r.Code, r.Channel, r.Component = name(n), model.Call, "" })
		change(f, &s.Operators, func(r *model.Operator, n int) { r.Username, r.Channel = name(n), model.Call })
	}
	var h model.Health
	fill(f.rng, reflect.ValueOf(&h).Elem())
	f.at = f.at.Add(time.Second)
	return s.Publish(f.at, h)
}

// told formats the whole content of a snapshot.
func told(t *testing.T, s *model.Snapshot) string {
	t.Helper()
	if s == nil {
		return "none"
	}
	var e encoder
	e.startChunk()
	h := roundTimes(s.Health)
	e.writeDiff(healthPlan, healthPlan.zeroValue, unsafe.Pointer(&h))
	tell(&e, s.Users)
	tell(&e, s.Services)
	tell(&e, s.Groups)
	tell(&e, s.UserStats)
	tell(&e, s.Profiles)
	tell(&e, s.Campaigns)
	tell(&e, s.Attendants)
	tell(&e, s.Operators)
	tell(&e, s.OperatorProfiles)
	return fmt.Sprintf("%v %q", s.At.UTC(), e.buf)
}

// plans returns the plans of all records.
var plans = func() map[reflect.Type]*typePlan {
	m := make(map[reflect.Type]*typePlan)
	for _, t := range tables() {
		m[t.layout().typ] = t.layout()
	}
	return m
}()

func tell[K comparable, T any](e *encoder, of *model.Table[K, T]) {
	p, ok := plans[reflect.TypeFor[T]()]
	if !ok {
		panic(reflect.TypeFor[T]())
	}
	for _, r := range of.Sorted() {
		e.writeDiff(p, p.zeroValue, unsafe.Pointer(r))
	}
}

// film records some seconds of a floor and returns the content of each snapshot.
func film(t *testing.T, path string, seed uint64, seconds, whole int, end bool) []string {
	t.Helper()
	return writeSome(t, path, newFloor(seed), seconds, whole, end)
}

// writeFilm records some seconds of a floor to a closed file.
func writeFilm(t *testing.T, path string, f *floor, seconds int) {
	t.Helper()
	writeSome(t, path, f, seconds, seconds, true)
}

func writeSome(t *testing.T, path string, f *floor, seconds, whole int, end bool) []string {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // it was read from, or its size tells
	s, err := newSegment(out, Metadata{Board: "test", Platform: "floor"}, f.at, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range seconds {
		snap := f.step()
		if err := s.writeFrame(snap, f.at, i%whole == 0); err != nil {
			t.Fatal(err)
		}
		all = append(all, told(t, snap))
		if i == seconds/2 {
			if err := s.writeMark(Mark{At: f.at, Kind: MarkCritical, Text: "Contracts PT: 10 callers wait"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if end {
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestPlayedIsShown plays a recording to the end and seeks random times, closed and
// unclosed, and compares the snapshots.
func TestPlayedIsShown(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{true, false} {
		path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
		all := film(t, path, 3, 95, 20, closed)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // it was read from, or its size tells
		in := r.Info()
		if !in.First.Equal(morning.Add(time.Second)) || in.Last.Sub(in.First) != 94*time.Second || in.Chunks != 5 || len(in.Marks) != 1 {
			t.Errorf("closed %v: %+v", closed, in)
		}
		p := r.Player()
		for i, want := range all {
			s, err := p.Next()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, told(t, s)); diff != "" {
				t.Fatalf("closed %v, frame %d: %s", closed, i, diff)
			}
		}
		if s, err := p.Next(); s != nil || err != nil {
			t.Errorf("after the end: %v, %v", s, err)
		}
		seekAnywhere(t, p, all)
		if s, err := p.Seek(morning); s != nil || err != nil {
			t.Errorf("before the beginning: %v, %v", s, err)
		}
		if g, ok := p.GapAt(morning.Add(time.Hour)); !ok || !g.To.IsZero() {
			t.Errorf("after the end: gap %+v, %v", g, ok)
		}
		if _, ok := p.GapAt(morning.Add(30 * time.Second)); ok {
			t.Error("a gap where there is none")
		}
	}
}

// seekAnywhere seeks random times of a recording.
func seekAnywhere(t *testing.T, p *Player, all []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 5))
	var last uint64
	for range 200 {
		i := rng.IntN(len(all))
		s, err := p.Seek(morning.Add(time.Duration(i+1)*time.Second + time.Duration(rng.IntN(999))*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[i], told(t, s)); diff != "" {
			t.Fatalf("sought frame %d: %s", i, diff)
		}
		if s.Seq < last {
			t.Fatal("the snapshots of a player count down")
		}
		last = s.Seq
	}
}

// TestTornAnywhere truncates a recording at every byte, and alters single bytes:
// everything before is played, nothing else.
func TestTornAnywhere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
	all := film(t, path, 5, 24, 8, true)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	most := 0
	for n := 0; n < len(b); n += 1 + rng.IntN(len(b)/100) {
		torn := filepath.Join(testkit.PrivateDir(t), "b.wbr")
		altered := bytes.Clone(b)
		if n%2 == 0 {
			altered = altered[:n]
		} else {
			altered[n] ^= 0x55
		}
		if err := os.WriteFile(torn, altered, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(torn)
		if begun := n > len(magic) && len(altered) > len(magic); err != nil && begun && errors.Is(err, ErrNotARecording) {
			t.Errorf("byte %d: a damaged recording is reported as another file", n)
		}
		if err != nil {
			if !errors.Is(err, ErrNotARecording) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewerVersion) {
				t.Errorf("byte %d: %v", n, err)
			}
			continue
		}
		most = max(most, playedOf(t, r, all))
		if r.Close() != nil {
			t.Error("not closed")
		}
	}
	if most != len(all) {
		t.Errorf("%d of %d frames played at most", most, len(all))
	}
}

// playedOf plays a recording and returns the number of frames; each must be correct.
func playedOf(t *testing.T, r *Recording, all []string) int {
	t.Helper()
	for p, n := r.Player(), 0; ; n++ {
		s, err := p.Next()
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
		if s == nil {
			return n
		}
		if i := int(s.At.Sub(morning)/time.Second) - 1; i < 0 || i >= len(all) || told(t, s) != all[i] {
			t.Fatalf("frame %d differs from the snapshot", n)
		}
	}
}

// TestOtherFields reads a file whose records have other fields than today: removed ones
// are skipped, new ones are unknown.
func TestOtherFields(t *testing.T) {
	t.Parallel()
	type before struct {
		A     model.Int
		Gone  []struct{ X, Y string }
		B     model.Text
		Other int64
		Row   []int64
		Apart []int64
	}
	type after struct {
		New   []int64
		Row   []int64
		B     model.Text
		A     model.Int
		Other string
	}
	old, now := newPlan(reflect.TypeFor[before]()), newPlan(reflect.TypeFor[after]())
	for i := range old.leaves {
		if l := &old.leaves[i]; l.kind == kindIntList {
			l.kind = kindList // as in early versions
		}
	}
	r, ok := mappingOf(old.fieldSchemas(), now, 0)
	if !ok {
		t.Fatal("not read")
	}
	var e encoder
	e.startChunk()
	e.writeDiff(old, old.zeroValue, unsafe.Pointer(&before{model.IntOf(5), []struct{ X, Y string }{{"x", "y"}}, model.TextOf("b"), 9, []int64{3, 1}, []int64{4}}))
	d, got := decoder{data: e.buf}, after{}
	d.readDiff(r, unsafe.Pointer(&got))
	if d.err != nil || len(d.data) > 0 {
		t.Fatal(d.err)
	}
	if diff := cmp.Diff(after{Row: []int64{3, 1}, B: model.TextOf("b"), A: model.IntOf(5)}, got, exact); diff != "" {
		t.Error(diff)
	}
}

// FuzzFrames decodes arbitrary frames of a chunk: it must end without panic and within
// the memory limits.
func FuzzFrames(f *testing.F) {
	w := newFrameEncoder()
	fl := newFloor(1)
	w.startChunk(morning)
	f.Add(bytes.Clone(w.encodeFrame(fl.step(), fl.at)))
	f.Add(bytes.Clone(w.encodeFrame(fl.step(), fl.at)))
	f.Add([]byte{0, 0, 1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	all := currentSchema(tables())
	f.Fuzz(func(t *testing.T, frame []byte) {
		d, ok := newFrameDecoder(all, model.NewStore())
		if !ok {
			t.Fatal("no reading")
		}
		d.startChunk(morning)
		for range 2 {
			if err := d.readFrame(frame); err != nil {
				if !errors.Is(err, ErrDamaged) {
					t.Error(err)
				}
				return
			}
			d.publish()
		}
	})
}

package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// counted counts the bytes that are read from a file.
type counted struct {
	*bytes.Reader
	n int64
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.n += int64(n)
	return n, err
}

// TestTornChunksTakeLinearTime walks files of invalid blocks: close to each other, or
// as long as the rest of the file according to their header.
func TestTornChunksTakeLinearTime(t *testing.T) {
	t.Parallel()
	for name, piece := range map[string]func(rest int) []byte{
		"torn chunks": func(int) []byte {
			b := appendBlock(nil, blockChunk, binary.AppendVarint(nil, morning.UnixMilli()))
			return append(b, blockData, 200, 0, 0, 0, 1, 2, 3, 4, 5)
		},
		"the rest of the file": func(rest int) []byte {
			b := appendBlock(nil, blockChunk, binary.AppendVarint(nil, morning.UnixMilli()))
			b = append(b, blockData)
			b = binary.LittleEndian.AppendUint32(b, uint32(max(rest-200, 0)))
			return append(b, 1, 2, 3, 4, 5)
		},
	} {
		read := func(size int) int64 {
			var b []byte
			for len(b) < size {
				b = append(b, piece(size-len(b))...)
			}
			c := &counted{Reader: bytes.NewReader(b)}
			blocks := &blockReader{source: c, end: int64(len(b))}
			for {
				_, _, err := blocks.nextBlock()
				if errors.Is(err, errTornBlock) {
					if blocks.offset = blocks.findNextChunk(int64(len(b))); blocks.offset == 0 {
						break
					}
				} else if err != nil {
					break
				}
			}
			return c.n
		}
		n1, n2, n4 := read(100_000), read(200_000), read(400_000)
		if n2 > 3*n1 || n4 > 3*n2 || n4 > 40*400_000 {
			t.Errorf("%s: %d, %d, %d bytes are read", name, n1, n2, n4)
		}
	}
}

// TestTornRecordingTakesLittle opens recordings of torn chunks.
func TestTornRecordingTakesLittle(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	if testkit.Race {
		t.Skip("with the race detector other things are allocated")
	}
	opened := func(n int) uint64 {
		path := filepath.Join(t.TempDir(), "torn.wbr")
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		seg, err := newSegment(out, Metadata{}, morning, newFrameEncoder())
		if err != nil {
			t.Fatal(err)
		}
		b := appendBlock(nil, blockChunk, binary.AppendVarint(nil, morning.UnixMilli()))
		b = append(b, blockData, 200, 0, 0, 0, 1, 2, 3, 4, 5)
		if err := errors.Join(seg.flush(bytes.Repeat(b, n)), out.Close()); err != nil {
			t.Fatal(err)
		}
		return allocated(func() {
			if r, err := Open(path); err == nil {
				_ = r.Close()
			}
		})
	}
	n1, n2, n4 := opened(2000), opened(4000), opened(8000)
	t.Logf("%d, %d, %d bytes", n1, n2, n4)
	if n2 > 3*n1 || n4 > 3*n2 {
		t.Errorf("%d, %d, %d bytes are allocated for n, 2n, 4n torn chunks", n1, n2, n4)
	}
}

// longLists returns a frame of services with long lists of figures that take few bytes.
func longLists(services, figures int) []byte {
	f := newFrameEncoder()
	f.startChunk(morning)
	s := model.NewStore()
	for i := range services {
		r := &model.Service{Code: model.TextOf(strconv.Itoa(i))}
		r.CustomStats = make([]model.CustomStat, figures)
		s.Services.Put(r)
	}
	return bytes.Clone(f.encodeFrame(s.Publish(morning, model.Health{}), morning))
}

// TestStateOfAChunkIsBounded reads small frames that expand to large records: a list
// that is too long, and too many lists.
func TestStateOfAChunkIsBounded(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	if testkit.Race {
		t.Skip("with the race detector other things are allocated")
	}
	for name, frame := range map[string][]byte{
		"a long list": longLists(1, maxElements+1),
		"many lists":  longLists(600, maxElements),
	} {
		d, ok := newFrameDecoder(currentSchema(tables()), model.NewStore())
		if !ok {
			t.Fatal("no schema")
		}
		d.startChunk(morning)
		var err error
		took := allocated(func() { err = d.readFrame(frame) })
		if !errors.Is(err, ErrDamaged) || took > maxHeldBytes+maxHeldBytes/4 {
			t.Errorf("%s, %d bytes: %v, %d MiB", name, len(frame), err, took>>20)
		}
	}
}

// TestHeldIsWhatIsThere replaces, shortens and deletes records, and checks the
// accounted memory.
func TestHeldIsWhatIsThere(t *testing.T) {
	t.Parallel()
	f := newFrameEncoder()
	f.startChunk(morning)
	d, _ := newFrameDecoder(currentSchema(tables()), model.NewStore())
	d.startChunk(morning)
	s := model.NewStore()
	at := morning
	for i := range 50 {
		for k := range 5 {
			code := string(rune('a' + k))
			if (i+k)%7 == 0 {
				s.Services.Delete(model.ServiceKey{Code: code})
				continue
			}
			r := &model.Service{Code: model.TextOf(code)}
			r.CustomStats = make([]model.CustomStat, (i*7+k*3)%40)
			s.Services.Put(r)
		}
		at = at.Add(time.Second)
		if err := d.readFrame(f.encodeFrame(s.Publish(at, model.Health{}), at)); err != nil {
			t.Fatal(err)
		}
		d.publish()
		want := 0
		p := newPlan(reflect.TypeFor[model.Service]())
		for r := range s.Publish(at, model.Health{}).Services.All() {
			want += p.recordSize(unsafe.Pointer(r))
		}
		if d.heldBytes != want {
			t.Fatalf("frame %d: %d bytes are counted, there are %d", i, d.heldBytes, want)
		}
	}
}

// TestFooterIsOrdered checks that footers with repeated or unordered chunks are
// rejected.
func TestFooterIsOrdered(t *testing.T) {
	t.Parallel()
	for want, chunks := range map[bool][]int64{true: {10, 20, 30}, false: {10, 20, 20}} {
		f := footer{}
		for _, at := range chunks {
			f.Chunks = append(f.Chunks, chunkEntry{Offset: at})
		}
		if got := f.isOrdered(40); got != want {
			t.Errorf("%v: %v", chunks, got)
		}
		if f.isOrdered(25) {
			t.Errorf("%v end before 25", chunks)
		}
	}
}

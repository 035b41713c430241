package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the format that recordings are compared with

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// floors lists the floors to measure, and for how long.
var floors = []struct {
	agents  int
	minutes int
	rate    int     // updates of agents per second; 0 means the natural number
	most    float64 // maximum size of a recording in MB per hour
	core    float64 // maximum cost in percent of a core; 0 means no limit
}{{60, 30, 0, 1.6, 1}, {5000, 6, 0, 110, 1}, {5000, 6, 2000, 190, 0}}

// keeper stores snapshots and returns the size in bytes.
type keeper interface {
	keep(s *model.Snapshot, told []byte) error
	close() (int64, error)
}

// BenchmarkKeeping stores a floor as a recording, in SQLite with a compressed row
// per second and a full snapshot per minute, and as raw payloads: the updates, and
// full answers once per minute. MB/h is the size; core% is the cost in percent of a
// core including garbage collection. The baseline "nothing" measures the creation of
// the snapshots, which is not part of any result. It fails if a recording exceeds
// its size limit, its cost limit, or the size in SQLite.
func BenchmarkKeeping(b *testing.B) {
	for _, f := range floors {
		size, core := map[string]float64{}, map[string]float64{} // MB per hour, percent of a core
		for _, way := range []struct {
			name string
			make func(dir string) (keeper, error)
		}{
			{"nothing", func(string) (keeper, error) { return nothing{}, nil }},
			{"recording", newRecording},
			{"sqlite", newRows},
			{"payloads", newPayloads},
		} {
			name := strconv.Itoa(f.agents)
			if f.rate > 0 {
				name += fmt.Sprintf("x%d", f.rate)
			}
			b.Run(name+"/"+way.name, func(b *testing.B) {
				for b.Loop() {
					k, err := way.make(testkit.PrivateDir(b))
					if err != nil {
						b.Fatal(err)
					}
					size[way.name], core[way.name] = live(b, f.agents, f.rate, time.Duration(f.minutes)*time.Minute, k)
				}
			})
		}
		if got := size["recording"]; got > f.most || got > size["sqlite"] {
			b.Errorf("%d agents, %d updates a second: %v MB an hour, of %v", f.agents, f.rate, size, f.most)
		}
		if got := core["recording"]; f.core > 0 && got > f.core {
			b.Errorf("%d agents: %.2f %% of a core, of %v", f.agents, got, f.core)
		}
	}
}

// live runs a floor and stores its snapshots. It returns the size in MB per hour and
// the cost in percent of a core.
func live(b *testing.B, agents, rate int, length time.Duration, k keeper) (room, core float64) {
	b.Helper()
	o := world.Options{Seed: 1, Agents: agents, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC)}
	var told []byte
	day := demo.NewPastDay(o)
	day.UpdatesPerSecond = rate
	day.OnMessage = func(payload []byte) { told = append(append(told, payload...), '\n') }
	var spent time.Duration
	pictures := 0
	for s, err := range day.Snapshots(context.Background(), o.Start.Add(-length), time.Second) {
		if err != nil {
			b.Fatal(err)
		}
		begin := processor()
		if err := k.keep(s, told); err != nil {
			b.Fatal(err)
		}
		spent += processor() - begin
		told = told[:0]
		pictures++
	}
	size, err := k.close()
	if err != nil {
		b.Fatal(err)
	}
	seconds := float64(pictures)
	room, core = float64(size)/seconds*3600/1e6, 100*spent.Seconds()/seconds
	b.ReportMetric(room, "MB/h")
	b.ReportMetric(core, "core%")
	b.ReportMetric(seconds, "seconds")
	return room, core
}

// processor returns the processor time of the process.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

type nothing struct{}

func (nothing) keep(*model.Snapshot, []byte) error { return nil }
func (nothing) close() (int64, error)              { return 0, nil }

// recording stores snapshots as the board does.
type recording struct {
	dir  string
	tape *record.BatchWriter
}

func newRecording(dir string) (keeper, error) {
	tape, err := record.NewBatchWriter(dir, record.Metadata{})
	return &recording{dir, tape}, err
}

func (r *recording) keep(s *model.Snapshot, _ []byte) error { return r.tape.Add(s) }

func (r *recording) close() (size int64, err error) {
	if err := r.tape.Close(); err != nil {
		return 0, err
	}
	return sizeOf(filepath.Join(r.dir, "*.wbr"))
}

func sizeOf(pattern string) (size int64, err error) {
	paths, err := filepath.Glob(pattern)
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			size += info.Size()
		}
	}
	return size, err
}

// rows stores the changes of a snapshot as a row in SQLite: the same frames as in a
// recording, each compressed by itself.
type rows struct {
	dir   string
	db    *sql.DB
	put   *sql.Stmt
	pack  *zstd.Encoder
	frame *record.RelayEncoder
	n     int
}

func newRows(dir string) (keeper, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "a.db"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, line := range []string{"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", "CREATE TABLE frames (at INTEGER PRIMARY KEY, whole INTEGER, frame BLOB)"} {
		if _, err := db.ExecContext(context.Background(), line); err != nil {
			return nil, err
		}
	}
	put, err := db.PrepareContext(context.Background(), "INSERT INTO frames VALUES (?, ?, ?)")
	if err != nil {
		return nil, err
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &rows{dir, db, put, pack, record.NewRelayEncoder(), 0}, err
}

func (r *rows) keep(s *model.Snapshot, _ []byte) error {
	whole := r.n%60 == 0
	r.n++
	_, err := r.put.ExecContext(context.Background(), s.At.UnixMilli(), whole, r.pack.EncodeAll(r.frame.EncodeFrame(s, whole), nil))
	return err
}

func (r *rows) close() (int64, error) {
	if _, err := r.db.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return 0, err
	}
	if err := r.db.Close(); err != nil {
		return 0, err
	}
	return sizeOf(filepath.Join(r.dir, "a.db"))
}

// payloads stores the received messages, compressed as a stream that is flushed
// every second: the updates, and full answers once per minute.
type payloads struct {
	out  counter
	pack *zstd.Encoder
	n    int
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

var _ io.Writer = (*counter)(nil)

func newPayloads(string) (keeper, error) {
	p := &payloads{}
	pack, err := zstd.NewWriter(&p.out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	p.pack = pack
	return p, err
}

func (p *payloads) keep(s *model.Snapshot, told []byte) error {
	if p.n%60 == 0 {
		answers, err := json.Marshal(headless.NewSnapshotDoc(s))
		if err != nil {
			return err
		}
		told = bytes.Join([][]byte{answers, told}, nil)
	}
	p.n++
	if _, err := p.pack.Write(told); err != nil {
		return err
	}
	return p.pack.Flush()
}

func (p *payloads) close() (int64, error) {
	err := p.pack.Close()
	return p.out.n, err
}

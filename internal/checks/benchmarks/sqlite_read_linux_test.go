package main

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// reader reads a stored recording.
type reader interface {
	// Seek returns the snapshot at an instant, or the latest one before it.
	Seek(at time.Time) (*model.Snapshot, error)
	// All returns all snapshots.
	All() iter.Seq2[*model.Snapshot, error]
}

// BenchmarkReading seeks in a floor stored as a recording and in SQLite, and
// backtests the current rules on all of it. It also backtests on snapshots in
// memory, to measure the rules alone. Payloads do not support seeking. It fails if
// seeking in the recording is slower than in SQLite; both read all snapshots at
// about the same speed because both decompress and rebuild the same data.
func BenchmarkReading(b *testing.B) {
	for _, f := range []struct{ agents, minutes int }{{60, 30}, {5000, 3}} {
		b.Run(fmt.Sprint(f.agents), func(b *testing.B) {
			lived, ways := readers(b, f.agents, time.Duration(f.minutes)*time.Minute)
			seek := map[string]time.Duration{}
			for name, r := range ways {
				b.Run("anywhere/"+name, func(b *testing.B) { seek[name] = benchSeek(b, r, lived) })
				b.Run("rules/"+name, func(b *testing.B) { benchRules(b, r.All(), len(lived)) })
			}
			b.Run("rules/nothing", func(b *testing.B) { benchRules(b, all(lived), len(lived)) })
			if seek["recording"] > seek["sqlite"] {
				b.Errorf("seeking takes %v", seek)
			}
		})
	}
}

// benchSeek seeks fifty instants and returns the median time.
func benchSeek(b *testing.B, r reader, lived []*model.Snapshot) time.Duration {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var took []time.Duration
	for b.Loop() {
		for range 50 {
			at := lived[rng.IntN(len(lived))].At
			began := time.Now()
			s, err := r.Seek(at)
			took = append(took, time.Since(began))
			if err != nil || at.Sub(s.At).Abs() > time.Second { // stored with milliseconds
				b.Fatalf("%v, %v", at, err)
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	return took[len(took)/2]
}

// benchRules backtests the current rules on n snapshots.
func benchRules(b *testing.B, pictures iter.Seq2[*model.Snapshot, error], n int) {
	b.Helper()
	set := []backtest.RuleSet{{Name: "today", Options: alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}}}
	for b.Loop() {
		res, err := backtest.Run(b.Context(), pictures, time.Time{}, set, nil)
		if err != nil || res.Snapshots != n || len(res.Outcomes[0].Episodes) == 0 {
			b.Fatalf("%d pictures of %d, %v", res.Snapshots, n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/picture")
}

func all(pictures []*model.Snapshot) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		for _, s := range pictures {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// readers runs a floor for some time and stores it in both ways. It also returns the
// snapshots.
func readers(b *testing.B, agents int, length time.Duration) (lived []*model.Snapshot, ways map[string]reader) {
	b.Helper()
	recording, sqlite := testkit.PrivateDir(b), testkit.PrivateDir(b)
	var keepers []keeper
	for _, k := range []struct {
		make func(string) (keeper, error)
		dir  string
	}{{newRecording, recording}, {newRows, sqlite}} {
		made, err := k.make(k.dir)
		if err != nil {
			b.Fatal(err)
		}
		keepers = append(keepers, made)
	}
	o := world.Options{Seed: 1, Agents: agents, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC)}
	for s, err := range demo.NewPastDay(o).Snapshots(b.Context(), o.Start.Add(-length), time.Second) {
		for _, k := range keepers {
			if err == nil {
				err = k.keep(s, nil)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		lived = append(lived, s)
	}
	for _, k := range keepers {
		if _, err := k.close(); err != nil {
			b.Fatal(err)
		}
	}
	r, err := record.Open(recording)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = r.Close() })
	db, err := sql.Open("sqlite", filepath.Join(sqlite, "a.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(unpack.Close)
	return lived, map[string]reader{
		"recording": &played{r, r.Player()},
		"sqlite":    &selected{db: db, unpack: unpack},
	}
}

// played reads a recording as the board does.
type played struct {
	r *record.Recording
	p *record.Player
}

func (p *played) Seek(at time.Time) (*model.Snapshot, error) { return p.p.Seek(at) }

func (p *played) All() iter.Seq2[*model.Snapshot, error] {
	in := p.r.Info()
	return p.r.Snapshots(in.First, in.Last.Add(time.Second))
}

// selected reads the rows of [rows].
type selected struct {
	db     *sql.DB
	unpack *zstd.Decoder
	frame  []byte
}

// Seek reads all rows from the latest full snapshot before at.
func (r *selected) Seek(at time.Time) (out *model.Snapshot, err error) {
	for s, err := range r.rows(`SELECT whole, frame FROM frames WHERE at <= ?1
		AND at >= (SELECT max(at) FROM frames WHERE at <= ?1 AND whole) ORDER BY at`, at.UnixMilli()) {
		if err != nil {
			return nil, err
		}
		out = s()
	}
	return out, nil
}

func (r *selected) All() iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		for s, err := range r.rows("SELECT whole, frame FROM frames ORDER BY at") {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(s(), nil) {
				return
			}
		}
	}
}

// rows returns the rows of a query as functions that build the snapshot on demand.
func (r *selected) rows(query string, args ...any) iter.Seq2[func() *model.Snapshot, error] {
	return func(yield func(func() *model.Snapshot, error) bool) {
		err := func() error {
			d, err := record.NewRelayDecoder(record.NewRelayEncoder().Schema(), model.NewStore())
			if err != nil {
				return err
			}
			found, err := r.db.QueryContext(context.Background(), query, args...)
			if err != nil {
				return err
			}
			defer found.Close() //nolint:errcheck // opened for reading
			for found.Next() {
				var whole bool
				var packed sql.RawBytes
				if err := found.Scan(&whole, &packed); err != nil {
					return err
				}
				if r.frame, err = r.unpack.DecodeAll(packed, r.frame[:0]); err != nil {
					return err
				}
				if err := d.DecodeFrame(r.frame, whole); err != nil {
					return err
				}
				if !yield(func() *model.Snapshot { return d.Publish(d.Health()) }, nil) {
					return nil
				}
			}
			return found.Err()
		}()
		if err != nil {
			yield(nil, err)
		}
	}
}

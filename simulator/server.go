package simulator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/graphql-go"

	"wallboard/simulator/world"
)

// Server is a running platform. Its methods are safe for concurrent use.
type Server struct {
	opts      Options
	schema    *graphql.Schema
	facade    *facade // nil: the schema is shown as it is
	tables    *tables
	authority *authority
	health    *health
	faults    *Faults
	rest      *rest
	stat      *stat
	archive   *world.Archive // of the world
	listener  net.Listener
	addr      string
	http      *http.Server
	rng       *rand.Rand // of random faults; only run uses it

	ctx     context.Context //nolint:containedctx // the life of the server itself, which Close ends
	cancel  context.CancelFunc
	started atomic.Bool
	refused atomic.Int64 // requests that were not understood
	wg      sync.WaitGroup

	worldMu  sync.Mutex // guards what follows
	world    *world.World
	paused   bool
	pausedAt time.Time
	owed     float64 // forced updates not made yet

	connMu sync.Mutex // guards what follows
	conns  map[*conn]struct{}
	closed bool
}

// New builds the world and listens. The server answers once [Server.Start] or
// [Server.Serve] was called; call [Server.Close] in any case.
func New(o Options) (*Server, error) {
	o = o.withDefaults()
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if o.World.Pace == 0 {
		o.World.Pace = o.Speed // the platform's clock runs as the viewer's does
	}
	w := world.New(o.World)
	w.Changed() // what led to the opening is in the state already
	s := &Server{
		opts: o, world: w, archive: w.Archive(), authority: newAuthority(o), health: newHealth(),
		tables: newTables(newDeltaStyle(&o), w.State()),
		rng:    rand.New(rand.NewPCG(uint64(o.World.Seed), 1)), //nolint:gosec // faults, not secrets
		conns:  make(map[*conn]struct{}),
	}
	s.tables.lagBehind(&s.opts)
	s.faults = &Faults{restart: s.restart, drop: s.drop, revoke: s.revoke, fail: s.failAll, allow: s.authority.allowToken, health: s.health}
	if o.Faults.SlowBytes > 0 {
		s.faults.SlowWrites(o.Faults.SlowBytes, o.Faults.SlowPause)
	}
	s.faults.RESTDelay(o.Faults.RESTDelay)
	s.rest = newREST(s)
	var err error
	if s.schema, err = newSchema(s); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if s.stat, err = newStat(s); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if err := s.listen(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.tables.slowDown(&pace{ctx: s.ctx, rate: s.opts.FullRate})
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	return s, nil
}

func (s *Server) listen() error {
	l := s.opts.Listener
	if l == nil {
		var err error
		if l, err = new(net.ListenConfig).Listen(context.Background(), "tcp", s.opts.Addr); err != nil {
			return fmt.Errorf("listen on %s: %w", s.opts.Addr, err)
		}
	}
	s.addr = l.Addr().String()
	s.listener = faultListener{l, s.faults}
	if s.opts.TLS != nil {
		s.listener = tls.NewListener(s.listener, s.opts.TLS)
	}
	// Above TLS: bytes are counted as HTTP has them.
	s.listener = cutListener{s.listener, &s.faults.rest, s.opts.RESTPath}
	return nil
}

// Start serves in the background until ctx ends or [Server.Close] is called.
// It may be called once.
func (s *Server) Start(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return errors.New("simulator: already started")
	}
	s.wg.Go(func() {
		select {
		case <-ctx.Done():
		case <-s.ctx.Done():
		}
		s.shutdown()
	})
	s.wg.Go(s.run)
	s.wg.Go(func() {
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.opts.Logger.Error("simulator stopped accepting", "err", err)
			s.cancel()
		}
	})
	return nil
}

// Serve is [Server.Start] that returns when the server has stopped: nil after
// ctx ended or [Server.Close] was called.
func (s *Server) Serve(ctx context.Context) error {
	if err := s.Start(ctx); err != nil {
		return err
	}
	<-s.ctx.Done()
	return s.Close()
}

// Close stops the server, cuts every connection and waits for its goroutines.
// It may be called more than once.
func (s *Server) Close() error {
	s.shutdown()
	s.wg.Wait()
	return nil
}

// shutdown ends everything without waiting for it.
func (s *Server) shutdown() {
	s.cancel()
	s.faults.Stall(0)
	s.connMu.Lock()
	s.closed = true
	s.connMu.Unlock()
	s.drop(0)
	_ = s.http.Close()     // it closes the listener, whose errors help nobody now
	_ = s.listener.Close() // when it was never served
}

// Refused returns how many operations were refused because the schema or a
// switch does not allow them.
func (s *Server) Refused() int { return int(s.refused.Load()) }

// Faults returns the faults, to be made at any time.
func (s *Server) Faults() *Faults { return s.faults }

// HTTPURL returns the address of the service for plain requests.
func (s *Server) HTTPURL() string { return s.url("http", s.opts.Path) }

// WSURL returns the address of the service for WebSockets.
func (s *Server) WSURL() string { return s.url("ws", s.opts.Path) }

// RESTURL returns {base_url} of document 1: the paths of its operations, which
// begin with /rest, follow it.
func (s *Server) RESTURL() string { return s.url("http", s.opts.RESTPath) }

func (s *Server) url(scheme, path string) string {
	if s.opts.TLS != nil {
		scheme += "s"
	}
	host := s.addr
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = "simulator" // an in-memory listener
	}
	return scheme + "://" + host + path
}

// Pause freezes the world. Sockets stay alive, and what changed before goes
// out. No step is under way when it returns.
func (s *Server) Pause() { s.setPaused(true) }

// Resume lets the world go on after [Server.Pause].
func (s *Server) Resume() { s.setPaused(false) }

func (s *Server) setPaused(on bool) {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	if on && !s.paused {
		s.pausedAt = time.Now()
	}
	s.paused = on
}

// run steps the world until the server stops.
func (s *Server) run() {
	defer func() {
		if v := recover(); v != nil { // a board in the same process lives on, and says that the platform is gone
			s.opts.Logger.Error("the simulated world panicked", "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			s.shutdown()
		}
	}()
	ticker := time.NewTicker(s.opts.Tick)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
			s.step()
			s.faults.roll(s.opts.Faults, s.rng, s.opts.Tick)
		}
	}
}

// step moves the world by one tick and hands the changes to the tables.
func (s *Server) step() {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	if s.paused {
		return
	}
	s.world.Step(time.Duration(float64(s.opts.Tick) * s.opts.Speed))
	s.owed += float64(s.opts.UpdatesPerSecond) * s.opts.Tick.Seconds()
	if n := int(s.owed); n > 0 {
		s.owed -= float64(n)
		s.world.ForceUpdate(n)
	}
	s.tables.apply(s.world.Changed())
}

// restart starts the platform anew behind the open sockets: the counters begin
// again, and nobody who subscribed before hears of it.
func (s *Server) restart() {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	s.tables.silence()
	s.world.Restart()
	s.tables.apply(s.world.Changed())
}

// now returns the platform's clock, which is the world's. It goes on while the
// world is frozen.
func (s *Server) now() time.Time {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	now := s.world.Now()
	if s.paused {
		now = now.Add(time.Since(s.pausedAt))
	}
	return now
}

func (s *Server) siteOf(profileID int64) int64 {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	return s.world.ProfileSite(profileID)
}

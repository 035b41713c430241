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

	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Server is a simulated platform. Its methods are safe for concurrent use.
type Server struct {
	opts     Options
	world    *world.LockedWorld
	rtd      *rtd.Service
	rest     *rest.Service
	stat     *StatisticsService
	faults   *Faults
	listener net.Listener
	addr     string
	http     *http.Server
	rng      *rand.Rand // source of random faults; only run uses it

	ctx     context.Context //nolint:containedctx // cancelled when the server stops
	cancel  context.CancelFunc
	started atomic.Bool
	wg      sync.WaitGroup
}

// New creates the world and opens the listener. The server answers requests once [Server.Start] or
// [Server.Serve] has been called. The caller must call [Server.Close] in any case.
func New(o Options) (*Server, error) {
	o = o.withDefaults()
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s := &Server{
		opts: o,
		rng:  rand.New(rand.NewPCG(uint64(o.World.Seed), 1)), //nolint:gosec // random faults need no secure random source
	}
	if err := s.build(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if err := s.listen(); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// build creates the world and the services.
func (s *Server) build() error {
	o := &s.opts
	opening := o.World
	opening.Scenario = baseScenario(opening.Scenario)
	w := world.New(opening)
	w.TakeChanges() // discard the changes that led to the opening state
	s.world = world.NewLockedWorld(w, func(c *world.Changes) { s.rtd.ApplyChanges(c) })
	authority := webservice.NewAuthority(o.Users, o.Now, o.SessionLifetime, o.TokenLifetime)
	s.faults = &Faults{server: s, accounts: authority}
	var err error
	if s.rtd, err = rtd.New(o.rtdOptions(), rtd.Platform{World: s.world, Accounts: authority, IsRefusing: s.faults.isRefusing}); err != nil {
		return err
	}
	s.rest = rest.New(o.REST, rest.Platform{
		World: s.world, Accounts: authority, IsRefusing: s.faults.isRefusing, Now: o.Now,
		ChatURL: func() string { return s.url("ws", "/chat") }, Seed: o.World.Seed,
		HostileTexts: o.HostileTexts, Secure: o.TLS != nil,
	})
	s.stat, err = newStatisticsService(o.Stat, statisticsPlatform{
		World: s.world, Archive: w.FinishedContacts().Archive(), REST: s.rest, Now: o.Now, HostileTexts: o.HostileTexts, Logger: o.Logger,
	})
	if err != nil {
		return err
	}
	s.faults.RTD, s.faults.REST = s.rtd.Faults(), s.rest.Faults()
	if o.Faults.SlowBytes > 0 {
		s.faults.SlowWrites(o.Faults.SlowBytes, o.Faults.SlowPause)
	}
	s.faults.REST.DelayAnswers(o.Faults.RESTDelay)
	if o.World.Scenario == platformFaultScenario {
		s.faults.scheduleOutage(s.world.Now().Add(world.ScenarioDelay + outageDelay))
	}
	return nil
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(s.opts.Path, s.rtd)
	s.rest.AddRoutes(mux)
	mux.Handle(s.opts.Stat.Path+"/query", s.stat)
	s.addControls(mux)
	return mux
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
	s.listener = s.rest.Listen(s.listener)
	return nil
}

// Start starts the server, which runs in the background until ctx ends or [Server.Close] is
// called. Start returns an error if it is called a second time.
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
			s.opts.Logger.Error("simulator stopped accepting connections", "err", err)
			s.cancel()
		}
	})
	return nil
}

// Serve runs the server until ctx ends or [Server.Close] is called, and then returns nil. It
// returns an error if the server was already started.
func (s *Server) Serve(ctx context.Context) error {
	if err := s.Start(ctx); err != nil {
		return err
	}
	<-s.ctx.Done()
	return s.Close()
}

// Close stops the server, closes all connections and waits for all goroutines. It may be called
// more than once.
func (s *Server) Close() error {
	s.shutdown()
	s.wg.Wait()
	s.rtd.Wait()
	return nil
}

// shutdown stops the server and closes all connections. It does not wait for goroutines.
func (s *Server) shutdown() {
	s.cancel()
	s.faults.StallWrites(0)
	s.rtd.Shutdown()
	_ = s.http.Close()     // closes the listener; an error does not matter
	_ = s.listener.Close() // the HTTP server has no listener before Serve
}

// WorldOptions returns the options of the simulated world.
func (s *Server) WorldOptions() world.Options { return s.opts.World }

// RTD returns the real-time display service.
func (s *Server) RTD() *rtd.Service { return s.rtd }

// REST returns the configuration REST service.
func (s *Server) REST() *rest.Service { return s.rest }

// Statistics returns the statistical data service.
func (s *Server) Statistics() *StatisticsService { return s.stat }

// Faults returns the fault injector.
func (s *Server) Faults() *Faults { return s.faults }

// HTTPURL returns the URL of the real-time display service for HTTP requests.
func (s *Server) HTTPURL() string { return s.url("http", s.opts.Path) }

// WSURL returns the URL of the real-time display service for WebSockets.
func (s *Server) WSURL() string { return s.url("ws", s.opts.Path) }

// RESTURL returns {base_url} of document 1. Clients append the path of an operation, which
// starts with /rest.
func (s *Server) RESTURL() string { return s.url("http", s.opts.REST.Path) }

// StatURL returns {datamodel_base} of document 3. Clients append /query.
func (s *Server) StatURL() string { return s.url("http", s.opts.Stat.Path) }

func (s *Server) url(scheme, path string) string {
	if s.opts.TLS != nil {
		scheme += "s"
	}
	host := s.addr
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = "simulator" // the listener is in memory
	}
	return scheme + "://" + host + path
}

// Pause freezes the world. Sockets stay open, and the server still sends earlier changes. When
// Pause returns, the world has stopped changing.
func (s *Server) Pause() { s.world.SetFrozen(true) }

// Resume continues the world after [Server.Pause].
func (s *Server) Resume() { s.world.SetFrozen(false) }

// maxStep is the longest time between two ticks by which the world is advanced. After a longer
// time, in which the process was suspended, the world does not catch up.
const maxStep = 10 * time.Second

// run steps the world until the server stops. A panic in the world stops the server.
func (s *Server) run() {
	defer func() {
		if v := recover(); v != nil { // the server stops; a wallboard in the same process only loses its connection
			s.opts.Logger.Error("panic in the simulated world", "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			s.shutdown()
		}
	}()
	ticker := time.NewTicker(s.opts.Tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-s.ctx.Done():
			return
		case now := <-ticker.C:
			// On a busy machine, ticks are dropped. A step covers all the time since the last
			// tick, to keep the platform's clock from falling behind.
			passed := min(now.Sub(last), maxStep)
			last = now
			s.world.Step(time.Duration(float64(passed)*s.opts.Speed), float64(s.opts.UpdatesPerSecond)*passed.Seconds())
			s.faults.runOutage(s.world.Now())
			s.faults.injectRandom(s.opts.Faults, s.rng, passed)
		}
	}
}

// Package rtd implements the real-time display service of document 2 on top of the simulated
// contact center of package world: GraphQL over HTTP and over WebSockets, with both sub-protocols.
//
// The package encodes messages from the schema definition and shares no code with the
// wallboard. A [Service] owns its WebSockets and subscriptions. Each WebSocket has a reader
// and a writer goroutine; each running operation has goroutines of its own. After
// [Service.Shutdown], all goroutines have ended when [Service.Wait] returns.
//
// A subscription sends the selected records first and then the changed fields of changed records,
// with null for unchanged fields. [Switches] select other first messages and other forms of
// updates. By default, all changes of a tick go into one message. A slow client loses nothing: pending changes
// are merged per record, so the memory for pending changes is limited by the size of the world.
// Messages are lost, repeated, delayed or damaged only if [Faults] are injected.
package rtd

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/graphql-go"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Options configures a [Service].
type Options struct {
	Switches   Switches
	Arrivals   Arrivals
	GatherTime time.Duration // time for which a subscription collects updates before it sends them; 0: send at once
	ReplicaLag time.Duration // how old the rows that answer queries may be, as with replicas; 0: current rows
	FullRate   int           // records per second that the platform collects for full states; 0: no limit
	MaxRows    int           // maximum number of records in a message; 0 means no limit

	Seed         int64            // seed of random behavior
	Now          func() time.Time // current time, for replicas
	HostileTexts bool
	Secure       bool          // the service uses TLS, so cookies are secure
	InitTimeout  time.Duration // time within which a client must send connection_init
	KeepAlive    time.Duration // interval of pings and of ka messages
	Logger       *slog.Logger
}

// Platform holds the parts of the simulated platform that the service uses.
type Platform struct {
	World      *world.LockedWorld
	Accounts   *webservice.Authority
	IsRefusing func() bool // reports whether every request must be answered with 503
}

// Service is a running real-time display service. Its methods are safe for concurrent use.
type Service struct {
	opts         Options
	platform     Platform
	sdl          string // schema that is executed
	schema       *graphql.Schema
	clientSchema *clientSchema // schema that clients see; nil: the executed schema
	types        webservice.Schema
	tables       *tables
	faults       *Faults
	sockets      sockets
	refused      atomic.Int64 // number of refused requests

	ctx    context.Context //nolint:containedctx // lifetime of the service; Shutdown ends it
	cancel context.CancelFunc
}

// New returns the service of a simulated platform. Call [Service.Shutdown] to stop it.
func New(o Options, p Platform) (*Service, error) {
	s := &Service{opts: o, platform: p, faults: &Faults{health: newHealth(), refusals: make(refusals), unavailable: make(map[string]bool)}, sockets: sockets{conns: make(map[*conn]struct{})}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.tables = newTables(&o, &fullStateLimiter{ctx: s.ctx, rate: o.FullRate}, p.World.State())
	s.faults.failSubscriptions = s.failSubscriptions
	var err error
	if s.schema, err = newSchema(s); err != nil {
		s.cancel()
		return nil, fmt.Errorf("real-time display service: %w", err)
	}
	return s, nil
}

// Faults returns the fault injector for messages.
func (s *Service) Faults() *Faults { return s.faults }

// RefusedCount returns the number of operations rejected because of the schema or a switch.
func (s *Service) RefusedCount() int { return int(s.refused.Load()) }

// ApplyChanges passes changes of the world to the tables and their subscriptions.
func (s *Service) ApplyChanges(c *world.Changes) { s.tables.apply(c) }

// DetachSubscriptions detaches the current subscriptions from the data. They stay open but send no further
// messages.
func (s *Service) DetachSubscriptions() { s.tables.detachSubscriptions() }

// Connections returns the number of open WebSockets.
func (s *Service) Connections() int { return len(s.sockets.openConns()) }

// DropConnections closes all WebSockets with a close code. If code is 0, it cuts the connections without
// a close frame.
func (s *Service) DropConnections(code int) {
	for _, c := range s.sockets.openConns() {
		if code == 0 {
			c.abort()
		} else {
			c.close(code, "Terminated")
		}
	}
}

// RevokeOperations ends all running operations with the error UNAUTHORIZED.
func (s *Service) RevokeOperations() {
	for _, c := range s.sockets.openConns() {
		c.revokeOperations()
	}
}

// Shutdown stops the service and cuts all connections, without waiting for the goroutines (see
// [Service.Wait]).
func (s *Service) Shutdown() {
	s.cancel()
	s.sockets.stop()
	s.DropConnections(0)
}

// Wait waits until all goroutines of the service have ended.
func (s *Service) Wait() { s.sockets.wg.Wait() }

// withHostileTexts returns data, with attacks inserted if the service is configured for
// hostile texts.
func (s *Service) withHostileTexts(data []byte) []byte {
	if s.opts.HostileTexts {
		return webservice.InsertAttacks(data)
	}
	return data
}

// Package rtd is the real-time display service of document 2: GraphQL over HTTP
// and over WebSockets in either sub-protocol, on top of the simulated contact
// center of package world.
//
// It encodes from the schema definition and shares no code with the wallboard.
// Its goroutines are, for each WebSocket, one reader, one writer and, for each
// running operation, those that execute it. All of them have ended when
// [Service.Wait] returns after [Service.Shutdown].
//
// Delivery: a subscription sends first everything it selects and then what
// changed, null for what did not ([Switches] bend both). Changes of one tick go
// out in one message. A consumer that is slower than the world loses nothing:
// what it did not take yet is coalesced per record, so that the memory it can
// hold is bounded by the size of the world. Loss, repetition, delay and garbage
// happen only where [Faults] were asked for them.
package rtd

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/graphql-go"

	"wallboard/simulator/accounts"
	"wallboard/simulator/render"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// Options say how a [Service] behaves.
type Options struct {
	Switches   Switches
	Arrivals   Arrivals
	Gather     time.Duration // how long each subscription gathers its updates before it sends them; 0 is not at all
	ReplicaLag time.Duration // queries are answered by replicas that are up to so much behind; 0 is not at all
	FullRate   int           // records of full states that are put together per second; 0 takes no time
	MostRows   int           // records in one message; 0 is no bound

	Seed         int64            // of what is left to chance
	Now          func() time.Time // what replicas are behind
	HostileTexts bool
	Secure       bool          // cookies are for TLS only
	InitTimeout  time.Duration // for connection_init
	KeepAlive    time.Duration // between ka messages and between pings
	Logger       *slog.Logger
}

// Platform is what the service is a part of.
type Platform struct {
	World    *world.Shared
	Accounts *accounts.Authority
	Refusing func() bool // every request is answered with 503
}

// Service is a running service. Its methods are safe for concurrent use.
type Service struct {
	opts     Options
	platform Platform
	schema   *graphql.Schema
	facade   *facade // nil: the schema is shown as it is
	types    render.Schema
	tables   *tables
	faults   *Faults
	sockets  sockets
	refused  atomic.Int64 // requests that were not understood

	ctx    context.Context //nolint:containedctx // the life of the service itself, which Shutdown ends
	cancel context.CancelFunc
}

// New returns the service of a platform. It has to be ended by
// [Service.Shutdown].
func New(o Options, p Platform) (*Service, error) {
	s := &Service{
		opts: o, platform: p, faults: newFaults(),
		tables:  newTables(newDeltaStyle(&o), p.World.State()),
		sockets: sockets{open: make(map[*conn]struct{})},
	}
	s.tables.lagBehind(&o)
	s.faults.fail = s.failAll
	var err error
	if s.schema, err = newSchema(s); err != nil {
		return nil, fmt.Errorf("real-time display service: %w", err)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.tables.slowDown(&pace{ctx: s.ctx, rate: o.FullRate})
	return s, nil
}

// Faults returns the faults of messages, to be made at any time.
func (s *Service) Faults() *Faults { return s.faults }

// Refused returns how many operations were refused because the schema or a
// switch does not allow them.
func (s *Service) Refused() int { return int(s.refused.Load()) }

// Apply takes over the changes of the world and hands them to the
// subscriptions.
func (s *Service) Apply(c *world.Changes) { s.tables.apply(c) }

// Silence makes the present subscriptions hear nothing any more.
func (s *Service) Silence() { s.tables.silence() }

// Connections returns how many WebSockets are open.
func (s *Service) Connections() int { return len(s.sockets.all()) }

// Drop cuts every WebSocket: with a close code, or, when that is 0, without a
// word.
func (s *Service) Drop(code int) {
	for _, c := range s.sockets.all() {
		if code == 0 {
			c.abort()
		} else {
			c.close(code, "Terminated")
		}
	}
}

// Revoke ends every running operation with UNAUTHORIZED.
func (s *Service) Revoke() {
	for _, c := range s.sockets.all() {
		c.revokeAll()
	}
}

// Shutdown ends everything without waiting for it.
func (s *Service) Shutdown() {
	s.cancel()
	s.sockets.shut()
	s.Drop(0)
}

// Wait waits for the goroutines to end.
func (s *Service) Wait() { s.sockets.wg.Wait() }

// text is what is told in a message, with hostile texts where they are asked
// for.
func (s *Service) text(data []byte) []byte {
	if s.opts.HostileTexts {
		return wire.Spoil(data)
	}
	return data
}

package requests

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

const (
	fanEvery   = 50 * time.Millisecond // between the pieces of a subscription: 20 a second
	fanQueries = 4                     // pieces of a query under way at a time
	// maxFan is the most subscriptions that are made of one. A filter that would
	// need more is not subscribed in pieces: its full state is asked for again
	// and again.
	maxFan = 200
	// pieceKeys is the most keys of an operation that the server bears whole: the
	// full state of more is a message of many MiB.
	pieceKeys = 4000
)

// piece is one part of an operation: a filter, and what its records are called
// where they do not say so themselves.
type piece struct {
	filter string
	key    []member // of its one record; nil when records say themselves which they are
}

// fan is an operation in pieces.
type fan struct {
	id      string
	kind    string
	waiting []piece
	over    map[recordKey]bool // the records that there were when it was made of one piece each; nil: it is not
	open    map[string]piece   // by the connection's id
	answers picture.FullState  // of a query
	nextAt  time.Time
}

// Connection is what a subscription needs of a session.
type Connection interface {
	Subscribe(query string, variables map[string]any) (string, error)
	Unsubscribe(id string)
}

// Records are those that the operations are about.
type Records interface {
	Records() int
	Keys() []any
}

// Requests are the operations of one subscription that are under way.
type Requests struct {
	doc    queries.Document
	data   Records
	speech *dialect.Dialect // the feed's
	root   string           // the subscription's name on this server
	conn   Connection       // nil while the link is down
	muted  string
	underWay
}

// underWay is what belongs to a connection.
type underWay struct {
	issued int
	byID   map[string]*fan         // by its own id
	piece  map[string]*fan         // by the ids of the connection
	sent   map[string]dialect.Sent // by the ids of the connection
	heard  map[string]bool         // pieces of a subscription that have sent something
	one    bool                    // the server bears one subscription to an operation only: it is not cut for its size
}

func none() underWay {
	return underWay{byID: make(map[string]*fan), piece: make(map[string]*fan), sent: make(map[string]dialect.Sent), heard: make(map[string]bool)}
}

// New returns the requests of an operation, without a connection.
func New(doc queries.Document, data Records, speech *dialect.Dialect) *Requests {
	return &Requests{doc: doc, data: data, speech: speech, root: doc.Root, underWay: none()}
}

// Up takes a connection. A subscription is tried again that was muted on the one
// before.
func (r *Requests) Up(conn Connection) { r.conn, r.muted = conn, "" }

// Down forgets everything that belonged to the connection.
func (r *Requests) Down() { r.conn, r.underWay = nil, none() }

// Connected reports whether there is a connection.
func (r *Requests) Connected() bool { return r.conn != nil }

// Root is the subscription's name on this server.
func (r *Requests) Root() string { return r.root }

// Rename sets it.
func (r *Requests) Rename(root string) { r.root = root }

// Mute sends no subscription any more on this connection: the server does not have
// it, or not under a name that can be found.
func (r *Requests) Mute(why string) { r.muted = why }

// Muted is why none is sent, "" where they are.
func (r *Requests) Muted() string { return r.muted }

// Sent is what was sent under an id of the connection.
func (r *Requests) Sent(id string) (dialect.Sent, bool) {
	how, known := r.sent[id]
	return how, known
}

// IsQuery reports whether an id of the connection is not of a subscription.
func (r *Requests) IsQuery(id string) bool { return r.sent[id].Root == "" }

// Text sends a text of somebody who looks after the answer themselves.
func (r *Requests) Text(text string, variables map[string]any) (string, error) {
	id, err := r.conn.Subscribe(text, variables)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.doc.Root, err)
	}
	return id, nil
}

// Ask sends a query.
func (r *Requests) Ask(of queries.Request, now time.Time) (string, error) {
	return r.Send(queries.KindQuery, of, now)
}

// Parted reports whether an operation is in pieces of many records each.
func (r *Requests) Parted(id string) bool {
	f := r.byID[id]
	return f != nil && f.over == nil
}

// Pieces are the ids on the connection of an operation in pieces, those that have
// no answer yet.
func (r *Requests) Pieces(id string) []string {
	f := r.byID[id]
	if f == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(f.open))
}

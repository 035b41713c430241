package dialect

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
)

const (
	pieceInterval = 50 * time.Millisecond // interval at which the pieces of a subscription are sent
	maxOpenPieces = 4                     // maximum number of pieces of a query that run at the same time
	// maxPieces limits the number of subscriptions made from one operation. Operations that need
	// more subscriptions are polled instead.
	maxPieces = 200
	// maxPieceKeys is the maximum number of keys in one request, because the full state of more
	// records would be too large.
	maxPieceKeys = 4000
)

// piece is a part of an operation: a filter and, if updates do not contain keys, the key of the
// only record.
type piece struct {
	filter string
	key    []member // key of the only record; nil: updates contain keys
}

// splitOperation is an operation that was split into pieces.
type splitOperation struct {
	id            string             // ID of the whole operation
	kind          string             // kind of operation: query or subscription
	waitingPieces []piece            // pieces not sent yet
	recordKeys    map[recordKey]bool // records that have a piece of their own; nil: the pieces cover many records
	openPieces    map[string]piece   // pieces that were sent and have not ended, by connection ID
	answers       records.FullState  // answers to the pieces of a query so far
	nextAt        time.Time          // when the next piece of a subscription may be sent
}

// Connection is the part of a session that [Requests] uses.
type Connection interface {
	Subscribe(query string, variables map[string]any) (string, error)
	Unsubscribe(id string)
}

// Records provides the keys and the number of an operation's records.
type Records interface {
	Records() int
	Keys() []any
}

// Requests holds the running operations of one subscription: the subscription and its queries.
type Requests struct {
	doc           graphql.Document
	records       Records
	dialect       *Dialect   // shared by the feed
	root          string     // root field of the subscription on this server
	conn          Connection // nil while the link is down
	stoppedReason string     // why no subscriptions are sent; "": they are sent
	connState
}

type connState struct {
	issuedIDs       int                        // number of IDs issued by Requests itself, not by the connection
	byID            map[string]*splitOperation // by ID of the whole operation
	ownerByPiece    map[string]*splitOperation // by connection ID of a piece
	sent            map[string]SentRequest     // by connection ID
	deliveredPieces map[string]bool            // pieces of a subscription that have sent a message, by connection ID
	mustNotSplit    bool                       // the server accepts only one subscription per operation: do not split for size
}

func newConnState() connState {
	return connState{byID: make(map[string]*splitOperation), ownerByPiece: make(map[string]*splitOperation), sent: make(map[string]SentRequest), deliveredPieces: make(map[string]bool)}
}

// NewRequests returns the requests of the operation doc, without a connection.
func NewRequests(doc graphql.Document, data Records, d *Dialect) *Requests {
	return &Requests{doc: doc, records: data, dialect: d, root: doc.Root, connState: newConnState()}
}

// Connect sets the connection and allows subscriptions again.
func (r *Requests) Connect(conn Connection) { r.conn, r.stoppedReason = conn, "" }

// Disconnect forgets everything that belonged to the connection.
func (r *Requests) Disconnect() { r.conn, r.connState = nil, newConnState() }

// Connected reports whether there is a connection.
func (r *Requests) Connected() bool { return r.conn != nil }

// Root returns the root field of the subscription on this server.
func (r *Requests) Root() string { return r.root }

// SetRoot sets the root field of the subscription.
func (r *Requests) SetRoot(root string) { r.root = root }

// StopSubscriptions stops sending subscriptions on this connection. reason says why, for instance
// because the server does not have the operation.
func (r *Requests) StopSubscriptions(reason string) { r.stoppedReason = reason }

// StoppedReason returns why no subscriptions are sent, or "" if they are sent.
func (r *Requests) StoppedReason() string { return r.stoppedReason }

// SentRequest returns how the operation or piece with the connection ID id was sent. It returns false for
// an unknown ID.
func (r *Requests) SentRequest(id string) (SentRequest, bool) {
	how, known := r.sent[id]
	return how, known
}

// HasCurrentSelection reports whether the subscription id, with all its pieces, was sent with the
// selection that the dialect renders now.
func (r *Requests) HasCurrentSelection(id string) bool {
	return !slices.ContainsFunc(append(r.OpenPieces(id), id), func(id string) bool {
		how, known := r.sent[id]
		return known && !how.HasCurrentSelection(&r.doc, r.dialect)
	})
}

// IsQuery reports whether a connection ID belongs to a query. An unknown ID counts as a query.
func (r *Requests) IsQuery(id string) bool { return r.sent[id].Root == "" }

// SendText sends a query and returns its ID. The caller handles the answer.
func (r *Requests) SendText(text string, variables map[string]any) (string, error) {
	id, err := r.conn.Subscribe(text, variables)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.doc.Root, err)
	}
	return id, nil
}

// SendQuery sends a query, split if necessary, and returns its ID.
func (r *Requests) SendQuery(of graphql.Request, now time.Time) (string, error) {
	return r.Send(graphql.KindQuery, of, now)
}

// IsSplit reports whether the operation id was split into pieces that cover many records each.
func (r *Requests) IsSplit(id string) bool {
	f := r.byID[id]
	return f != nil && f.recordKeys == nil
}

// OpenPieces returns the connection IDs of the open pieces of the operation id: those that were
// sent and have not ended. It returns nil if the operation is not split.
func (r *Requests) OpenPieces(id string) []string {
	f := r.byID[id]
	if f == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(f.openPieces))
}

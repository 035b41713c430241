package feeds

import (
	"time"

	"wallboard/feeds/records"
)

// Document 2 does not say what a subscription sends first. If the first message is the full state,
// no query is needed, which saves a platform with thousands of users some seconds. The first
// message counts as the full state if it contains complete records for nearly all requested keys.
// The audit checks it soon after, as it does after a query.

const (
	// minFirstMessageBytes is the size in bytes from which a first message may replace the query: a
	// small full state is quick to query.
	minFirstMessageBytes = 128 << 10
	// firstMessageShare is the share of the expected records that must be present: some users may
	// have logged out meanwhile.
	firstMessageShare = 0.9
	// firstMessageTimeout is how long to wait for the first message of a subscription to at least
	// minFirstMessageRecords records, if the last first message of the platform was a full state.
	firstMessageTimeout    = 10 * time.Second
	minFirstMessageRecords = 250
	// maxFirstMessageBytes limits the memory for first messages of pieces, in bytes.
	maxFirstMessageBytes = 128 << 20
)

// firstMessageFacts records what is known about the first messages of a platform.
type firstMessageFacts struct {
	lastWasFull bool // the last first message was as complete as a full state
}

// firstMessage holds the first message of the pending subscription, or those of
// its pieces.
type firstMessage struct {
	facts           *firstMessageFacts
	completeRecords int               // number of complete records in it
	pieces          int               // number of pieces that have sent complete records
	messages        records.FullState // the messages of these pieces
	size            int               // total size of messages, in bytes
}

// add keeps the first message of a piece; completeCount is the number of its complete records. It
// returns false if there are none, or if the messages would take too much memory.
func (m *firstMessage) add(payload []byte, completeCount int) bool {
	if completeCount == 0 || m.size+len(payload) > maxFirstMessageBytes {
		return false
	}
	m.messages = append(m.messages, records.PackPiece(payload))
	m.size += len(payload)
	m.pieces++
	m.completeRecords += completeCount
	return true
}

// isNearlyComplete reports whether n of the expected records are enough for a full state.
func isNearlyComplete(n, expected int) bool { return float64(n) >= firstMessageShare*float64(expected) }

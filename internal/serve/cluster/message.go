package cluster

import (
	"encoding/binary"
	"errors"
	"time"
)

// protocolVersion is the version of the messages between nodes. A node rejects messages of
// other versions.
const protocolVersion = 1

// Limits on the size of a message, and on the total size of the pieces of a frame.
const (
	maxPieceBytes  = 512 << 10
	maxPieces      = 512
	maxFrameBytes  = 256 << 20
	maxNameBytes   = 64
	maxReasonBytes = 1 << 10
	identitySize   = 8
)

// Kinds of messages from a leader.
const (
	kindFrame = 'f' // a piece of a frame
	kindAlive = 'a' // no new frame; the body is the reason for a missing snapshot, or empty
)

// Flags of a frame.
const (
	flagFull       = 1 << iota // the frame does not depend on earlier frames
	flagCompressed             // the pieces together are compressed
)

// message is a message from a leader, or a follower's request for the full state.
type message struct {
	kind     byte
	flags    byte
	platform [identitySize]byte
	epoch    uint64
	seq      uint64 // number of the piece, counted over all frames; in a kindAlive message, the number of the last piece
	piece    uint64 // index of the piece in its frame; in a kindAlive message, the revision of the lease
	pieces   uint64
	sent     time.Time // on the clock of the sender
	node     string
	body     []byte
}

var (
	errProtocolVersion = errors.New("a message of another version of the board")
	errInvalidMessage  = errors.New("an invalid message")
)

// append appends the encoded message to b.
func (m *message) append(b []byte) []byte {
	b = append(b, protocolVersion, m.kind, m.flags)
	b = append(b, m.platform[:]...)
	b = binary.AppendUvarint(b, m.epoch)
	b = binary.AppendUvarint(b, m.seq)
	b = binary.AppendUvarint(b, m.piece)
	b = binary.AppendUvarint(b, m.pieces)
	b = binary.AppendVarint(b, m.sent.UnixMilli())
	b = binary.AppendUvarint(b, uint64(len(m.node)))
	b = append(b, m.node...)
	return append(b, m.body...)
}

// parseMessage decodes a message and checks its limits. The body shares memory with b.
func parseMessage(b []byte) (m message, err error) {
	const fixed = 3 + identitySize
	if len(b) == 0 || b[0] != protocolVersion {
		return m, errProtocolVersion
	}
	if len(b) < fixed {
		return m, errInvalidMessage
	}
	m.kind, m.flags = b[1], b[2]
	m.platform = [identitySize]byte(b[3:fixed])
	b = b[fixed:]
	for _, field := range []*uint64{&m.epoch, &m.seq, &m.piece, &m.pieces} {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return m, errInvalidMessage
		}
		*field, b = n, b[size:]
	}
	ms, size := binary.Varint(b)
	if size <= 0 {
		return m, errInvalidMessage
	}
	m.sent, b = time.UnixMilli(ms), b[size:]
	n, size := binary.Uvarint(b)
	if size <= 0 || n > maxNameBytes || int(n) > len(b)-size {
		return m, errInvalidMessage
	}
	m.node, m.body = string(b[size:size+int(n)]), b[size+int(n):]
	switch {
	case m.kind == kindFrame && (m.pieces == 0 || m.pieces > maxPieces || m.piece >= m.pieces || m.seq <= m.piece):
		return m, errInvalidMessage
	case m.kind == kindAlive && len(m.body) > maxReasonBytes, m.kind != kindFrame && m.kind != kindAlive:
		return m, errInvalidMessage
	}
	return m, nil
}

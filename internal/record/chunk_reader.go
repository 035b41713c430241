package record

import (
	"errors"
	"time"

	"wallboard/model"
)

// chunkReader reads a chunk frame by frame. It is not safe for concurrent use.
type chunkReader struct {
	index        int // index of the chunk in the recording
	raw          []byte
	frames       [][]byte // parts of raw
	nextFrame    int      // index of the next frame to decode
	frameDecoder *frameDecoder
	isDamaged    bool       // some frames cannot be read
	file         *file      // file for whose schema frameDecoder was made
	onlyTables   []model.Op // tables to read; empty: all
}

// nearDistance is the longest distance, from the last decoded frame to a later time, for which
// decoding all frames in between is cheap.
const nearDistance = 2 * time.Second

// timeGrid is a series of times at intervals of step. One of the times is origin.
type timeGrid struct {
	origin time.Time
	step   time.Duration
}

// roundUp returns the first time of the grid that is not before at.
func (g timeGrid) roundUp(at time.Time) time.Time {
	by := at.Sub(g.origin) % g.step
	if by > 0 {
		by -= g.step
	}
	return at.Add(-by)
}

// unpack makes c, chunk i of the recording, the current chunk without decoding a frame. If the
// chunk is damaged, its readable frames remain.
func (o *chunkReader) unpack(i int, c fileChunk, u *unpacker, store *model.Store) error {
	frames, err := c.file.unpackInto(c.chunkEntry, &o.raw, u)
	if err != nil && !errors.Is(err, ErrDamaged) {
		o.index, o.frames, o.nextFrame = i, nil, 0 // the buffer of the old frames was overwritten
		return err
	}
	if o.isDamaged = err != nil; c.isDamaged {
		frames = frames[:min(len(frames), c.Frames)]
	}
	return o.startChunk(i, c, frames, store)
}

// startChunk makes c, chunk i of the recording, the current chunk. frames are its frames.
func (o *chunkReader) startChunk(i int, c fileChunk, frames [][]byte, store *model.Store) error {
	if o.file != c.file {
		d, ok := newFrameDecoder(c.file.header.Schema, store, o.onlyTables...)
		if !ok {
			return ErrNewerVersion
		}
		o.file, o.frameDecoder = c.file, d
	}
	o.frameDecoder.startChunk(c.First)
	o.index, o.nextFrame, o.frames = i, 0, frames
	return nil
}

// read decodes the next frame. If a frame cannot be decoded, read marks the chunk as damaged and
// drops all later frames.
func (o *chunkReader) read() error {
	err := o.frameDecoder.readFrame(o.frames[o.nextFrame])
	if err != nil {
		o.isDamaged, o.frames = true, o.frames[:o.nextFrame]
		return err
	}
	o.nextFrame++
	return nil
}

// readTo decodes all frames up to the time at, but at least the first frame. some reports
// whether it has decoded a frame.
func (o *chunkReader) readTo(at time.Time) (some bool, err error) {
	for o.mustDecode(at) {
		if err := o.read(); err != nil {
			return some, err
		}
		some = true
	}
	return some, nil
}

// mustDecode reports whether the state at a time depends on the next frame. For the first
// frame it is always true.
func (o *chunkReader) mustDecode(at time.Time) bool {
	return o.nextFrame < len(o.frames) && (o.nextFrame == 0 || !o.frameDecoder.frameTime(o.frames[o.nextFrame]).After(at))
}

// rewind moves to the start of the chunk. first is its start time.
func (o *chunkReader) rewind(first time.Time) {
	o.frameDecoder.startChunk(first)
	o.nextFrame = 0
}

// isNear reports whether a time is at most nearDistance after the last decoded frame.
func (o *chunkReader) isNear(at time.Time) bool {
	return o.nextFrame > 0 && !o.frameDecoder.lastFrameTime.After(at) && at.Sub(o.frameDecoder.lastFrameTime) <= nearDistance
}

// fork returns an independent reader at the same position. The state of the decoder must be
// read-only (see [frameDecoder.makeReadOnly]).
func (o *chunkReader) fork() *chunkReader {
	return &chunkReader{index: o.index, frames: o.frames, nextFrame: o.nextFrame, frameDecoder: o.frameDecoder.fork(), isDamaged: o.isDamaged, file: o.file}
}

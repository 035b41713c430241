package record

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// frameWriter writes snapshots as frames to a segment file. It begins a chunk, whose first frame
// holds the complete state, with the first snapshot at least a minute after the last such frame.
type frameWriter struct {
	out            io.Writer
	metadata       Metadata
	recipients     []secret.Lock
	segment        *segment
	lastWholeFrame time.Time // time of the last frame with the complete state
}

// add writes a snapshot taken at the time at. The first call also writes the header of the file.
func (r *frameWriter) add(s *model.Snapshot, at time.Time) (err error) {
	if r.segment == nil {
		if r.segment, err = newSegment(r.out, r.metadata, at, newFrameEncoder(), r.recipients...); err != nil {
			return err
		}
	}
	whole := at.Sub(r.lastWholeFrame) >= time.Minute
	if whole {
		r.lastWholeFrame = at
	}
	return r.segment.writeFrame(s, at, whole)
}

// BatchWriter writes existing snapshots to a segment file in a directory. Unlike a [Writer],
// it does not wait between snapshots. It is not safe for concurrent use.
type BatchWriter struct {
	dir    string
	out    *os.File
	frames frameWriter
}

// NewBatchWriter returns a BatchWriter for a folder. It creates a missing folder. about
// describes the recording. If one of the locks has keys, the file is encrypted.
func NewBatchWriter(dir string, about Metadata, locks ...secret.Lock) (*BatchWriter, error) {
	if _, err := securefile.CreateFolder(dir); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	return &BatchWriter{dir: dir, frames: frameWriter{metadata: about, recipients: locks}}, nil
}

// Add writes a snapshot. Its time must not be before that of the previous snapshot.
func (t *BatchWriter) Add(s *model.Snapshot) error {
	if t.out == nil {
		var err error
		if t.out, err = securefile.OpenFile(segmentName(t.dir, s.At)+partSuffix, os.O_CREATE|os.O_EXCL|os.O_WRONLY); err != nil {
			return err
		}
		t.frames.out = t.out
	}
	return t.frames.add(s, s.At)
}

// WriteMark writes a mark. It drops marks that are written before the first snapshot.
func (t *BatchWriter) WriteMark(m Mark) error {
	if t.frames.segment == nil {
		return nil
	}
	return t.frames.segment.writeMark(m)
}

// partSuffix is appended to the name of an incomplete file. Readers ignore files with this suffix.
const partSuffix = ".part"

// segmentLayout is the [time.Time.Format] layout of the name of a segment file, which contains
// the start time of the segment.
const segmentLayout = "20060102T150405.000Z" + segmentExtension

// segmentName returns the path of a segment file in dir that starts at the time at.
func segmentName(dir string, at time.Time) string {
	return filepath.Join(dir, at.UTC().Format(segmentLayout))
}

// hasWriterName reports whether a file is named like the segments of a [Writer].
func hasWriterName(path string) bool {
	_, err := time.Parse(segmentLayout, filepath.Base(path))
	return err == nil
}

// Close completes the file and renames it to make it part of the recording. It does nothing if
// no snapshot was added.
func (t *BatchWriter) Close() error {
	if t.out == nil {
		return nil
	}
	if err := errors.Join(t.frames.segment.close(), t.out.Close()); err != nil {
		return errors.Join(err, os.Remove(t.out.Name()))
	}
	return os.Rename(t.out.Name(), t.path())
}

// path returns the path of the completed file.
func (t *BatchWriter) path() string {
	return segmentName(t.dir, t.frames.segment.footer.Chunks[0].First)
}

// Discard closes and removes the file, if there is one.
func (t *BatchWriter) Discard() error {
	if t.out == nil {
		return nil
	}
	return errors.Join(t.out.Close(), os.Remove(t.out.Name()))
}

// WriteSnapshots writes snapshots to a segment file in a folder, like a [BatchWriter], and returns the
// path of the file. After an error, which may come from the sequence, there is no file.
func WriteSnapshots(dir string, about Metadata, snapshots iter.Seq2[*model.Snapshot, error], locks ...secret.Lock) (path string, err error) {
	w, err := NewBatchWriter(dir, about, locks...)
	if err != nil {
		return "", err
	}
	for s, err := range snapshots {
		if err == nil {
			err = w.Add(s)
		}
		if err != nil {
			return "", errors.Join(err, w.Discard())
		}
	}
	if w.out == nil {
		return "", errors.New("there are no snapshots to record")
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return w.path(), nil
}

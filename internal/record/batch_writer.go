package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// frameWriter writes snapshots to a file at any intervals.
type frameWriter struct {
	out            io.Writer
	about          About
	segment        *segment
	lastWholeFrame time.Time // time of the last whole frame
}

// add writes a snapshot.
func (r *frameWriter) add(s *model.Snapshot, at time.Time) (err error) {
	if r.segment == nil {
		if r.segment, err = newSegment(r.out, r.about, at, newFramer()); err != nil {
			return err
		}
	}
	whole := at.Sub(r.lastWholeFrame) >= time.Minute
	if whole {
		r.lastWholeFrame = at
	}
	return r.segment.writeFrame(s, at, whole)
}

// BatchWriter writes snapshots to a file in a folder without real-time pacing. It is not safe
// for concurrent use.
type BatchWriter struct {
	dir    string
	out    *os.File
	frames frameWriter
}

// NewBatchWriter returns a writer for a folder, which it creates if necessary.
func NewBatchWriter(dir string, about About) (*BatchWriter, error) {
	if _, err := securefile.CreateFolder(dir); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	return &BatchWriter{dir: dir, frames: frameWriter{about: about}}, nil
}

// Add writes a snapshot. Snapshots must be in the order of time.
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

// Mark writes a mark. It has no effect before the first snapshot.
func (t *BatchWriter) Mark(m Mark) error {
	if t.frames.segment == nil {
		return nil
	}
	return t.frames.segment.writeMark(m)
}

// partSuffix is the suffix of a file that does not belong to the recording yet.
const partSuffix = ".part"

// segmentLayout is the file name for a start time.
const segmentLayout = "20060102T150405.000Z" + segmentExtension

// segmentName returns the path of a segment that starts at a time.
func segmentName(dir string, at time.Time) string {
	return filepath.Join(dir, at.UTC().Format(segmentLayout))
}

// hasWriterName reports whether a file is named like a segment of a writer.
func hasWriterName(path string) bool {
	_, err := time.Parse(segmentLayout, filepath.Base(path))
	return err == nil
}

// Close completes the file and adds it to the recording.
func (t *BatchWriter) Close() error {
	if t.out == nil {
		return nil
	}
	if err := errors.Join(t.frames.segment.close(), t.out.Close()); err != nil {
		return errors.Join(err, os.Remove(t.out.Name()))
	}
	at := t.frames.segment.footer.Chunks[0].First
	return os.Rename(t.out.Name(), segmentName(t.dir, at))
}

// Discard removes the file.
func (t *BatchWriter) Discard() error {
	if t.out == nil {
		return nil
	}
	return errors.Join(t.out.Close(), os.Remove(t.out.Name()))
}

package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"wallboard/internal/private"
	"wallboard/model"
)

// roll writes pictures to a file, however far they are apart.
type roll struct {
	out   io.Writer
	about About
	seg   *segment
	whole time.Time // of the last picture that was written whole
}

// add writes a picture of a time.
func (r *roll) add(s *model.Snapshot, at time.Time) (err error) {
	if r.seg == nil {
		if r.seg, err = newSegment(r.out, r.about, at, newFramer()); err != nil {
			return err
		}
	}
	whole := at.Sub(r.whole) >= time.Minute
	if whole {
		r.whole = at
	}
	return r.seg.frame(s, at, whole)
}

// Tape writes pictures to a file of a folder, as fast as it gets them and not as they
// happen. It is for one goroutine.
type Tape struct {
	dir  string
	out  *os.File
	roll roll
}

// NewTape returns a tape for a folder, which is made if there is none.
func NewTape(dir string, about About) (*Tape, error) {
	if _, err := private.Folder(dir); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	return &Tape{dir: dir, roll: roll{about: about}}, nil
}

// Add writes a picture. Later ones follow.
func (t *Tape) Add(s *model.Snapshot) error {
	if t.out == nil {
		var err error
		if t.out, err = private.OpenFile(segmentName(t.dir, s.At)+unfinished, os.O_CREATE|os.O_EXCL|os.O_WRONLY); err != nil {
			return err //nolint:wrapcheck // it names the file
		}
		t.roll.out = t.out
	}
	return t.roll.add(s, s.At)
}

// Mark notes something that happened, after the first picture.
func (t *Tape) Mark(m Mark) error {
	if t.roll.seg == nil {
		return nil
	}
	return t.roll.seg.mark(m)
}

// unfinished ends the name of a file that is not part of the recording yet.
const unfinished = ".part"

// segmentLayout is how files are named after when they begin.
const segmentLayout = "20060102T150405.000Z" + extension

// segmentName is where what begins at a time is written.
func segmentName(dir string, at time.Time) string {
	return filepath.Join(dir, at.UTC().Format(segmentLayout))
}

// isSegmentName reports whether a file is called as a recorder calls it.
func isSegmentName(path string) bool {
	_, err := time.Parse(segmentLayout, filepath.Base(path))
	return err == nil
}

// Close makes what was written part of the recording.
func (t *Tape) Close() error {
	if t.out == nil {
		return nil
	}
	if err := errors.Join(t.roll.seg.close(), t.out.Close()); err != nil {
		return errors.Join(err, os.Remove(t.out.Name()))
	}
	at := t.roll.seg.foot.Chunks[0].First
	return os.Rename(t.out.Name(), segmentName(t.dir, at)) //nolint:wrapcheck // it names the files
}

// Discard removes what was written.
func (t *Tape) Discard() error {
	if t.out == nil {
		return nil
	}
	return errors.Join(t.out.Close(), os.Remove(t.out.Name()))
}

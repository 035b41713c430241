package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// extension is that of segment files.
const extension = ".wbr"

// Recording is what one or several segments hold, in the order of time. It is for
// one goroutine.
type Recording struct {
	files    []*file
	chunks   []chunkOf
	problems []error
	unpacker unpacker
	spoilt   int // how often less was found in a chunk than was thought
}

// chunkOf is a chunk and where it is.
type chunkOf struct {
	chunkAt
	file    *file
	damaged bool // something of it is missing
	retold  bool // what was recorded later tells of the same time, as after a clock was set back
}

// Open opens a segment file, or all of a directory. Of a directory, files that
// cannot be read are left out; of one file, and where no other is left, the error says
// why. Where nothing is recorded it is [fs.ErrNotExist].
func Open(path string) (*Recording, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	r := &Recording{}
	if !info.IsDir() {
		f, err := openFile(path, &r.unpacker)
		if err != nil {
			return nil, err
		}
		r.files = []*file{f}
		r.sort()
		return r, nil
	}
	paths, err := segments(path)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		f, err := openFile(p, &r.unpacker)
		if errors.Is(err, errBegun) {
			continue // somebody writes it, and has told nothing yet
		}
		if err != nil {
			r.problems = append(r.problems, err)
			continue
		}
		r.files = append(r.files, f)
	}
	r.sort()
	if len(r.files) == 0 {
		return nil, r.nothing(path)
	}
	return r, nil
}

// OpenOf opens the files of a directory that are of what somebody wants. What else is in
// it is left out.
func OpenOf(dir string, wanted func(About) bool) (*Recording, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	r.files = slices.DeleteFunc(r.files, func(f *file) bool {
		if wanted(f.head.About) {
			return false
		}
		_ = f.close() // it was only looked at
		return true
	})
	r.sort()
	if len(r.files) == 0 {
		return nil, r.nothing(dir)
	}
	return r, nil
}

// nothing says why there is nothing in a directory: what of it cannot be read, or that
// there is none.
func (r *Recording) nothing(dir string) error {
	if len(r.problems) > 0 {
		return errors.Join(r.problems...)
	}
	return fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
}

// Problems are why files of the directory were left out that cannot be read.
func (r *Recording) Problems() []error { return r.problems }

// segments returns the segment files of a directory, the oldest first.
func segments(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the directory
	}
	var paths []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == extension {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths) // their names are when they began
	return paths, nil
}

func (r *Recording) sort() {
	r.chunks = nil
	for _, f := range r.files {
		for i, c := range f.foot.Chunks {
			r.chunks = append(r.chunks, chunkOf{c, f, slices.Contains(f.damaged, i), r.retold(f, c)})
		}
	}
	slices.SortStableFunc(r.chunks, func(a, b chunkOf) int { return cmp.Or(a.First.Compare(b.First), a.Last.Compare(b.Last)) })
}

// retold reports whether a file that began later than another tells of all of a chunk's time.
func (r *Recording) retold(of *file, c chunkAt) bool {
	return slices.ContainsFunc(r.files, func(f *file) bool {
		all := f.foot.Chunks
		return f.head.Began.After(of.head.Began) && len(all) > 0 && !c.First.Before(all[0].First) && !c.Last.After(all[len(all)-1].Last)
	})
}

// Close lets go of the files.
func (r *Recording) Close() error {
	r.unpacker.close()
	var errs []error
	for _, f := range r.files {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}

// Info is what a recording holds.
type Info struct {
	About        About
	First, Last  time.Time // on the server's clock; zero where nothing was recorded
	Files        int
	Chunks       int
	Frames       int // 0 where nobody has counted
	Bytes        int64
	Unclosed     int // files that are being written, or whose writer died
	Marks        []Mark
	Interruption []Gap
}

// Damaged are the gaps between two instants that are of damage.
func (in Info) Damaged(from, to time.Time) (all []Gap) {
	for _, g := range in.Interruption {
		if g.Damaged && g.From.Before(to) && g.To.After(from) {
			all = append(all, g)
		}
	}
	return all
}

// Gap is a time in which nothing was recorded, or of which nothing is left: what was recorded
// was altered, or something of the files is missing.
type Gap struct {
	From, To time.Time
	Damaged  bool `json:",omitempty"`
}

// longestPause is how far two frames may be apart without a gap between them.
const longestPause = 15 * time.Second

// Info tells what there is.
func (r *Recording) Info() Info {
	in := Info{Files: len(r.files), Chunks: len(r.chunks)}
	for _, f := range r.files {
		in.About = f.head.About
		if info, err := f.f.Stat(); err == nil {
			in.Bytes += info.Size()
		}
		if f.torn {
			in.Unclosed++
		}
		in.Marks = append(in.Marks, f.foot.Marks...)
	}
	slices.SortStableFunc(in.Marks, func(a, b Mark) int { return a.At.Compare(b.At) })
	for i, c := range r.chunks {
		in.Frames += c.Frames
		if i == 0 {
			in.First = c.First
		}
		if c.Last.After(in.Last) {
			in.Last = c.Last
		}
	}
	in.Interruption = r.gaps()
	return in
}

// find returns the chunk that holds an instant: the last one that begins at or
// before it and of which something is left, -1 for none.
func (r *Recording) find(at time.Time) int {
	i := r.begun(at)
	for i >= 0 && r.chunks[i].lost() {
		i--
	}
	return i
}

// begun returns the last chunk that begins at or before an instant, -1 for none. Where two
// files tell of it, as after a clock was set back, it is one of the file that began later: the
// two are never shown in turns.
func (r *Recording) begun(at time.Time) int {
	i, exact := slices.BinarySearchFunc(r.chunks, at, func(c chunkOf, at time.Time) int {
		return cmp.Compare(c.First.UnixNano(), at.UnixNano())
	})
	if !exact {
		i--
	}
	for i >= 0 && r.chunks[i].retold {
		i--
	}
	return i
}

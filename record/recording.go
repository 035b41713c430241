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
	dir      string           // "": it is one file
	wanted   func(About) bool // of the directory; nil: all
	files    []*file
	left     []*file // that were in the directory when it was first looked at
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
func Open(path string) (*Recording, error) { return OpenOf(path, nil) }

// OpenOf is Open with only those files of a directory that are of what somebody wants. What
// else is in it is left out.
func OpenOf(path string, wanted func(About) bool) (*Recording, error) {
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
		if wanted != nil && !wanted(f.head.About) {
			return nil, errors.Join(r.nothing(path), f.close())
		}
		r.files = []*file{f}
		r.sort()
		return r, nil
	}
	r.dir, r.wanted = path, wanted
	paths, err := segments(path)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		r.open(p, paths, &r.unpacker)
	}
	r.sort()
	if len(r.files) == 0 {
		return nil, r.nothing(path)
	}
	return r, nil
}

// open opens a file of the directory, where it is one that is wanted; all are those that are
// there. One that goes meanwhile is none of them.
func (r *Recording) open(path string, all []string, u *unpacker) {
	f, err := openFile(path, u)
	switch {
	case errors.Is(err, errBegun) && beingBegun(path, all) || errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.problems = append(r.problems, err)
	case r.wanted != nil && !r.wanted(f.head.About):
		_ = f.close() // it was only looked at
	default:
		r.files = append(r.files, f)
	}
}

// beingBegun reports whether a file that ends within its header may be the one that somebody
// is about to write: it is the last by its name, or no other was written to after it, as when
// the clock was set back.
func beingBegun(path string, all []string) bool {
	if path == all[len(all)-1] {
		return true
	}
	info, err := os.Stat(path)
	if err != nil {
		return true // it has just gone
	}
	return !slices.ContainsFunc(all, func(p string) bool {
		other, err := os.Stat(p)
		return err == nil && other.ModTime().After(info.ModTime())
	})
}

// Again returns what opens the same once more, as it is by then: the files of a directory that
// are of what was wanted. It may be called from any goroutine.
func (r *Recording) Again() func() (*Recording, error) {
	path, wanted := r.dir, r.wanted
	if path == "" {
		path = r.files[0].path
	}
	return func() (*Recording, error) { return OpenOf(path, wanted) }
}

// Want has [Recording.Again] open the files of a directory that are wanted.
func (r *Recording) Want(wanted func(About) bool) { r.wanted = wanted }

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
			_, damaged := slices.BinarySearch(f.damaged, i)
			r.chunks = append(r.chunks, chunkOf{c, f, damaged, r.retold(f, c)})
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
	for _, f := range slices.Concat(r.files, r.left) {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}

// Info is what a recording holds.
type Info struct {
	About        About     // what holds for all of it
	Parts        []Part    `json:",omitempty"` // that it was made in, where there are several
	First, Last  time.Time // on the server's clock; zero where nothing was recorded
	Files        int
	Chunks       int
	Frames       int // 0 where nobody has counted
	Bytes        int64
	Unclosed     int // files that are being written, or whose writer died
	Marks        []Mark
	Interruption []Gap
	Unknown      []string `json:",omitempty"` // fields of the files that this build leaves out: of an earlier or a later one
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
		if info, err := f.f.Stat(); err == nil {
			in.Bytes += info.Size()
		}
		if f.torn {
			in.Unclosed++
		}
		in.Marks = append(in.Marks, f.foot.Marks...)
	}
	for _, f := range r.files {
		in.Unknown = append(in.Unknown, f.unknown...)
	}
	slices.Sort(in.Unknown)
	in.Unknown = slices.Compact(in.Unknown)
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
	if in.About, in.Parts = r.About(in.First, in.Last); len(in.Parts) < 2 {
		in.Parts = nil
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

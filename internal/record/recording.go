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

	"wallboard/internal/lib/secret"
)

// segmentExtension is the file name extension of segments.
const segmentExtension = ".wbr"

// Recording is the content of one or more segment files, ordered by time. It is not safe for
// concurrent use.
type Recording struct {
	dir         string              // "" for a single file
	filter      func(Metadata) bool // selects files of the directory; nil: all
	openHeader  headerOpener        // opens encrypted files
	files       []*file
	removed     []*file // open files that are no longer in the directory
	chunks      []fileChunk
	problems    []error
	unpacker    unpacker
	damageCount int // incremented when further damage is found
}

type fileChunk struct {
	chunkEntry
	file         *file
	isDamaged    bool // some frames are missing
	isSuperseded bool // a later file covers the same time, as after a clock change
}

// Open opens a segment file or all segment files of a directory. It skips unreadable files of
// a directory (see [Recording.Problems]). If no file is readable, the error contains the
// reasons. If there is no file, the error is [fs.ErrNotExist].
func Open(path string) (*Recording, error) { return OpenFiltered(path, nil) }

// OpenFiltered is like [Open], but opens only files whose description wanted accepts. A nil wanted
// accepts all files. keyFiles are the paths of files with private keys for encrypted files. Without
// a key, the error wraps [secret.ErrNoKey].
func OpenFiltered(path string, wanted func(Metadata) bool, keyFiles ...string) (*Recording, error) {
	return openRecording(path, wanted, openHeaderWith(keyFiles))
}

func openRecording(path string, wanted func(Metadata) bool, open headerOpener) (*Recording, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &Recording{openHeader: open}
	if !info.IsDir() {
		f, err := openFile(path, &r.unpacker, open)
		if err != nil {
			return nil, err
		}
		if wanted != nil && !wanted(f.header.About) {
			return nil, errors.Join(r.emptyError(path), f.close())
		}
		r.files = []*file{f}
		r.sortChunks()
		return r, nil
	}
	r.dir, r.filter = path, wanted
	paths, err := segmentPaths(path)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		r.addFile(p, paths, &r.unpacker)
	}
	r.sortChunks()
	if len(r.files) == 0 {
		return nil, r.emptyError(path)
	}
	return r, nil
}

// addFile adds a file of the directory if the filter accepts it. all holds the paths of all files
// of the directory. addFile silently skips a file that has disappeared or is just being created.
func (r *Recording) addFile(path string, all []string, u *unpacker) {
	f, err := openFile(path, u, r.openHeader)
	switch {
	case errors.Is(err, errUnfinished) && isBeingCreated(path, all) || errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.problems = append(r.problems, err)
	case r.filter != nil && !r.filter(f.header.About):
		_ = f.close() // only read from
	default:
		r.files = append(r.files, f)
	}
}

// isBeingCreated reports whether a file that ends within its header may still be in creation.
// This is possible for the last of all files by name and, if a clock was set back, for the
// file that was modified last.
func isBeingCreated(path string, all []string) bool {
	if path == all[len(all)-1] {
		return true
	}
	info, err := os.Stat(path)
	if err != nil {
		return true // the file was removed meanwhile
	}
	return !slices.ContainsFunc(all, func(p string) bool {
		other, err := os.Stat(p)
		return err == nil && other.ModTime().After(info.ModTime())
	})
}

// Reopener returns a function that opens the same file or directory again to read its current
// content. The function is safe for concurrent use.
func (r *Recording) Reopener() func() (*Recording, error) {
	path, wanted, open := r.dir, r.filter, r.openHeader
	if path == "" {
		path = r.files[0].path
	}
	return func() (*Recording, error) { return openRecording(path, wanted, open) }
}

// SetFilter sets the filter for [Recording.Reopener] and for files that are added later.
func (r *Recording) SetFilter(wanted func(Metadata) bool) { r.filter = wanted }

// emptyError returns the error for a path without readable files.
func (r *Recording) emptyError(dir string) error {
	if len(r.problems) > 0 {
		lacksKey := false // a missing key is reported once, not for each file
		return errors.Join(slices.DeleteFunc(slices.Clone(r.problems), func(err error) bool {
			if !errors.Is(err, secret.ErrNoKey) {
				return false
			}
			repeated := lacksKey
			lacksKey = true
			return repeated
		})...)
	}
	return fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
}

// Problems returns one error for each file that was skipped because it could not be read.
func (r *Recording) Problems() []error { return r.problems }

// segmentPaths returns the paths of the segment files of a directory, oldest first.
func segmentPaths(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == segmentExtension {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths) // the names contain the start times
	return paths, nil
}

func (r *Recording) sortChunks() {
	r.chunks = nil
	for _, f := range r.files {
		for i, c := range f.footer.Chunks {
			_, damaged := slices.BinarySearch(f.damagedChunks, i)
			r.chunks = append(r.chunks, fileChunk{c, f, damaged, r.isSuperseded(f, c)})
		}
	}
	slices.SortStableFunc(r.chunks, func(a, b fileChunk) int { return cmp.Or(a.First.Compare(b.First), a.Last.Compare(b.Last)) })
}

// isSuperseded reports whether a file that was started later covers the whole time of c, a
// chunk of the given file.
func (r *Recording) isSuperseded(of *file, c chunkEntry) bool {
	return slices.ContainsFunc(r.files, func(f *file) bool {
		all := f.footer.Chunks
		return f.header.Began.After(of.header.Began) && len(all) > 0 && !c.First.Before(all[0].First) && !c.Last.After(all[len(all)-1].Last)
	})
}

// Close closes the files of the recording.
func (r *Recording) Close() error {
	r.unpacker.close()
	var errs []error
	for _, f := range slices.Concat(r.files, r.removed) {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}

// Info describes the content of a recording.
type Info struct {
	About        Metadata         // combined from all files
	Parts        []SettingsPeriod `json:",omitempty"` // periods with different settings; nil if the settings never changed
	First, Last  time.Time        // on the server's clock; zero if the recording is empty
	Files        int
	Chunks       int
	Frames       int // 0 if the frames were not counted
	Bytes        int64
	Encrypted    int `json:",omitempty"` // files that are encrypted
	Unclosed     int // files that are still being written, or whose writer died
	Marks        []Mark
	Interruption []Gap
	Unknown      []string `json:",omitempty"` // fields in the files that this version does not know
}

// DamagedGaps returns the gaps caused by damage that overlap a period.
func (in Info) DamagedGaps(from, to time.Time) (all []Gap) {
	for _, g := range in.Interruption {
		if g.Damaged && g.From.Before(to) && g.To.After(from) {
			all = append(all, g)
		}
	}
	return all
}

// Gap is a period without recorded snapshots. Damaged means that the recording is unreadable
// in this period.
type Gap struct {
	From, To time.Time
	Damaged  bool `json:",omitempty"`
}

// maxFramePause is the longest pause between two frames that is not a gap.
const maxFramePause = 15 * time.Second

// Info describes the content of the recording.
func (r *Recording) Info() Info {
	in := Info{Files: len(r.files), Chunks: len(r.chunks)}
	for _, f := range r.files {
		if info, err := f.osFile.Stat(); err == nil {
			in.Bytes += info.Size()
		}
		if f.cipher != nil {
			in.Encrypted++
		}
		if f.hasNoFooter {
			in.Unclosed++
		}
		in.Marks = append(in.Marks, f.footer.Marks...)
	}
	for _, f := range r.files {
		in.Unknown = append(in.Unknown, f.unknownFields...)
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

// lastReadableChunk returns the index of the last readable chunk that begins at or before a
// time, or -1 if there is none.
func (r *Recording) lastReadableChunk(at time.Time) int {
	i := r.lastBegunChunk(at)
	for i >= 0 && r.chunks[i].isUnreadable() {
		i--
	}
	return i
}

// lastBegunChunk returns the index of the last chunk that begins at or before a time, or -1 if
// there is none. If two files cover the time, for example after a clock change, it uses the
// file that was started later, to avoid mixing them.
func (r *Recording) lastBegunChunk(at time.Time) int {
	i, exact := slices.BinarySearchFunc(r.chunks, at, func(c fileChunk, at time.Time) int {
		return cmp.Compare(c.First.UnixNano(), at.UnixNano())
	})
	if !exact {
		i--
	}
	for i >= 0 && r.chunks[i].isSuperseded {
		i--
	}
	return i
}

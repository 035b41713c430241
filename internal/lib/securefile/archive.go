package securefile

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of an archive.
const (
	maxFiles    = 100_000
	maxFileSize = 1 << 30
	maxSize     = 2 << 30 // total size of all files, which are held in memory
	// The files of an archive may take baseSize bytes plus maxExpansion times the size of the
	// archive. Text, such as audit files, seldom compresses to less than a thirtieth of its size.
	baseSize     = 64 << 20
	maxExpansion = 100
	maxManifest  = 64 << 20
	// maxElements limits the number of commas in a manifest, because even a list element of 3
	// bytes, such as "{},", becomes a complete [ArchivedFile] in memory.
	maxElements = 10 * maxFiles
	maxPadding  = 64 << 10 // zeros after the last file
)

// manifestName is the name of the first entry of an archive.
const manifestName = "manifest.json"

// archiveFormat is the version of the archive's format.
const archiveFormat = 1

// ArchiveRoot is a directory with files to back up.
type ArchiveRoot struct {
	// Name is the first element of the file names in the archive, for example "config".
	Name string
	// Dir is the directory on this machine.
	Dir string
	// Only lists the files to back up, relative to Dir. If it is nil, all files below Dir are
	// backed up. Missing files are ignored.
	Only []string
}

// LeftOut is a file, a directory or a secret that is not part of an archive.
type LeftOut struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Manifest describes an archive.
type Manifest struct {
	Format  int            `json:"format"`
	Program string         `json:"program"` // version of the program that wrote the archive
	Host    string         `json:"host"`
	Created time.Time      `json:"created"`
	Files   []ArchivedFile `json:"files"`
	LeftOut []LeftOut      `json:"left_out"`
}

// ArchivedFile is a file in an archive.
type ArchivedFile struct {
	Name   string `json:"name"` // with slashes, beginning with the name of its root
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`

	path string // on this machine
}

// ScanFiles returns a manifest of the regular files below the roots, in the order of the roots. A
// file below several roots belongs to the first one. skip returns the reason to leave out the
// file or directory at a path, or "" to include it. ScanFiles lists links and special files as left
// out, with a reason. It ignores a missing root.
func ScanFiles(roots []ArchiveRoot, skip func(path string) string) (*Manifest, error) {
	m := &Manifest{Format: archiveFormat, Files: []ArchivedFile{}, LeftOut: []LeftOut{}}
	seen := make(map[string]bool)
	for _, root := range roots {
		walk := func(file string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case entry.IsDir():
				return m.skipFolder(file, skip)
			case seen[file]:
				return nil
			}
			seen[file] = true
			reason := skip(file)
			if reason == "" && !entry.Type().IsRegular() {
				reason = "not a regular file"
			}
			if reason != "" {
				m.LeftOut = append(m.LeftOut, LeftOut{file, reason})
				return nil
			}
			name, err := filepath.Rel(root.Dir, file)
			if err != nil {
				return err
			}
			m.Files = append(m.Files, ArchivedFile{Name: path.Join(root.Name, filepath.ToSlash(name)), path: file})
			return nil
		}
		starts := []string{root.Dir}
		if root.Only != nil {
			starts = nil
			for _, name := range root.Only {
				starts = append(starts, filepath.Join(root.Dir, name))
			}
		}
		for _, start := range starts {
			if err := filepath.WalkDir(start, walk); err != nil {
				return nil, err
			}
		}
	}
	if len(m.Files) > maxFiles {
		return nil, fmt.Errorf("%d files, more than %d", len(m.Files), maxFiles)
	}
	return m, nil
}

// skipFolder lists a directory as left out and returns [filepath.SkipDir] if skip returns a
// reason. Otherwise it returns nil.
func (m *Manifest) skipFolder(folder string, skip func(path string) string) error {
	reason := skip(folder)
	if reason == "" {
		return nil
	}
	m.LeftOut = append(m.LeftOut, LeftOut{folder, reason})
	return fs.SkipDir
}

// Write writes an archive with the files of a manifest returned by [ScanFiles], and adds their
// sizes and sums to the manifest. read returns the content of a file. Write lists a file that
// no longer exists as left out.
func (m *Manifest) Write(w io.Writer, read func(path string) ([]byte, error)) error {
	contents := make([][]byte, 0, len(m.Files))
	files, size := m.Files, 0
	m.Files = []ArchivedFile{}
	for _, f := range files {
		content, err := read(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			m.LeftOut = append(m.LeftOut, LeftOut{f.path, "removed in the meantime"})
			continue
		}
		if err != nil {
			return err
		}
		if size += len(content); size > maxSize {
			return fmt.Errorf("the files have more than %d bytes", maxSize)
		}
		sum := sha256.Sum256(content)
		f.Size, f.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
		m.Files, contents = append(m.Files, f), append(contents, content)
	}
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	counter := &countingWriter{w: w}
	zw := gzip.NewWriter(counter)
	tw := tar.NewWriter(zw)
	add := func(name string, content []byte) error {
		h := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: m.Created, Typeflag: tar.TypeReg}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		_, err := tw.Write(content)
		return err
	}
	err = add(manifestName, manifest)
	for i := range contents {
		if err == nil {
			err = add(m.Files[i].Name, contents[i])
		}
	}
	err = errors.Join(err, tw.Close(), zw.Close())
	if err == nil && int64(size) > maxContent(counter.n) {
		err = fmt.Errorf("the files are more than %d times as large as the backup, which could not be restored", maxExpansion)
	}
	return err
}

// countingWriter counts the bytes written to w.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Archive is an archive that was read completely and agrees with its manifest.
//
// An archive is a gzip-compressed tar file. Its first entry is the manifest, which lists the
// other entries with their sizes and SHA-256 sums. The sums reveal an archive that was
// truncated or changed, and no part of such an archive is restored. Each file is restored
// atomically, and an existing file with other content is kept under another name.
type Archive struct {
	Manifest
	contents map[string][]byte // by name
}

// ReadArchive reads an archive of size bytes. It returns an error if the archive is damaged, or if
// its files are much larger than the archive.
func ReadArchive(r io.Reader, size int64) (*Archive, error) {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("not a backup: %w", err)
	}
	tr := tar.NewReader(zr)
	a := &Archive{contents: make(map[string][]byte)}
	h, err := tr.Next()
	if err != nil || h.Name != manifestName || h.Size > maxManifest {
		return nil, errors.Join(errors.New("not a backup: it does not begin with a manifest"), err)
	}
	if err := a.readManifest(tr, h.Size); err != nil {
		return nil, fmt.Errorf("the manifest is damaged: %w", err)
	}
	if a.Format != archiveFormat {
		return nil, fmt.Errorf("the backup has format %d; this version reads format %d", a.Format, archiveFormat)
	}
	if len(a.Files) > maxFiles {
		return nil, fmt.Errorf("the manifest lists %d files, more than %d", len(a.Files), maxFiles)
	}
	left := maxContent(size)
	for i := range a.Files {
		if left -= max(a.Files[i].Size, 0); left < 0 {
			return nil, fmt.Errorf("%s: the files are more than %d times as large as the backup", a.Files[i].Name, maxExpansion)
		}
		if err := a.readFile(tr, &a.Files[i]); err != nil {
			return nil, err
		}
	}
	switch _, err := tr.Next(); {
	case err == nil:
		return nil, errors.New("there are more files than the manifest lists")
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("the end is damaged: %w", err)
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(zr, maxPadding+1)); err != nil || n > maxPadding {
		return nil, errors.Join(errors.New("the end is damaged"), err)
	}
	return a, nil
}

// maxContent returns the maximum total size, in bytes, of the files in an archive of size bytes.
func maxContent(size int64) int64 { return min(baseSize+maxExpansion*min(size, maxSize), maxSize) }

// readManifest reads the manifest, which is the current entry and has size bytes, at most maxManifest.
func (a *Archive) readManifest(tr *tar.Reader, size int64) error {
	text := make([]byte, size)
	if _, err := io.ReadFull(tr, text); err != nil {
		return err
	}
	if n := bytes.Count(text, []byte(",")); n > maxElements {
		return fmt.Errorf("it has more than %d elements", maxElements)
	}
	return json.Unmarshal(text, &a.Manifest)
}

// readFile reads the next entry, which must be f.
func (a *Archive) readFile(tr *tar.Reader, f *ArchivedFile) error {
	h, err := tr.Next()
	if err != nil {
		return fmt.Errorf("%s: the backup is cut or damaged: %w", f.Name, err)
	}
	switch {
	case !isLocalName(f.Name):
		return fmt.Errorf("%q is not a valid name", f.Name)
	case h.Name != f.Name || h.Typeflag != tar.TypeReg || h.Size != f.Size || f.Size < 0 || f.Size > maxFileSize:
		return fmt.Errorf("%s: the file differs from the manifest", f.Name)
	}
	content := make([]byte, f.Size)
	if _, err := io.ReadFull(tr, content); err != nil {
		return fmt.Errorf("%s: the backup is cut or damaged: %w", f.Name, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
		return fmt.Errorf("%s: the content differs from the manifest", f.Name)
	}
	a.contents[f.Name] = content
	return nil
}

// Content returns the content of the named file, or nil if the archive does not contain it.
func (a *Archive) Content(name string) []byte { return a.contents[name] }

// isLocalName reports whether a name in an archive denotes a path below its root.
func isLocalName(name string) bool {
	return path.Clean(name) == name && strings.Contains(name, "/") && filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, `\`)
}

// RestoreStep describes how restoring a file affects this machine.
type RestoreStep struct {
	ArchivedFile
	Target string // path on this machine; "": no root has the name
	// Exists reports whether the target is a file with other content, Unchanged whether it is
	// a file with the same content.
	Exists, Unchanged bool
}

// PlanRestore returns a step for each file of the archive, without changing anything on this machine.
// It returns an error if an existing target cannot be read.
func (a *Archive) PlanRestore(roots []ArchiveRoot) ([]RestoreStep, error) {
	steps := make([]RestoreStep, 0, len(a.Files))
	for _, f := range a.Files {
		s := RestoreStep{ArchivedFile: f}
		first, rest, _ := strings.Cut(f.Name, "/")
		i := slices.IndexFunc(roots, func(r ArchiveRoot) bool { return r.Name == first })
		if i < 0 {
			steps = append(steps, s)
			continue
		}
		s.Target = filepath.Join(roots[i].Dir, filepath.FromSlash(rest))
		switch content, err := ReadRegular(s.Target, maxFileSize); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			s.Unchanged = bytes.Equal(content, a.contents[f.Name])
			s.Exists = !s.Unchanged
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// Restore restores the file of a step returned by [Archive.PlanRestore]. It does nothing if the step
// has no target or the file is unchanged. A new file gets mode 0600. An existing file keeps
// its mode and owner; Restore first copies its content to the path keep. Missing directories
// are created private, existing ones are not changed.
func (a *Archive) Restore(s *RestoreStep, keep string) error {
	if s.Target == "" || s.Unchanged {
		return nil
	}
	if s.Exists {
		content, err := ReadRegular(s.Target, maxFileSize)
		if err == nil {
			err = ReplaceKeeping(keep, content)
		}
		if err != nil {
			return fmt.Errorf("keep the existing file: %w", err)
		}
	}
	return ReplaceKeeping(s.Target, a.contents[s.Name])
}

package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// writeArchive writes the program and its documents to an archive: tar.gz, or zip for Windows.
func (r release) writeArchive(t target, program, licences string) error {
	files := []file{
		{"LICENSE", "LICENSE", 0o644},
		{"LICENCES.txt", licences, 0o644},
		{"README.md", "README.md", 0o644},
		{"CHANGELOG.md", ".github/CHANGELOG.md", 0o644},
		{"config.example.toml", "config.example.toml", 0o644},
		{filepath.Base(program), program, 0o755},
	}
	for folder, name := range map[string]string{"docs/user": "docs/user", "docs/admin": "docs/admin", filepath.Join(r.work, "man"): "man/man1", filepath.Join(r.work, "completions"): "completions"} {
		more, err := filesBelow(folder, name)
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	root := "wallboard_" + r.version + "_" + t.system + "_" + t.arch
	if t.system == "windows" {
		return r.writeZip(r.path(t.system+"_"+t.arch+".zip"), root, files)
	}
	return r.writeTarGz(r.path(t.system+"_"+t.arch+".tar.gz"), root, files)
}

// filesBelow returns all files below folder. In their archive paths, name replaces folder.
func filesBelow(folder, name string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(folder, p)
		files = append(files, file{path.Join(name, filepath.ToSlash(rel)), p, 0o644})
		return err
	})
	return files, err
}

// writeSource writes the source archive and returns its path. A release built from the unpacked
// archive is identical.
func (r release) writeSource(ctx context.Context) (string, error) {
	var files []file
	add := func(name string) error {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		mode := os.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		files = append(files, file{filepath.ToSlash(name), name, mode})
		return nil
	}
	if _, err := os.Stat(".git"); err == nil {
		out, err := exec.CommandContext(ctx, "git", "ls-files", "-z").Output()
		if err != nil {
			return "", err
		}
		for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
			if err := add(name); err != nil {
				return "", err
			}
		}
	} else if err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if p == "bin" {
				return fs.SkipDir
			}
			return err
		}
		return add(p)
	}); err != nil {
		return "", err
	}
	source := r.path("source.tar.gz")
	return source, r.writeTarGz(source, "wallboard-"+r.version, files)
}

// writeTarGz writes files to a tar.gz archive. In the archive, the files are below the folder root,
// sorted by name and owned by the user root.
func (r release) writeTarGz(out, root string, files []file) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	err = writeTar(z, root, files, r.date)
	return closeAfter(f, closeAfter(z, err))
}

// writeTar writes files to a tar archive. In the archive, the files are below the folder root,
// sorted by name and owned by the user root.
func writeTar(w io.Writer, root string, files []file, date time.Time) error {
	t := tar.NewWriter(w)
	if err := addToTar(t, root, files, date); err != nil {
		return err
	}
	return t.Close()
}

// addToTar adds files to a tar archive, below the folder root, sorted by name and owned by the user
// root.
func addToTar(t *tar.Writer, root string, files []file, date time.Time) error {
	for _, f := range sorted(files) {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &tar.Header{Format: tar.FormatPAX, Name: path.Join(root, f.name), Mode: int64(f.mode), Size: int64(len(data)), ModTime: date, Uname: "root", Gname: "root"}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return nil
}

func (r release) writeZip(out, root string, files []file) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, entry := range sorted(files) {
		if err = r.addToZip(z, root, entry); err != nil {
			break
		}
	}
	return closeAfter(f, closeAfter(z, err))
}

func (r release) addToZip(z *zip.Writer, root string, f file) error {
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: path.Join(root, f.name), Method: zip.Deflate, Modified: r.date}
	h.SetMode(f.mode)
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// writeChecksums writes the checksums of all files of the release, in the format of sha256sum.
func (r release) writeChecksums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		sum, err := checksum(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(b.String()), 0o644)
}

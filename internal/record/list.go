package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// File describes a segment file. Problem is the reason why the file cannot be read, or "".
type File struct {
	Path    string
	Bytes   int64
	Problem string `json:",omitempty"` // error without the path; "" if readable
	Info
}

// ListFiles describes the segment files of a folder, oldest first, or a single file. It reads all files
// completely to find damage. If a file cannot be opened, its Problem says why. ListFiles returns an
// error if the folder or a file cannot be read, or if ctx ends. keyFiles are the paths of files with private
// keys for encrypted files.
func ListFiles(ctx context.Context, path string, keyFiles ...string) ([]File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	paths := []string{path}
	if info.IsDir() {
		if paths, err = segmentPaths(path); err != nil {
			return nil, err
		}
	}
	var out []File
	for _, p := range paths {
		f := File{Path: p}
		info, err := os.Stat(p)
		if err != nil {
			continue // the file was removed meanwhile
		}
		f.Bytes = info.Size()
		r, err := OpenFiltered(p, nil, keyFiles...)
		if err != nil {
			f.Problem = strings.TrimPrefix(err.Error(), p+": ")
			out = append(out, f)
			continue
		}
		err = r.Check(ctx)
		f.Info = r.Info()
		if err := errors.Join(err, r.Close()); err != nil {
			return out, fmt.Errorf("list: %w", err)
		}
		out = append(out, f)
	}
	return out, nil
}

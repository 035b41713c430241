package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// File is a segment file of a folder and what it holds, or why it cannot be read.
type File struct {
	Path    string
	Bytes   int64
	Problem string `json:",omitempty"` // in words, without the path; "" of one that can be read
	Info
}

// List returns the segment files of a folder, the oldest first, or the one file. All of them
// is read, to find what is damaged. The error is that of the folder, or of ctx.
func List(ctx context.Context, path string) ([]File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the path
	}
	paths := []string{path}
	if info.IsDir() {
		if paths, err = segments(path); err != nil {
			return nil, err
		}
	}
	var out []File
	for _, p := range paths {
		f := File{Path: p}
		info, err := os.Stat(p)
		if err != nil {
			continue // it has just gone
		}
		f.Bytes = info.Size()
		r, err := Open(p)
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

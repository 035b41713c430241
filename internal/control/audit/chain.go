package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wallboard/internal/lib/securefile"
)

// chainStart is used instead of a hash in the first line of a chain.
var chainStart = strings.Repeat("0", 2*sha256.Size)

// Head identifies the last line of the chain at one time. A head that is stored in another place
// proves later that no line up to that line was changed or cut off.
type Head struct {
	Time  string `json:"time"` // time of the line, in the format of the file
	ID    string `json:"id"`
	Phase string `json:"phase"`
	Hash  string `json:"hash"` // SHA-256 of the line without its newline, in hexadecimal digits
}

// HashLine returns the hash of a line, with or without its newline.
func HashLine(b []byte) string {
	sum := sha256.Sum256(bytes.TrimSuffix(b, []byte{'\n'}))
	return hex.EncodeToString(sum[:])
}

// lastLine returns the hash of the last line of the locked file, whose size is given in bytes. torn
// is true if that line is incomplete because a program was killed while writing or the disk was
// full. For an empty file, lastLine returns the hash of the last line of the newest generation, or
// chainStart if there is none.
func (l *Log) lastLine(size int64) (hash string, torn bool, err error) {
	if size > 0 && size == l.endOffset && l.lastLineHash != "" {
		return l.lastLineHash, false, nil
	}
	if size > 0 {
		return hashLastLine(l.file, size)
	}
	older, err := securefile.OpenFile(filepath.Join(filepath.Dir(l.options.Path), generationName(l.name, 1)), os.O_RDONLY)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.options.Logger.Warn("a new chain starts in the audit file, because the file before it cannot be read", "error", err)
		}
		return chainStart, false, nil
	}
	defer older.Close() //nolint:errcheck // it was only read
	info, err := older.Stat()
	if err != nil {
		return "", false, err
	}
	if info.Size() == 0 {
		return chainStart, false, nil
	}
	hash, _, err = hashLastLine(older, info.Size())
	return hash, false, err
}

// hashLastLine returns the hash of the last line of a file, which must not be empty. torn is true
// if the line does not end with a newline.
func hashLastLine(f io.ReaderAt, size int64) (sum string, torn bool, err error) {
	var last [1]byte
	if _, err := f.ReadAt(last[:], size-1); err != nil {
		return "", false, err
	}
	end := size
	if torn = last[0] != '\n'; !torn {
		end--
	}
	start, err := findLineStart(f, end)
	if err != nil {
		return "", false, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, start, end-start)); err != nil {
		return "", false, err
	}
	return encodeSum(h), torn, nil
}

// findLineStart returns the position after the last newline before end, or 0 if there is none.
func findLineStart(f io.ReaderAt, end int64) (int64, error) {
	buffer := make([]byte, 4096)
	for end > 0 {
		part := buffer[:min(end, int64(len(buffer)))]
		if _, err := f.ReadAt(part, end-int64(len(part))); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return end - int64(len(part)) + int64(i) + 1, nil
		}
		end -= int64(len(part))
	}
	return 0, nil
}

func encodeSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// maxHeads is the size in bytes at which the file of heads is renamed. One renamed file is kept.
const maxHeads = 4 << 20

// storeHead appends a head to the file of heads. Of several consecutive errors, it logs the first.
func (l *Log) storeHead(h Head) {
	if l.options.HeadsPath == "" {
		return
	}
	err := appendHead(l.options.HeadsPath, h)
	if err != nil && !l.headsFailed {
		l.options.Logger.Warn("the head of the audit file could not be stored", "error", err)
	}
	l.headsFailed = err != nil
}

func appendHead(path string, h Head) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Size() > maxHeads {
		if err := os.Rename(path, generationName(path, 1)); err != nil {
			return err
		}
	}
	f, err := securefile.OpenUpdate(path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(slices.Concat([]byte{'\n'}, b, []byte{'\n'}), info.Size()) // the first newline ends a line that was cut off
	}
	return errors.Join(err, f.Close())
}

// ReadStoredHeads returns the heads in the file of [Options.HeadsPath] and its renamed predecessor,
// oldest first. unreadable is the number of lines that contain no head. A crash or a full disk can
// leave such lines.
func ReadStoredHeads(path string) (heads []Head, unreadable int, err error) {
	for _, name := range []string{generationName(path, 1), path} {
		text, err := securefile.ReadRegular(name, 2*maxHeads)
		if errors.Is(err, fs.ErrNotExist) && name != path {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("read the heads of the audit file: %w", err)
		}
		part, skipped, err := ReadHeads(bytes.NewReader(text), "")
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		heads, unreadable = append(heads, part...), unreadable+skipped
	}
	return heads, unreadable, nil
}

// ReadHeads reads one JSON object per line: a head, or a copied line of a cluster with the name of
// its node and its hash. It skips lines of nodes other than node. unreadable is the number of lines
// that contain no head. If all lines are unreadable, ReadHeads returns an error.
func ReadHeads(r io.Reader, node string) (heads []Head, unreadable int, err error) {
	first := 0
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var h struct {
			Head
			Node string          `json:"node"`
			Line json.RawMessage `json:"line"`
		}
		err := json.Unmarshal(in.Bytes(), &h)
		if ln, _, ok := decodeIfLong(h.Line); ok {
			h.Head = Head{Time: ln.Time, ID: ln.ID, Phase: string(ln.Phase), Hash: h.Hash}
		}
		switch {
		case err != nil || len(h.Hash) != len(chainStart):
			if unreadable++; unreadable == 1 {
				first = n
			}
		case h.Node == node || h.Node == "":
			heads = append(heads, h.Head)
		}
	}
	switch {
	case in.Err() != nil:
		return nil, 0, fmt.Errorf("read the heads of the audit file: %w", in.Err())
	case len(heads) == 0 && unreadable > 0:
		return nil, 0, fmt.Errorf("line %d is not a head of an audit file", first)
	}
	return heads, unreadable, nil
}

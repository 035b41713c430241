package cluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	auditEvery = time.Second
	mostLine   = 256 << 10
)

// copyAudit copies the lines of the audit file to the other nodes until the context
// ends. Lines that cannot be copied now are copied later.
func (c *Common) copyAudit(ctx context.Context, path string) {
	f := &tail{path: path}
	defer f.close()
	held := false // the last attempt failed, which was logged
	every(ctx, auditEvery, func() {
		kept := c.together()
		if kept == nil {
			return
		}
		err := c.copyLines(ctx, kept, f)
		if err != nil && ctx.Err() == nil {
			f.close() // reopened after the last copied line
			if !held {
				c.log.Info("audit file not copied", "error", err)
			}
		}
		held = err != nil
	})
}

// copyLines copies the lines that the other nodes do not have yet.
func (c *Common) copyLines(ctx context.Context, kept *shared, f *tail) error {
	if f.file == nil {
		last, err := c.lastCopied(ctx, kept)
		if err != nil {
			return err
		}
		if err := f.openAfter(last); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // no action yet
			}
			return err
		}
	}
	for {
		line, err := f.next()
		if err != nil {
			return err
		}
		if line == nil {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, noteWait)
		sum := sha256.Sum256(line)
		_, err = c.js.PublishMsg(ctx, &nats.Msg{Subject: c.sub.audit(c.name), Data: line},
			jetstream.WithMsgID(c.name+hex.EncodeToString(sum[:16])))
		cancel()
		if err != nil {
			return fmt.Errorf("copy an audit line: %w", err)
		}
	}
}

// lastCopied returns the last copied line of this node, nil for none.
func (c *Common) lastCopied(ctx context.Context, kept *shared) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	last, err := kept.audit.GetLastMsgForSubject(ctx, c.sub.audit(c.name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return last.Data, nil
}

// tail reads the lines of a growing file. If the file is renamed, it continues with the
// next one.
type tail struct {
	path  string
	file  *os.File
	older int // the number of the renamed file, 0 for the current file
	r     *bufio.Reader
	part  []byte // an incomplete line
}

// mostOlder bounds the number of renamed files that are read.
const mostOlder = 100

// openAfter positions t after a line, in the file that contains it. If the line is nil or in
// no file, t starts with the oldest file.
func (t *tail) openAfter(line []byte) error {
	oldest := 0
	for oldest < mostOlder {
		if _, err := os.Stat(t.name(oldest + 1)); err != nil {
			break
		}
		oldest++
	}
	for n := 0; line != nil && n <= oldest; n++ {
		if err := t.open(n); err != nil {
			return err
		}
		for {
			got, err := t.line()
			if err != nil {
				return err
			}
			if got == nil {
				break
			}
			if bytes.Equal(got, line) {
				return nil
			}
		}
	}
	return t.open(oldest)
}

// name returns the path of a file; older is 0 for the current file.
func (t *tail) name(older int) string {
	if older == 0 {
		return t.path
	}
	return t.path + "." + strconv.Itoa(older)
}

func (t *tail) open(older int) error {
	t.close()
	f, err := os.Open(t.name(older))
	if err != nil {
		return err
	}
	t.file, t.older, t.r, t.part = f, older, bufio.NewReader(f), nil
	return nil
}

func (t *tail) close() {
	if t.file != nil {
		_ = t.file.Close() // read only
		t.file = nil
	}
}

// line returns the next line of the open file, nil if there is none yet.
func (t *tail) line() ([]byte, error) {
	for {
		b, err := t.r.ReadBytes('\n')
		t.part = append(t.part, b...)
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, err
		}
		line := bytes.TrimRight(t.part, "\r\n")
		t.part = nil
		if len(line) > 0 && len(line) <= mostLine { // a longer line is not an audit record
			return line, nil
		}
	}
}

// next returns the next line of the files, oldest first, nil if there is none yet.
func (t *tail) next() ([]byte, error) {
	for {
		line, err := t.line()
		if line != nil || err != nil {
			return line, err
		}
		if t.older == 0 {
			ours, err := t.file.Stat()
			if err != nil {
				return nil, err
			}
			named, err := os.Stat(t.path)
			if err != nil || os.SameFile(ours, named) {
				return nil, nil //nolint:nilerr // it is being renamed
			}
		}
		if err := t.open(max(t.older-1, 0)); err != nil {
			return nil, err
		}
	}
}

// AuditCopy calls take with each copied line of all audit files and the node that wrote
// it, oldest first. It returns the error of take.
func (c *Common) AuditCopy(ctx context.Context, take func(node string, line []byte) error) error {
	kept := c.together()
	if kept == nil {
		return ErrUnanswered
	}
	info, err := kept.audit.Info(ctx)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if info.State.Msgs == 0 {
		return nil
	}
	lines, err := kept.audit.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	for {
		m, err := lines.Next(jetstream.FetchContext(ctx))
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
		if err := take(m.Subject()[len(c.sub.audit("")):], m.Data()); err != nil {
			return err
		}
		if meta.Sequence.Stream >= info.State.LastSeq {
			return nil
		}
	}
}

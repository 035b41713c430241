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
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	auditEvery = time.Second
	mostLine   = 256 << 10
)

// copyAudit copies the lines of the audit file to the other nodes until the context
// ends. The file stays the proof: what cannot be copied now is copied later.
func (c *Common) copyAudit(ctx context.Context, path string) {
	f := &tail{path: path}
	defer f.close()
	every(ctx, auditEvery, func() {
		kept := c.together()
		if kept == nil {
			return
		}
		err := c.copyLines(ctx, kept, f)
		if err != nil && ctx.Err() == nil {
			f.close() // it goes on after the last line that arrived
			c.log.Info("the audit file is not copied at present", "error", err)
		}
	})
}

func (c *Common) copyLines(ctx context.Context, kept *shared, f *tail) error {
	if f.file == nil {
		if err := f.open(); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // nobody has acted yet
			}
			return err
		}
		if err := c.skipCopied(ctx, kept, f); err != nil {
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
			return fmt.Errorf("copy a line: %w", err)
		}
	}
}

// skipCopied goes behind the last line that the other nodes have.
func (c *Common) skipCopied(ctx context.Context, kept *shared, f *tail) error {
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	last, err := kept.audit.GetLastMsgForSubject(ctx, c.sub.audit(c.name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err != nil {
		return err //nolint:wrapcheck // it is logged
	}
	for {
		line, err := f.next()
		if err != nil {
			return err
		}
		if line == nil { // the line is in a file before this one
			return f.rewind()
		}
		if bytes.Equal(line, last.Data) {
			return nil
		}
	}
}

// tail reads the lines of a file that grows, and goes on in the next one when it is
// renamed.
type tail struct {
	path string
	file *os.File
	r    *bufio.Reader
	part []byte
}

func (t *tail) open() error {
	f, err := os.Open(t.path)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	t.file, t.r, t.part = f, bufio.NewReader(f), nil
	return nil
}

func (t *tail) close() {
	if t.file != nil {
		_ = t.file.Close() // it was only read
		t.file = nil
	}
}

func (t *tail) rewind() error {
	_, err := t.file.Seek(0, io.SeekStart)
	t.r.Reset(t.file)
	t.part = nil
	return err //nolint:wrapcheck // it names the file
}

// next returns the next line, nil where there is none yet.
func (t *tail) next() ([]byte, error) {
	for {
		b, err := t.r.ReadBytes('\n')
		t.part = append(t.part, b...)
		switch {
		case err == nil && len(t.part) <= mostLine:
			line := bytes.TrimRight(t.part, "\r\n")
			t.part = nil
			if len(line) > 0 {
				return line, nil
			}
			continue
		case err == nil:
			t.part = nil // no line of an audit file
			continue
		case !errors.Is(err, io.EOF):
			return nil, err //nolint:wrapcheck // it names the file
		}
		ours, err := t.file.Stat()
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the file
		}
		named, err := os.Stat(t.path)
		if err != nil || os.SameFile(ours, named) {
			return nil, nil //nolint:nilerr // it is being renamed
		}
		t.close()
		if err := t.open(); err != nil {
			return nil, err
		}
	}
}

// AuditCopy hands the copied lines of all audit files to take, the oldest first, with
// the node that each is of.
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

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
	auditCopyInterval = time.Second
	maxAuditLine      = 256 << 10
)

// copyAudit copies the lines of this node's audit file to the other nodes until the context
// ends. It retries lines that cannot be copied.
func (c *SharedData) copyAudit(ctx context.Context, path string) {
	file := &fileTail{path: path}
	defer file.close()
	failureLogged := false // the last attempt failed, and the failure was logged
	callPeriodically(ctx, auditCopyInterval, func() {
		buckets := c.currentBuckets()
		if buckets == nil {
			return
		}
		err := c.copyLines(ctx, buckets, file)
		if err != nil && ctx.Err() == nil {
			file.close() // the next attempt reopens it behind the last copied line
			if !failureLogged {
				c.log.Info("audit file not copied", "error", err)
			}
		}
		failureLogged = err != nil
	})
}

// copyLines copies the lines of the audit file that the other nodes lack.
func (c *SharedData) copyLines(ctx context.Context, buckets *sharedBuckets, file *fileTail) error {
	if file.file == nil {
		last, err := c.lastCopiedLine(ctx, buckets)
		if err != nil {
			return err
		}
		if err := file.openAfter(last); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // no action was recorded yet
			}
			return err
		}
	}
	for {
		line, err := file.nextLine()
		if err != nil {
			return err
		}
		if line == nil {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, noteTimeout)
		sum := sha256.Sum256(line)
		_, err = c.jetStream.PublishMsg(ctx, &nats.Msg{Subject: c.subjects.auditSubject(c.name), Data: line},
			jetstream.WithMsgID(c.name+hex.EncodeToString(sum[:16])))
		cancel()
		if err != nil {
			return fmt.Errorf("copy an audit line: %w", err)
		}
	}
}

// lastCopiedLine returns the last copied line of this node, or nil if none was copied yet.
func (c *SharedData) lastCopiedLine(ctx context.Context, buckets *sharedBuckets) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	last, err := buckets.audit.GetLastMsgForSubject(ctx, c.subjects.auditSubject(c.name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return last.Data, nil
}

// fileTail reads the lines of a growing file. If the file is renamed, for example by a log
// rotation, fileTail continues with the file that has taken its place.
type fileTail struct {
	path        string
	file        *os.File
	rotation    int // number of the renamed file that is open; 0: the current file
	reader      *bufio.Reader
	partialLine []byte // the part of an incomplete line that was read
}

// maxRotations is the maximum number of renamed files to read.
const maxRotations = 100

// openAfter opens the file that contains a line and moves behind this line. If line is nil or
// no file contains it, openAfter opens the oldest file.
func (t *fileTail) openAfter(line []byte) error {
	oldestRotation := 0
	for oldestRotation < maxRotations {
		if _, err := os.Stat(t.rotatedPath(oldestRotation + 1)); err != nil {
			break
		}
		oldestRotation++
	}
	for rotation := 0; line != nil && rotation <= oldestRotation; rotation++ {
		if err := t.open(rotation); err != nil {
			return err
		}
		for {
			current, err := t.readLine()
			if err != nil {
				return err
			}
			if current == nil {
				break
			}
			if bytes.Equal(current, line) {
				return nil
			}
		}
	}
	return t.open(oldestRotation)
}

// rotatedPath returns the path of the current file if rotation is 0, and otherwise of the
// renamed file with that number.
func (t *fileTail) rotatedPath(rotation int) string {
	if rotation == 0 {
		return t.path
	}
	return t.path + "." + strconv.Itoa(rotation)
}

func (t *fileTail) open(rotation int) error {
	t.close()
	f, err := os.Open(t.rotatedPath(rotation))
	if err != nil {
		return err
	}
	t.file, t.rotation, t.reader, t.partialLine = f, rotation, bufio.NewReader(f), nil
	return nil
}

func (t *fileTail) close() {
	if t.file != nil {
		_ = t.file.Close() // only read from
		t.file = nil
	}
}

// readLine returns the next line of the open file, or nil if there is no complete line yet.
func (t *fileTail) readLine() ([]byte, error) {
	for {
		b, err := t.reader.ReadBytes('\n')
		t.partialLine = append(t.partialLine, b...)
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, err
		}
		line := bytes.TrimRight(t.partialLine, "\r\n")
		t.partialLine = nil
		if len(line) > 0 && len(line) <= maxAuditLine { // an audit record is never longer
			return line, nil
		}
	}
}

// nextLine returns the next line. At the end of a renamed file it continues with the next newer
// file. It returns nil if there is no complete line yet.
func (t *fileTail) nextLine() ([]byte, error) {
	for {
		line, err := t.readLine()
		if line != nil || err != nil {
			return line, err
		}
		if t.rotation == 0 {
			openInfo, err := t.file.Stat()
			if err != nil {
				return nil, err
			}
			pathInfo, err := os.Stat(t.path)
			if err != nil || os.SameFile(openInfo, pathInfo) {
				return nil, nil //nolint:nilerr // the file has not been renamed, or is just being renamed
			}
		}
		if err := t.open(max(t.rotation-1, 0)); err != nil {
			return nil, err
		}
	}
}

// ReadAuditCopies calls handle with each copied line of all nodes and with the name of the
// node that wrote it, oldest line first. If handle fails, ReadAuditCopies returns its error.
// If this node has not opened the copies, the error is [ErrNoAnswer].
func (c *SharedData) ReadAuditCopies(ctx context.Context, handle func(node string, line []byte) error) error {
	buckets := c.currentBuckets()
	if buckets == nil {
		return ErrNoAnswer
	}
	info, err := buckets.audit.Info(ctx)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if info.State.Msgs == 0 {
		return nil
	}
	lines, err := buckets.audit.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
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
		if err := handle(m.Subject()[len(c.subjects.auditSubject("")):], m.Data()); err != nil {
			return err
		}
		if meta.Sequence.Stream >= info.State.LastSeq {
			return nil
		}
	}
}

// Package desk lets a program answer the other commands of its own user, on a
// socket that nobody else can open: one line is asked, values of JSON are the
// answer.
package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wallboard/internal/private"
)

// ErrNobody says that nobody answers there, or not in a way that can be read.
var ErrNobody = errors.New("nobody answers")

// Desk is where a program answers.
type Desk struct {
	Path        string
	Time        time.Duration // for a question and its whole answer
	MaxQuestion int64         // bytes of one
}

// Taken says whether another program answers there.
func (d Desk) Taken(ctx context.Context) bool {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", d.Path)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// Answer hands questions to the function, one after the other, until the context
// ends. Whoever was there before is not asked any more.
func (d Desk) Answer(ctx context.Context, answer func(ctx context.Context, question string, out *json.Encoder)) error {
	if _, err := private.Folder(filepath.Dir(d.Path)); err != nil {
		return err //nolint:wrapcheck // it names the folder
	}
	_ = os.Remove(d.Path) // of one that is gone
	l, err := new(net.ListenConfig).Listen(ctx, "unix", d.Path)
	if err != nil {
		return err //nolint:wrapcheck // it names the socket
	}
	defer l.Close() //nolint:errcheck // it may be closed already
	if err := os.Chmod(d.Path, 0o600); err != nil {
		return err //nolint:wrapcheck // it names the socket
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		c, err := l.Accept()
		if err != nil {
			return nil // the context has ended
		}
		d.one(ctx, c, answer)
	}
}

func (d Desk) one(ctx context.Context, c net.Conn, answer func(context.Context, string, *json.Encoder)) {
	defer c.Close() //nolint:errcheck // it was answered
	_ = c.SetDeadline(time.Now().Add(d.Time))
	ctx, cancel := context.WithTimeout(ctx, d.Time)
	defer cancel()
	line, err := bufio.NewReader(io.LimitReader(c, d.MaxQuestion)).ReadString('\n')
	if err != nil {
		return
	}
	answer(ctx, strings.TrimSpace(line), json.NewEncoder(c)) // who asked may be gone
}

// Ask asks the program that answers there, and hands each value of its answer to
// take.
func Ask[T any](ctx context.Context, d Desk, question string, take func(*T) error) error {
	c, err := (&net.Dialer{Timeout: d.Time}).DialContext(ctx, "unix", d.Path)
	if err != nil {
		return ErrNobody
	}
	defer c.Close() //nolint:errcheck // it was read
	_ = c.SetDeadline(time.Now().Add(d.Time))
	if _, err := fmt.Fprintln(c, question); err != nil {
		return ErrNobody
	}
	for in := json.NewDecoder(c); ; {
		a := new(T)
		if err := in.Decode(a); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return ErrNobody
		}
		if err := take(a); err != nil {
			return err
		}
	}
}

package netconn

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

	"wallboard/internal/lib/securefile"
)

// ErrNoListener means that no program answers on the socket, or that the answer cannot be read.
var ErrNoListener = errors.New("no program answers")

// ControlSocket is a private socket on which a running program answers commands of its user. A
// question is one line. The answer is a sequence of JSON values.
type ControlSocket struct {
	Path        string
	Timeout     time.Duration // time limit for a question and its answer together
	MaxQuestion int64         // maximum length of a question in bytes
}

// IsListening reports whether a program is listening on the socket.
func (d ControlSocket) IsListening(ctx context.Context) bool {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", d.Path)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// AnswerQuestions calls answer for each question, one at a time, until ctx ends. answer must write
// the answer to out. The socket of an earlier program is replaced.
func (d ControlSocket) AnswerQuestions(ctx context.Context, answer func(ctx context.Context, question string, out *json.Encoder)) error {
	if _, err := securefile.CreateFolder(filepath.Dir(d.Path)); err != nil {
		return err
	}
	_ = os.Remove(d.Path) // remove the socket of a program that has ended
	l, err := new(net.ListenConfig).Listen(ctx, "unix", d.Path)
	if err != nil {
		return err
	}
	defer l.Close() //nolint:errcheck // the listener may already be closed
	if err := os.Chmod(d.Path, 0o600); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		c, err := l.Accept()
		if err != nil {
			return nil // ctx has ended
		}
		d.answerConnection(ctx, c, answer)
	}
}

func (d ControlSocket) answerConnection(ctx context.Context, c net.Conn, answer func(context.Context, string, *json.Encoder)) {
	defer c.Close() //nolint:errcheck // the answer was written
	_ = c.SetDeadline(time.Now().Add(d.Timeout))
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	line, err := bufio.NewReader(io.LimitReader(c, d.MaxQuestion)).ReadString('\n')
	if err != nil {
		return
	}
	answer(ctx, strings.TrimSpace(line), json.NewEncoder(c)) // an error means that the client is gone
}

// AskSocket sends a question to the program that listens on the socket, and calls handle with each
// value of the answer.
func AskSocket[T any](ctx context.Context, d ControlSocket, question string, handle func(*T) error) error {
	c, err := (&net.Dialer{Timeout: d.Timeout}).DialContext(ctx, "unix", d.Path)
	if err != nil {
		return ErrNoListener
	}
	defer c.Close() //nolint:errcheck // only read from
	_ = c.SetDeadline(time.Now().Add(d.Timeout))
	if _, err := fmt.Fprintln(c, question); err != nil {
		return ErrNoListener
	}
	for in := json.NewDecoder(c); ; {
		a := new(T)
		if err := in.Decode(a); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return ErrNoListener
		}
		if err := handle(a); err != nil {
			return err
		}
	}
}

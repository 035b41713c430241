package clustering

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

	"github.com/adrg/xdg"

	"wallboard/cluster"
	"wallboard/internal/private"
)

// deskPath is where a node answers the commands of its own user.
func deskPath(name, node string) string {
	return filepath.Join(xdg.StateHome, "wallboard", "cluster-"+name+"-"+node+".sock")
}

// The bounds of a question.
const (
	deskTime    = 15 * time.Second
	maxQuestion = 256
)

// answered is what a node says. Lines of audit files follow one by one.
type answered struct {
	Status *cluster.Status `json:"status,omitempty"`
	Node   string          `json:"node,omitempty"` // who was asked to step down, or whose line it is
	Line   string          `json:"line,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// answer answers the commands of this user until the context ends.
func (f *Feed) answer(ctx context.Context) {
	s := f.Node.Status()
	path := deskPath(s.Cluster, s.Node)
	if _, err := private.Folder(filepath.Dir(path)); err != nil {
		f.log.Warn("nobody can ask this node", "error", err)
		return
	}
	_ = os.Remove(path) // of one that is gone: another one with this name could not be a node
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		f.log.Warn("nobody can ask this node", "error", err)
		return
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		f.answerOne(ctx, c)
	}
}

func (f *Feed) answerOne(ctx context.Context, c net.Conn) {
	defer c.Close() //nolint:errcheck // it was answered
	_ = c.SetDeadline(time.Now().Add(deskTime))
	ctx, cancel := context.WithTimeout(ctx, deskTime)
	defer cancel()
	line, err := bufio.NewReader(io.LimitReader(c, maxQuestion)).ReadString('\n')
	if err != nil {
		return
	}
	out := json.NewEncoder(c) // who asked may be gone
	var a answered
	switch strings.TrimSpace(line) {
	case "status":
		s := f.Node.Status()
		a.Status = &s
	case "step-down":
		a.Node, err = f.Node.StepDown(ctx)
	case "audit":
		err = f.Node.Common.AuditCopy(ctx, func(node string, line []byte) error {
			return out.Encode(answered{Node: node, Line: string(line)})
		})
	default:
		err = errors.New("it is not known what that is")
	}
	if err != nil {
		a.Error = err.Error()
	}
	_ = out.Encode(a)
}

// errNoNode says that there is none.
var errNoNode = errors.New("no node of this user answers: wallboard serve runs one where [cluster] has a name")

// ask asks the node of this user, and hands each line of an answer to take.
func ask(ctx context.Context, name, node, question string, take func(*answered) error) error {
	c, err := (&net.Dialer{Timeout: deskTime}).DialContext(ctx, "unix", deskPath(name, node))
	if err != nil {
		return errNoNode
	}
	defer c.Close() //nolint:errcheck // it was read
	_ = c.SetDeadline(time.Now().Add(deskTime))
	if _, err := fmt.Fprintln(c, question); err != nil {
		return errNoNode
	}
	for in := json.NewDecoder(c); ; {
		var a answered
		if err := in.Decode(&a); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return errNoNode
		}
		if a.Error != "" {
			return errors.New(a.Error)
		}
		if err := take(&a); err != nil {
			return err
		}
	}
}

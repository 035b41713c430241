package commands

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/serve/cluster"
)

// nodeSocket returns the socket on which a node answers commands of the same user.
func nodeSocket(name, node string) ControlSocket {
	return ControlSocket{
		Path: filepath.Join(xdg.StateHome, "wallboard", "cluster-"+name+"-"+node+".sock"), Timeout: 15 * time.Second, MaxQuestion: 256,
	}
}

// answerLine is a line of an answer. Status and audit lines are sent one by one.
type answerLine struct {
	Status   *cluster.Status `json:"status,omitempty"`
	Node     string          `json:"node,omitempty"`     // that steps down, or whose line it is
	Platform string          `json:"platform,omitempty"` // for step-down, with several platforms
	Line     string          `json:"line,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// answerCommands answers the commands of this user until ctx ends. A socket left by an earlier
// process is replaced.
func (m *Member) answerCommands(ctx context.Context) {
	if err := nodeSocket(m.shared.Name, m.shared.Node).Answer(ctx, m.answerCommand); err != nil {
		m.log.Warn("the socket for cluster commands is not available", "error", err)
	}
}

func (m *Member) answerCommand(ctx context.Context, question string, out *json.Encoder) {
	var err error
	switch command, platform, _ := strings.Cut(question, " "); command {
	case "status":
		for _, f := range m.feedsOf(platform) {
			s := f.Node.Status()
			_ = out.Encode(answerLine{Status: &s})
		}
	case "step-down":
		err = m.stepDown(ctx, platform, out)
	case "audit":
		err = m.feeds[0].Node.Shared.ReadAuditCopies(ctx, func(node string, line []byte) error {
			return out.Encode(answerLine{Node: node, Line: string(line)})
		})
	default:
		err = errors.New("unknown question")
	}
	if err != nil {
		_ = out.Encode(answerLine{Error: err.Error()})
	}
}

// feedsOf returns the feeds of a platform; "" means all.
func (m *Member) feedsOf(platform string) []*Feed {
	return slices.DeleteFunc(slices.Clone(m.feeds), func(f *Feed) bool { return platform != "" && f.Node.Status().Platform != platform })
}

// errNotLeading is the error of step-down on a node that leads no platform.
var errNotLeading = errors.New("this node has no connection to a platform; --platform names the platform whose connection another node hands over")

// stepDown hands over the connection of a platform, whichever node has it. With several
// platforms and none named, it hands over those of this node.
func (m *Member) stepDown(ctx context.Context, platform string, out *json.Encoder) error {
	feeds := m.feedsOf(platform)
	if platform == "" && len(feeds) > 1 {
		feeds = slices.DeleteFunc(feeds, func(f *Feed) bool { return f.Node.Status().Role != cluster.Leading })
	}
	if len(feeds) == 0 {
		return errNotLeading
	}
	for _, f := range feeds {
		leader, err := f.Node.StepDown(ctx)
		if err != nil {
			return err
		}
		_ = out.Encode(answerLine{Node: leader, Platform: f.Node.Status().Platform})
	}
	return nil
}

// errNoNode is the error if no node is running.
var errNoNode = errors.New("no node of this user answers: wallboard serve runs one where [cluster] has a name")

// askNode sends a question to this user's node and passes each line of the answer to handle.
func askNode(ctx context.Context, name, node, question string, handle func(*answerLine) error) error {
	err := AskSocket(ctx, nodeSocket(name, node), question, func(a *answerLine) error {
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return handle(a)
	})
	if errors.Is(err, ErrNoListener) {
		return errNoNode
	}
	return err
}

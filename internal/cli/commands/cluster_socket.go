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

	"wallboard/internal/lib/controlsocket"
	"wallboard/internal/serve/cluster"
)

// deskOf returns the socket on which a node answers commands of the same user.
func deskOf(name, node string) controlsocket.Socket {
	return controlsocket.Socket{
		Path: filepath.Join(xdg.StateHome, "wallboard", "cluster-"+name+"-"+node+".sock"), Timeout: 15 * time.Second, MaxQuestion: 256,
	}
}

// answeredNode is a line of an answer. Status and audit lines are sent one by one.
type answeredNode struct {
	Status   *cluster.Status `json:"status,omitempty"`
	Node     string          `json:"node,omitempty"`     // that steps down, or whose line it is
	Platform string          `json:"platform,omitempty"` // for step-down, with several platforms
	Line     string          `json:"line,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// answer answers the commands of this user until ctx ends. A socket left by an earlier
// process is replaced.
func (m *Member) answer(ctx context.Context) {
	if err := deskOf(m.common.Name, m.common.Node).Answer(ctx, m.answerOne); err != nil {
		m.log.Warn("the socket for cluster commands is not available", "error", err)
	}
}

func (m *Member) answerOne(ctx context.Context, question string, out *json.Encoder) {
	var err error
	switch what, platform, _ := strings.Cut(question, " "); what {
	case "status":
		for _, f := range m.of(platform) {
			s := f.Node.Status()
			_ = out.Encode(answeredNode{Status: &s})
		}
	case "step-down":
		err = m.stepDown(ctx, platform, out)
	case "audit":
		err = m.feeds[0].Node.Shared.ReadAuditCopies(ctx, func(node string, line []byte) error {
			return out.Encode(answeredNode{Node: node, Line: string(line)})
		})
	default:
		err = errors.New("unknown question")
	}
	if err != nil {
		_ = out.Encode(answeredNode{Error: err.Error()})
	}
}

// of returns the feeds of a platform; "" means all.
func (m *Member) of(platform string) []*Feed {
	return slices.DeleteFunc(slices.Clone(m.feeds), func(f *Feed) bool { return platform != "" && f.Node.Status().Platform != platform })
}

// errLeadsNone is the error of step-down on a node that leads no platform.
var errLeadsNone = errors.New("this node has no connection; --platform says of which platform another node hands it over")

// stepDown hands over the connection of a platform, whichever node has it. With several
// platforms and none named, it hands over those of this node.
func (m *Member) stepDown(ctx context.Context, platform string, out *json.Encoder) error {
	chosen := m.of(platform)
	if platform == "" && len(chosen) > 1 {
		chosen = slices.DeleteFunc(chosen, func(f *Feed) bool { return f.Node.Status().Role != cluster.Leading })
	}
	if len(chosen) == 0 {
		return errLeadsNone
	}
	for _, f := range chosen {
		who, err := f.Node.StepDown(ctx)
		if err != nil {
			return err
		}
		_ = out.Encode(answeredNode{Node: who, Platform: f.Node.Status().Platform})
	}
	return nil
}

// errNoNode is the error if no node is running.
var errNoNode = errors.New("no node of this user answers: wallboard serve runs one where [cluster] has a name")

// ask sends a question to this user's node and passes each line of the answer to take.
func ask(ctx context.Context, name, node, question string, take func(*answeredNode) error) error {
	err := controlsocket.Ask(ctx, deskOf(name, node), question, func(a *answeredNode) error {
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return take(a)
	})
	if errors.Is(err, controlsocket.ErrNoAnswer) {
		return errNoNode
	}
	return err
}

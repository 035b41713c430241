package app

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/serve/cluster"
)

// nodeSocket returns the socket on which a node answers commands of the user of this process.
func nodeSocket(name, node string) netconn.ControlSocket {
	return netconn.ControlSocket{
		Path: filepath.Join(xdg.StateHome, "wallboard", "cluster-"+name+"-"+node+".sock"), Timeout: 15 * time.Second, MaxQuestion: 256,
	}
}

// ClusterAnswer is one part of a node's answer to a command. Each line of a status or an audit log
// is a part.
type ClusterAnswer struct {
	Status   *cluster.Status `json:"status,omitempty"`
	Node     string          `json:"node,omitempty"`     // name of the leader that hands over, or of the node that wrote Line
	Platform string          `json:"platform,omitempty"` // in answers to step-down: the platform, if there are several
	Line     string          `json:"line,omitempty"`     // line of the node's audit log
	Error    string          `json:"error,omitempty"`
}

// answerCommands answers commands of the same user on the node's socket until ctx ends. It replaces
// a socket left behind by an earlier process.
func (m *clusterMember) answerCommands(ctx context.Context) {
	if err := nodeSocket(m.commonOptions.Name, m.commonOptions.Node).AnswerQuestions(ctx, m.answerCommand); err != nil {
		m.log.Warn("the socket for cluster commands is not available", "error", err)
	}
}

func (m *clusterMember) answerCommand(ctx context.Context, question string, out *json.Encoder) {
	var err error
	switch command, platform, _ := strings.Cut(question, " "); command {
	case "status":
		for _, f := range m.nodesOf(platform) {
			s := f.node.Status()
			_ = out.Encode(ClusterAnswer{Status: &s})
		}
	case "step-down":
		err = m.stepDown(ctx, platform, out)
	case "audit":
		err = m.nodes[0].node.Shared.ReadAuditCopies(ctx, func(node string, line []byte) error {
			return out.Encode(ClusterAnswer{Node: node, Line: string(line)})
		})
	default:
		err = errors.New("unknown question")
	}
	if err != nil {
		_ = out.Encode(ClusterAnswer{Error: err.Error()})
	}
}

// nodesOf returns this process's node for a platform. If platform is "", it returns all nodes of
// this process.
func (m *clusterMember) nodesOf(platform string) []*ClusterNode {
	return slices.DeleteFunc(slices.Clone(m.nodes), func(f *ClusterNode) bool { return platform != "" && f.node.Status().Platform != platform })
}

// errNotLeading is the error of the command step-down on a node that leads no platform.
var errNotLeading = errors.New("this node has no connection to a platform; --platform names the platform whose connection another node hands over")

// stepDown makes the leader of a platform hand over its connection, even if the leader is another
// node. If platform is "" and this process has several nodes, only the nodes that lead hand over.
func (m *clusterMember) stepDown(ctx context.Context, platform string, out *json.Encoder) error {
	nodes := m.nodesOf(platform)
	if platform == "" && len(nodes) > 1 {
		nodes = slices.DeleteFunc(nodes, func(f *ClusterNode) bool { return f.node.Status().Role != cluster.RoleLeading })
	}
	if len(nodes) == 0 {
		return errNotLeading
	}
	for _, f := range nodes {
		leader, err := f.node.StepDown(ctx)
		if err != nil {
			return err
		}
		_ = out.Encode(ClusterAnswer{Node: leader, Platform: f.node.Status().Platform})
	}
	return nil
}

// ErrNoNode means that no node of this user answers.
var ErrNoNode = errors.New("no node of this user answers: wallboard serve runs one where [cluster] has a name")

// AskNode sends a question to a node of this user and calls handle with each part of the answer.
// name is the name of the cluster, and node that of the node.
func AskNode(ctx context.Context, name, node, question string, handle func(*ClusterAnswer) error) error {
	err := netconn.AskSocket(ctx, nodeSocket(name, node), question, func(a *ClusterAnswer) error {
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return handle(a)
	})
	if errors.Is(err, netconn.ErrNoListener) {
		return ErrNoNode
	}
	return err
}

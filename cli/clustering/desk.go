package clustering

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"wallboard/cluster"
	"wallboard/internal/desk"
)

// deskOf is where a node answers the commands of its own user.
func deskOf(name, node string) desk.Desk {
	return desk.Desk{
		Path: filepath.Join(xdg.StateHome, "wallboard", "cluster-"+name+"-"+node+".sock"), Time: 15 * time.Second, MaxQuestion: 256,
	}
}

// answered is what a node says. Lines of audit files follow one by one.
type answered struct {
	Status *cluster.Status `json:"status,omitempty"`
	Node   string          `json:"node,omitempty"` // who was asked to step down, or whose line it is
	Line   string          `json:"line,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// answer answers the commands of this user until the context ends. Whoever was
// asked under this name before is gone, or could not be a node beside this one.
func (f *Feed) answer(ctx context.Context) {
	s := f.Node.Status()
	if err := deskOf(s.Cluster, s.Node).Answer(ctx, f.answerOne); err != nil {
		f.log.Warn("nobody can ask this node", "error", err)
	}
}

func (f *Feed) answerOne(ctx context.Context, question string, out *json.Encoder) {
	var a answered
	var err error
	switch question {
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
	err := desk.Ask(ctx, deskOf(name, node), question, func(a *answered) error {
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return take(a)
	})
	if errors.Is(err, desk.ErrNobody) {
		return errNoNode
	}
	return err //nolint:wrapcheck // the node's own words, or those of take
}

package clustering

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
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

// answered is what a node says. What it knows of several platforms, and lines of audit
// files, follow one by one.
type answered struct {
	Status   *cluster.Status `json:"status,omitempty"`
	Node     string          `json:"node,omitempty"`     // who was asked to step down, or whose line it is
	Platform string          `json:"platform,omitempty"` // of which of several it was asked to
	Line     string          `json:"line,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// answer answers the commands of this user until the context ends. Whoever was
// asked under this name before is gone, or could not be a node beside this one.
func (m *Member) answer(ctx context.Context) {
	if err := deskOf(m.common.Name, m.common.Node).Answer(ctx, m.answerOne); err != nil {
		m.log.Warn("nobody can ask this node", "error", err)
	}
}

func (m *Member) answerOne(ctx context.Context, question string, out *json.Encoder) {
	var err error
	switch what, platform, _ := strings.Cut(question, " "); what {
	case "status":
		for _, f := range m.of(platform) {
			s := f.Node.Status()
			_ = out.Encode(answered{Status: &s})
		}
	case "step-down":
		err = m.stepDown(ctx, platform, out)
	case "audit":
		err = m.feeds[0].Node.Common.AuditCopy(ctx, func(node string, line []byte) error {
			return out.Encode(answered{Node: node, Line: string(line)})
		})
	default:
		err = errors.New("it is not known what that is")
	}
	if err != nil {
		_ = out.Encode(answered{Error: err.Error()})
	}
}

// of are the feeds of a platform, or of all of them: "".
func (m *Member) of(platform string) []*Feed {
	return slices.DeleteFunc(slices.Clone(m.feeds), func(f *Feed) bool { return platform != "" && f.Node.Status().Platform != platform })
}

// errLeadsNone says what to do where it is not clear which connection is meant.
var errLeadsNone = errors.New("this node has no connection; --platform says of which platform another node hands it over")

// stepDown has a connection handed over: the one of a platform, wherever it is. Of
// several platforms, where none is named, those that this node has.
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
			return err //nolint:wrapcheck // it says whose it is
		}
		_ = out.Encode(answered{Node: who, Platform: f.Node.Status().Platform})
	}
	return nil
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

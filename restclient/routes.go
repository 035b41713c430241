package restclient

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"wallboard/model/resource"
)

// Document 1 shows the paths of most dialer operations only for edition 1.0.2. In edition
// 1.4.0, these paths are either unchanged, or changed like the path of the single campaign
// operation that document 1 shows.
const (
	phonePath = "/rest/powerdialer/phone/"
	movedPath = "/rest/powerdialer/"
)

// movedPaths records whether the dialer operations have moved to the alternative path. A search
// operation represents the operations on the same resources: its path is tried.
type movedPaths struct {
	mu    sync.Mutex
	moved map[resource.Operation]bool
}

func (r *movedPaths) get(search resource.Operation) (moved, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moved, known = r.moved[search]
	return moved, known
}

func (r *movedPaths) set(search resource.Operation, moved bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moved == nil {
		r.moved = make(map[resource.Operation]bool)
	}
	r.moved[search] = moved
}

// pathSearchOf returns the search operation whose path reveals whether the path of op has
// moved. It returns "" if the path of op is certain.
func pathSearchOf(op resource.Operation) resource.Operation {
	rest, ok := strings.CutPrefix(op.Endpoint().Path, phonePath)
	switch {
	case !ok || op.Endpoint().Path140 != "":
		return ""
	case strings.HasPrefix(rest, "campaign"):
		return resource.OpCampaignSearch
	}
	return resource.OpListSearch
}

// movedPathOf returns the alternative path of a dialer operation, given its path in edition 1.0.2.
func movedPathOf(path string) string {
	return strings.Replace(path, phonePath, movedPath, 1)
}

// sendToRoute sends a request to the address in x. If x is a search operation that is not found at
// this address, sendToRoute sends it once to the alternative path. It records the right path.
func (s *Session) sendToRoute(ctx context.Context, x *preparedRequest, p credentials) (*reply, error) {
	re, err := s.sender.sendWithRetry(ctx, x, p)
	if pathSearchOf(x.op) != x.op || s.paths[x.op] != "" {
		return re, err
	}
	moved, known := s.movedPaths.get(x.op)
	switch {
	case known:
	case err == nil:
		s.movedPaths.set(x.op, moved)
	case mayBeWrongPath(err):
		other := *x
		other.url = movedPathOf(x.url)
		again, refused := s.sender.sendWithRetry(ctx, &other, p)
		if mayBeWrongPath(refused) {
			break
		}
		if refused == nil {
			s.movedPaths.set(x.op, true)
			s.sender.log.InfoContext(ctx, "the dialer operations have moved to the alternative path", "operation", x.op)
		}
		return again, refused
	}
	return re, err
}

// detectMovedPath reports whether to send an action that failed with err once more, to the
// alternative path. It returns true if err may mean a wrong path and a search operation was
// found at the alternative path. In that case the platform has not executed the first request.
func (s *Session) detectMovedPath(ctx context.Context, op resource.Operation, err error) bool {
	finder := pathSearchOf(op)
	if finder == "" || finder == op || !mayBeWrongPath(err) || s.paths[op] != "" || s.paths[finder] != "" {
		return false
	}
	if _, known := s.movedPaths.get(finder); known {
		return false
	}
	var first Result[struct{}]
	if s.send(ctx, request{op: finder, query: Page{Number: 1, Size: 1}.query(), decodeInto: &first}) != nil {
		return false
	}
	moved, _ := s.movedPaths.get(finder)
	return moved
}

// mayBeWrongPath reports whether err may mean that the requested path belongs to no operation.
func mayBeWrongPath(err error) bool {
	var e *Error
	return errors.Is(err, ErrPathNotFound) || errors.As(err, &e) && (e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented)
}

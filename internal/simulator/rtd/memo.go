package rtd

import (
	"sync"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// memo caches results by key, because clients repeat the same few requests. A full memo drops
// all results.
type memo[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

const (
	maxMemo      = 64       // maximum number of results in a memo
	maxMemoQuery = 16 << 10 // maximum length in bytes of a query whose result is cached
)

// getOrCompute returns the cached result for a key. If there is none, it calls compute and
// caches the result.
func (m *memo[K, V]) getOrCompute(key K, compute func() V) V {
	m.mu.Lock()
	v, ok := m.values[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || len(m.values) >= maxMemo {
		m.values = make(map[K]V)
	}
	m.values[key] = v
	return v
}

// parsedQuery is a cached result of parseQuery.
type parsedQuery struct {
	doc *ast.QueryDocument
	err error
}

// introspectionKey is the cache key of the answer to an introspection query.
type introspectionKey struct{ sdl, query, operation string }

// memos holds results shared by all services of a process.
var memos struct {
	queries        memo[string, parsedQuery]
	introspections memo[introspectionKey, *graphql.Response]
}

// parseQuery parses a query. The caller must not change the document, because it is cached.
func parseQuery(query string) (*ast.QueryDocument, error) {
	parse := func() parsedQuery {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		return parsedQuery{doc, err}
	}
	if len(query) > maxMemoQuery {
		p := parse()
		return p.doc, p.err
	}
	p := memos.queries.getOrCompute(query, parse)
	return p.doc, p.err
}

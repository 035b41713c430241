package feeds

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Document 2 says that each query has a subscription counterpart, but not what
// the counterpart is called. The query's own name is tried first. When the
// server refuses it, the server's schema is asked for, where it allows that:
// the counterpart is the subscription with the same result type.

const introspection = `query Roots { __schema {
queryType { fields { ...root } } subscriptionType { fields { ...root } } } }
fragment root on __Field { name type { ...t ofType { ...t ofType { ...t ofType { ...t } } } } }
fragment t on __Type { name }`

// askRoots asks for the server's roots, once per connection.
func (f *Feed) askRoots() {
	if f.learnt || f.conn == nil {
		return
	}
	f.learnt = true
	if id, err := f.conn.Subscribe(introspection, nil); err == nil {
		f.asking = id
	}
}

type schemaType struct {
	Name   string      `json:"name"`
	OfType *schemaType `json:"ofType"`
}

// named returns the name of the type inside lists and non-nulls.
func (t *schemaType) named() string {
	for t.OfType != nil {
		t = t.OfType
	}
	return t.Name
}

type schemaRoot struct {
	Fields []struct {
		Name string     `json:"name"`
		Type schemaType `json:"type"`
	} `json:"fields"`
}

// parseRoots reads the answer to the introspection: the subscription root for
// each query root.
func parseRoots(payload []byte) (map[string]string, error) {
	var answer struct {
		Data struct {
			Schema struct {
				Query        schemaRoot `json:"queryType"`
				Subscription schemaRoot `json:"subscriptionType"`
			} `json:"__schema"`
		} `json:"data"`
	}
	if err := json.Unmarshal(payload, &answer); err != nil {
		return nil, errors.New("the answer to the introspection is not understood")
	}
	queries := make(map[string]int) // how many queries have a result type
	for _, q := range answer.Data.Schema.Query.Fields {
		queries[q.Type.named()]++
	}
	byType := make(map[string][]string)
	for _, s := range answer.Data.Schema.Subscription.Fields {
		t := s.Type.named()
		byType[t] = append(byType[t], s.Name)
	}
	roots := make(map[string]string)
	for _, q := range answer.Data.Schema.Query.Fields {
		t := q.Type.named()
		if name := counterpart(q.Name, byType[t], queries[t] == 1); name != "" {
			roots[q.Name] = name
		}
	}
	return roots, nil
}

// counterpart picks the subscription of a query among those with its result
// type: the only one, when no other query has that type (sole), or the one that
// has the query's name in its own.
func counterpart(query string, candidates []string, sole bool) string {
	if len(candidates) == 1 && sole {
		return candidates[0]
	}
	found := ""
	for _, c := range candidates {
		if c == query {
			return c
		}
		if strings.Contains(strings.ToLower(c), strings.ToLower(query)) {
			if found != "" {
				return "" // two that look alike: a guess would be a lie
			}
			found = c
		}
	}
	return found
}

// learnRoots takes the answer over and tries refused subscriptions again under
// the names that the server has.
func (f *Feed) learnRoots(payload []byte) {
	f.asking = ""
	roots, err := parseRoots(payload)
	if err != nil {
		f.warn("-", "subscription roots", err)
		return
	}
	now := f.now()
	for _, s := range f.subs {
		if f.opts.Roots[s.doc.root] != "" {
			continue // the configuration says what it is called
		}
		if name := roots[s.doc.root]; name != "" && name != s.subRoot {
			f.log.Info("subscription root found", "operation", s.doc.root, "root", name)
			s.subRoot = name
			s.retryAt = time.Time{}
			s.step(now)
		}
	}
}

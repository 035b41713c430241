package dialect

import "strings"

// Document 2 says that each query has a subscription counterpart, but not its
// name. The query's own name is tried first. If the server refuses it and shows
// its schema, the counterpart is the subscription with the same result type.

// subscriptionRoots finds the subscription root field for each query root
// field.
func subscriptionRoots(queryRoots, subscriptions []schemaField) map[string]string {
	queries := make(map[string]int) // number of queries per result type
	for _, q := range queryRoots {
		queries[q.Type.baseName()]++
	}
	byType := make(map[string][]string)
	for _, s := range subscriptions {
		t := s.Type.baseName()
		byType[t] = append(byType[t], s.Name)
	}
	roots := make(map[string]string)
	for _, q := range queryRoots {
		t := q.Type.baseName()
		if name := subscriptionFor(q.Name, byType[t], queries[t] == 1); name != "" {
			roots[q.Name] = name
		}
	}
	return roots
}

// subscriptionFor returns the subscription for a query among those with its result
// type: the only one, if no other query has that type (onlyQuery), or the one with
// the query's name, or the only one whose name contains that name, or "".
func subscriptionFor(query string, candidates []string, onlyQuery bool) string {
	if len(candidates) == 1 && onlyQuery {
		return candidates[0]
	}
	found := ""
	for _, c := range candidates {
		if c == query {
			return c
		}
		if strings.Contains(strings.ToLower(c), strings.ToLower(query)) {
			if found != "" {
				return "" // ambiguous
			}
			found = c
		}
	}
	return found
}

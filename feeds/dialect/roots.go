package dialect

import "strings"

// Document 2 says that each query has a subscription counterpart, but does not name it. The name of
// the query is tried first. If the server refuses that name and shows its schema, the counterpart
// is found by the result type.

// subscriptionRoots returns the root field of the subscription for each root field of a query.
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

// subscriptionFor returns the subscription for a query. candidates are the subscriptions with the
// query's result type. If onlyQuery is true, no other query has this type, and a single candidate
// is returned whatever its name. Otherwise subscriptionFor returns the candidate with the query's
// name, or else the only candidate whose name contains the query's name, or else "".
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
				return "" // several candidates are left
			}
			found = c
		}
	}
	return found
}

// Package queries holds the GraphQL documents of document 2's operations and builds their filters.
// A filter is a GraphQL literal. It can be parsed to select some of its names, or converted to a
// variable. The package does not know how servers differ from document 2. It has no state: results
// belong to the caller.
package queries

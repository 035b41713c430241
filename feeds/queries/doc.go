// Package queries has the GraphQL documents of document 2's operations, as
// document 2 shows them, and the filters that say whom they are about. A filter is
// kept as the text of a GraphQL literal, and taken apart to ask for some of its
// names, or to be sent as a variable. How a server differs from that is not known
// here. The package is pure: what it returns is the caller's.
package queries

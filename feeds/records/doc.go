// Package records keeps the records of one operation up to date. A [Table]
// keeps a list of records in a table of package model, a [Single] one object.
// An update is merged completely or not at all; a full answer replaces
// everything, with the updates since its query on top.
//
// A [Verifier] repeatedly compares the records of a subscription with the
// platform's full state, in chunks of keys, and decides which updates were
// lost; a [Pacer] decides whose turn it is. A difference is only a suspect at
// first: the update may be on its way, or the answer may come from a lagging
// replica. If a second check finds the same difference and no update has
// changed the value, an update was lost. The value is repaired, and counted by
// kind.
//
// The package knows no connections, filters or dialects. [Table.Doubts] returns
// what an update left unclear, such as a list that became shorter or a record
// seen for the first time. The types are not safe for concurrent use; the
// feed's mutex guards them.
package records

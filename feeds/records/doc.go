// Package records keeps the records of one operation up to date. A [Table] keeps a list of records
// in a table of package model, a [SingleRecord] keeps one object. An update is merged completely or not
// at all. A full answer replaces all records, and the updates received since the query are then
// merged on top.
//
// An answer can also be compared with the records, and selected differences can be repaired. The
// audit ([Verifier], [AuditScheduler]) detects lost updates in this way.
//
// The package knows nothing of connections, filters or dialects. [Table.DoubtfulRecords] returns what an
// update left unclear, such as a list that became shorter or a record seen for the first time. The
// types are not safe for concurrent use; the feed's mutex guards them.
package records

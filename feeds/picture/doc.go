// Package picture keeps the records of one operation, which its messages make and
// change. A [Table] holds a list of records in a table of package model, a [Single]
// one object. Updates are merged onto what is there, all of a message or nothing of
// it; a full answer takes the place of everything, with the updates since it was
// asked for on top. An answer can also be held against what is there, and some of
// the differences be repaired: what was lost on the way shows itself like that.
//
// The package knows no connection, no filter and no dialect. What an update leaves
// open, a list that became shorter or a record made of nothing, is told to whoever
// asks ([Table.Doubts]). Its types are not safe for use by several goroutines; the
// feed's mutex guards them.
package picture

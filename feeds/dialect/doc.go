// Package dialect adapts requests to one server. It combines what the
// configuration pins with what is learnt from the server's errors, its schema
// and its data. A [Dialect] renders operations, interprets errors, weighs
// evidence, periodically tests what was learnt earlier, and searches for the
// cause of errors that name none.
//
// The package is pure: it opens no connections, starts no goroutines and takes
// no locks. The caller sends what a Dialect renders and passes the answers
// back.
package dialect

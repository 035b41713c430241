// Package ask answers questions about a floor in plain words, such as "why sales at 14:05" or "who
// can go at 15". [Parse] turns a question into a [Query] by a fixed grammar, without a language
// model. [Responder.Answer] answers a query with the values that the board, dump and status show: the
// snapshot, the figures and situations of the hub, its forecasts and its release plan. For a past
// moment, it evaluates the recorded snapshots before that moment like a rewound board.
//
// The package only reads: it has no means to act on the platform. It sees only what its viewer may
// see, because the hub removes everything else from the snapshots. [ServeMCP] answers the same
// questions for a client of the Model Context Protocol.
package ask

// Package feeds keeps a [model.Store] in sync with the platform's real-time display service.
//
// It owns the store, the connection and the subscriptions of document 2. It reconnects forever. The
// filters of the subscriptions follow the users who log in and out.
//
// # Goroutines
//
// [Feed.Run] runs the connection loop, one ticker and the search for campaigns. A session over WebSocket adds
// the three goroutines of package graphql and one that reads the platform's clock, a polling session adds four.
// One mutex guards the store and all subscriptions, so the store never has two writers. All these goroutines
// have ended when Run returns.
//
// # Delivery
//
// Updates are merged in frame order. Snapshots are published only after a change, and at most once per
// Options.Publish.Every; the end of a session is published at once. A reader always gets the newest snapshot
// and cannot delay the feed or another reader. Because whole snapshots are published, a reader that skips
// some loses no state.
package feeds

// Package feeds brings the platform's real-time display service into a
// [model.Store] and keeps the picture true.
//
// It owns the connection (made again for ever), the subscriptions of document 2
// on it, the filters that follow the users who come and go, and the store.
//
// # Goroutines
//
// [Feed.Run] runs the connection loop and one ticker; each session adds the
// three goroutines of package graphqlws, and one that reads the platform's
// clock. Everything that touches the store or a subscription holds one mutex, so
// that the store has a single writer at any moment. All goroutines have ended
// when Run returns.
//
// # Delivery
//
// Updates are merged in the order of the frames. Snapshots are published at
// most once per Options.PublishEvery and only when something changed; a viewer
// always gets the newest one and can never delay another viewer or the feed.
// Coalescing whole snapshots after merging loses no state.
package feeds

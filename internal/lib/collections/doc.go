// Package collections provides data structures for recent values that take little memory. A
// [RecentCache] caches values that were used within the last seconds. A [SeriesStore] stores the
// latest values of several figures at equal steps of time: 4 bytes for each value, and nothing for
// figures that are unknown or have not changed for some time. The package starts no goroutines, and
// its types are not safe for concurrent use.
package collections

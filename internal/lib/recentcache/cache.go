// Package recentcache caches values that were used in the last seconds. It starts no goroutine.
package recentcache

import "time"

// Span is the minimum time that an unused value is kept, unless there are too many. A value
// is dropped after at most two spans if the cache is in use.
const Span = 2 * time.Second

// Cache is a cache of values by key. The zero Kept is empty and unlimited. It is not safe
// for concurrent use.
type Cache[K comparable, V any] struct {
	// Most limits the total size of the values of a span, in the unit of [Cache.Put]; 0: no
	// limit.
	Most int

	present, before map[K]V
	size            int // total size of the current span
	since           time.Time
}

// Get returns the value of a key; ok is false if it is not cached.
func (k *Cache[K, V]) Get(key K) (v V, ok bool) {
	k.turn(time.Now())
	if v, ok = k.present[key]; ok {
		return v, true
	}
	if v, ok = k.before[key]; ok { // still in use
		k.present[key] = v
	}
	return v, ok
}

// Put stores a value with its size.
func (k *Cache[K, V]) Put(key K, v V, size int) {
	now := time.Now()
	if k.turn(now); k.present == nil {
		k.begin(now)
	}
	k.Grow(size)
	k.present[key] = v
}

// Grow reports that a value has become larger.
func (k *Cache[K, V]) Grow(by int) {
	if k.size += by; k.Most > 0 && k.size > k.Most {
		k.begin(k.since)
		k.size = by
	}
}

// Forget drops all values.
func (k *Cache[K, V]) Forget() { k.present, k.before, k.size = nil, nil, 0 }

// Tidy drops the values that [Cache.Get] would no longer return.
func (k *Cache[K, V]) Tidy() { k.turn(time.Now()) }

// Len returns the number of values.
func (k *Cache[K, V]) Len() int {
	n := len(k.present)
	for key := range k.before {
		if _, is := k.present[key]; !is {
			n++
		}
	}
	return n
}

// turn starts a new span if the current one is over.
func (k *Cache[K, V]) turn(now time.Time) {
	age := now.Sub(k.since)
	if age < Span || k.present == nil {
		return
	}
	k.begin(now)
	if age >= 2*Span {
		k.before = nil
	}
}

func (k *Cache[K, V]) begin(now time.Time) {
	k.before, k.present, k.size, k.since = k.present, make(map[K]V), 0, now
}

package powersave

import "time"

// RetentionSpan is the minimum time that a [RecentCache] keeps an unused value, unless its MaxSize is
// exceeded. While values are stored, the cache drops an unused value after at most two spans.
const RetentionSpan = 2 * time.Second

// RecentCache is a cache of values by key. It drops unused values in Put and Tidy. The zero RecentCache
// is empty and has no size limit. It is not safe for concurrent use.
type RecentCache[K comparable, V any] struct {
	// MaxSize limits the total size of the values stored during a span, in the unit of the
	// sizes passed to [RecentCache.Put]. 0 means no limit.
	MaxSize int

	current, previous map[K]V
	size              int // total size of the values stored in the current span
	spanStart         time.Time
}

// Get returns the value of a key. ok is false if it is not cached.
func (k *RecentCache[K, V]) Get(key K) (v V, ok bool) {
	if v, ok = k.current[key]; ok {
		return v, true
	}
	if v, ok = k.previous[key]; ok { // keep the value for another span
		k.current[key] = v
	}
	return v, ok
}

// Put stores v as the value of key. size is its size in the unit of MaxSize.
func (k *RecentCache[K, V]) Put(key K, v V, size int) {
	now := time.Now()
	if k.startSpanIfDue(now); k.current == nil {
		k.startSpan(now)
	}
	k.Grow(size)
	k.current[key] = v
}

// Grow adds size to the total size. The caller must call it after a cached value has grown by size.
func (k *RecentCache[K, V]) Grow(size int) {
	if k.size += size; k.MaxSize > 0 && k.size > k.MaxSize {
		k.startSpan(k.spanStart)
		k.size = size
	}
}

// Forget drops all values.
func (k *RecentCache[K, V]) Forget() { k.current, k.previous, k.size = nil, nil, 0 }

// Tidy drops unused values as Put does (see [RetentionSpan]). Without calls of Tidy or Put, the cache
// keeps them.
func (k *RecentCache[K, V]) Tidy() { k.startSpanIfDue(time.Now()) }

// Len returns the number of cached values.
func (k *RecentCache[K, V]) Len() int {
	n := len(k.current)
	for key := range k.previous {
		if _, found := k.current[key]; !found {
			n++
		}
	}
	return n
}

// startSpanIfDue starts a new span if the current span has lasted for RetentionSpan. It drops the
// values that were not used during the finished span.
func (k *RecentCache[K, V]) startSpanIfDue(now time.Time) {
	age := now.Sub(k.spanStart)
	if age < RetentionSpan || k.current == nil {
		return
	}
	k.startSpan(now)
	if age >= 2*RetentionSpan {
		k.previous = nil
	}
}

func (k *RecentCache[K, V]) startSpan(now time.Time) {
	k.previous, k.current, k.size, k.spanStart = k.current, make(map[K]V), 0, now
}

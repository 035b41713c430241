// Package lately keeps what was used in the last seconds, for whoever needs it again.
package lately

import "time"

// Span is for how long at least a value is kept that nobody asks for, unless there are too
// many: two such spans at most, as long as anything is asked for or kept.
const Span = 2 * time.Second

// Kept are values by their keys. The zero Kept has none, and keeps as many as it is given.
// It is not safe for concurrent use.
type Kept[K comparable, V any] struct {
	// Most is how large the values of a span may be together, in whatever [Kept.Put] says;
	// 0: as large as they are.
	Most int

	present, before map[K]V
	size            int // of those of the present span
	since           time.Time
}

// Get returns the value of a key. ok is false where there is none, or none any more.
func (k *Kept[K, V]) Get(key K) (v V, ok bool) {
	k.turn(time.Now())
	if v, ok = k.present[key]; ok {
		return v, true
	}
	if v, ok = k.before[key]; ok { // it is in use
		k.present[key] = v
	}
	return v, ok
}

// Put keeps a value of a size.
func (k *Kept[K, V]) Put(key K, v V, size int) {
	now := time.Now()
	if k.turn(now); k.present == nil {
		k.begin(now)
	}
	k.Grow(size)
	k.present[key] = v
}

// Grow notes that a value has become larger.
func (k *Kept[K, V]) Grow(by int) {
	if k.size += by; k.Most > 0 && k.size > k.Most {
		k.begin(k.since)
		k.size = by
	}
}

// Forget lets go of all values, Tidy of those of spans that are over.
func (k *Kept[K, V]) Forget() { k.present, k.before, k.size = nil, nil, 0 }

// Tidy lets go of what [Kept.Get] would not return any more.
func (k *Kept[K, V]) Tidy() { k.turn(time.Now()) }

// Len is how many values there are.
func (k *Kept[K, V]) Len() int {
	n := len(k.present)
	for key := range k.before {
		if _, is := k.present[key]; !is {
			n++
		}
	}
	return n
}

// turn begins another span where the present one is over.
func (k *Kept[K, V]) turn(now time.Time) {
	age := now.Sub(k.since)
	if age < Span || k.present == nil {
		return
	}
	k.begin(now)
	if age >= 2*Span {
		k.before = nil
	}
}

func (k *Kept[K, V]) begin(now time.Time) {
	k.before, k.present, k.size, k.since = k.present, make(map[K]V), 0, now
}

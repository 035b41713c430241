package powersave

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestUnusedValuesAreDropped stores values of which only one is used afterwards.
func TestUnusedValuesAreDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var k RecentCache[string, int]
		has := func(key string, want bool) {
			t.Helper()
			if _, ok := k.Get(key); ok != want {
				t.Errorf("%s is kept: %v", key, ok)
			}
		}
		has("used", false)
		for n, key := range []string{"used", "left", "used"} {
			k.Put(key, n, 10)
		}
		for range 20 {
			<-time.After(RetentionSpan / 2)
			k.Tidy()
			has("used", true)
		}
		has("left", false)
		if v, _ := k.Get("used"); v != 2 || k.Len() != 1 {
			t.Errorf("%d of %d", v, k.Len())
		}
		<-time.After(2 * RetentionSpan)
		if k.Tidy(); k.Len() != 0 {
			t.Errorf("%d are kept although they are unused", k.Len())
		}
		has("used", false)
		k.Put("again", 1, 1)
		k.Forget()
		has("again", false)
	})
}

// TestCacheIsBounded stores more values than the cache keeps.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	k := RecentCache[int, string]{MaxSize: 100}
	for i := range 1000 {
		k.Put(i, "", 10)
		if n := k.Len(); n > 20 {
			t.Fatalf("%d values of 10 are kept", n)
		}
		if _, ok := k.Get(i); !ok {
			t.Fatalf("%d is gone at once", i)
		}
	}
	k.Grow(99)
	k.Grow(99)
	if n := k.Len(); n != 0 {
		t.Errorf("%d are kept beside one that has grown", n)
	}
}

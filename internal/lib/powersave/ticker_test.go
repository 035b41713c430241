package powersave

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestTickersTickTogether checks that tickers that start at different times tick at the same full
// seconds, that a tick that is not received does not delay the next ones, and that none comes after
// Stop.
func TestTickersTickTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(300 * time.Millisecond) //nolint:forbidigo // fake time
		one := NewTicker(time.Second)
		time.Sleep(350 * time.Millisecond) //nolint:forbidigo // fake time
		two := NewTicker(2 * time.Second)
		second := time.Now().Truncate(time.Second)
		for n, tick := range []*Ticker{one, two, one, one} {
			if got, want := <-tick.C, second.Add([]time.Duration{1, 2, 2, 3}[n]*time.Second); !got.Equal(want) {
				t.Errorf("tick %d at %v, want %v", n+1, got, want)
			}
		}
		time.Sleep(2500 * time.Millisecond) //nolint:forbidigo // fake time
		one.Stop()
		two.Stop()
		<-one.C // this tick was sent before Stop
		<-two.C
		time.Sleep(5 * time.Second) //nolint:forbidigo // fake time
		select {
		case at := <-one.C:
			t.Errorf("tick at %v after Stop", at)
		default:
		}
	})
}

package model_test

import (
	"math"
	"testing"

	"wallboard/model"
)

func TestRounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v        float64
		decimals int
		want     float64
	}{
		{2.5, 0, 3}, {3.5, 0, 4}, {-2.5, 0, -3}, {2.25, 1, 2.3}, {2.75, 1, 2.8}, {79.5, 1, 79.5}, {-0.04, 1, 0}, {-0.4, 0, 0}, {0, 1, 0},
	} {
		if got := model.RoundTo(c.v, c.decimals); got != c.want || got == 0 && math.Signbit(got) {
			t.Errorf("%v with %d decimals is %v, want %v", c.v, c.decimals, got, c.want)
		}
	}
}

func TestSignedPercent(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{0.18: "+18 %", -0.03: "-3 %", -0.004: "0 %", 0.004: "0 %", 0: "0 %", 0.125: "+13 %", -0.125: "-13 %"} {
		if got := model.SignedPercent(share); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}

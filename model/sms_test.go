package model_test

import (
	"strings"
	"testing"

	"wallboard/model"
)

func TestSMSParts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 1},
		{strings.Repeat("a", 160), 1},
		{strings.Repeat("a", 161), 2},
		{strings.Repeat("€", 80), 1},
		{strings.Repeat("€", 81), 2},
		{strings.Repeat("a", 459), 3},
		{strings.Repeat("a", 460), 4},
		{strings.Repeat("Ж", 70), 1},
		{strings.Repeat("Ж", 71), 2},
		{strings.Repeat("🙂", 36), 2},
		{strings.Repeat("a", 69) + "…", 1},
		{strings.Repeat("a", 70) + "…", 2},
	} {
		if got := model.SMSParts(tt.text); got != tt.want {
			t.Errorf("%.10q… takes %d, want %d", tt.text, got, tt.want)
		}
	}
}

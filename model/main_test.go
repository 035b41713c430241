package model

import (
	"testing"

	"wallboard/internal/seldom"
)

func TestMain(m *testing.M) {
	seldom.Collect()
	m.Run()
}

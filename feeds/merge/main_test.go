package merge

import (
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	m.Run()
}

package commands

import (
	"testing"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/testkit"
)

// TestMain gives the tests a home directory of their own.
func TestMain(m *testing.M) {
	remove, err := testkit.SetHome()
	if err != nil {
		panic(err)
	}
	defer remove()
	xdg.Reload()
	m.Run()
}

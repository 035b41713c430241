package commands

import (
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestMain gives the tests a home directory of their own.
func TestMain(m *testing.M) { testkit.RunInHome(m) }

package snapshot

import (
	"slices"

	"wallboard/model"
	"wallboard/ui/render"
)

// StatesInOrder returns the states in the order of a bar, then those among counts that document 2
// does not list, and unknown ones last.
func StatesInOrder[N any](counts map[model.UserStatus]N) []model.UserStatus {
	order := render.StateOrder()
	var others []model.UserStatus
	for s := range counts {
		if s != "" && !slices.Contains(order[:], s) {
			others = append(others, s)
		}
	}
	slices.Sort(others)
	return append(slices.Concat(order[:], others), "")
}

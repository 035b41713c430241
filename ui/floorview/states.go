package floorview

import (
	"slices"

	"wallboard/model"
	"wallboard/ui/render"
)

// StatesInOrder returns all states in the order of [render.StateOrder], followed by the other
// states in counts. The last element is "", the unknown state.
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

package feeds

import "wallboard/model"

// The operations, as this package calls them.
const (
	opVersion          = string(model.OpVersion)
	opServerHealth     = string(model.OpServerHealth)
	opUsers            = string(model.OpUsers)
	opServices         = string(model.OpServices)
	opGroups           = string(model.OpGroups)
	opUserStats        = string(model.OpUserStats)
	opProfiles         = string(model.OpProfiles)
	opCampaigns        = string(model.OpCampaigns)
	opAttendants       = string(model.OpAttendants)
	opOperators        = string(model.OpOperators)
	opOperatorProfiles = string(model.OpOperatorProfiles)
)

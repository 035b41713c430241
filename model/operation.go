package model

// The operations of document 2 that have a subscription (section Operations).
const (
	OpVersion          = "version"
	OpServerHealth     = "serverHealth"
	OpUsers            = "users"
	OpServices         = "serviceStats"
	OpGroups           = "groupStats"
	OpUserStats        = "userStats"
	OpProfiles         = "userProfileStats"
	OpCampaigns        = "pdCampaignStats"
	OpAttendants       = "serviceAttendantStats"
	OpOperators        = "operatorStats"
	OpOperatorProfiles = "operatorProfileStats"
)

// Operation is one of them, and what people call the things that it tells of.
type Operation struct {
	Name string // in document 2
	Noun string
}

// Operations returns the operations in the order of document 2. It is the only
// list of them: who turns the name of one into words takes them from here.
func Operations() []Operation {
	return []Operation{
		{OpVersion, "the platform's version"},
		{OpServerHealth, "the platform's health"},
		{OpUsers, "agents"},
		{OpServices, "services"},
		{OpGroups, "groups"},
		{OpUserStats, "agents"},
		{OpProfiles, "agents"},
		{OpCampaigns, "campaigns"},
		{OpAttendants, "attendants"},
		{OpOperators, "operators"},
		{OpOperatorProfiles, "operators"},
	}
}

// NounOf returns what people call the things that an operation tells of;
// "figures" for one that document 2 does not have.
func NounOf(operation string) string {
	for _, o := range Operations() {
		if o.Name == operation {
			return o.Noun
		}
	}
	return "figures"
}

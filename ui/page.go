package ui

// pageID is a page's place among the tabs. The constants are the places of the
// standard pages where the configuration has no pages of its own.
type pageID int

const (
	pageOverview pageID = iota
	pageServices
	pageGroups
	pageAgents
	pageCampaigns
	pageAttendants
	pageAlerts
	pageHistory
	pageFeed
	pageWall

	numPages
)

// String returns the name of a standard page.
func (p pageID) String() string {
	return [...]string{
		"Overview", "Services", "Groups", "Agents", "Campaigns", "Attendants", "Alerts", "History", "Feed", "Wall",
	}[p]
}

// Pages returns the names of the standard pages, for a configuration that
// places them or names the first one.
func Pages() []string {
	names := make([]string, 0, numPages)
	for p := range numPages {
		names = append(names, p.String())
	}
	return names
}

package phrases

// Legend maps the IDs of a table's columns to explanations of the columns.
type Legend map[string]string

// Explanations of columns that several tables have.
const (
	meansAlarm       = "Alerts, the most urgent first: ▲ critical, △ warning, with the reason; ▹ monitored, no action needed yet (▵ critical); ▾ of the day; ▽ taken over. …: w shows the others."
	meansCode        = "Its code on the platform."
	meansWaiting     = "Contacts waiting for an agent now."
	meansReady       = "Agents who can take the next contact."
	meansLoggedIn    = "Agents who are logged in, in any state."
	meansNotReady    = "Logged-in agents who take no contacts: breaks, meetings, other work."
	meansWrapUp      = "Agents doing after-call work."
	meansReceived    = "Contacts that came in today."
	meansAnswered    = "Contacts that agents took today."
	meansAbandoned   = "Contacts abandoned today while waiting."
	meansAbandonRate = "Share of today's contacts that were abandoned while waiting."
	meansAnswerRate  = "Share of today's contacts that an agent took."
	meansShrinkage   = "Share of the logged-in agents who are not ready."
	meansClosed      = "Contacts that the platform ended itself: outside hours, queue full."
	meansShort       = "Contacts abandoned at once, before the platform's limit for short calls."
	meansTrend       = "The last hour, the newest on the right."
	meansSite        = "The site where the agent works."
	meansProfile     = "The platform's profile: the agent's role on the channel."
	meansUser        = "The agent's user name."
	meansDuration    = "How long it has lasted."
	meansSince       = "When it began, or was first seen."
	meansTaken       = "Who has taken it over (key m)."
	meansWhere       = "The service, group, agent or campaign concerned."
)

// ServiceColumns explains the columns of the table of services.
func ServiceColumns() Legend {
	return Legend{
		"name": "The service.", "alarm": meansAlarm, "code": meansCode, "waiting": meansWaiting,
		"longest":   "The longest current wait.",
		"sl":        "Service level: share of today's calls answered in time, by the formula on the first page. ▾ is below target, ~ below target with too few calls to judge.",
		"abandon":   meansAbandonRate + " ▴ is over target, ~ over target with too few calls to judge.",
		"asa":       "Average speed of answer: how long answered callers waited.",
		"ready":     meansReady,
		"talking":   "Contacts that an agent is talking to now.",
		"logged":    meansLoggedIn,
		"notready":  meansNotReady,
		"wrapup":    meansWrapUp,
		"current":   "Contacts in progress now: in the menu, waiting or talking.",
		"received":  meansReceived,
		"answered":  meansAnswered,
		"abandoned": meansAbandoned,
		"closed":    meansClosed,
		"callbacks": "Callers who left a number to be called back.",
		"short":     meansShort,
		"outbound":  "Outbound calls of the service today.",
		"outanswer": "Share of today's outbound calls that were answered.",
		"occupancy": "Share of the agents now on a contact or its wrap-up, among these and the ready ones.",
		"trend":     meansTrend,
	}
}

// GroupColumns explains the columns of the table of groups.
func GroupColumns() Legend {
	return Legend{
		"name": "The group.", "alarm": meansAlarm, "code": meansCode, "waiting": meansWaiting, "ready": meansReady,
		"logged": meansLoggedIn, "notready": meansNotReady, "wrapup": meansWrapUp, "received": meansReceived,
		"answered": meansAnswered, "abandoned": meansAbandoned, "answer": meansAnswerRate, "abandon": meansAbandonRate,
		"shrinkage": meansShrinkage, "closed": meansClosed, "short": meansShort, "trend": meansTrend,
	}
}

// AgentColumns explains the columns of the table of agents.
func AgentColumns() Legend {
	return Legend{
		"name":      "The agent.",
		"state":     "The agent's state on the selected channel.",
		"time":      "How long the agent has been in that state.",
		"limit":     "The time left until the limit of the state, or the time over it; the bar is full at the limit. For a filter, the time over is above 0 (limit>0), the time left below.",
		"activity":  "The agent's reason for not being ready.",
		"service":   "The service of the current contact.",
		"group":     "The group of the current contact.",
		"answered":  "Contacts that the agent took today.",
		"missed":    "Contacts offered to the agent today and not taken.",
		"aht":       "Average handling time: talk and wrap-up of a contact.",
		"occupancy": "Share of the time on contacts and their wrap-up, of this and the ready time.",
		"over":      "Contacts taken after the platform's limit for a quick answer.",
		"in":        "The agent's own incoming calls today.",
		"out":       "The agent's own outgoing calls today.",
		"private":   "The agent's private calls today.",
		"logged":    "How long the agent has been logged in today.",
		"site":      meansSite,
		"profile":   meansProfile,
		"username":  meansUser,
	}
}

// CampaignColumns explains the columns of the table of campaigns.
func CampaignColumns() Legend {
	return Legend{
		"name":        "The campaign.",
		"state":       "Running, idle, or empty: no contact is left to call.",
		"id":          "Its number on the platform.",
		"empty":       "About when no contact is left to call, at the pace of the last half hour.",
		"gauge":       "How much of the list has been called, as a bar.",
		"penetration": "Share of the list's contacts called at least once.",
		"todo":        "Contacts not called yet.",
		"tried":       "Contacts called at least once.",
		"total":       "Contacts on the list.",
		"started":     "Calls started, including retries.",
		"ok":          "Contacts reached.",
		"hit":         "Contacts reached per call started.",
		"talking":     "Contacts talking to an agent now.",
		"ringing":     "Contacts whose telephone rings now.",
		"lines":       "Telephone lines in use, of the campaign's lines.",
		"free":        "Free agents, of the campaign's agents.",
		"contact":     "Contacts reached per contact called.",
		"trend":       meansTrend,
	}
}

// AttendantColumns explains the columns of the table of attendants.
func AttendantColumns() Legend {
	return Legend{
		"name":      "The service of the attendants.",
		"component": "Which calls: all, internal, external, or those returned from an extension that did not answer.",
		"current":   "Calls in progress now: waiting or talking.",
		"received":  meansReceived, "answered": meansAnswered, "abandoned": meansAbandoned, "closed": meansClosed,
		"ready": "Operators who can take the next call.", "busy": "Operators who are on a call.", "logged": "Operators who are logged in.",
	}
}

// OperatorColumns explains the columns of the table of operators.
func OperatorColumns() Legend {
	return Legend{
		"name": "The operator.", "activity": "The agent's reason for not being ready.", "site": meansSite, "profile": meansProfile, "username": meansUser,
	}
}

// SituationColumns explains the columns of the table of situations.
func SituationColumns() Legend {
	return Legend{
		"state": "Critical, warning, taken over, of the day, monitored (no action needed yet), silent or resolved. ?: not verified.",
		"name":  meansWhere, "text": "What is wrong, in a sentence.", "for": meansDuration, "since": meansSince,
		"times": "How often it has occurred today.", "by": meansTaken,
	}
}

// IncidentColumns explains the columns of the table of incidents.
func IncidentColumns() Legend {
	return Legend{
		"state": "Critical, warning, monitored (no action needed yet), of the day, taken over, silent or resolved. ?: not verified.",
		"rule":  "The rule that raised it; wallboard docs alerts lists all rules.", "name": meansWhere, "channel": "The channel concerned.",
		"value": "The figure that the rule checks.", "for": meansDuration, "since": meansSince,
		"text": "What is wrong, in a sentence.", "by": meansTaken,
	}
}

// FeedColumns explains the columns of the table of subscriptions.
func FeedColumns() Legend {
	return Legend{
		"name":     "The subscription: a kind of record that the platform sends.",
		"state":    "Live, or why it is not.",
		"since":    "How long it has been in that state.",
		"age":      "When data last arrived.",
		"verified": "When all of its figures were last compared with the platform's.",
		"rate":     "Updates per second.",
		"drift":    "Figures that an audit found wrong and corrected.",
		"records":  "Records that it covers.",
		"keys":     "Names in its request.",
		"messages": "Messages received.",
		"updates":  "Changes received.",
		"bytes":    "Amount of data received.",
		"errors":   "Errors that the platform returned.",
		"bad":      "Messages that could not be read.",
		"resyncs":  "How often the full state was requested again.",
		"reason":   "Why it is not live, in the platform's words.",
	}
}

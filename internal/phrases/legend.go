package phrases

// Legend maps the IDs of a table's columns to their explanations.
type Legend map[string]string

// Explanations of columns that occur in several tables.
const (
	meansAlarm       = "Alerts, the most urgent first: ▲ critical, △ warning, with the reason; · watched, no action needed yet (▵ critical); ▾ of the day; ▽ taken over. …: w shows the others."
	meansCode        = "The code by which the platform knows it."
	meansWaiting     = "Contacts that wait for an agent now."
	meansReady       = "Agents who can take the next contact."
	meansLoggedIn    = "Agents who are logged in, whatever they do."
	meansNotReady    = "Agents who are logged in and take no contacts: breaks, meetings, other work."
	meansWrapUp      = "Agents who finish the work after a contact."
	meansReceived    = "Contacts that came in today."
	meansAnswered    = "Contacts of today that an agent took."
	meansAbandoned   = "Contacts of today whose caller gave up while waiting."
	meansAbandonRate = "Share of today's callers who gave up while waiting."
	meansAnswerRate  = "Share of today's contacts that an agent took."
	meansShrinkage   = "Share of the logged-in agents who are not ready."
	meansClosed      = "Contacts that the platform ended itself: outside hours, queue full."
	meansShort       = "Callers who gave up at once, before the platform's limit for short calls."
	meansTrend       = "The last hour, the newest on the right."
	meansSite        = "The site where they work."
	meansProfile     = "The platform's profile: their role on the channel."
	meansUser        = "The name by which they log in."
	meansDuration    = "How long it has lasted, or lasted."
	meansSince       = "When it began, or was first seen."
	meansTaken       = "Who takes care of it (key m)."
	meansWhere       = "The service, group, agent or campaign that it is about."
)

// ServiceColumns explains the columns of the table of services.
func ServiceColumns() Legend {
	return Legend{
		"name": "The service.", "alarm": meansAlarm, "code": meansCode, "waiting": meansWaiting,
		"longest":   "How long the one has waited who waits longest.",
		"sl":        "Service level: share of today's calls answered in time, by the formula on the first page.",
		"abandon":   meansAbandonRate,
		"asa":       "Average speed of answer: how long those who were answered had waited.",
		"ready":     meansReady,
		"talking":   "Contacts that an agent is talking to now.",
		"logged":    meansLoggedIn,
		"notready":  meansNotReady,
		"wrapup":    meansWrapUp,
		"current":   "Contacts in the system now: in the menu, waiting or talking.",
		"received":  meansReceived,
		"answered":  meansAnswered,
		"abandoned": meansAbandoned,
		"closed":    meansClosed,
		"callbacks": "Callers who left a number to be called back.",
		"short":     meansShort,
		"outbound":  "Outbound calls of the service today.",
		"outanswer": "Share of today's outbound calls that somebody answered.",
		"occupancy": "Share of the agents at work now who have a contact or its wrap-up, the others being ready.",
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
		"state":     "What they do now, on the channel that is shown.",
		"time":      "How long they have been in that state.",
		"limit":     "The time in the state against what it may take: the bar is full at the limit, +1:30 is what is over it.",
		"activity":  "Why they are not ready, as they said.",
		"service":   "The service of their present contact.",
		"group":     "The group of their present contact.",
		"answered":  "Contacts that they took today.",
		"missed":    "Contacts that were offered to them today and that they did not take.",
		"aht":       "Average handling time: talking and wrap-up of a contact.",
		"occupancy": "Share of their time at work that they had a contact, the rest being ready.",
		"over":      "Contacts that they took only after the platform's limit for a quick answer.",
		"in":        "Calls of their own that came in today.",
		"out":       "Calls of their own that they made today.",
		"private":   "Private calls that they made today.",
		"logged":    "How long they have been logged in today.",
		"site":      meansSite,
		"profile":   meansProfile,
		"username":  meansUser,
	}
}

// CampaignColumns explains the columns of the table of campaigns.
func CampaignColumns() Legend {
	return Legend{
		"name":        "The campaign.",
		"state":       "Running, idle, or empty: nobody is left to call.",
		"id":          "The number by which the platform knows it.",
		"empty":       "About when no contact is left to call, at the pace of the last half hour.",
		"gauge":       "How much of the list was called, as a bar.",
		"penetration": "Share of the list's contacts that were called at least once.",
		"todo":        "Contacts that were not called yet.",
		"tried":       "Contacts that were called at least once.",
		"total":       "Contacts on the list.",
		"started":     "Calls that were started, retries too.",
		"ok":          "Contacts that were reached.",
		"hit":         "Contacts reached, of the calls that were started.",
		"talking":     "Contacts who talk to an agent now.",
		"ringing":     "Contacts whose telephone rings now.",
		"lines":       "Telephone lines in use, of those that the campaign has.",
		"free":        "Agents who are free, of those whom the campaign has.",
		"contact":     "Contacts reached, of those who were called.",
		"trend":       meansTrend,
	}
}

// AttendantColumns explains the columns of the table of attendants.
func AttendantColumns() Legend {
	return Legend{
		"name":      "The service whose attendants these are.",
		"component": "Which calls: all, internal, external, or those that came back from an extension that did not answer.",
		"current":   "Calls in the system now: waiting or talking.",
		"received":  meansReceived, "answered": meansAnswered, "abandoned": meansAbandoned, "closed": meansClosed,
		"ready": "Operators who can take the next call.", "busy": "Operators who are on a call.", "logged": "Operators who are logged in.",
	}
}

// OperatorColumns explains the columns of the table of operators.
func OperatorColumns() Legend {
	return Legend{
		"name": "The operator.", "activity": "Why they are not ready, as they said.", "site": meansSite, "profile": meansProfile, "username": meansUser,
	}
}

// SituationColumns explains the columns of the table of situations.
func SituationColumns() Legend {
	return Legend{
		"state": "Critical, warning, taken over, of the day, watched (no action needed yet), silent, recovered or ended. ?: not verified.",
		"name":  meansWhere, "text": "What is wrong, in a sentence.", "for": meansDuration, "since": meansSince,
		"times": "How often it has come today.", "by": meansTaken,
	}
}

// IncidentColumns explains the columns of the table of incidents.
func IncidentColumns() Legend {
	return Legend{
		"state": "Critical, warning, watched (no action needed yet), of the day, taken over, silent or ended. ?: not verified.",
		"rule":  "The rule that raised it; docs/user/alerts.md lists them.", "name": meansWhere, "channel": "The channel that it is about.",
		"value": "The figure that the rule judges.", "for": meansDuration, "since": meansSince,
		"text": "What is wrong, in a sentence.", "by": meansTaken,
	}
}

// FeedColumns explains the columns of the table of subscriptions.
func FeedColumns() Legend {
	return Legend{
		"name":     "The subscription: what the platform is asked to tell.",
		"state":    "Live, or what keeps it from that.",
		"since":    "How long it has been in that state.",
		"age":      "When it last told something.",
		"verified": "When all of its figures were last held against the platform's.",
		"rate":     "Updates a second.",
		"drift":    "Figures that an audit found wrong and corrected.",
		"records":  "Records that it tells of.",
		"keys":     "Names that it was asked for.",
		"messages": "Messages that came.",
		"updates":  "Changes that they told.",
		"bytes":    "How much that was.",
		"errors":   "Errors that the platform answered with.",
		"bad":      "Messages that could not be read.",
		"resyncs":  "How often everything was asked for again.",
		"reason":   "Why it is not live, in the platform's words.",
	}
}

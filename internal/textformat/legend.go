package textformat

import "wallboard/internal/words"

// Legend maps the IDs of a table's columns to explanations of the columns.
type Legend map[string]words.Text

// ServiceColumns explains the columns of the table of services.
func ServiceColumns() Legend {
	return Legend{
		"name": words.LegendServiceName(), "alarm": words.LegendAlarm(), "code": words.LegendCode(), "waiting": words.LegendWaiting(),
		"longest":   words.LegendServiceLongest(),
		"sl":        words.LegendServiceSl(),
		"abandon":   words.LegendServiceAbandon(),
		"asa":       words.LegendServiceAsa(),
		"ready":     words.LegendReady(),
		"talking":   words.LegendServiceTalking(),
		"logged":    words.LegendLoggedIn(),
		"notready":  words.LegendNotReady(),
		"wrapup":    words.LegendWrapUp(),
		"current":   words.LegendServiceCurrent(),
		"received":  words.LegendReceived(),
		"answered":  words.LegendAnswered(),
		"abandoned": words.LegendAbandoned(),
		"closed":    words.LegendClosed(),
		"callbacks": words.LegendServiceCallbacks(),
		"short":     words.LegendShort(),
		"outbound":  words.LegendServiceOutbound(),
		"outanswer": words.LegendServiceOutanswer(),
		"occupancy": words.LegendServiceOccupancy(),
		"trend":     words.LegendTrend(),
	}
}

// GroupColumns explains the columns of the table of groups.
func GroupColumns() Legend {
	return Legend{
		"name": words.LegendGroupName(), "alarm": words.LegendAlarm(), "code": words.LegendCode(), "waiting": words.LegendWaiting(), "ready": words.LegendReady(),
		"logged": words.LegendLoggedIn(), "notready": words.LegendNotReady(), "wrapup": words.LegendWrapUp(), "received": words.LegendReceived(),
		"answered": words.LegendAnswered(), "abandoned": words.LegendAbandoned(), "answer": words.LegendAnswerRate(), "abandon": words.LegendAbandonRate(),
		"shrinkage": words.LegendShrinkage(), "closed": words.LegendClosed(), "short": words.LegendShort(), "trend": words.LegendTrend(),
	}
}

// AgentColumns explains the columns of the table of agents.
func AgentColumns() Legend {
	return Legend{
		"name":      words.LegendAgentName(),
		"state":     words.LegendAgentState(),
		"time":      words.LegendAgentTime(),
		"limit":     words.LegendAgentLimit(),
		"activity":  words.LegendAgentActivity(),
		"service":   words.LegendAgentService(),
		"group":     words.LegendAgentGroup(),
		"answered":  words.LegendAgentAnswered(),
		"missed":    words.LegendAgentMissed(),
		"aht":       words.LegendAgentAht(),
		"occupancy": words.LegendAgentOccupancy(),
		"over":      words.LegendAgentOver(),
		"in":        words.LegendAgentIn(),
		"out":       words.LegendAgentOut(),
		"private":   words.LegendAgentPrivate(),
		"logged":    words.LegendAgentLogged(),
		"site":      words.LegendSite(),
		"profile":   words.LegendProfile(),
		"username":  words.LegendUser(),
	}
}

// CampaignColumns explains the columns of the table of campaigns.
func CampaignColumns() Legend {
	return Legend{
		"name":        words.LegendCampaignName(),
		"state":       words.LegendCampaignState(),
		"id":          words.LegendCampaignId(),
		"empty":       words.LegendCampaignEmpty(),
		"gauge":       words.LegendCampaignGauge(),
		"penetration": words.LegendCampaignPenetration(),
		"todo":        words.LegendCampaignTodo(),
		"tried":       words.LegendCampaignTried(),
		"total":       words.LegendCampaignTotal(),
		"started":     words.LegendCampaignStarted(),
		"ok":          words.LegendCampaignOk(),
		"hit":         words.LegendCampaignHit(),
		"talking":     words.LegendCampaignTalking(),
		"ringing":     words.LegendCampaignRinging(),
		"lines":       words.LegendCampaignLines(),
		"free":        words.LegendCampaignFree(),
		"contact":     words.LegendCampaignContact(),
		"trend":       words.LegendTrend(),
	}
}

// AttendantColumns explains the columns of the table of attendants.
func AttendantColumns() Legend {
	return Legend{
		"name":      words.LegendAttendantName(),
		"component": words.LegendAttendantComponent(),
		"current":   words.LegendAttendantCurrent(),
		"received":  words.LegendReceived(), "answered": words.LegendAnswered(), "abandoned": words.LegendAbandoned(), "closed": words.LegendClosed(),
		"ready": words.LegendAttendantReady(), "busy": words.LegendAttendantBusy(), "logged": words.LegendAttendantLogged(),
	}
}

// OperatorColumns explains the columns of the table of operators.
func OperatorColumns() Legend {
	return Legend{
		"name": words.LegendOperatorName(), "activity": words.LegendOperatorActivity(), "site": words.LegendSite(), "profile": words.LegendProfile(), "username": words.LegendUser(),
	}
}

// SituationColumns explains the columns of the table of situations.
func SituationColumns() Legend {
	return Legend{
		"state": words.LegendSituationState(),
		"name":  words.LegendWhere(), "text": words.LegendSituationText(), "for": words.LegendDuration(), "since": words.LegendSince(),
		"times": words.LegendSituationTimes(), "by": words.LegendTaken(),
	}
}

// IncidentColumns explains the columns of the table of incidents.
func IncidentColumns() Legend {
	return Legend{
		"state": words.LegendIncidentState(),
		"rule":  words.LegendIncidentRule(), "name": words.LegendWhere(), "channel": words.LegendIncidentChannel(),
		"value": words.LegendIncidentValue(), "for": words.LegendDuration(), "since": words.LegendSince(),
		"text": words.LegendIncidentText(), "by": words.LegendTaken(),
	}
}

// FeedColumns explains the columns of the table of subscriptions.
func FeedColumns() Legend {
	return Legend{
		"name":     words.LegendFeedName(),
		"state":    words.LegendFeedState(),
		"since":    words.LegendFeedSince(),
		"age":      words.LegendFeedAge(),
		"verified": words.LegendFeedVerified(),
		"rate":     words.LegendFeedRate(),
		"drift":    words.LegendFeedDrift(),
		"records":  words.LegendFeedRecords(),
		"keys":     words.LegendFeedKeys(),
		"messages": words.LegendFeedMessages(),
		"updates":  words.LegendFeedUpdates(),
		"bytes":    words.LegendFeedBytes(),
		"errors":   words.LegendFeedErrors(),
		"bad":      words.LegendFeedBad(),
		"resyncs":  words.LegendFeedResyncs(),
		"reason":   words.LegendFeedReason(),
	}
}

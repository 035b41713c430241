package phrases

import "wallboard/internal/words"

// Legend maps the IDs of a table's columns to explanations of the columns.
type Legend map[string]words.Text

// ServiceColumns explains the columns of the table of services.
func ServiceColumns() Legend {
	return Legend{
		"name": words.ColumnServiceName(), "alarm": words.ColumnAlarm(), "code": words.ColumnCode(), "waiting": words.ColumnWaiting(),
		"longest":   words.ColumnServiceLongest(),
		"sl":        words.ColumnServiceSl(),
		"abandon":   words.ColumnServiceAbandon(),
		"asa":       words.ColumnServiceAsa(),
		"ready":     words.ColumnReady(),
		"talking":   words.ColumnServiceTalking(),
		"logged":    words.ColumnLoggedIn(),
		"notready":  words.ColumnNotReady(),
		"wrapup":    words.ColumnWrapUp(),
		"current":   words.ColumnServiceCurrent(),
		"received":  words.ColumnReceived(),
		"answered":  words.ColumnAnswered(),
		"abandoned": words.ColumnAbandoned(),
		"closed":    words.ColumnClosed(),
		"callbacks": words.ColumnServiceCallbacks(),
		"short":     words.ColumnShort(),
		"outbound":  words.ColumnServiceOutbound(),
		"outanswer": words.ColumnServiceOutanswer(),
		"occupancy": words.ColumnServiceOccupancy(),
		"trend":     words.ColumnTrend(),
	}
}

// GroupColumns explains the columns of the table of groups.
func GroupColumns() Legend {
	return Legend{
		"name": words.ColumnGroupName(), "alarm": words.ColumnAlarm(), "code": words.ColumnCode(), "waiting": words.ColumnWaiting(), "ready": words.ColumnReady(),
		"logged": words.ColumnLoggedIn(), "notready": words.ColumnNotReady(), "wrapup": words.ColumnWrapUp(), "received": words.ColumnReceived(),
		"answered": words.ColumnAnswered(), "abandoned": words.ColumnAbandoned(), "answer": words.ColumnAnswerRate(), "abandon": words.ColumnAbandonRate(),
		"shrinkage": words.ColumnShrinkage(), "closed": words.ColumnClosed(), "short": words.ColumnShort(), "trend": words.ColumnTrend(),
	}
}

// AgentColumns explains the columns of the table of agents.
func AgentColumns() Legend {
	return Legend{
		"name":      words.ColumnAgentName(),
		"state":     words.ColumnAgentState(),
		"time":      words.ColumnAgentTime(),
		"limit":     words.ColumnAgentLimit(),
		"activity":  words.ColumnAgentActivity(),
		"service":   words.ColumnAgentService(),
		"group":     words.ColumnAgentGroup(),
		"answered":  words.ColumnAgentAnswered(),
		"missed":    words.ColumnAgentMissed(),
		"aht":       words.ColumnAgentAht(),
		"occupancy": words.ColumnAgentOccupancy(),
		"over":      words.ColumnAgentOver(),
		"in":        words.ColumnAgentIn(),
		"out":       words.ColumnAgentOut(),
		"private":   words.ColumnAgentPrivate(),
		"logged":    words.ColumnAgentLogged(),
		"site":      words.ColumnSite(),
		"profile":   words.ColumnProfile(),
		"username":  words.ColumnUser(),
	}
}

// CampaignColumns explains the columns of the table of campaigns.
func CampaignColumns() Legend {
	return Legend{
		"name":        words.ColumnCampaignName(),
		"state":       words.ColumnCampaignState(),
		"id":          words.ColumnCampaignId(),
		"empty":       words.ColumnCampaignEmpty(),
		"gauge":       words.ColumnCampaignGauge(),
		"penetration": words.ColumnCampaignPenetration(),
		"todo":        words.ColumnCampaignTodo(),
		"tried":       words.ColumnCampaignTried(),
		"total":       words.ColumnCampaignTotal(),
		"started":     words.ColumnCampaignStarted(),
		"ok":          words.ColumnCampaignOk(),
		"hit":         words.ColumnCampaignHit(),
		"talking":     words.ColumnCampaignTalking(),
		"ringing":     words.ColumnCampaignRinging(),
		"lines":       words.ColumnCampaignLines(),
		"free":        words.ColumnCampaignFree(),
		"contact":     words.ColumnCampaignContact(),
		"trend":       words.ColumnTrend(),
	}
}

// AttendantColumns explains the columns of the table of attendants.
func AttendantColumns() Legend {
	return Legend{
		"name":      words.ColumnAttendantName(),
		"component": words.ColumnAttendantComponent(),
		"current":   words.ColumnAttendantCurrent(),
		"received":  words.ColumnReceived(), "answered": words.ColumnAnswered(), "abandoned": words.ColumnAbandoned(), "closed": words.ColumnClosed(),
		"ready": words.ColumnAttendantReady(), "busy": words.ColumnAttendantBusy(), "logged": words.ColumnAttendantLogged(),
	}
}

// OperatorColumns explains the columns of the table of operators.
func OperatorColumns() Legend {
	return Legend{
		"name": words.ColumnOperatorName(), "activity": words.ColumnOperatorActivity(), "site": words.ColumnSite(), "profile": words.ColumnProfile(), "username": words.ColumnUser(),
	}
}

// SituationColumns explains the columns of the table of situations.
func SituationColumns() Legend {
	return Legend{
		"state": words.ColumnSituationState(),
		"name":  words.ColumnWhere(), "text": words.ColumnSituationText(), "for": words.ColumnDuration(), "since": words.ColumnSince(),
		"times": words.ColumnSituationTimes(), "by": words.ColumnTaken(),
	}
}

// IncidentColumns explains the columns of the table of incidents.
func IncidentColumns() Legend {
	return Legend{
		"state": words.ColumnIncidentState(),
		"rule":  words.ColumnIncidentRule(), "name": words.ColumnWhere(), "channel": words.ColumnIncidentChannel(),
		"value": words.ColumnIncidentValue(), "for": words.ColumnDuration(), "since": words.ColumnSince(),
		"text": words.ColumnIncidentText(), "by": words.ColumnTaken(),
	}
}

// FeedColumns explains the columns of the table of subscriptions.
func FeedColumns() Legend {
	return Legend{
		"name":     words.ColumnFeedName(),
		"state":    words.ColumnFeedState(),
		"since":    words.ColumnFeedSince(),
		"age":      words.ColumnFeedAge(),
		"verified": words.ColumnFeedVerified(),
		"rate":     words.ColumnFeedRate(),
		"drift":    words.ColumnFeedDrift(),
		"records":  words.ColumnFeedRecords(),
		"keys":     words.ColumnFeedKeys(),
		"messages": words.ColumnFeedMessages(),
		"updates":  words.ColumnFeedUpdates(),
		"bytes":    words.ColumnFeedBytes(),
		"errors":   words.ColumnFeedErrors(),
		"bad":      words.ColumnFeedBad(),
		"resyncs":  words.ColumnFeedResyncs(),
		"reason":   words.ColumnFeedReason(),
	}
}

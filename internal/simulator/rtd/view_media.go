package rtd

// mediaCounters returns the counters of v. The second result reports whether they belong to
// the given media channel.
func (v *channelStatsView) mediaCounters(channel string) (*serviceCallsView, bool) {
	return v.media, v.media != nil && v.channel == channel
}

// ToServiceCustom1Stat returns the counters of CUSTOM_1.
func (v *channelStatsView) ToServiceCustom1Stat() (*serviceCallsView, bool) {
	return v.mediaCounters("CUSTOM_1")
}

// ToServiceCustom2Stat returns the counters of CUSTOM_2.
func (v *channelStatsView) ToServiceCustom2Stat() (*serviceCallsView, bool) {
	return v.mediaCounters("CUSTOM_2")
}

// ToServiceCustom3Stat returns the counters of CUSTOM_3.
func (v *channelStatsView) ToServiceCustom3Stat() (*serviceCallsView, bool) {
	return v.mediaCounters("CUSTOM_3")
}

// ToServiceVideoStat returns the counters of VIDEO.
func (v *channelStatsView) ToServiceVideoStat() (*serviceCallsView, bool) {
	return v.mediaCounters("VIDEO")
}

// ToServiceChatStat returns the counters of CHAT.
func (v *channelStatsView) ToServiceChatStat() (*serviceCallsView, bool) {
	return v.mediaCounters("CHAT")
}

// ToServiceMailAcdStat returns the counters of MAIL_ACD.
func (v *channelStatsView) ToServiceMailAcdStat() (*serviceCallsView, bool) {
	return v.mediaCounters("MAIL_ACD")
}

// ToServiceLivehelpStat returns the counters of LIVEHELP.
func (v *channelStatsView) ToServiceLivehelpStat() (*serviceCallsView, bool) {
	return v.mediaCounters("LIVEHELP")
}

// ToServiceOmnideskStat returns the counters of OMNIDESK.
func (v *channelStatsView) ToServiceOmnideskStat() (*serviceCallsView, bool) {
	return v.mediaCounters("OMNIDESK")
}

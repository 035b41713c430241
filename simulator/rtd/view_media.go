package rtd

// on returns the figures of a service on a channel that has a type of its own.
func (v *channelStatsView) on(channel string) (*serviceCallsView, bool) {
	return v.media, v.media != nil && v.channel == channel
}

// ToServiceCustom1Stat is that of CUSTOM_1.
func (v *channelStatsView) ToServiceCustom1Stat() (*serviceCallsView, bool) { return v.on("CUSTOM_1") }

// ToServiceCustom2Stat is that of CUSTOM_2.
func (v *channelStatsView) ToServiceCustom2Stat() (*serviceCallsView, bool) { return v.on("CUSTOM_2") }

// ToServiceCustom3Stat is that of CUSTOM_3.
func (v *channelStatsView) ToServiceCustom3Stat() (*serviceCallsView, bool) { return v.on("CUSTOM_3") }

// ToServiceVideoStat is that of VIDEO.
func (v *channelStatsView) ToServiceVideoStat() (*serviceCallsView, bool) { return v.on("VIDEO") }

// ToServiceChatStat is that of CHAT.
func (v *channelStatsView) ToServiceChatStat() (*serviceCallsView, bool) { return v.on("CHAT") }

// ToServiceMailAcdStat is that of MAIL_ACD.
func (v *channelStatsView) ToServiceMailAcdStat() (*serviceCallsView, bool) { return v.on("MAIL_ACD") }

// ToServiceLivehelpStat is that of LIVEHELP.
func (v *channelStatsView) ToServiceLivehelpStat() (*serviceCallsView, bool) { return v.on("LIVEHELP") }

// ToServiceOmnideskStat is that of OMNIDESK.
func (v *channelStatsView) ToServiceOmnideskStat() (*serviceCallsView, bool) { return v.on("OMNIDESK") }

package simulator

import (
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// EachTruth calls f for every current record of the platform, with the name of its
// operation, the record, and a function that returns its JSON as in [Server.Truth].
// Records are immutable: the same pointer means an unchanged record.
func (s *Server) EachTruth(f func(operation string, record any, tell func() []byte)) {
	st := s.world.State()
	each(f, "users", st.Users, tellUser)
	each(f, "serviceStats", st.Services, s.tellService)
	each(f, "groupStats", st.Groups, tellGroup)
	each(f, "userStats", st.UserStats, tellUserStat)
	each(f, "userProfileStats", st.UserProfileStats, s.tellProfile())
	each(f, "pdCampaignStats", st.Campaigns, func(r *world.CampaignStat) truthCampaign { return truthCampaign(*r) })
	each(f, "serviceAttendantStats", st.Attendants, tellAttendant)
	each(f, "operatorStats", st.Operators, func(r *world.OperatorStat) truthOperator { return truthOperator(*r) })
	each(f, "operatorProfileStats", st.OperatorProfileStats, s.tellProfile())
}

func each[R, T any](f func(string, any, func() []byte), operation string, records []*R, one func(*R) T) {
	for _, r := range records {
		f(operation, r, func() []byte { return wire.JSON(one(r)) })
	}
}

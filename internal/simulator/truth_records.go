package simulator

import (
	"wallboard/internal/simulator/endpoint"
	"wallboard/internal/simulator/world"
)

// EachTruth calls f for every current record of the platform, with the name of its operation, the
// record, and a function that returns the record's JSON as in [Server.Truth]. Records are
// immutable: the same pointer means that the record has not changed.
func (s *Server) EachTruth(f func(operation string, record any, encode func() []byte)) {
	st := s.world.State()
	eachRecord(f, "users", st.Users, encodeUser)
	eachRecord(f, "serviceStats", st.Services, s.encodeService)
	eachRecord(f, "groupStats", st.Groups, encodeGroup)
	eachRecord(f, "userStats", st.UserStats, encodeUserStat)
	eachRecord(f, "userProfileStats", st.UserProfileStats, s.profileEncoder())
	eachRecord(f, "pdCampaignStats", st.Campaigns, func(r *world.CampaignStat) truthCampaign { return truthCampaign(*r) })
	eachRecord(f, "serviceAttendantStats", st.Attendants, encodeAttendant)
	eachRecord(f, "operatorStats", st.Operators, func(r *world.OperatorStat) truthOperator { return truthOperator(*r) })
	eachRecord(f, "operatorProfileStats", st.OperatorProfileStats, s.profileEncoder())
}

func eachRecord[R, T any](f func(string, any, func() []byte), operation string, records []*R, encode func(*R) T) {
	for _, r := range records {
		f(operation, r, func() []byte { return endpoint.JSON(encode(r)) })
	}
}

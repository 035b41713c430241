package feeds

import (
	"slices"
	"strings"
)

// typeOf returns what document 2 calls the type of a field, "" where it does
// not say.
func typeOf(n *field) string {
	if t := n.fragment(); t != "" {
		return t
	}
	switch n.head {
	case "customStats":
		return "CustomStat"
	case "value": // that of a custom statistic, which holds another
		return "CustomStatValue"
	case "timeInHold":
		return "TimeInHold"
	case "timeInActivityCode", "timeInActivityCodeStateBusy", "timeInActivityCodeStateNotReady":
		return "TimeInActivityCode"
	case "notReadyUsersOnActivityCode", "activityCodeIndicators":
		return "UserProfileInActivityCode"
	}
	if strings.HasSuffix(n.head, "Users") || strings.HasSuffix(n.head, "UsersPrivate") {
		return "UserProfileInStatus"
	}
	return ""
}

// isKey reports whether a field names its record or an element of a list: without
// it nothing can be told apart.
func isKey(path string) bool {
	switch path {
	case "username", "code", "channel", "component", "id", "campaignId", "customStats.key":
		return true
	}
	return strings.Contains(path, ".") && strings.HasSuffix(path, ".activityCode")
}

// lacking notes what the server says about fields of an operation, and reports
// whether that is news. Of one that nothing would be left of it lacks all, and
// its refusal stands.
func (f *Feed) lacking(s *sub, r *complaint) bool {
	d, op := f.speech, s.doc.Root
	lacks := r.lacks
	for _, path := range r.failed {
		if d.evidence.speaksFor(claim{claimFails, op, path}) {
			lacks = append(lacks, path)
		}
	}
	lacks = slices.DeleteFunc(slices.Clone(lacks), isKey)
	news := d.learn(d.known.Types, d.pinned.Types, op, r.types)
	if prune(d.selection(&s.doc), lacks) == emptySelection {
		return news
	}
	if news = d.learn(d.known.Lacks, d.pinned.Lacks, op, lacks) || news; news {
		s.status.Lacks = f.lackText(op)
		f.log.Info("the server has other fields", "operation", op, "lacks", s.status.Lacks, "types", strings.Join(d.types(op), ", "))
	}
	return news
}

// lackText names the fields of an operation that the server lacks.
func (f *Feed) lackText(op string) string {
	return f.clean(strings.Join(f.speech.lacks(op), ", "))
}

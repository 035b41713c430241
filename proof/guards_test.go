package proof_test

// guards are those that are disabled in turn.
func guards() []guard {
	return []guard{
		// What comes from outside.
		{"controls are replaced", "model/text.go", "return 0x2400 + r // the", "return r // the", "model TestCleanText"},
		{"DEL is replaced", "model/text.go", "return '\\u2421'", "return r", "model TestCleanText"},
		{"C1, bidi, private use and invalid text are replaced", "model/text.go", "unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp)", "unicode.In(r, unicode.Cs, unicode.Zl, unicode.Zp)", "model TestCleanTextIsClean"},
		{"marks are limited", "model/text.go", "marks > maxMarks", "false", "model TestCleanText"},
		{"texts are limited", "model/text.go", "if n >= limit {", "if false {", "model TestCleanTextLimit"},
		{"invisible text is replaced", "model/text.go", "isInvisible(r):\n\t\treturn utf8.RuneError", "false:\n\t\treturn utf8.RuneError", "model TestCleanText"},
		{"a frame is limited", "feeds/graphqlws/reader.go", "c.ws.SetReadLimit(c.opts.ReadLimit)", "", "feeds/graphqlws TestTrap16BigSnapshot"},
		{"an error body is cut before it is read", "restclient/excerpt.go", "text[:min(len(text), maxRead)]", "text", "restclient TestExcerptIsOfTheBeginning"},
		{"a long list is not searched one by one", "feeds/merge/object.go", "if len(elements) <= few {", "if true {", "feeds/merge TestMergingTakesTimeInProportion"},
		{"a session's id is limited", "restclient/login.go", "if len(told) > maxSession || ", "if ", "restclient TestSessionIDCanNotMakeErrorsSlow"},
		{"an error body is limited", "restclient/reply.go", "io.LimitReader(resp.Body, maxErrorBody)", "resp.Body", "restclient TestContractHugeErrors"},
		{"an answer is limited", "restclient/reply.go", "case len(r.body) > maxBody:", "case false:", "restclient TestAnswers"},
		{"the answer to an upgrade is limited", "feeds/graphqlws/dial.go", "left: maxUpgrade}", "left: 1 << 62}", "feeds/graphqlws TestEndlessAnswersToTheUpgrade"},
		{"a compressed message is limited", "feeds/graphqlws/reader.go", "if int64(len(b)) > c.opts.ReadLimit {", "if false {", "feeds/graphqlws TestCompressedMessagesAreBounded"},
		{"headers over HTTP are limited", "feeds/http.go", "t.MaxResponseHeaderBytes = maxHeader", "", "feeds TestAttacksOverHTTP"},
		{"a body over HTTP is limited", "feeds/http.go", "b.ReadFrom(io.LimitReader(body, most+1))", "b.ReadFrom(body)", "feeds TestAttacksOverHTTP"},
		{"a malformed header is not quoted", "feeds/graphqlws/dial.go", "err = Unquoted(err)", "_ = Unquoted(err)", "feeds/graphqlws TestHandshakeAnswersAreNotQuoted"},
		{"cookies of answers are secrets", "feeds/clock.go", "f.login.hide(h)\n", "", "feeds TestAnswersAreNotQuoted"},
		{"TLS 1.2 at least, for the feed", "feeds/graphqlws/options.go", "c.MinVersion = max(c.MinVersion, tls.VersionTLS12)", "", "feeds/graphqlws TestTLSFailures"},
		{"TLS 1.2 at least, for actions", "restclient/transport.go", "config.MinVersion = max(config.MinVersion, tls.VersionTLS12)", "", "restclient TestRequestsThatDoNotLeave"},
		{"a secret file open to others is refused", "config/private_unix.go", "if mode&forbidden != 0 {", "if forbidden == 0 {", "config TestSecretProblems"},
		{"a symbolic link to a secret is refused", "internal/private/private_unix.go", "syscall.O_NOFOLLOW|", "", "config TestSecretProblems"},
		{"another address asks first", "cli/reload.go", "!r.consent.to(where) {", "!r.consent.to(where) && false {", "cli TestReloadGoesElsewhere"},
		{"another address needs a new start", "cli/headless.go", "len(where) > 0 {", "len(where) > 99 {", "cli TestChangedAddressNeedsANewStart"},
		{"a configuration that others can change is refused", "config/load.go", "if r.exposed(\"\", path); r.err() != nil {", "if r.err() != nil {", "config TestConfigurationOfOthersIsRefused"},
		{"a log holds no secret", "secret/redactor.go", "r.replacer.Store(replacer(slices.Concat(r.known, r.passing)))", "", "secret TestLogsShowNoSecret"},
		{"the API key is taken out of messages", "history/errors.go", "secret.Redact(text, c.key.Reveal())", "secret.Redact(text)", "history FuzzAnswer"},
		{"a log file is closed to others", "internal/private/private.go", "err = f.Chmod(0o600)", "err = nil", "cli TestFilesOfASessionArePrivate"},
		{"a webhook is not redirected", "notify/send.go", "CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },", "", "notify TestWebhook"},

		// The session.
		{"the acknowledgement has a deadline", "feeds/graphqlws/liveness.go", "c.Abort(ErrAckTimeout)", "", "feeds/graphqlws TestTrap04SilentRefusal"},
		{"a dead link is cut", "feeds/graphqlws/liveness.go", "if last < p.asked {", "if false {", "feeds/graphqlws TestDeadLinkIsNoticedInTime"},
		{"a panic ends the session only", "feeds/graphqlws/conn.go", "if v := recover(); v != nil {", "if v := any(nil); v != nil {", "cli TestPanicOverAFrameEndsTheSessionOnly"},
		{"an id is never used again", "feeds/graphqlws/conn.go", "c.issued++", "c.issued = max(c.issued, uint64(len(c.ops)+1))", "feeds/graphqlws TestTrap13NoAnswerToUnsubscribe"},
		{"an unknown Location tells no token", "feeds/graphqlws/dial.go", "clip(u.Host + path)", "clip(u.String() + path)", "feeds/graphqlws TestHandshakeAnswers"},

		// The feed.
		{"updates that wait are merged on top", "feeds/sync.go", "s.data.replace(payload, s.kept.list[s.kept.mark:], asked, s.env)", "s.data.replace(payload, nil, asked, s.env)", "feeds TestUpdatesAfterTheQueryWin"},
		{"the old subscription tells the rest", "feeds/sync.go", "s.retire(old, now)\n", "s.retire(old, now)\n\ts.forgetRetired()\n", "feeds TestOldSubscriptionTellsTheRest"},
		{"what it tells late goes below", "feeds/retired.go", "above := s.retired.since.list", "above := s.retired.since.list[:0]", "feeds TestOldSubscriptionTellsTheRest"},
		{"a gap in our clock is a cut", "feeds/pulse.go", "if g := max(", "if g := -max(", "feeds TestStandstillIsACut"},
		{"a first message that lacks records is no full state", "feeds/opening.go", "!isAll(s.opening.whole, expected) {", "false {", "feeds TestFirstMessageThatIsTheFullState"},
		{"a first message of parts is no full state", "feeds/opening.go", "return errPart\n", "_ = errPart\n", "feeds TestFirstMessageThatIsTheFullState"},
		{"an update without a key is not guessed", "feeds/merge/message.go", "item.Keyed = found == p.keys", "item.Keyed = true", "feeds/merge TestMergeWithoutKey"},
		{"a refused password is not sent again", "feeds/judge.go", "case errors.As(err, &refused):\n\t\treturn l.slow(), model.LinkRefused, lg.refusal(err)", "case errors.As(err, &refused) && delay < 0:", "cli TestRefusedCredentialsAreNotHammered"},
		{"a cut of a session that worked is no refusal", "feeds/judge.go", "if l.rejections++; l.last.worked || l.rejections < rejectedMany {", "if false {", "cli TestCutsAreFollowedWithinTwoSeconds"},
		{"a login is not redirected", "feeds/http.go", "CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },", "", "feeds TestFailedLogins"},
		{"credentials are taken out of messages", "feeds/auth.go", "return l.secrets.Redact(s)", "return s", "feeds TestMessagesCarryNoCredentials"},

		{"a cell holds no formula", "model/past/csv.go", "case start && begins(c):", "case false:", "model/past TestCSVHoldsNoFormula"},
		{"a command gets no secrets", "notify/send.go", "append(environment(), m", "append(cmd.Environ(), m", "notify TestWhatACommandGets"},
		{"a foreign host gets no metrics", "cli/metrics_gate.go", "if !knownHost(r.Host, names) {", "if false {", "cli TestMetricsKnowTheirHost"},
		{"records are bounded", "feeds/bounds.go", "if b.most <= 0 {", "if false {", "feeds TestRecordsAreBounded"},
		{"codes are bounded", "feeds/codes.go", "if len(c.set) >= c.most {", "if false {", "feeds TestCodesAreBounded"},
		{"a mask forgets who is gone", "model/mask.go", "\t\tm.forget(s)\n", "", "model TestMaskForgets"},

		{"what is due does not wait for pictures", "feeds/feed.go", "wait := min(stepEvery, f.opts.PublishEvery)", "wait := f.opts.PublishEvery", "cli TestAuditHasItsOwnPace"},
		{"a dead link is noticed while polling", "feeds/poll.go", "p.wg.Go(p.watch)\n", "", "cli TestDeadLinkWhilePollingIsNoticed"},

		// The audit.
		{"a second look", "feeds/audit.go", "s.suspect(c, found, now)\n", "s.data.repair(found.diffs)\n\t\ts.countDrift(c, found.diffs, now)\n", "cli TestNoFalseDrift"},
		{"updates during a look are merged on top", "feeds/audit.go", "s.data.look(payload, l.kept.list, s.env, in)", "s.data.look(payload, nil, s.env, in)", "feeds TestUpdateDuringALookIsNotSuspected"},
		{"what an update touched is no drift", "feeds/audit_verdict.go", "if was == nil || was.changed || was.ours != d.ours {", "if was == nil {", "cli TestNoFalseDrift"},
		{"what differs is repaired", "feeds/audit_verdict.go", "s.data.repair(confirmed)\n", "", "cli TestLostUpdateIsRepairedWithinTheMinute"},
		{"updates about who left are ignored", "feeds/stream.go", "if old == nil && t.stranger(k) {", "if false {", "feeds TestWhoLeavesALargeFloorIsForgotten"},
		{"newcomers outlive their subscription", "feeds/joined.go", "s.joined.refused, s.renew = true, true", "s.joined.refused = true", "feeds TestEndOfBothSmallOnesLeavesNobodyOut"},
		{"who is back is whole", "feeds/stream.go", "there && !t.partial[k]", "there", "feeds TestAnswerMakesNewcomersWhole"},
		{"a platform that starts anew is asked again", "feeds/audit_verdict.go", "if s.falls >= max(2, s.data.counting()) {", "if false {", "feeds TestCountersThatFallTogetherAreANewStart"},

		// Actions.
		{"an action has its own connection", "restclient/transport.go", "acting.DisableKeepAlives, ringing.DisableKeepAlives = true, true", "", "restclient TestActionsAreNotRepeatedOnDroppedConnections"},
		{"after the headers nothing is not sent", "restclient/trace.go", "t.complete = true", "t.complete = false", "restclient TestConnectionsThatDie"},
		{"a 502 is not taken for a no", "restclient/outcome.go", "if op == OpDial && exception == dialFailedException {\n\t\t\treturn resource.Rejected\n\t\t}", "return resource.Rejected", "restclient TestOutcomeOfAnswers"},
		{"580 on a dial is not taken for a no", "restclient/outcome.go", "if op == OpRecordingStart || op == OpRecordingStop {\n", "if true {\n", "restclient TestOutcomeOfAnswers"},
		{"a proxy's page is no answer", "restclient/reply.go", `if bytes.HasPrefix(body, []byte("<")) {`, "if false {", "restclient TestAnswers"},
		{"one action at a time", "control/action.go", "release, ok := d.claim(claimed)", "release, ok := func() {}, true", "control TestSameCallByUserAndByID"},
		{"nothing is sent that is not written down", "control/action.go", "\tif err != nil {\n\t\td.o.Logger.Error(\"the audit file could not be written\", \"verb\"", "\tif false {\n\t\td.o.Logger.Error(\"the audit file could not be written\", \"verb\"", "control TestNothingIsSentWithoutAnIntent"},
		{"the target is read again", "control/action.go", "\tif a.look != nil {\n\t\tend", "\tif false {\n\t\tend", "control TestContactThatChangedIsNotDeleted"},
		{"what is unknown is looked up", "control/action.go", "if report.Outcome == resource.Unknown && a.settle != nil {", "if false {", "control TestHangUpThatDoesNothing"},
		{"reports are cleaned", "control/action.go", "r.Text = model.CleanText(r.Text, model.MaxBody)", "", "control TestHostileTextIsCleanInReports"},
		{"a torn line is ended", "audit/append.go", "\tif torn {\n", "\tif torn && size < 0 {\n", "audit TestTornLineSpoilsOnlyItself"},
		{"only its own screen is painted", "ui/paint/paint.go", "if !p.entered || p.broken", "if p.broken", "ui/paint TestNothingIsPaintedOutsideTheAlternateScreen"},
		{"a panic over a frame ends in order", "ui/paint/paint.go", "r := recover(); r != nil {", "r := error(nil); r != nil {", "ui/paint TestPanicWhilePaintingRestoresTheTerminal"},
	}
}

package operations

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/textnorm"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newCallCommand returns the commands for calls (document 1, section Phone channel - Call).
func newCallCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("call", "Dial, hang up, record, and list the calls of a user",
		newDialCommand(set), newHangUpCommand(set),
		cmdutil.NewGroup("record", "Start or stop the recording of a call", newCallRecordStart(set), newCallRecordStop(set)),
		newCallList(set))
}

func newDialCommand(set *cmdutil.Setup) *cobra.Command {
	var d resource.Dial
	return newOperationCommand(set, operation{
		use: "dial NUMBER", short: "Call a number for a user",
		long: "Dial makes the phone of a user call a number. Without --user it is the phone of the user that is logged in.\n" +
			"An outcome that is unknown (exit code 4) means that the call may be up: look at the phone before dialing again.\n" +
			"With --record-on-connect it waits up to half a minute for the call to be connected; a warning says what is not known by then.",
		example: "wallboard call dial +390212345678 --user anna.rossi --service SRV01",
		args:    exactArguments, isAction: true,
		choices: map[string][]string{"exten-type": resource.ExtenTypes()},
		flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&d.Username, "user", "", "user who makes the call")
			fs.StringVar(&d.DialerNumber, "dialer-number", "", "number of the user who makes the call")
			fs.StringVar(&d.AccessCode, "access-code", "", "access code for the call")
			fs.StringVar(&d.CallData, "call-data", "", "data passed on the call; agents may see it")
			declareFlag(fs, "record", "record the call", &d.RecordCall)
			declareFlag(fs, "record-on-connect", "begin the recording when the call is connected", &d.RecordOnConnect)
			declareFlag(fs, "record-auto", "automatic recording", &d.RecordAuto)
			fs.StringVar(&d.RecFileName, "rec-file-name", "", "name of the recording")
			fs.StringVar(&d.RecData, "rec-data", "", "data of the recording")
			fs.StringVar(&d.ServiceCode, "service", "", "service code to tag the call with")
			fs.StringVar(&d.ExtenType, "exten-type", "", "type of the extension: "+strings.Join(resource.ExtenTypes(), ", "))
			fs.StringVar(&d.Exten, "exten", "", "extension of the user who makes the call")
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			d.Number, d.DialerNumber = textnorm.PhoneNumber(args[0]), textnorm.PhoneNumber(d.DialerNumber)
			return s.printReport(s.actionClient.Calls.Dial(ctx, d))
		},
	})
}

func newHangUpCommand(set *cmdutil.Setup) *cobra.Command {
	var h resource.HangUp
	return newOperationCommand(set, operation{
		use: "hangup", short: "End a call",
		long: "Hangup ends the call with an id, or the present call of a user or of an extension; without a flag that of the user who is logged in.\n" +
			"With an id it cannot hit another call; `wallboard call list` shows the ids.",
		example:  "wallboard call hangup --call-id 1700000000.42 --user anna.rossi",
		isAction: true, needsConfirm: alwaysConfirm,
		flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&h.CallID, "call-id", "", "id of the call")
			fs.StringVar(&h.Username, "user", "", "user whose call it is")
			fs.StringVar(&h.Exten, "exten", "", "extension whose call it is")
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			h := DefaultHangUp(ctx, s.config, s.client, h)
			if !s.assumeYes {
				request, description := ResolveHangUp(ctx, s.client, h)
				if err := s.confirm(ctx, "Hang up "+description+"?", ""); err != nil {
					return err
				}
				h = request
			}
			return s.printReport(s.actionClient.Calls.HangUp(ctx, h))
		},
	})
}

// DefaultHangUp returns h unchanged if one of its fields is set. Otherwise it returns a request
// that ends the call of the logged-in user (document 1, section Phone channel - Call).
func DefaultHangUp(ctx context.Context, c *config.Config, client *restclient.Client, h resource.HangUp) resource.HangUp {
	if h == (resource.HangUp{}) {
		h.Username = loggedInUser(ctx, c, client)
	}
	return h
}

// loggedInUser returns the name of the user who is logged in, or "" if it is unknown.
func loggedInUser(ctx context.Context, c *config.Config, client *restclient.Client) string {
	if c.REST.Auth == config.AuthSession {
		if profile, err := client.Session.EnsureSession(ctx); err == nil && profile.Username != "" {
			return profile.Username
		}
	}
	if c.REST.Auth == config.AuthBearer {
		return "" // the configuration does not contain the user of a token
	}
	return c.REST.Username
}

// ResolveHangUp returns a request that ends the call described by h, and a description of the call
// for the question to the user. If h names a user, ResolveHangUp reads the user's calls; if it
// finds the call, the request contains its ID.
func ResolveHangUp(ctx context.Context, client *restclient.Client, h resource.HangUp) (request resource.HangUp, description string) {
	description = "the present call"
	if h.CallID != "" {
		description = "call " + h.CallID
	}
	if h.Exten != "" {
		description += " at extension " + h.Exten
	}
	if h == (resource.HangUp{}) {
		return h, description + " of the user who is logged in"
	}
	if h.Username == "" {
		return h, description
	}
	description += " of " + h.Username
	calls, err := client.Calls.ServiceCalls(ctx, h.Username, false)
	if err != nil {
		return h, description // the action client reads the calls again before it acts
	}
	for _, c := range calls {
		if c.UniqueID == h.CallID || h.CallID == "" && len(calls) == 1 {
			h.CallID = c.UniqueID
			return h, fmt.Sprintf("call %s of %s, from %s to %s on %s, since %s", c.UniqueID, h.Username, c.CLID, c.DNIS, c.Service, c.Start)
		}
	}
	return h, description
}

func newCallRecordStart(set *cmdutil.Setup) *cobra.Command {
	var r resource.Recording
	return newOperationCommand(set, operation{
		use: "start USER CALL-ID", short: "Record a call",
		long: "Start begins to record a call of a user. An outcome that is unknown (exit code 4) means: do not rely on the recording.\n" +
			"With --record-on-connect it waits up to half a minute for the call to be connected; a warning says what is not known by then.",
		example: "wallboard call record start anna.rossi 1700000000.42",
		args:    exactArguments, isAction: true,
		flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&r.FileName, "rec-file-name", "", "name of the recording")
			declareFlag(fs, "record-on-connect", "begin when the call is connected", &r.OnConnect)
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			r.Username, r.CallID = args[0], args[1]
			return s.printReport(s.actionClient.Calls.StartRecording(ctx, r))
		},
	})
}

func newCallRecordStop(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "stop USER CALL-ID", short: "Stop recording a call",
		example: "wallboard call record stop anna.rossi 1700000000.42",
		args:    exactArguments, isAction: true,
		run: func(ctx context.Context, s *invocation, args []string) error {
			return s.printReport(s.actionClient.Calls.StopRecording(ctx, resource.Recording{Username: args[0], CallID: args[1]}))
		},
	})
}

func newCallList(set *cmdutil.Setup) *cobra.Command {
	var answered bool
	return newOperationCommand(set, operation{
		use: "list USER", short: "List the service calls of a user",
		long: "List shows the service calls that a user has now. A plain call between two phones may be none.",
		args: exactArguments,
		flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&answered, "only-answered", false, "leave out calls that are still ringing")
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			calls, err := s.client.Calls.ServiceCalls(ctx, args[0], answered)
			if err != nil {
				return s.queryError("The calls of "+args[0]+" cannot be read", err)
			}
			return printRows(s, calls,
				Column{"CALL", "uniqueId"}, Column{"CALLER", "clid"}, Column{"CALLED", "dnis"},
				Column{"SERVICE", "service"}, Column{"SKILLSET", "skillset"}, Column{"START", "start"},
				Column{"ANSWER", "answer"}, Column{"RECORDING", "recFileName"}, Column{"DATA", "callData"})
		},
	})
}

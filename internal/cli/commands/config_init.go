package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/setup"
)

type initFlags struct {
	url, restURL, auth, user string
	historyURL, keyFile      string
	secretEnv, secretFile    string
	caFile, output           string
	insecure, force          bool
	learn                    time.Duration
}

func newConfigInit(s *cmdutil.Setup) *cobra.Command {
	var fl initFlags
	cmd := &cobra.Command{
		Use: "init", Short: "Write a first configuration, with what the platform has",
		Long: "Init connects to the platform, watches it for a while, and writes a configuration with every setting explained:\n" +
			"where the platform is, how to log in, and the services, groups and campaigns that were found. It never writes\n" +
			"over a file without --force.\n\n" +
			"The secret (a password, or the access token with --auth token or cookie) comes from the environment variable\n" +
			"WALLBOARD_PASSWORD or WALLBOARD_TOKEN, from a file of yours with --secret-file, or is asked for on a terminal and\n" +
			"kept in a file of mode 0600 (0640 in a folder of root that a group may enter, such as /etc/wallboard). It is never an\n" +
			"argument and never stands in the configuration.\n\n" +
			"Campaigns are found through the configuration service: give its address with --rest-url.\n" +
			"The page History needs the statistical data service: give its address with --history-url. Its API key comes from\n" +
			"the environment variable WALLBOARD_API_KEY, or from a file of yours with --api-key-file.\n" +
			"Without --url nothing is asked; the file is then to be filled in.",
		Example: "wallboard config init --url https://host/rtd --user anna\n" +
			"wallboard config init --url https://host/rtd --rest-url https://host/platform --user anna --output wall.toml",
	}
	fs := cmd.Flags()
	fs.StringVar(&fl.url, "url", os.Getenv("WALLBOARD_URL"), "address of the real-time display service, https://…")
	fs.StringVar(&fl.restURL, "rest-url", os.Getenv("WALLBOARD_REST_URL"), "address of the configuration service, https://…")
	fs.StringVar(&fl.historyURL, "history-url", os.Getenv("WALLBOARD_HISTORY_URL"), "address of the statistical data service, https://…")
	fs.StringVar(&fl.keyFile, "api-key-file", "", "file with the API key of the statistical data service, of mode 0600 (default WALLBOARD_API_KEY)")
	fs.StringVar(&fl.auth, "auth", config.AuthLogin, "how to log in: login, token or cookie")
	fs.StringVar(&fl.user, "user", os.Getenv("WALLBOARD_USER"), "user name to log in with")
	fs.StringVar(&fl.secretEnv, "secret-env", "", "environment variable with the secret (default WALLBOARD_PASSWORD or WALLBOARD_TOKEN)")
	fs.StringVar(&fl.secretFile, "secret-file", "", "file with the secret, of mode 0600 (default beside the configuration)")
	fs.StringVar(&fl.caFile, "ca-file", "", "PEM file of the certificates to trust instead of the system's")
	fs.BoolVar(&fl.insecure, "insecure-skip-verify", false, "accept any certificate; the board shows a permanent mark")
	fs.StringVar(&fl.output, "output", "", "file to write (default the configuration file)")
	fs.BoolVar(&fl.force, "force", false, "overwrite an existing file")
	fs.DurationVar(&fl.learn, "for", 10*time.Second, "longest time to watch the platform; 0 sends no request")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if fl.output == "" {
			fl.output = s.Path()
		}
		i := &configInitializer{Setup: s, initFlags: fl}
		return i.run(cmd.Context())
	}
	return cmd
}

// configInitializer creates a configuration file from the flags and from the data that the platform
// returns.
type configInitializer struct {
	*cmdutil.Setup
	initFlags
	secret string // secret that the user has typed, to be stored in a file
	draft  configDraft
}

func (i *configInitializer) run(ctx context.Context) error {
	if _, err := os.Lstat(i.output); err == nil && !i.force {
		return cmdutil.NewUsageError(fmt.Errorf("%s exists already: --force overwrites it, --output names another file", i.output))
	}
	if i.url == "" && i.restURL+i.historyURL != "" {
		return cmdutil.NewUsageError(errors.New("--rest-url and --history-url need --url: the address of the real-time display service"))
	}
	if err := config.CheckDir(i.output); err != nil {
		return err
	}
	i.draft = configDraft{Example: i.Streams.Example, HasREST: i.restURL != "", HasHistory: i.historyURL != "", Values: map[string]string{}}
	found := ""
	if i.url != "" {
		if err := i.chooseSecret(ctx); err != nil {
			return err
		}
		i.setValues()
		if i.learn > 0 {
			var err error
			if found, err = i.discover(ctx); err != nil {
				return err
			}
		}
	}
	if err := i.writeFiles(); err != nil {
		return err
	}
	text := "wrote " + i.output + found + "\n"
	if i.url == "" {
		text += "Fill in [rtd] there, then run `wallboard config check`.\n"
	}
	return cmdutil.WriteText(i.Streams.Out, text)
}

// secretKey returns the last part of the configuration key for the secret of the login method:
// password or access_token.
func (i *configInitializer) secretKey() string {
	if i.auth == config.AuthLogin {
		return "password"
	}
	return "access_token"
}

// chooseSecret determines the source of the secret: the flags, an environment variable, or a
// file from an earlier run. If there is none, it asks the user to type the secret.
func (i *configInitializer) chooseSecret(ctx context.Context) error {
	variable := map[string]string{"password": "WALLBOARD_PASSWORD", "access_token": "WALLBOARD_TOKEN"}[i.secretKey()]
	switch {
	case i.secretEnv != "" && i.secretFile != "":
		return cmdutil.NewUsageError(errors.New("give --secret-env or --secret-file, not both"))
	case i.secretEnv != "" || i.secretFile != "":
		return nil
	case os.Getenv(variable) != "":
		i.secretEnv = variable
		return nil
	}
	i.secretFile = strings.ReplaceAll(i.secretKey(), "access_", "")
	if _, err := os.Lstat(pathInFolder(i.output, i.secretFile)); err == nil {
		return nil // keep the file from an earlier run
	}
	in, ok := cmdutil.TerminalOf(i.Streams.In)
	if !ok {
		return cmdutil.NewUsageError(fmt.Errorf("there is no secret: set %s, or give --secret-file", variable))
	}
	secret, err := askSecret(ctx, in, i.Streams, strings.ReplaceAll(i.secretKey(), "_", " ")+" of "+i.url+": ")
	if err != nil {
		return err
	}
	i.secret = secret
	return nil
}

// setValues copies the values of the flags to the draft.
func (i *configInitializer) setValues() {
	set := func(key, value string) { i.draft.Values[key] = config.Quoted(value) }
	for _, section := range []string{"rtd", "rest"} {
		if section == "rest" && i.restURL == "" {
			continue
		}
		// The chosen source of the secret replaces the source in the example.
		if i.secretEnv != "" {
			set(section+"."+i.secretKey()+"_env", i.secretEnv)
		} else {
			set(section+"."+i.secretKey()+"_file", i.secretFile)
		}
		if i.user != "" {
			set(section+".username", i.user)
		}
		i.setTrust(section)
	}
	if i.historyURL != "" {
		set("history.url", i.historyURL)
		if i.keyFile != "" {
			set("history.api_key_file", i.keyFile)
		} else {
			set("history.api_key_env", "WALLBOARD_API_KEY")
		}
		i.setTrust("history")
	}
	set("rtd.url", i.url)
	set("rtd.auth", i.auth)
	if i.restURL != "" {
		set("rest.url", i.restURL)
	}
}

// setTrust copies the certificate flags to a section of the draft.
func (i *configInitializer) setTrust(section string) {
	if i.caFile != "" {
		i.draft.Values[section+".ca_file"] = config.Quoted(absolutePath(i.caFile))
	}
	if i.insecure {
		i.draft.Values[section+".insecure_skip_verify"] = "true"
	}
}

// absolutePath returns the absolute form of path, or path itself if that form cannot be determined.
func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// pathInFolder returns the path of a file that the configuration file refers to by name. A
// relative name is relative to the directory of the configuration file.
func pathInFolder(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// parseDraft returns the text of the draft and the configuration parsed from it. A typed
// secret is not stored yet, so parseDraft passes it to the parser through an invented
// environment variable instead of a file.
func (i *configInitializer) parseDraft() (string, *config.Config, error) {
	text, err := i.draft.Text()
	if err != nil {
		return "", nil, fmt.Errorf("the example: %w", err)
	}
	read, typed := text, map[string]string{}
	if i.secret != "" {
		file := i.secretKey() + "_file = " + config.Quoted(i.secretFile)
		read = strings.ReplaceAll(text, "\n"+file, "\n"+i.secretKey()+"_env = "+config.Quoted(typedSecret))
		typed[typedSecret] = i.secret
	}
	c, err := parseUnwritten(i.Setup, read, i.output, i.url == "", typed)
	if err != nil {
		return "", nil, err
	}
	return text, c, nil
}

// discover connects to the platform and adds the services, groups and campaigns found there to
// the draft. It returns a summary of them.
func (i *configInitializer) discover(ctx context.Context) (string, error) {
	_, c, err := i.parseDraft()
	if err != nil {
		return "", err
	}
	s, err := i.awaitSnapshot(ctx, c)
	if err != nil {
		return "", err
	}
	var found setup.Result
	found.Services, found.Groups = foundCodes(s)
	summary := fmt.Sprintf(": %d services and %d groups found", len(found.Services), len(found.Groups))
	if i.restURL == "" {
		summary += "; campaigns are found with --rest-url"
	} else if found.Campaigns, err = listCampaigns(ctx, c); err == nil {
		summary += fmt.Sprintf(", %d campaigns", len(found.Campaigns))
	} else {
		_, _ = fmt.Fprintln(i.Streams.Err, "The campaigns cannot be read:", err) // the services and groups are still useful
	}
	describeFound(&i.draft, &found, nil)
	return summary, nil
}

// awaitSnapshot connects to the platform and returns its first live snapshot with services or
// groups. After the time given by --for, it returns the last snapshot, or an error if there
// was no connection.
func (i *configInitializer) awaitSnapshot(ctx context.Context, c *config.Config) (*model.Snapshot, error) {
	fo := app.FeedOptions(c)
	fo.Logger, fo.FindCampaigns = slog.New(slog.DiscardHandler), nil
	feed, err := app.NewFeed(fo)
	if err != nil {
		return nil, err
	}
	running, stop := app.RunFeed(ctx, feed)
	defer stop()
	limited, cancel := context.WithTimeout(running, i.learn)
	defer cancel()
	var last *model.Snapshot
	for seq := uint64(0); ; seq = last.Seq {
		s, err := feed.Wait(limited, seq)
		if err != nil {
			break
		}
		if last = s; s.Health.Live() && s.Services.Len()+s.Groups.Len() > 0 {
			return s, nil
		}
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted: nothing was written")
	}
	if last == nil || last.Health.Link.State != model.LinkUp {
		reason := "it does not answer"
		if last != nil {
			reason = connectionProblem(&last.Health, reason)
		}
		return nil, fmt.Errorf("no connection to %s: %s; nothing was written; --for 0 writes without asking", i.url, reason)
	}
	return last, nil
}

// connectionProblem returns what a feed says about its connection, or text if it says nothing. Most
// notices contain the reason.
func connectionProblem(h *model.Health, text string) string {
	if strings.Contains(h.Notice, h.Link.Reason) {
		return cmp.Or(h.Notice, text)
	}
	return strings.TrimSpace(h.Notice + " " + h.Link.Reason)
}

// foundCodes returns the codes of all services and groups in a snapshot, without duplicates.
func foundCodes(s *model.Snapshot) (services, groups []string) {
	seen := make(map[string]bool)
	for r := range s.Services.All() {
		if code := r.Key().Code; !seen["s"+code] {
			seen["s"+code] = true
			services = append(services, code)
		}
	}
	for r := range s.Groups.All() {
		if code := r.Key().Code; !seen["g"+code] {
			seen["g"+code] = true
			groups = append(groups, code)
		}
	}
	return services, groups
}

// listCampaigns logs in to the configuration service and returns its campaigns, except those
// without an ID. A campaign may have no name. Without an error, the result is not nil.
func listCampaigns(ctx context.Context, c *config.Config) ([]setup.Campaign, error) {
	client, err := app.NewRESTClient(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer app.EndSession(client)
	found := []setup.Campaign{}
	for campaign, err := range client.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{}) {
		if err != nil {
			return nil, err
		}
		if campaign.ID != nil {
			found = append(found, setup.Campaign{ID: strconv.Itoa(*campaign.ID), Name: model.CleanText(campaign.Name, model.MaxName)})
		}
	}
	return found, nil
}

// writeFiles writes the configuration and the typed secret with mode 0600, or shares them with
// a service (see [createFile]). An existing configuration keeps its mode and owner. After an
// error, writeFiles undoes its changes.
func (i *configInitializer) writeFiles() error {
	text, c, err := i.parseDraft()
	if err != nil {
		return err
	}
	err = writeOrUndo(i.output, c, func(undo *undoList) error {
		if i.secret != "" {
			path := pathInFolder(i.output, i.secretFile)
			if err := createFile(path, i.secret+"\n"); err != nil {
				return err
			}
			undo.removeFile(path)
		}
		if i.force {
			return replaceFile(i.output, text)
		}
		return createFile(i.output, text)
	})
	if path := pathInFolder(i.output, i.secretFile); err == nil && i.secret != "" {
		_, _ = fmt.Fprintln(i.Streams.Err, "The secret is kept in", path+"; "+readersOf(path)+" can read it.")
	}
	return err
}

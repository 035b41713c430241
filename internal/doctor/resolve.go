package doctor

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// resolveTimeout limits the time for all name lookups together.
const resolveTimeout = 2 * time.Second

// unresolvedHosts returns the hosts of addresses that lookup cannot resolve. It skips hosts
// behind a proxy, because the proxy resolves them.
func unresolvedHosts(ctx context.Context, lookup func(context.Context, string) ([]string, error), addresses ...string) []string {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	var seen, missing []string
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || slices.Contains(seen, u.Hostname()) {
			continue
		}
		host := u.Hostname()
		seen = append(seen, host)
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u})
		if net.ParseIP(host) != nil || proxy != nil || err != nil {
			continue
		}
		if _, err := lookup(ctx, host); err != nil {
			missing = append(missing, host)
		}
	}
	return missing
}

// isUnresolved reports whether the host in an address is in the list missing.
func isUnresolved(address string, missing []string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(missing, u.Hostname())
}

// addUnresolvedHosts adds hosts that cannot be resolved to the report and returns them. It fails only if ctx ends.
func (r *Report) addUnresolvedHosts(ctx context.Context, o *Options) (missing []string, err error) {
	addresses := []string{o.Feed.URL, o.ConfigurationURL}
	if o.Statistics != nil {
		addresses = append(addresses, o.Statistics.URL)
	}
	missing = unresolvedHosts(ctx, o.Lookup, addresses...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, host := range missing {
		r.addFinding("Network", "Name", VerdictFail, "the name "+host+" is not known to any name server within "+resolveTimeout.String(),
			"check the address in the configuration, and the name server of this machine")
	}
	return missing, nil
}

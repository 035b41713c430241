#!/bin/sh
# Purging also deletes the state: the log, the audit file, recordings and the host key.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
if [ "${1:-}" = purge ]; then
	rm -rf /var/lib/wallboard /var/cache/wallboard /var/lib/wallboard.new /var/cache/wallboard.new
	rmdir /etc/wallboard/conf.d /etc/wallboard 2>/dev/null || true
fi

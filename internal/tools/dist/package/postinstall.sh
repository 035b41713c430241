#!/bin/sh
# Creates the directories of the services. It starts nothing, but restarts what runs an older version.
set -e
for dir in /var/lib/wallboard /var/cache/wallboard; do
	if [ ! -d "$dir" ]; then
		mkdir -p "$dir"
		chown wallboard:wallboard "$dir"
		chmod 0750 "$dir"
	fi
done
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart 'wallboard-*.service' || true
fi

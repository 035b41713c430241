#!/bin/sh
# Creates the directories of the services. It starts nothing, but restarts what runs an older version.
set -e
for dir in /var/lib/wallboard /var/cache/wallboard; do
	if [ ! -d "$dir" ]; then
		# An interrupted installation must not leave it to root: the next one would not change it.
		rm -rf "$dir.new"
		mkdir -p -m 0750 "$dir.new"
		chown wallboard:wallboard "$dir.new"
		mv "$dir.new" "$dir"
	fi
done
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart 'wallboard-*.service' || true
fi

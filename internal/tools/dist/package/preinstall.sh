#!/bin/sh
# Creates the user before the files are unpacked: the configuration belongs to its group.
set -e
if ! getent group wallboard >/dev/null; then
	groupadd --system wallboard 2>/dev/null || addgroup -S wallboard
fi
if ! getent passwd wallboard >/dev/null; then
	nologin=/usr/sbin/nologin
	[ -x "$nologin" ] || nologin=/sbin/nologin
	useradd --system --gid wallboard --home-dir /var/lib/wallboard --no-create-home --shell "$nologin" wallboard 2>/dev/null ||
		adduser -S -D -H -G wallboard -h /var/lib/wallboard -s "$nologin" wallboard
fi

#!/bin/sh
# Stops the services, but not for an upgrade.
set -e
case "${1:-}" in
upgrade | failed-upgrade | deconfigure | 1) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now wallboard-serve.service wallboard-kiosk-wayland.service 2>/dev/null || true
	systemctl stop 'wallboard-kiosk@*.service' 2>/dev/null || true
fi

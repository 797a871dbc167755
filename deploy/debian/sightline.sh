#!/bin/sh
exec /usr/lib/sightline/node /usr/lib/sightline/bin/sightline.mjs "$@"

import { t } from '@lingui/core/macro'
import type { ProxyName } from './stream-verdict.ts'

interface Fix {
  about: string
  config: string | null
}

/** Settings that let a stream through each proxy immediately and to its end. */
export const FIXES: Record<ProxyName, Fix> = {
  nginx: {
    about: t`Docent asks nginx not to buffer with X-Accel-Buffering: no. If events still come in bunches, something ignores that header, or gzip_types names text/event-stream. For streams that are cut, the timeout must be longer.`,
    config: `location / {
    proxy_pass http://127.0.0.1:3000;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_buffering off;
    gzip off;
    proxy_read_timeout 1h;
    proxy_send_timeout 1h;
    client_max_body_size 100m;
}`,
  },
  Apache: {
    about: t`mod_proxy_http collects small pieces unless it is told to pass each on; mod_deflate collects what it compresses.`,
    config: `ProxyPreserveHost On
ProxyPass        / http://127.0.0.1:3000/ flushpackets=on timeout=3600
ProxyPassReverse / http://127.0.0.1:3000/
SetEnvIf Request_URI "^/v1/" no-gzip=1`,
  },
  Caddy: {
    about: t`Caddy passes text/event-stream on at once by itself. flush_interval -1 does so for everything, also where something hides the type.`,
    config: `docent.example.com {
    reverse_proxy 127.0.0.1:3000 {
        flush_interval -1
    }
}`,
  },
  Traefik: {
    about: t`Traefik streams unless a buffering middleware sits on the router: take it off. Streams that are cut meet the entry point’s timeout.`,
    config: `# static configuration
entryPoints:
  websecure:
    address: ":443"
    transport:
      respondingTimeouts:
        writeTimeout: 0

# dynamic configuration
http:
  services:
    docent:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:3000
        responseForwarding:
          flushInterval: -1`,
  },
  Cloudflare: {
    about: t`Cloudflare passes text/event-stream on. What can still hold it back: response buffering that was switched on for the zone, or a Worker that reads the whole answer before it returns it. A cut comes after 100 seconds without a byte; Docent sends one at least every 5. To see whether it is Cloudflare at all, set the DNS record to “DNS only” for a moment and test again.`,
    config: null,
  },
}

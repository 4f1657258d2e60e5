// Ends with 0 while this server answers. node healthy.mjs [/readyz]: whether it can also serve.
const path = process.argv[2] ?? '/healthz'
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(4_000) })
process.exit(answer.ok ? 0 : 1)

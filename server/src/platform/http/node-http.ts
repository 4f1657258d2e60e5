/**
 * `node:http` and `node:https` as CommonJS sees them. An ESM import reads all that they export, and to read `WebSocket`
 * loads the whole of undici, which nothing here needs: a tenth of the time of a start.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')

import { join, resolve } from 'node:path'
import { checkSettings, type Env, SettingsError } from './config/read-env.ts'
import { s3SettingsOf } from './config/s3-config.ts'

/** The search engine takes a commit for many files as quickly as one for a single file: most of them wait for it. */
const FILES_PER_PARSER = 32

/** Everything that an operator can set, checked and in the units that the code uses. */
export type Config = ReturnType<typeof toConfig>

/** @throws SettingsError with a line for each setting that makes no sense. */
export function toConfig(env: Env) {
  const s = checkSettings(env)
  if (s.DATABASE_LISTEN_URL && !s.DATABASE_URL)
    throw new SettingsError([
      'DATABASE_LISTEN_URL: is set, but DATABASE_URL is not; set it, or remove DATABASE_LISTEN_URL',
    ])
  if (s.DOCENT_ROLE !== 'all' && !s.DATABASE_URL)
    throw new SettingsError([
      `DOCENT_ROLE: ${s.DOCENT_ROLE} needs DATABASE_URL, because the embedded database serves one process, whose role is all`,
    ])
  if (s.SMTP_URL && !s.SMTP_FROM)
    throw new SettingsError(['SMTP_FROM: is not set, but SMTP_URL is; set it to the sender of e-mails'])
  const isRerankerLocal = s.DOCENT_RERANK_MODEL?.startsWith('local/') ?? false
  if ((s.DOCENT_RERANK_MODEL || s.DOCENT_RERANK_API_KEY) && !s.DOCENT_RERANK_URL && !isRerankerLocal)
    throw new SettingsError([
      'DOCENT_RERANK_URL: is not set, but the model or the key of a reranker is; set it to the endpoint, or the model to local/FOLDER',
    ])
  if (isRerankerLocal && s.DOCENT_RERANK_URL)
    throw new SettingsError([
      'DOCENT_RERANK_MODEL: names a model on disk, but DOCENT_RERANK_URL an endpoint; set one of the two',
    ])
  const dataDir = resolve(s.DATA_DIR)
  return {
    http: { host: s.HOST, port: s.PORT, publicUrl: s.DOCENT_PUBLIC_URL, trustedProxies: s.DOCENT_TRUSTED_PROXIES },
    /** Absent: the server sends no e-mail. */
    mail: s.SMTP_URL && s.SMTP_FROM ? { url: s.SMTP_URL, from: s.SMTP_FROM } : undefined,
    signInProviders: s.DOCENT_SIGN_IN_PROVIDERS,
    links: { ttlMs: s.DOCENT_LINK_TTL * 1000 },
    reviews: { ttlMs: s.DOCENT_REVIEW_TTL * 1000 },
    metrics: {
      token: s.DOCENT_METRICS_TOKEN,
      isBehindProxy: s.DOCENT_PUBLIC_URL !== undefined || s.DOCENT_TRUSTED_PROXIES.length > 0,
    },
    role: s.DOCENT_ROLE,
    logLevel: s.LOG_LEVEL,
    dataDir,
    database: {
      /** Absent: the embedded one in `dataDir`. */
      postgres: s.DATABASE_URL
        ? {
            url: s.DATABASE_URL,
            listenUrl: s.DATABASE_LISTEN_URL ?? s.DATABASE_URL,
            connections: s.DOCENT_DATABASE_CONNECTIONS,
          }
        : undefined,
    },
    /** Absent: files and search index are in `dataDir`. */
    s3: s3SettingsOf(s),
    access: {
      ownerKey: s.DOCENT_OWNER_KEY,
      rateLimit: { perSecond: s.DOCENT_RATE_LIMIT, burst: s.DOCENT_RATE_BURST },
      failedPerMinute: s.DOCENT_FAILED_ATTEMPTS,
      maxStreams: s.DOCENT_MAX_STREAMS,
      sessionTtlMs: s.DOCENT_SESSION_TTL * 1000,
    },
    visitors: {
      files: s.DOCENT_VISITOR_FILES,
      bytes: s.DOCENT_VISITOR_BYTES,
      chats: s.DOCENT_VISITOR_CHATS,
      visitorsPerLink: s.DOCENT_VISITORS_PER_LINK,
    },
    sample: s.DOCENT_SAMPLE,
    versions: { kept: s.DOCENT_FILE_VERSIONS, keptMs: s.DOCENT_FILE_VERSION_DAYS },
    uploads: { maxBytes: s.DOCENT_MAX_UPLOAD_BYTES, ttlMs: s.DOCENT_UPLOAD_TTL * 1000 },
    outbound: { allow: s.DOCENT_OUTBOUND_ALLOW },
    webhooks: { timeoutMs: s.DOCENT_WEBHOOK_TIMEOUT * 1000, retryDelaysMs: s.DOCENT_WEBHOOK_RETRY_DELAYS },
    retention: { auditMs: s.DOCENT_AUDIT_LOG_DAYS, deliveriesMs: s.DOCENT_WEBHOOK_LOG_DAYS },
    mcp: { commands: s.DOCENT_MCP_COMMANDS },
    agents: { linkHosts: s.DOCENT_LINK_HOSTS, fetchHosts: s.DOCENT_FETCH_HOSTS, fetchAsks: s.DOCENT_FETCH_ASKS },
    integrations: { directoryRoots: s.DOCENT_DIRECTORY_ROOTS, apps: s.DOCENT_SOURCE_APPS },
    files: { fonts: s.DOCENT_FONTS.map((path) => resolve(path)) },
    ocr: { languages: s.DOCENT_OCR_LANGUAGES, data: s.DOCENT_OCR_DATA },
    indexing: { parsers: s.DOCENT_INDEXERS, files: s.DOCENT_INDEXERS * FILES_PER_PARSER },
    recordings: { mostBytes: s.DOCENT_TRANSCRIPTION_MAX_BYTES },
    search: { cacheBytes: s.DOCENT_SEARCH_CACHE_BYTES },
    usage: {
      prices: {
        path: resolve(s.DOCENT_PRICES_FILE ?? join(dataDir, 'prices.json')),
        isNamed: s.DOCENT_PRICES_FILE !== undefined,
      },
    },
    memory: { mostTokens: s.DOCENT_HISTORY_TOKENS },
    models: {
      default: s.DOCENT_MODEL,
      embedding: s.DOCENT_EMBEDDING_MODEL,
      folder: join(dataDir, 'models'),
      rerank: {
        url: s.DOCENT_RERANK_URL,
        model: s.DOCENT_RERANK_MODEL,
        apiKey: s.DOCENT_RERANK_API_KEY,
        depth: s.DOCENT_RERANK_DEPTH,
        timeoutMs: s.DOCENT_RERANK_TIMEOUT * 1000,
      },
      openai: { apiKey: s.OPENAI_API_KEY, baseUrl: s.OPENAI_BASE_URL },
      anthropic: { apiKey: s.ANTHROPIC_API_KEY, baseUrl: s.ANTHROPIC_BASE_URL },
      google: { apiKey: s.GOOGLE_GENERATIVE_AI_API_KEY, baseUrl: s.GOOGLE_GENERATIVE_AI_BASE_URL },
      ollama: { baseUrl: s.OLLAMA_BASE_URL },
      openaiCompatible: { baseUrl: s.OPENAI_COMPATIBLE_BASE_URL, apiKey: s.OPENAI_COMPATIBLE_API_KEY },
      timeouts: {
        firstTokenMs: s.DOCENT_MODEL_FIRST_TOKEN_TIMEOUT * 1000,
        idleMs: s.DOCENT_MODEL_IDLE_TIMEOUT * 1000,
        totalMs: s.DOCENT_MODEL_TOTAL_TIMEOUT * 1000,
      },
      contextTokens: s.DOCENT_MODEL_CONTEXT_TOKENS,
      seesPictures: s.DOCENT_MODELS_THAT_SEE,
    },
  }
}

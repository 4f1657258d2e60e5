import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseMcpCommands } from '../platform/mcp/commands.ts'
import { parseModelPatterns } from '../platform/models/model-patterns.ts'
import { parseHostPatterns } from '../platform/outbound/host-patterns.ts'
import { parseOutboundAllow } from '../platform/outbound/outbound-allow.ts'
import { parseSignInProviders } from '../platform/sign-in-providers.ts'
import { parseSourceApps } from '../platform/source-apps.ts'
import { parseOcrData, parseOcrLanguages } from './ocr-languages.ts'

/** One setting: its name, its permitted values, and its text in `--help` and the docs. */
export interface Setting<T = unknown> {
  group: string
  /** One or two sentences for an operator. */
  about: string
  schema: z.ZodType<T, string | undefined>
  /** Default as the docs show it; absent if there is none. */
  default?: string
  /** Secrets can also be read from the file that `NAME_FILE` names, and are never shown. */
  isSecret?: boolean
}

const text = () => z.string().trim().min(1, 'must not be empty')
const optional = <T extends z.ZodType>(schema: T) => schema.optional()

const number = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `must be ${name}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)

const seconds = (min = 0.001, max = 31_536_000) => number('a number of seconds', min, max)

/** A hundred years: stands for ever, within the range of dates. */
const FOR_EVER_DAYS = 36_500

/** Whole days as milliseconds; 0 is for ever. */
const days = () => wholeNumber(0, FOR_EVER_DAYS).transform((value) => (value || FOR_EVER_DAYS) * 86_400_000)

const flag = () =>
  z
    .string()
    .regex(/^(true|false|1|0)$/i, 'must be true or false')
    .transform((value) => /^(true|1)$/i.test(value))

const url = () =>
  z
    .string()
    .trim()
    .refine((value) => /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value), 'must be an http or https URL')
    .transform((value) => value.replace(/\/+$/, ''))

const postgresUrl = () =>
  z
    .string()
    .trim()
    .refine(
      (value) => /^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value),
      'must be like postgres://USER:PASSWORD@HOST:5432/DATABASE (with % codes for special characters in the password)',
    )

/** Runs a parser whose error messages are written for operators. */
const parsedBy =
  <T>(parse: (value: string) => T) =>
  (value: string, context: z.RefinementCtx<string>): T => {
    try {
      return parse(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  }

/** Comma-separated seconds, as milliseconds. */
const listOfSeconds = () =>
  z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/, 'must be a list of seconds, for instance 5,30,120')
    .transform((value) => value.split(',').map((one) => Number(one) * 1000))
    .refine(
      (delays) => delays.length <= 100 && Math.max(...delays) <= 2_592_000_000,
      'must hold at most 100 pauses of at most 2592000 (30 days)',
    )

const folders = () =>
  z
    .string()
    .transform((value) =>
      value
        .split(/[,:]/)
        .map((path) => path.trim())
        .filter(Boolean),
    )
    .refine((paths) => paths.every((path) => path.startsWith('/')), 'must be absolute folders, like /srv/documents')

const fontFiles = () =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((path) => path.trim())
        .filter(Boolean),
    )
    .refine((paths) => paths.every((path) => /\.(ttf|otf|ttc|otc)$/i.test(path)), 'must be .ttf, .otf or .ttc files')
    .refine((paths) => paths.every((path) => existsSync(path)), 'must be files that are there')

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 4: 32, 6: 128 }[isIP(address)]
  return most !== undefined && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most))
}

const addresses = () =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .refine((all) => all.every(isAddressOrRange), 'must be a list of addresses and CIDR, like 127.0.0.1,10.0.0.0/8')

const modelId = () =>
  z
    .string()
    .trim()
    .regex(/^[a-z-]+\/\S+$/, 'must be PROVIDER/MODEL, for instance openai/gpt-5-mini or builtin/extractive')

const setting = <T>(s: Setting<T>): Setting<T> => s

const SERVER = 'Server'
const DATA = 'Data'
const STORAGE = 'Object storage'
const LIMITS = 'Limits'
const WEBHOOKS = 'Webhooks'
const MODELS = 'Models'
const MCP = 'MCP'
const AGENTS = 'Agents'
const COMMAND_LINE = 'Command line'

export const settings = {
  HOST: setting({
    group: SERVER,
    about: 'Address to listen on. 0.0.0.0 serves other machines too.',
    schema: text().default('127.0.0.1'),
    default: '127.0.0.1',
  }),
  PORT: setting({
    group: SERVER,
    about: 'Port to listen on; 0 takes a free one.',
    schema: wholeNumber(0, 65_535).prefault('3000'),
    default: '3000',
  }),
  DOCENT_PUBLIC_URL: setting({
    group: SERVER,
    about:
      'Public address of this server, for the links that it sends; behind a proxy, the address of the proxy. Default: HOST and PORT.',
    schema: optional(url()),
  }),
  DOCENT_TRUSTED_PROXIES: setting({
    group: SERVER,
    about:
      'Addresses and CIDR, comma-separated, of the proxies in front of this server. For requests from them, X-Forwarded-For gives the address of the client, for the audit log and for limits by address.',
    schema: addresses().prefault(''),
    default: 'none',
  }),
  DOCENT_SESSION_TTL: setting({
    group: SERVER,
    about: 'Seconds without activity after which a session of the web UI ends. Every session ends after 30 days.',
    schema: seconds(60, 2_592_000).prefault('43200'),
    default: '43200 (12 h)',
  }),
  SMTP_URL: setting({
    group: SERVER,
    about:
      'Mail server for invitations and forgotten passwords, as smtp://USER:PASSWORD@HOST:587 (TLS where it is offered; ?requireTLS=true demands it) or smtps://USER:PASSWORD@HOST:465. Needs SMTP_FROM, and DOCENT_PUBLIC_URL for links that work on other machines.',
    schema: optional(
      z
        .string()
        .trim()
        .refine(
          (value) => /^smtps?:\/\/\S+$/.test(value) && URL.canParse(value),
          'must be like smtp://USER:PASSWORD@HOST:587 (with % codes for special characters in the password)',
        ),
    ),
    default: 'no e-mail: admins pass links on',
    isSecret: true,
  }),
  SMTP_FROM: setting({
    group: SERVER,
    about: 'Sender of e-mails, as docent@example.com or Docent <docent@example.com>.',
    schema: optional(
      z
        .string()
        .trim()
        .regex(/^([^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, 'must be an e-mail, or NAME <E-MAIL>'),
    ),
  }),
  DOCENT_SIGN_IN_PROVIDERS: setting({
    group: SERVER,
    about:
      'OpenID Connect providers by which people sign in, as a JSON array: [{"id": "acme", "name": "Acme", "issuer": "https://login.example.com", "client_id": "docent", "client_secret": "…", "domains": ["example.com"]}]. All fields are in accounts.md. Needs DOCENT_PUBLIC_URL; the redirect URI is DOCENT_PUBLIC_URL/sign-in/ID.',
    schema: z.string().prefault('').transform(parsedBy(parseSignInProviders)),
    default: 'none',
    isSecret: true,
  }),
  DOCENT_AUDIT_LOG_DAYS: setting({
    group: SERVER,
    about: 'Days for which entries of the audit log are kept; 0 keeps them for ever.',
    schema: days().prefault('365'),
    default: '365',
  }),
  DOCENT_METRICS_TOKEN: setting({
    group: SERVER,
    about:
      'Token that readers of /metrics (Prometheus) must send as Authorization: Bearer TOKEN. Without it only this machine may read them; if DOCENT_PUBLIC_URL is set to a proxy, no reader may.',
    schema: optional(z.string().regex(/^\S{16,200}$/, 'must have 16 to 200 characters and no spaces')),
    isSecret: true,
  }),
  LOG_LEVEL: setting({
    group: SERVER,
    about: 'trace, debug, info, warn, error or silent. One JSON line per event, on standard output.',
    schema: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
        'must be one of: trace, debug, info, warn, error or silent',
      )
      .default('info'),
    default: 'info',
  }),
  DOCENT_ROLE: setting({
    group: SERVER,
    about:
      'Role of this process: all serves requests and works in the background, api only serves requests, worker only works in the background (its port answers /healthz, /readyz and /metrics alone). api and worker need DATABASE_URL.',
    schema: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
    default: 'all',
  }),
  DATA_DIR: setting({
    group: DATA,
    about:
      'Folder that holds everything: database, files, search index. Only the user of the server may read what Docent creates there; npm run admin -- doctor --fix corrects the permissions of files from earlier versions. Only one server may use the folder, unless DATABASE_URL is set: then all processes share this folder, on one machine or over a network. With S3_BUCKET as well, each process may have its own, which then holds nothing that must be kept.',
    schema: text().default('./data'),
    default: './data',
  }),
  DATABASE_URL: setting({
    group: DATA,
    about:
      'PostgreSQL (13 or newer) instead of the embedded database, as postgres://USER:PASSWORD@HOST:5432/DATABASE, with ?sslmode=verify-full for TLS. The user must own the database, and should not be a superuser; no other role should be able to connect to it. A pooler in transaction mode may be in front of it.',
    schema: optional(postgresUrl()),
    default: 'the embedded database in DATA_DIR',
    isSecret: true,
  }),
  DATABASE_LISTEN_URL: setting({
    group: DATA,
    about:
      'The same PostgreSQL database, reached directly: needed if DATABASE_URL leads to a pooler in transaction mode, because notifications between processes (LISTEN) need a permanent connection.',
    schema: optional(postgresUrl()),
    default: 'DATABASE_URL',
    isSecret: true,
  }),
  DOCENT_DATABASE_CONNECTIONS: setting({
    group: DATA,
    about:
      'Maximum number of connections to PostgreSQL of this process. All processes together must stay below max_connections of the server or its pooler.',
    schema: wholeNumber(2, 1000).prefault('10'),
    default: '10',
  }),
  DOCENT_OWNER_KEY: setting({
    group: DATA,
    about:
      'API key of the owner, instead of a generated one, on the first start with an empty database. At least 16 characters without spaces.',
    schema: optional(z.string().regex(/^\S{16,200}$/, 'must have 16 to 200 characters and no spaces')),
    isSecret: true,
  }),
  DOCENT_SAMPLE: setting({
    group: DATA,
    about: 'Whether the first start makes a folder with a few documents about Docent and an agent that knows them.',
    schema: flag().prefault('true'),
    default: 'true',
  }),
  DOCENT_DIRECTORY_ROOTS: setting({
    group: DATA,
    about:
      'Absolute paths of folders on this server, separated by commas or colons, that integrations of the kind directory may read. Every key that may create folders can then read everything in them.',
    schema: folders().prefault(''),
    default: 'none',
  }),
  DOCENT_SOURCE_APPS: setting({
    group: DATA,
    about:
      'OAuth apps of this server at document providers, so that people can log in there and link their own documents, as a JSON array: [{"provider": "google", "client_id": "…", "client_secret": "…"}]. source-logins.md explains how to register each. Needs DOCENT_PUBLIC_URL; the redirect URI is DOCENT_PUBLIC_URL/settings/integrations.',
    schema: z.string().prefault('').transform(parsedBy(parseSourceApps)),
    default: 'none',
    isSecret: true,
  }),
  DOCENT_FONTS: setting({
    group: DATA,
    about:
      'Font files, separated by commas, for characters in PDF and PNG files that the fonts of this server lack, for instance Chinese: /usr/share/fonts/NotoSansCJK-Regular.ttc.',
    schema: fontFiles().prefault(''),
    default: 'none',
  }),
  S3_BUCKET: setting({
    group: STORAGE,
    about:
      'Bucket of AWS S3 or a compatible server for files and search index, instead of DATA_DIR. The bucket must exist; if several processes share it, it must honour If-None-Match.',
    schema: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  }),
  S3_ENDPOINT: setting({
    group: STORAGE,
    about: 'URL of a compatible server, for instance http://minio:9000.',
    schema: optional(url()),
    default: 'AWS S3',
  }),
  S3_REGION: setting({
    group: STORAGE,
    about: 'Region of the bucket.',
    schema: text().default('us-east-1'),
    default: 'us-east-1',
  }),
  S3_ACCESS_KEY_ID: setting({
    group: STORAGE,
    about:
      'Key that may list, read, write and delete objects of the bucket. Default: credentials from AWS_* variables, or from the role of this machine or container.',
    schema: optional(text()),
    isSecret: true,
  }),
  S3_SECRET_ACCESS_KEY: setting({
    group: STORAGE,
    about: 'Secret of that key.',
    schema: optional(text()),
    isSecret: true,
  }),
  DOCENT_S3_PREFIX: setting({
    group: STORAGE,
    about: 'Prefix of the names of all objects, for a bucket with other uses too: docent/production.',
    schema: optional(
      z
        .string()
        .transform((value) => value.replace(/^\/+|\/+$/g, ''))
        .refine((value) => /^[\w.-]+(\/[\w.-]+)*$/.test(value), 'must be letters, digits, - _ . and / between them'),
    ),
  }),
  DOCENT_S3_PATH_STYLE: setting({
    group: STORAGE,
    about: 'Whether the name of the bucket is in the path of URLs (true) or in their host name (false).',
    schema: optional(flag()),
    default: 'true with S3_ENDPOINT, else false',
  }),
  DOCENT_S3_PRESIGNED_DOWNLOADS: setting({
    group: STORAGE,
    about:
      'true answers downloads of single files with a redirect to a URL of the bucket that works for a minute, so that the bytes do not pass through this server. Files fetched by scripts in a browser or by the SDKs, and ZIP archives, still pass through it.',
    schema: flag().prefault('false'),
    default: 'false',
  }),
  DOCENT_S3_PUBLIC_ENDPOINT: setting({
    group: STORAGE,
    about: 'URL at which browsers and clients reach the object storage, if not S3_ENDPOINT.',
    schema: optional(url()),
    default: 'S3_ENDPOINT',
  }),
  DOCENT_MAX_UPLOAD_BYTES: setting({
    group: LIMITS,
    about: 'Largest file that can be uploaded, in bytes.',
    schema: wholeNumber(1, 10 * 1024 ** 3).prefault(String(100 * 1024 ** 2)),
    default: '104857600 (100 MiB)',
  }),
  DOCENT_FILE_VERSIONS: setting({
    group: LIMITS,
    about: 'Earlier versions that are kept of a file whose content is replaced; 0 keeps none.',
    schema: wholeNumber(0, 100).prefault('10'),
    default: '10',
  }),
  DOCENT_FILE_VERSION_DAYS: setting({
    group: LIMITS,
    about: 'Days for which an earlier version of a file is kept; 0 keeps it as long as the file.',
    schema: days().prefault('90'),
    default: '90',
  }),
  DOCENT_UPLOAD_TTL: setting({
    group: LIMITS,
    about: 'Seconds for which an uploaded file waits to be added to a folder or sent with a query.',
    schema: seconds().prefault('86400'),
    default: '86400 (24 h)',
  }),
  DOCENT_LINK_TTL: setting({
    group: LIMITS,
    about: 'Seconds for which a download link works.',
    schema: seconds().prefault('3600'),
    default: '3600 (1 h)',
  }),
  DOCENT_REVIEW_TTL: setting({
    group: LIMITS,
    about: 'Seconds that a person has for a review; an answer that waits longer fails.',
    schema: seconds().prefault('604800'),
    default: '604800 (7 days)',
  }),
  DOCENT_RATE_LIMIT: setting({
    group: LIMITS,
    about: 'Requests a second that an API key may send on average; 0 switches the limit off.',
    schema: number('a number', 0, 1_000_000).prefault('200'),
    default: '200',
  }),
  DOCENT_RATE_BURST: setting({
    group: LIMITS,
    about: 'Requests that an API key may send at once before the average counts; 0 switches the limit off.',
    schema: wholeNumber(0, 1_000_000).prefault('400'),
    default: '400',
  }),
  DOCENT_FAILED_ATTEMPTS: setting({
    group: LIMITS,
    about:
      'Keys, sessions and sign-ins that may fail in a minute from one address (IPv6: one /64); further ones have to wait, valid ones still work. 0 means any number. A proxy must be named in DOCENT_TRUSTED_PROXIES.',
    schema: wholeNumber(0, 1_000_000).prefault('100'),
    default: '100',
  }),
  DOCENT_MAX_STREAMS: setting({
    group: LIMITS,
    about: 'Streams that an API key may have open at once; 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('200'),
    default: '200',
  }),
  DOCENT_TRANSCRIPTION_MAX_BYTES: setting({
    group: LIMITS,
    about:
      'Largest recording in a folder, in bytes, that is sent to the transcription provider. OpenAI accepts 25 MiB; your own server may accept more. Each recording being transcribed needs twice its size in memory.',
    schema: wholeNumber(1, 1024 ** 3).prefault(String(25 * 1024 ** 2)),
    default: '26214400',
  }),
  DOCENT_OCR_LANGUAGES: setting({
    group: LIMITS,
    about:
      'Languages whose text is recognised in pictures and scans, as Tesseract calls them, for instance eng,deu. Each needs the npm package @tesseract.js-data/LANGUAGE in server/ (npm install -w server --no-save --ignore-scripts @tesseract.js-data/deu). Text in them is recognised without trying other languages; for pictures in other languages see DOCENT_OCR_DATA.',
    schema: z.string().prefault('eng').transform(parsedBy(parseOcrLanguages)),
    default: 'eng',
  }),
  DOCENT_OCR_DATA: setting({
    group: LIMITS,
    about:
      'Source from which data for recognising other languages is loaded, once, when a picture first needs it: the address of an npm registry (packages @tesseract.js-data/LANGUAGE), an absolute folder with files such as rus.traineddata (on Debian /usr/share/tesseract-ocr/5/tessdata), or off. 29 languages are recognised automatically; a picture whose text is plausible in none of them fails with a message that says so.',
    schema: z.string().prefault('https://registry.npmjs.org').transform(parsedBy(parseOcrData)),
    default: 'https://registry.npmjs.org',
  }),
  DOCENT_VISITOR_FILES: setting({
    group: LIMITS,
    about: 'Files that one visitor of a link to an agent may upload in a day (UTC); 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('50'),
    default: '50',
  }),
  DOCENT_VISITOR_BYTES: setting({
    group: LIMITS,
    about: 'Total bytes of the files that one visitor of a link may upload in a day; 0 means any number.',
    schema: wholeNumber(0, 1024 ** 4).prefault(String(100 * 1024 ** 2)),
    default: '104857600 (100 MiB)',
  }),
  DOCENT_VISITOR_CHATS: setting({
    group: LIMITS,
    about: 'Chats that one visitor of a link may begin in a day; 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('100'),
    default: '100',
  }),
  DOCENT_VISITORS_PER_LINK: setting({
    group: LIMITS,
    about:
      'Limit for all visitors of a link together, as a multiple of the daily limits of one visitor, because one person can appear as any number of visitors. Visitors from one public address share a tenth of it. 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('100'),
    default: '100',
  }),
  DOCENT_INDEXERS: setting({
    group: LIMITS,
    about:
      'Files parsed at the same time, each in its own process, and as many again of the files sent with questions; half as many more while one organization has more than half of them and others wait. Up to 32 times as many files are indexed at the same time, because they share commits.',
    schema: wholeNumber(1, 64).prefault('2'),
    default: '2',
  }),
  DOCENT_SEARCH_CACHE_BYTES: setting({
    group: LIMITS,
    about:
      'Maximum memory for the cache of the search index, in bytes. More helps when searching millions of passages.',
    schema: wholeNumber(1_048_576, 1_099_511_627_776).prefault('134217728'),
    default: '134217728 (128 MiB)',
  }),
  DOCENT_OUTBOUND_ALLOW: setting({
    group: WEBHOOKS,
    about:
      'Private or otherwise special addresses that are allowed for webhooks, MCP servers, linked folders and pages that agents open (fetch_page): a list of CIDR, CIDR:port or host:port, for instance 10.1.0.0/16,127.0.0.1/32:8080,hooks.internal:443.',
    schema: z.string().prefault('').transform(parsedBy(parseOutboundAllow)),
  }),
  DOCENT_WEBHOOK_TIMEOUT: setting({
    group: WEBHOOKS,
    about: 'Seconds within which the receiver of a webhook must answer.',
    schema: seconds(0.001, 300).prefault('15'),
    default: '15',
  }),
  DOCENT_WEBHOOK_RETRY_DELAYS: setting({
    group: WEBHOOKS,
    about:
      'Seconds before each retry of a webhook, comma-separated; after the last one the delivery is kept as failed.',
    schema: listOfSeconds().prefault('5,30,120,600,1800,7200,18000,36000,50400,72000,86400'),
    default: '5,30,120,600,1800,7200,18000,36000,50400,72000,86400',
  }),
  DOCENT_WEBHOOK_LOG_DAYS: setting({
    group: WEBHOOKS,
    about: 'Days for which completed and failed deliveries are kept and can be sent again; 0 keeps them for ever.',
    schema: days().prefault('30'),
    default: '30',
  }),
  DOCENT_MCP_COMMANDS: setting({
    group: MCP,
    about:
      'Programs that agents may run as MCP servers (transport stdio), by name: files=/usr/bin/files-mcp --read-only; git=/usr/bin/git-mcp, or a JSON object like {"files": {"command": "/usr/bin/files-mcp", "args": [], "env": {}}}. Every key that may manage agents can use them.',
    schema: z.string().prefault('').transform(parsedBy(parseMcpCommands)),
    default: 'none',
    isSecret: true,
  }),
  DOCENT_MODEL: setting({
    group: MODELS,
    about:
      'Model for agents that name none, as PROVIDER/MODEL. Default: the first provider with a key, else builtin/extractive, which works offline.',
    schema: optional(modelId()),
  }),
  DOCENT_EMBEDDING_MODEL: setting({
    group: MODELS,
    about:
      'Adds dense to lexical retrieval, unless admins choose another model: PROVIDER/MODEL, or local/FOLDER for an ONNX model on disk, which needs a library that the server names at the start.',
    schema: optional(modelId()),
  }),
  DOCENT_RERANK_URL: setting({
    group: MODELS,
    about:
      'Endpoint of a reranker, which reorders the best passages of each search, unless admins choose another: the address of its /rerank, for instance https://api.cohere.com/v2/rerank or http://tei:8080/rerank. It receives the question and the passages.',
    schema: optional(url()),
  }),
  DOCENT_RERANK_MODEL: setting({
    group: MODELS,
    about:
      'Model at that endpoint, asked in the form that Cohere, Jina, vLLM and others share. Without one it is asked in the form of Text Embeddings Inference, which serves one model. Or local/FOLDER, without an endpoint: a cross-encoder on disk as ONNX, which needs a library that is not installed by default; the error at the start gives the command.',
    schema: optional(
      z
        .string()
        .trim()
        .regex(/^\S{1,200}$/, 'must be the name of a model, without spaces'),
    ),
  }),
  DOCENT_RERANK_API_KEY: setting({
    group: MODELS,
    about: 'Key for that endpoint, if it needs one.',
    schema: optional(text()),
    isSecret: true,
  }),
  DOCENT_RERANK_DEPTH: setting({
    group: MODELS,
    about: 'Passages that a reranker reorders in a search; the others follow in their own order.',
    schema: wholeNumber(1, 100).prefault('30'),
    default: '30',
  }),
  DOCENT_RERANK_TIMEOUT: setting({
    group: MODELS,
    about: 'Seconds that a search waits for a reranker, retries included; then the search keeps its own order.',
    schema: seconds(0.001, 60).prefault('2'),
    default: '2',
  }),
  DOCENT_PRICES_FILE: setting({
    group: MODELS,
    about:
      'JSON file with the prices of models, used to calculate the cost of each message; read again when it changes. For models that it leaves out, the price counts that their provider lists. Each machine reads its own file.',
    schema: optional(text()),
    default: 'DATA_DIR/prices.json',
  }),
  DOCENT_MODEL_FIRST_TOKEN_TIMEOUT: setting({
    group: MODELS,
    about: 'Seconds within which a model must send its first token.',
    schema: seconds().prefault('60'),
    default: '60',
  }),
  DOCENT_MODEL_IDLE_TIMEOUT: setting({
    group: MODELS,
    about: 'Seconds of silence allowed between two tokens.',
    schema: seconds().prefault('30'),
    default: '30',
  }),
  DOCENT_MODEL_TOTAL_TIMEOUT: setting({
    group: MODELS,
    about: 'Total seconds that one reply of a model may take.',
    schema: seconds().prefault('600'),
    default: '600 (10 min)',
  }),
  DOCENT_MODEL_CONTEXT_TOKENS: setting({
    group: MODELS,
    about: 'Size of the context window, in tokens, of models that Docent does not know.',
    schema: wholeNumber(1000, 100_000_000).prefault('128000'),
    default: '128000',
  }),
  DOCENT_MODELS_THAT_SEE: setting({
    group: MODELS,
    about:
      'Models that accept pictures, as PROVIDER/MODEL with * for any characters, for instance openai/*,ollama/my-model. By default Docent uses what the provider says about a model or, if it says nothing, what is known of the model. Other models get only the text recognised in a picture, with a note to the model and the person.',
    schema: z.string().transform(parsedBy(parseModelPatterns)).optional(),
  }),
  DOCENT_HISTORY_TOKENS: setting({
    group: MODELS,
    about:
      'Maximum tokens of earlier turns sent to a model with a question; the rest of a longer chat is summarized. A small context window holds fewer.',
    schema: wholeNumber(500, 100_000_000).prefault('32000'),
    default: '32000',
  }),
  OPENAI_API_KEY: setting({
    group: MODELS,
    about: 'Key for models openai/….',
    schema: optional(text()),
    isSecret: true,
  }),
  OPENAI_BASE_URL: setting({
    group: MODELS,
    about: 'URL for models openai/…, if not that of OpenAI.',
    schema: optional(url()),
    default: 'https://api.openai.com/v1',
  }),
  ANTHROPIC_API_KEY: setting({
    group: MODELS,
    about: 'Key for models anthropic/….',
    schema: optional(text()),
    isSecret: true,
  }),
  ANTHROPIC_BASE_URL: setting({
    group: MODELS,
    about: 'URL for models anthropic/…, if not that of Anthropic.',
    schema: optional(url()),
    default: 'https://api.anthropic.com/v1',
  }),
  GOOGLE_GENERATIVE_AI_API_KEY: setting({
    group: MODELS,
    about: 'Key for models google/….',
    schema: optional(text()),
    isSecret: true,
  }),
  GOOGLE_GENERATIVE_AI_BASE_URL: setting({
    group: MODELS,
    about: 'URL for models google/…, if not that of Google.',
    schema: optional(url()),
    default: 'https://generativelanguage.googleapis.com/v1beta',
  }),
  OLLAMA_BASE_URL: setting({
    group: MODELS,
    about: 'URL of Ollama, for models ollama/…; for instance http://127.0.0.1:11434.',
    schema: optional(url()),
  }),
  OPENAI_COMPATIBLE_BASE_URL: setting({
    group: MODELS,
    about: 'URL, with /v1, of any other server with the chat completions API, for models openai-compatible/….',
    schema: optional(url()),
  }),
  OPENAI_COMPATIBLE_API_KEY: setting({
    group: MODELS,
    about: 'Key for that server, if it needs one.',
    schema: optional(text()),
    isSecret: true,
  }),
  DOCENT_LINK_HOSTS: setting({
    group: AGENTS,
    about:
      'Hosts that answers may link to although neither the question nor the instructions of the agent name them, for instance docs.example.com,*.example.org; * stands for every host. Links and images on other hosts are shown as text, which no browser fetches.',
    schema: z.string().prefault('').transform(parsedBy(parseHostPatterns)),
    default: 'none',
  }),
  DOCENT_FETCH_HOSTS: setting({
    group: AGENTS,
    about:
      'Hosts whose pages agents with the tool fetch_page may open, in the same form. A document can contain instructions that make an agent send what it has read to an address; list the permitted hosts to prevent that.',
    schema: z.string().prefault('*').transform(parsedBy(parseHostPatterns)),
    default: '* (every host)',
  }),
  DOCENT_FETCH_ASKS: setting({
    group: AGENTS,
    about:
      'Whether fetch_page waits for a person to allow a host that neither the person, the instructions of the agent nor DOCENT_FETCH_HOSTS names, in runs in which an agent has folders.',
    schema: flag().prefault('true'),
    default: 'true',
  }),
  DOCENT_URL: setting({
    group: COMMAND_LINE,
    about: 'URL of the server for npm run ask, if not that of HOST and PORT. The server itself does not read it.',
    schema: optional(url()),
  }),
  DOCENT_API_KEY: setting({
    group: COMMAND_LINE,
    about: "Key that npm run ask uses, if not the owner's in DATA_DIR. The server itself does not read it.",
    schema: optional(text()),
    isSecret: true,
  }),
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type SettingValues = { [N in SettingName]: z.output<(typeof settings)[N]['schema']> }

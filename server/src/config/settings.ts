import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseMcpCommands } from '../platform/mcp/commands.ts'
import { DEFAULT_SEEING, parseModelPatterns } from '../platform/models/model-patterns.ts'
import { parseHostPatterns } from '../platform/outbound/host-patterns.ts'
import { parseOutboundAllow } from '../platform/outbound/outbound-allow.ts'
import { parseOcrLanguages } from './ocr-languages.ts'

/** One setting of the operator's: what it is called, what it may be, and what `--help` and the docs say of it. */
export interface Setting<T = unknown> {
  group: string
  /** One or two sentences for an operator. */
  about: string
  schema: z.ZodType<T, string | undefined>
  /** As the docs show it; absent where there is none. */
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

/** A hundred years: for ever, and still a time that dates can hold. */
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

/** Runs a parser whose errors are in an operator's words. */
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
      'Where people reach this server, for links that leave it: behind a proxy, its address. Default: HOST and PORT.',
    schema: optional(url()),
  }),
  DOCENT_TRUSTED_PROXIES: setting({
    group: SERVER,
    about:
      'Addresses and CIDR, comma-separated, of the proxies before this server: of a request that one of them passes on, X-Forwarded-For says where it came from, for the audit log and for what is limited by address.',
    schema: addresses().prefault(''),
    default: 'none',
  }),
  DOCENT_SESSION_TTL: setting({
    group: SERVER,
    about:
      'Seconds for which somebody who signed in to the web UI stays so without doing anything. After 30 days everybody signs in again.',
    schema: seconds(60, 2_592_000).prefault('43200'),
    default: '43200 (12 h)',
  }),
  SMTP_URL: setting({
    group: SERVER,
    about:
      'Mail server for invitations and forgotten passwords, as smtp://USER:PASSWORD@HOST:587 (TLS where it is offered; ?requireTLS=true demands it) or smtps://USER:PASSWORD@HOST:465. Needs SMTP_FROM, and DOCENT_PUBLIC_URL for links that work elsewhere.',
    schema: optional(
      z
        .string()
        .trim()
        .refine(
          (value) => /^smtps?:\/\/\S+$/.test(value) && URL.canParse(value),
          'must be like smtp://USER:PASSWORD@HOST:587 (with % codes for special characters in the password)',
        ),
    ),
    default: 'no e-mail: admins hand links on',
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
  DOCENT_AUDIT_LOG_DAYS: setting({
    group: SERVER,
    about: 'Days for which the audit log says who did what; 0 keeps its entries for ever.',
    schema: days().prefault('365'),
    default: '365',
  }),
  DOCENT_METRICS_TOKEN: setting({
    group: SERVER,
    about:
      'Token that readers of /metrics (Prometheus) must send as Authorization: Bearer TOKEN. Without it only this machine may read them, and nobody where DOCENT_PUBLIC_URL names a proxy.',
    schema: optional(z.string().regex(/^\S{16,200}$/, 'must have 16 to 200 characters and no spaces')),
    isSecret: true,
  }),
  LOG_LEVEL: setting({
    group: SERVER,
    about: 'trace, debug, info, warn, error or silent. One JSON line an event, on standard output.',
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
      'What this process does: all serves requests and works in the background, api does only the one, worker only the other (its port answers /healthz, /readyz and /metrics alone). api and worker need DATABASE_URL.',
    schema: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
    default: 'all',
  }),
  DATA_DIR: setting({
    group: DATA,
    about:
      'Folder that holds everything: database, files, search index. What Docent makes there only its own user may read; npm run admin -- doctor --fix closes what earlier versions left open. One server at a time, unless DATABASE_URL is set: then all processes use this one folder, so on one machine or with a folder that is shared; with S3_BUCKET, too, each may have its own, for what it can lose.',
    schema: text().default('./data'),
    default: './data',
  }),
  DATABASE_URL: setting({
    group: DATA,
    about:
      'PostgreSQL (13 or newer) for the rows instead of the embedded database, as postgres://USER:PASSWORD@HOST:5432/DATABASE, with ?sslmode=verify-full for TLS. The user must own the database, and should be no superuser; no other role should be able to connect to it. A pooler in transaction mode may stand before it.',
    schema: optional(postgresUrl()),
    default: 'the embedded database in DATA_DIR',
    isSecret: true,
  }),
  DATABASE_LISTEN_URL: setting({
    group: DATA,
    about:
      'The same PostgreSQL database, reached directly: needed where DATABASE_URL leads to a pooler in transaction mode, because processes tell each other things (LISTEN) over a connection that stays.',
    schema: optional(postgresUrl()),
    default: 'DATABASE_URL',
    isSecret: true,
  }),
  DOCENT_DATABASE_CONNECTIONS: setting({
    group: DATA,
    about:
      'Connections to PostgreSQL that this process opens at most. All processes together must stay below max_connections of the server or its pooler.',
    schema: wholeNumber(2, 1000).prefault('10'),
    default: '10',
  }),
  DOCENT_OWNER_KEY: setting({
    group: DATA,
    about:
      'API key of the owner, instead of a made-up one, on the first start with an empty database. At least 16 characters without spaces.',
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
      'Absolute folders of this server, separated by commas or colons, below which integrations of the kind directory may read. Every key that may create folders can then read all that is in them.',
    schema: folders().prefault(''),
    default: 'none',
  }),
  DOCENT_FONTS: setting({
    group: DATA,
    about:
      'Font files, separated by commas, for letters of PDF and PNG files that the fonts of this server lack, for instance Chinese: /usr/share/fonts/NotoSansCJK-Regular.ttc.',
    schema: fontFiles().prefault(''),
    default: 'none',
  }),
  S3_BUCKET: setting({
    group: STORAGE,
    about:
      'Bucket of AWS S3 or a compatible server for files and search index, instead of DATA_DIR. It must be there; where several processes share it, it must honour If-None-Match.',
    schema: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  }),
  S3_ENDPOINT: setting({
    group: STORAGE,
    about: 'Where a compatible server listens, for instance http://minio:9000.',
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
      'Key that may list, read, write and delete objects of the bucket. Without it: the one that AWS_* variables or the role of this machine or container give.',
    schema: optional(text()),
    isSecret: true,
  }),
  S3_SECRET_ACCESS_KEY: setting({
    group: STORAGE,
    about: 'The secret of that key.',
    schema: optional(text()),
    isSecret: true,
  }),
  DOCENT_S3_PREFIX: setting({
    group: STORAGE,
    about: 'What the names of all objects begin with, where others use the bucket, too: docent/production.',
    schema: optional(
      z
        .string()
        .transform((value) => value.replace(/^\/+|\/+$/g, ''))
        .refine((value) => /^[\w.-]+(\/[\w.-]+)*$/.test(value), 'must be letters, digits, - _ . and / between them'),
    ),
  }),
  DOCENT_S3_PATH_STYLE: setting({
    group: STORAGE,
    about: 'Whether the bucket stands in the path of URLs (true) or in their host name (false).',
    schema: optional(flag()),
    default: 'true with S3_ENDPOINT, else false',
  }),
  DOCENT_S3_PRESIGNED_DOWNLOADS: setting({
    group: STORAGE,
    about:
      'true answers downloads of single files with a redirect to a URL of the bucket that works for a minute, so that the bytes do not pass through this server. What scripts of a browser fetch, and ZIP archives, still do.',
    schema: flag().prefault('false'),
    default: 'false',
  }),
  DOCENT_S3_PUBLIC_ENDPOINT: setting({
    group: STORAGE,
    about: 'Where those who download reach the object storage, if not at S3_ENDPOINT.',
    schema: optional(url()),
    default: 'S3_ENDPOINT',
  }),
  DOCENT_MAX_UPLOAD_BYTES: setting({
    group: LIMITS,
    about: 'Largest file that can be uploaded, in bytes.',
    schema: wholeNumber(1, 10 * 1024 ** 3).prefault(String(100 * 1024 ** 2)),
    default: '104857600 (100 MiB)',
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
      'Keys, sessions and sign-ins that may fail in a minute from one address (IPv6: one /64); further ones are told to wait, good ones go on. 0 means any number. Behind a proxy, DOCENT_TRUSTED_PROXIES has to name it.',
    schema: wholeNumber(0, 1_000_000).prefault('100'),
    default: '100',
  }),
  DOCENT_MAX_STREAMS: setting({
    group: LIMITS,
    about: 'Streams that an API key may have open at once; 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('200'),
    default: '200',
  }),
  DOCENT_OCR_LANGUAGES: setting({
    group: LIMITS,
    about:
      'Languages whose text is recognised in pictures and scans, as Tesseract calls them, for instance eng,deu. Each needs the npm package @tesseract.js-data/LANGUAGE in server/ (npm install -w server --no-save --ignore-scripts @tesseract.js-data/deu). A picture with text in another language fails and says so.',
    schema: z.string().prefault('eng').transform(parsedBy(parseOcrLanguages)),
    default: 'eng',
  }),
  DOCENT_VISITOR_FILES: setting({
    group: LIMITS,
    about: 'Files that one visitor of a link to an agent may upload in a day (UTC); 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('50'),
    default: '50',
  }),
  DOCENT_VISITOR_BYTES: setting({
    group: LIMITS,
    about: 'Bytes that the files which one visitor of a link uploads in a day may have together; 0 means any number.',
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
      'How many times as much as one visitor all visitors of a link may upload and begin in a day together, because whoever has a public link can be any number of visitors; those who come from one public address may a tenth of that. 0 means any number.',
    schema: wholeNumber(0, 1_000_000).prefault('100'),
    default: '100',
  }),
  DOCENT_INDEXERS: setting({
    group: LIMITS,
    about:
      'Files that are parsed at the same time, each in a process of its own, and as many of those that were sent with questions; half as many again while one organization has more than half of them and others wait. Up to 32 times as many are being indexed, because they share commits.',
    schema: wholeNumber(1, 64).prefault('2'),
    default: '2',
  }),
  DOCENT_SEARCH_CACHE_BYTES: setting({
    group: LIMITS,
    about:
      'Most memory in which the search engine keeps what it has read of its index. More of it helps where millions of passages are searched.',
    schema: wholeNumber(1_048_576, 1_099_511_627_776).prefault('134217728'),
    default: '134217728 (128 MiB)',
  }),
  DOCENT_OUTBOUND_ALLOW: setting({
    group: WEBHOOKS,
    about:
      'Private or otherwise special addresses that webhooks, MCP servers and pages that agents open (fetch_page) may have all the same: a list of CIDR, CIDR:port or host:port, for instance 10.1.0.0/16,127.0.0.1/32:8080,hooks.internal:443.',
    schema: z.string().prefault('').transform(parsedBy(parseOutboundAllow)),
  }),
  DOCENT_WEBHOOK_TIMEOUT: setting({
    group: WEBHOOKS,
    about: 'Seconds until the receiver of a webhook must have answered.',
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
    about:
      'Days for which deliveries that arrived or were given up can be looked at and delivered again; 0 keeps them for ever.',
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
      'Model of agents that name none, as PROVIDER/MODEL. Without it: the first provider with a key, else builtin/extractive, which works offline.',
    schema: optional(modelId()),
  }),
  DOCENT_EMBEDDING_MODEL: setting({
    group: MODELS,
    about:
      'Adds dense retrieval to the lexical one: PROVIDER/MODEL, or local/FOLDER for an ONNX model on disk, which needs a library that the start names.',
    schema: optional(modelId()),
  }),
  DOCENT_PRICES_FILE: setting({
    group: MODELS,
    about:
      'JSON file with the prices of models, by which the cost of each message is counted; read again when it changes. Every machine reads its own.',
    schema: optional(text()),
    default: 'DATA_DIR/prices.json',
  }),
  DOCENT_MODEL_FIRST_TOKEN_TIMEOUT: setting({
    group: MODELS,
    about: 'Seconds until a model must have sent its first token.',
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
    about: 'Seconds that one turn of a model may take in all.',
    schema: seconds().prefault('600'),
    default: '600 (10 min)',
  }),
  DOCENT_MODEL_CONTEXT_TOKENS: setting({
    group: MODELS,
    about: 'Tokens that fit into the window of models whose size Docent does not know.',
    schema: wholeNumber(1000, 100_000_000).prefault('128000'),
    default: '128000',
  }),
  DOCENT_MODELS_THAT_SEE: setting({
    group: MODELS,
    about:
      'Models that pictures are sent to, as PROVIDER/MODEL with * for any characters, for instance openai/*,ollama/my-model; it replaces the default. Of a picture for another model only the text that is recognised in it is sent, and the model and the person are told so.',
    schema: z.string().prefault(DEFAULT_SEEING).transform(parsedBy(parseModelPatterns)),
    default: DEFAULT_SEEING,
  }),
  DOCENT_HISTORY_TOKENS: setting({
    group: MODELS,
    about:
      'Tokens of earlier turns that a model gets to read with a question at most; the rest of a longer chat is summed up for it. A small window has room for less.',
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
    about: 'Where openai/… models are asked, if not at OpenAI itself.',
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
    about: 'Where anthropic/… models are asked, if not at Anthropic itself.',
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
    about: 'Where google/… models are asked, if not at Google itself.',
    schema: optional(url()),
    default: 'https://generativelanguage.googleapis.com/v1beta',
  }),
  OLLAMA_BASE_URL: setting({
    group: MODELS,
    about: 'Where Ollama listens, for models ollama/…; for instance http://127.0.0.1:11434.',
    schema: optional(url()),
  }),
  OPENAI_COMPATIBLE_BASE_URL: setting({
    group: MODELS,
    about: 'Any other server that speaks chat completions, for models openai-compatible/…, with its /v1.',
    schema: optional(url()),
  }),
  OPENAI_COMPATIBLE_API_KEY: setting({
    group: MODELS,
    about: 'Key for that server, if it wants one.',
    schema: optional(text()),
    isSecret: true,
  }),
  DOCENT_LINK_HOSTS: setting({
    group: AGENTS,
    about:
      'Hosts that answers may link to although neither the question nor the instructions of the agent name them, for instance docs.example.com,*.example.org; * stands for every host. Links and images elsewhere are shown as text that nothing fetches.',
    schema: z.string().prefault('').transform(parsedBy(parseHostPatterns)),
    default: 'none',
  }),
  DOCENT_FETCH_HOSTS: setting({
    group: AGENTS,
    about:
      'Hosts whose pages agents with the tool fetch_page may open, in the same form. What an agent has read could tell it to send that to an address: name the hosts where that must not happen.',
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
    about: 'Where npm run ask finds the server, if not where HOST and PORT say. The server itself does not read it.',
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

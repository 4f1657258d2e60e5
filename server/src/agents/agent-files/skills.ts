import { z } from 'zod'
import { invalidField } from '../../platform/errors.ts'
import { ToolReference } from '../agent/agents.schemas.ts'
import { type AgentFile, FileJob, type Unmapped } from './agent-files.schemas.ts'

/** Files of a skill by their paths: SKILL.md, and what it refers to. */
type SkillFiles = Record<string, string>

const FRONT = /^---\r?\n([\s\S]{0,10000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const MOST_INSTRUCTIONS = 100_000

const text = (most: number) =>
  z.string().trim().min(1, 'must be given').max(most, `must have at most ${most} characters`)
/** Frontmatter of SKILL.md, as the Agent Skills format has it. What else is in it is kept as it is. */
const Front = z.looseObject({
  name: text(64),
  description: text(1024),
  'allowed-tools': z.string().max(5000).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
type Front = z.infer<typeof Front>

/** Parts of a job that the format does not know: values of `metadata`, as JSON but for the name. */
const OWN = { name: 'docent-name', knowledge_bases: 'docent-knowledge-bases', filters: 'docent-filters' } as const

/**
 * Writes a job as a skill. Its instructions become the body of SKILL.md; a frontmatter with which they begin, and files
 * after them, are those of the skill that it once came from.
 * @param taken names of other skills of the agent
 */
async function toSkill(job: FileJob, taken: ReadonlySet<string>): Promise<{ slug: string; skill: SkillFiles }> {
  const { parse, stringify } = await import('yaml')
  const { body, files } = splitFiles(job.instructions)
  const kept = FRONT.exec(body)
  const front = (kept && parse(kept[1]!)) || {}
  const rest = kept ? body.slice(kept[0].length).trimStart() : body
  const { description = descriptionOf(job, rest), metadata = {}, ...others } = front
  const name = toSlug(job.name, taken)
  const own = {
    ...(name !== job.name && { [OWN.name]: job.name }),
    ...(job.knowledge_bases && { [OWN.knowledge_bases]: JSON.stringify(job.knowledge_bases) }),
    ...(job.filters && { [OWN.filters]: JSON.stringify(job.filters) }),
  }
  const all = { ...metadata, ...own }
  const written = {
    name,
    description,
    ...others,
    ...(job.tools && { 'allowed-tools': job.tools.join(' ') }),
    ...(Object.keys(all).length > 0 && { metadata: all }),
  }
  const markdown = `---\n${stringify(written, { lineWidth: 0 })}---\n\n${rest.trimEnd()}\n`
  return { slug: name, skill: { 'SKILL.md': markdown, ...files } }
}

/** Writes each job of a file as a skill. */
export async function withSkills(file: AgentFile): Promise<AgentFile> {
  const taken = new Set<string>()
  const jobs: FileJob[] = []
  for (const job of file.jobs) {
    const { slug, skill } = await toSkill(job, taken)
    taken.add(slug)
    jobs.push({ name: job.name, instructions: '', tools: null, knowledge_bases: null, filters: null, skill })
  }
  return { ...file, jobs }
}

/**
 * Reads the skills of a file of an agent as the jobs that they are.
 * @throws ValidationError for a skill that is none, with its place in the file
 */
export async function withoutSkills(file: AgentFile): Promise<{ file: AgentFile; unmapped: Unmapped[] }> {
  const unmapped: Unmapped[] = []
  const jobs: FileJob[] = []
  for (const [at, { skill, ...job }] of file.jobs.entries())
    jobs.push(skill ? await toJob(job.name, skill, { at: `agent.jobs.${at}.skill`, unmapped }) : job)
  return { file: { ...file, jobs }, unmapped }
}

interface Place {
  at: string
  unmapped: Unmapped[]
}

async function toJob(name: string, files: SkillFiles, { at, unmapped }: Place): Promise<FileJob> {
  const { front, body } = await readFront(files['SKILL.md'] ?? '', at)
  const { name: _, 'allowed-tools': allowed, metadata = {}, ...others } = front
  const { [OWN.name]: __, [OWN.knowledge_bases]: folders, [OWN.filters]: filters, ...kept } = metadata
  const tools = allowed === undefined ? null : toTools(allowed, `jobs.${name}.tools`, unmapped)
  const { stringify } = await import('yaml')
  const head = stringify({ ...others, ...(Object.keys(kept).length > 0 && { metadata: kept }) }, { lineWidth: 0 })
  const parts = Object.entries(files).flatMap(([path, content]) => {
    if (path === 'SKILL.md') return []
    if (!/^<\/file>$/m.test(content)) return `<file path="${path}">\n${content.replace(/\n$/, '')}\n</file>`
    unmapped.push({ path: `jobs.${name}.skill`, value: path, reason: 'has a line </file>, which ends a file here' })
    return []
  })
  const instructions = [`---\n${head}---`, body.trim(), ...parts].filter(Boolean).join('\n\n')
  if (instructions.length > MOST_INSTRUCTIONS)
    throw invalidField(at, `must have at most ${MOST_INSTRUCTIONS} characters in all`)
  const job = FileJob.safeParse({
    name,
    instructions,
    tools,
    knowledge_bases: fromJson(folders),
    filters: fromJson(filters),
  })
  if (!job.success)
    throw invalidField(`${at}.SKILL.md`, `has metadata that no job can have: ${job.error.issues[0]!.message}`)
  return job.data
}

async function readFront(markdown: string, at: string): Promise<{ front: Front; body: string }> {
  const place = `${at}.SKILL.md`
  const found = FRONT.exec(markdown.replace(/^\uFEFF/, ''))
  if (!found) throw invalidField(place, 'must begin with a frontmatter between two lines of ---')
  const { parseDocument } = await import('yaml')
  const document = parseDocument(found[1]!)
  if (document.errors.length > 0)
    throw invalidField(place, `has a frontmatter that is no YAML: ${document.errors[0]!.code}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 20 })
  } catch {
    throw invalidField(place, 'has a frontmatter that grows without end')
  }
  const front = Front.safeParse(value)
  if (front.success) return { front: front.data, body: markdown.slice(found[0].length) }
  const [issue] = front.error.issues
  throw invalidField(place, `has a frontmatter whose ${issue!.path.join('.') || 'content'} is wrong: ${issue!.message}`)
}

/** Tools that this server has. A skill made for other programs may name none: then the job has all of the agent's. */
function toTools(allowed: string, path: string, unmapped: Unmapped[]): string[] | null {
  const names = allowed.match(/[^\s,(]+(\([^)]*\))?/g) ?? []
  const known = names.filter((name) => ToolReference.safeParse(name).success)
  for (const name of names)
    if (!known.includes(name)) unmapped.push({ path, value: name, reason: 'is no tool of this server' })
  return names.length > 0 && known.length === 0 ? null : known
}

/** Takes the files out of instructions to which `toJob` added them. */
function splitFiles(instructions: string): { body: string; files: SkillFiles } {
  const files: SkillFiles = {}
  const body: string[] = []
  let open: { path: string; lines: string[] } | undefined
  for (const line of instructions.split('\n')) {
    const path = open ? undefined : /^<file path="([^"]+)">$/.exec(line)?.[1]
    if (path) open = { path, lines: [] }
    else if (open && line === '</file>') {
      files[open.path] = open.lines.map((one) => `${one}\n`).join('')
      open = undefined
    } else (open?.lines ?? body).push(line)
  }
  // A file that never ends is none.
  if (open) body.push(`<file path="${open.path}">`, ...open.lines)
  return { body: body.join('\n'), files }
}

/** A sentence that says what a job does: its first line of text, else its name. */
function descriptionOf({ name }: FileJob, body: string): string {
  const line = body.split('\n').find((one) => /\w/.test(one) && !one.startsWith('#'))
  return (line?.trim() || name).slice(0, 1024)
}

function toSlug(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  const slug = plain.replace(/^-+|-+$/g, '') || 'job'
  let free = slug
  for (let number = 2; taken.has(free); number++) free = `${slug}-${number}`
  return free
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

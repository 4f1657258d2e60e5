import { z } from 'zod'
import { Agent, CreateAgent } from '../agent/agents.schemas.ts'
import { CreateJob } from '../jobs/jobs.schemas.ts'
import { OpenApiToolsInput } from '../openapi-tools/openapi.schemas.ts'
import { placeholdersIn } from '../shortcuts/render-shortcut.ts'
import { CreateShortcut } from '../shortcuts/shortcuts.schemas.ts'

const MOST_PARTS = 200

const areNamedOnce = (parts: { name: string }[]) => new Set(parts.map(({ name }) => name)).size === parts.length

/** Lists of names: what this server does not know is reported, not refused. */
const Names = (most: number) => z.array(z.string().min(1).max(4096)).max(most, `must hold at most ${most}`)

const SKILL_PATH = /^(?!\/)(?!.*(^|\/)\.{1,2}(\/|$))[^\\\0"\n<>]{1,256}$/

const SkillFiles = z
  .record(z.string().regex(SKILL_PATH, 'must be a path within the folder'), z.string().max(200_000))
  .refine((files) => Object.hasOwn(files, 'SKILL.md'), 'must hold SKILL.md')
  .refine((files) => Object.keys(files).length <= 100, 'must hold at most 100 files')

export const FileJob = z
  .strictObject({
    name: CreateJob.shape.name,
    instructions: CreateJob.shape.instructions,
    tools: Names(200).nullable().default(null),
    knowledge_bases: Names(100)
      .nullable()
      .default(null)
      .meta({ description: "Paths of those of the agent's folders that it is narrowed to; null: all" }),
    filters: CreateJob.shape.filters,
    skill: SkillFiles.optional().meta({
      description:
        'The job as a folder in the Agent Skills format, files by their paths, in the place of all other fields but the name',
      examples: [
        { 'SKILL.md': '---\nname: review\ndescription: Checks a firing plan\n---\n\nCheck the firing plan.\n' },
      ],
    }),
  })
  .refine(
    ({ skill, instructions, tools, knowledge_bases, filters }) =>
      !skill || (!instructions && !tools && !knowledge_bases && !filters),
    { path: ['skill'], error: 'takes the place of instructions, tools, knowledge_bases and filters' },
  )
  .meta({ id: 'AgentFileJob', description: 'A job, as a file of an agent holds it' })
export type FileJob = z.infer<typeof FileJob>

const FileShortcut = z
  .strictObject({
    name: CreateShortcut.shape.name,
    prompt: CreateShortcut.shape.prompt,
    fields: CreateShortcut.shape.fields,
    job: z.string().nullable().default(null).meta({ description: 'Name of one of the jobs of the file' }),
  })
  .superRefine(({ prompt, fields }, context) => {
    const names = new Set(fields.map(({ name }) => name))
    const unknown = placeholdersIn(prompt).find((place) => !names.has(place))
    if (!unknown) return
    const message = `has the place {{${unknown}}}, but there is no field of that name`
    context.addIssue({ code: 'custom', path: ['prompt'], message })
  })
  .meta({ id: 'AgentFileShortcut', description: 'A shortcut, as a file of an agent holds it' })
export type FileShortcut = z.infer<typeof FileShortcut>

const api = OpenApiToolsInput.shape

const FileApi = z
  .strictObject({
    name: api.name,
    url: api.url.default(null),
    document: api.document.default(null).meta({
      description:
        'The document itself, in the place of a url. An export does not hold it: without it the agent keeps its own',
    }),
    base_url: api.base_url.default(null),
    auth: api.auth,
    operations: api.operations,
  })
  .refine(({ url, document }) => !url || !document, { path: ['document'], error: 'is not for an API that has a url' })
  .meta({ id: 'AgentFileApi', description: 'An HTTP API, as a file of an agent holds it' })
export type FileApi = z.infer<typeof FileApi>

const { name, description, instructions, model, visibility, limits, mcp_servers, filters } = CreateAgent.shape

/** An agent with all that belongs to it, and nothing that only one server knows: no ids, and no secrets. */
export const AgentFile = z
  .strictObject({
    version: z.literal(1).default(1).meta({ description: 'Version of the format' }),
    name,
    description,
    instructions,
    model,
    visibility,
    knowledge_bases: Names(100)
      .default([])
      .meta({
        description: 'Paths of the folders that it answers from; a slash within a name has a backslash before it',
        examples: [['/Handbooks/Kilns']],
      }),
    filters,
    tools: Names(50).nullable().default(null).meta({ description: 'null: the defaults' }),
    tools_needing_approval: Names(200).default([]),
    sub_agents: Names(20).default([]).meta({ description: 'Names of agents that it may call' }),
    limits,
    mcp_servers: mcp_servers.meta({
      description: 'Secrets in headers are written as ***: where the agent has them already, they stay',
    }),
    openapi_tools: z.array(FileApi).max(20).refine(areNamedOnce, 'must have different names').default([]).meta({
      description: 'Secrets are written as ***: where the agent has them already, they stay',
    }),
    jobs: z.array(FileJob).max(MOST_PARTS).refine(areNamedOnce, 'must have different names').default([]),
    shortcuts: z.array(FileShortcut).max(MOST_PARTS).refine(areNamedOnce, 'must have different names').default([]),
  })
  .superRefine(({ jobs, shortcuts, mcp_servers: servers, openapi_tools: apis }, context) => {
    for (const [index, { name }] of apis.entries())
      if (servers.some((server) => server.name === name))
        context.addIssue({
          code: 'custom',
          path: ['openapi_tools', index, 'name'],
          message: 'is the name of an MCP server of the file: tools begin with it',
        })
    const names = new Set(jobs.map((job) => job.name))
    for (const [index, { job }] of shortcuts.entries())
      if (job !== null && !names.has(job))
        context.addIssue({
          code: 'custom',
          path: ['shortcuts', index, 'job'],
          message: 'is none of the jobs of the file',
        })
  })
  .meta({ id: 'AgentFile', description: 'An agent as a file: with its jobs and shortcuts, without ids and secrets' })
export type AgentFile = z.infer<typeof AgentFile>

export const Unmapped = z
  .object({
    path: z.string().meta({ description: 'Place in the file', examples: ['knowledge_bases'] }),
    value: z.string().meta({ description: 'Text that stands there', examples: ['/Handbooks/Kilns'] }),
    reason: z.string(),
  })
  .meta({ id: 'UnmappedPart', description: 'A part of an agent that was left out, and why' })
export type Unmapped = z.infer<typeof Unmapped>

export const ExportQuery = z.object({
  jobs: z.enum(['fields', 'skills']).default('fields').meta({
    description: 'skills: each job as a folder in the Agent Skills format',
  }),
})

export const AgentFileReply = z.object({ data: z.object({ agent: AgentFile, unmapped: z.array(Unmapped) }) })

export const ImportAgent = z
  .strictObject({
    agent: AgentFile,
    agent_id: z.string().nullable().default(null).meta({
      description:
        'Agent that becomes like the file, which is the whole of it: jobs that it lacks are deleted. null: a new one',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Changes nothing, and only answers what would change' }),
  })
  .meta({ id: 'ImportAgent' })
export type ImportAgent = z.infer<typeof ImportAgent>

const Change = z
  .object({
    path: z.string().meta({ examples: ['jobs.Review.instructions'] }),
    before: z.unknown().meta({ description: 'null: it was not there' }),
    after: z.unknown().meta({ description: 'null: it is gone' }),
  })
  .meta({ id: 'AgentFileChange', description: 'A difference between an agent and a file' })
export type Change = z.infer<typeof Change>

export const ImportAgentReply = z.object({
  data: z
    .object({
      outcome: z.enum(['created', 'updated', 'unchanged']).meta({ description: 'In a dry run: what would happen' }),
      agent: Agent.nullable().meta({ description: 'As it is now; null if a dry run would make it' }),
      changes: z.array(Change),
      unmapped: z.array(Unmapped).meta({ description: 'Parts of the file that this server could not take' }),
    })
    .meta({ id: 'ImportedAgent' }),
})

import { z } from 'zod'
import { AgentPath } from '../agents/agents.ts'
import { Language, listOf, Name, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import { PictureInBase64 } from '../platform/pictures.ts'

const Audience = z.enum(['public', 'organization']).meta({
  id: 'AgentLinkAudience',
  description: 'public: whoever has the link; organization: who also signs in with a key of the organization',
})

const ORIGIN = /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/

const Origins = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .transform((origin) => origin.replace(/\/$/, ''))
      .refine(
        (origin) => ORIGIN.test(origin),
        'must be an origin, like https://www.example.com or https://*.example.com',
      ),
  )
  .max(50, 'must name at most 50 origins')

const perMinute = (most: number) => z.number().int().min(1).max(most)

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #2b45a5')
  .toLowerCase()
  .nullable()
  .meta({ description: 'Colour of buttons and links, as `#rrggbb`; null: that of Docent' })
const Position = z.enum(['left', 'right']).meta({ description: 'Corner of the website in which the button is' })
const StarterQuestions = z
  .array(z.string().trim().min(1).max(200, 'must have at most 200 characters'))
  .max(6, 'must be at most 6 questions')
  .meta({ description: 'Questions that visitors are offered at the start' })
const PageLanguage = Language.nullable().meta({
  description: "Language of the page; null: that of the visitor's browser",
})

const LogoUrl = z
  .string()
  .nullable()
  .meta({ description: 'Path of the logo on this server, which changes with the logo; null: none' })

/** Look of a link for its visitors. */
const look = {
  color: Color,
  position: Position,
  starter_questions: StarterQuestions,
  language: PageLanguage,
}

const fields = {
  name: Name,
  audience: Audience,
  allowed_origins: Origins,
  greeting: z.string().trim().max(2000, 'must have at most 2000 characters'),
  ...look,
  logo: PictureInBase64.nullable().meta({
    description: 'PNG, JPEG or WebP in Base64, at most 200,000 bytes; null: none',
  }),
  queries_per_minute: perMinute(10_000),
  queries_per_visitor_per_minute: perMinute(1000),
}

export const AgentLink = z
  .object({
    id: ObjectId,
    agent_id: ObjectId,
    name: z.string(),
    audience: Audience,
    token: z.string(),
    url: z.string().meta({ description: 'The page on which people chat' }),
    embed_code: z.string().meta({ description: 'HTML that puts the chat on a page of one of the allowed origins' }),
    allowed_origins: z.array(z.string()).meta({ description: 'Origins whose pages may embed it; none: no page' }),
    greeting: z
      .string()
      .meta({ description: 'Greeting that visitors read first; empty: the page asks what they would like to know' }),
    ...look,
    logo_url: LogoUrl,
    queries_per_minute: z.number().int().meta({ description: 'Queries of all visitors together' }),
    queries_per_visitor_per_minute: z.number().int(),
    is_working: z.boolean().meta({ description: "False while the agent's visibility does not allow the audience" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'AgentLink', description: 'A link through which people chat with an agent without a key' })

export const CreateAgentLink = z
  .strictObject({
    name: fields.name.default('Link'),
    audience: fields.audience.default('public'),
    allowed_origins: fields.allowed_origins.default([]),
    greeting: fields.greeting.default(''),
    color: fields.color.default(null),
    position: fields.position.default('right'),
    starter_questions: fields.starter_questions.default([]),
    language: fields.language.default(null),
    logo: fields.logo.default(null),
    queries_per_minute: fields.queries_per_minute.default(60),
    queries_per_visitor_per_minute: fields.queries_per_visitor_per_minute.default(10),
  })
  .meta({ id: 'CreateAgentLink' })
export type CreateAgentLink = z.infer<typeof CreateAgentLink>

export const UpdateAgentLink = z.strictObject(fields).partial().meta({ id: 'UpdateAgentLink' })
export type UpdateAgentLink = z.infer<typeof UpdateAgentLink>

export const AgentLinkPath = AgentPath.extend({ link_id: z.string() })
export type AgentLinkPath = z.infer<typeof AgentLinkPath>
export const AgentLinkReply = z.object({ data: AgentLink })
export const AgentLinkList = listOf('links', AgentLink)
export const AgentLinkListQuery = z.object(PageQuery)

/** An agent as its visitors see it. */
export const SharedAgent = z
  .object({
    agent_id: ObjectId,
    name: z.string(),
    description: z.string(),
    greeting: z.string(),
    audience: Audience,
    ...look,
    logo_url: LogoUrl,
  })
  .meta({ id: 'SharedAgent', description: 'An agent as visitors see it' })

export const SharedPath = z.object({ token: z.string().max(100) })
export const SharedReply = z.object({ data: SharedAgent })

export const OpenVisit = z
  .strictObject({
    visitor_token: z.string().max(500).nullable().default(null).meta({
      description: 'The one from before, even if it has expired a short while ago: the visitor then keeps their chats',
    }),
  })
  .meta({ id: 'OpenVisit' })

export const VisitReply = z.object({
  data: z
    .object({
      visitor_token: z.string().meta({ description: 'For `Authorization: Bearer`, until it expires' }),
      expires_at: Timestamp,
      visitor_id: ObjectId,
      agent: SharedAgent,
    })
    .meta({ id: 'Visit', description: 'Token and agent that a visitor needs to chat' }),
})

import { pythonTypes } from './python-types.ts'
import type { Schema } from './schema-types.ts'

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  name: string
  in: string
  schema: Schema
}

interface Operation {
  operationId: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}

interface Route {
  method: string
  path: string
  operation: Operation
}

/** Operations and groups of them, by the parts of their ids. */
interface Group {
  name: string
  routes: Map<string, Route>
  groups: Map<string, Group>
}

/** Operations that are methods of the client itself, as in the SDK for TypeScript: they belong to no resource. */
const OF_CLIENT = ['me.get', 'streamCheck.run', 'doctor.examine']

/** The modules of sdk-python that are made from openapi.json: the types of all schemas, and a method for each operation. */
export function pythonClient(document: Record<string, unknown>): { types: string; client: string } {
  const { components, paths } = document as {
    components: { schemas: Record<string, Schema> }
    paths: Record<string, Record<string, Operation>>
  }
  const types = pythonTypes(components.schemas)
  const root: Group = { name: 'Docent', routes: new Map(), groups: new Map() }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) place(root, { method, path, operation })

  // Inside a class with a method `list`, list is that method.
  const typeOf: TypeOf = (schema, hint) => types.typeOf(schema, hint).replaceAll(/\blist\[/g, 'List[')

  const classes: string[] = []
  const members = [...root.groups.values()].map((group) => memberOf(group))
  for (const group of root.groups.values()) writeGroup(group, classes, typeOf)
  const methods = [...root.routes].flatMap(([name, route]) => methodsOf(name, route, typeOf))
  return {
    types: types.text(),
    client: `${HEAD}\n\n${classes.join('\n\n\n')}\n\n\n${rootClass(members, methods)}`,
  }
}

const HEAD = `# Made by \`npm run generate\` from openapi.json. Do not edit.
"""A method for each operation of the API."""

from __future__ import annotations

from http.client import HTTPResponse
from typing import Any, List, Literal, Mapping

from . import _types as t
from ._answers import AnswerStream
from ._indexing import Indexed, wait_until_indexed
from ._lists import Listing
from ._transport import Options, Transport, new_object_id, segment
from ._uploads import Content, Progress, form_of`

const rootClass = (members: string[], methods: string[]) => `class Docent:
    """
    A client of the service. Every call raises DocentError when it fails, and is repeated when the server is busy or away
    for a moment. \`timeout\` is in seconds without a byte of the answer.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 900.0,
        max_retries: int = 3,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        transport = self._transport = Transport(base_url, api_key, timeout, max_retries, headers or {})
${members.map((line) => `        ${line}`).join('\n')}

${methods.join('\n').trimEnd()}
`

/** Name by which the client has an operation: its id, or the first part of it. */
export const callOf = (operationId: string) =>
  OF_CLIENT.includes(operationId) ? operationId.split('.')[0]! : operationId

function place(root: Group, route: Route): void {
  const parts = callOf(route.operation.operationId).split('.')
  const last = parts.pop()!
  let group = root
  for (const part of parts) {
    const own = group.name === 'Docent' ? '' : group.name
    const next = group.groups.get(part) ?? { name: own + capital(part), routes: new Map(), groups: new Map() }
    group.groups.set(part, next)
    group = next
  }
  group.routes.set(last, route)
}

const memberOf = ({ name }: Group, below = '') => `self.${snake(name.slice(below.length))} = ${name}(transport)`

type TypeOf = (schema: Schema, hint: string) => string

function writeGroup(group: Group, classes: string[], typeOf: TypeOf): void {
  for (const inner of group.groups.values()) writeGroup(inner, classes, typeOf)
  const members = [...group.groups.values()].map((inner) => `        ${memberOf(inner, group.name)}\n`)
  const methods = [...group.routes].flatMap(([name, route]) => methodsOf(name, route, typeOf))
  classes.push(
    `class ${group.name}:\n    def __init__(self, transport: Transport) -> None:\n        self._transport = transport\n${members.join('')}\n${methods.join('\n')}`.trimEnd(),
  )
}

function methodsOf(name: string, route: Route, typeOf: TypeOf): string[] {
  const { operation } = route
  if (operation.operationId === 'uploadedFiles.create') return [UPLOAD]
  if (operation.operationId === 'knowledgeBases.get') return [plainMethod(name, route, typeOf), WAIT]
  const media = Object.keys(operation.responses[200]?.content ?? {})
  if (media.includes('text/event-stream') && route.path.endsWith('/query'))
    return [plainMethod(name, route, typeOf), STREAM]
  if (media.includes('text/event-stream') && route.path.endsWith('/{message_id}/events')) return [EVENTS]
  return [plainMethod(name, route, typeOf)]
}

function plainMethod(name: string, { method, path, operation }: Route, typeOf: TypeOf): string {
  const { operationId, parameters = [], requestBody, responses } = operation
  const hint = operationId.split('.').map(capital).join('')
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const body = requestBody?.content?.['application/json']?.schema
  const reply = responses[200]?.content?.['application/json']?.schema
  const isList = answersOf(operation) === 'list'
  const result = reply
    ? isList
      ? `Listing[${typeOf(itemOf(reply)!, `${hint}Item`)}]`
      : typeOf(dataOf(reply), `${hint}Reply`)
    : 'HTTPResponse'
  const given = [
    'self',
    ...ids.map((id) => `${id}: str`),
    ...(body ? [`body: ${typeOf(body, `${hint}Body`)}${requestBody?.required ? '' : ' | None = None'}`] : []),
    '*',
    ...query.map(
      ({ name, schema }) => `${safe(name)}: ${orNone(typeOf(schema, `${hint}${capital(safe(name))}`))} = None`,
    ),
    'options: Options | None = None',
  ]
  const filled = path.replace(/^\/v1/, '').replaceAll(/\{(\w+)\}/g, '{segment($1)}')
  const url = ids.length > 0 ? `f"${filled}"` : `"${filled}"`
  const pairs = query.map(({ name }) => `"${name}": ${name === 'page' && isList ? 'number' : safe(name)}`)
  const sent = [
    `"${method.toUpperCase()}"`,
    url,
    pairs.length > 0 ? `{${pairs.join(', ')}}` : 'None',
    body
      ? operationId === 'chats.queries.create' || operationId === 'chats.queries.createAsync'
        ? '{"message_id": new_object_id(), **body}'
        : 'body'
      : 'None',
    'options',
  ].join(', ')
  const call = isList
    ? `return Listing(lambda number: self._transport.json(${sent}), page)`
    : `return self._transport.${reply ? 'json' : 'open'}(${sent})`
  return methodText(safe(snake(name)), given, result, operation.summary, call)
}

const methodText = (name: string, given: string[], result: string, summary: string | undefined, call: string) =>
  [
    `    def ${name}(\n${given.map((one) => `        ${one},\n`).join('')}    ) -> ${result}:`,
    ...(summary ? [`        """${summary.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}."""`] : []),
    `        ${call}\n`,
  ].join('\n')

/** Whether the method of an operation gives the items of a list, page by page, or what is answered as it is. */
export function answersOf({ parameters = [], responses }: Operation): 'list' | 'reply' {
  const isPaged = parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'page')
  return isPaged && itemOf(responses[200]?.content?.['application/json']?.schema) !== undefined ? 'list' : 'reply'
}

/** The data of a reply: what a caller gets. */
const dataOf = (reply: Schema): Schema => reply.properties?.data ?? reply

/** Items of a page, if it has one list. */
function itemOf(reply: Schema | undefined): Schema | undefined {
  const lists = Object.values((reply && dataOf(reply))?.properties ?? {}).filter(({ type }) => type === 'array')
  return lists.length === 1 ? lists[0]!.items : undefined
}

const WAIT = `    def wait_until_indexed(self, knowledge_base_id: str, *, timeout: float = 1800.0) -> Indexed:
        """Wait until no file of a folder is to be indexed any more; those in its sub-folders are not looked at."""
        return wait_until_indexed(self._transport, knowledge_base_id, timeout)
`

const STREAM = `    def stream(
        self,
        agent_id: str,
        chat_id: str,
        body: t.SendQuery,
        *,
        options: Options | None = None,
    ) -> AnswerStream:
        """Ask, and read the answer as it comes. A broken connection is resumed where it was."""
        message_id = body.get("message_id") or new_object_id()
        path = f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}"
        asked = {**body, "message_id": message_id, "is_stream": True}
        return AnswerStream(
            message_id,
            lambda: self._transport.open("POST", f"{path}/query", None, asked, options),
            lambda last: self._transport.open(
                "GET", f"{path}/message/{message_id}/events", {"starting_after": last if last >= 0 else None}, None, options
            ),
        )
`

const EVENTS = `    def events(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        starting_after: int = -1,
        options: Options | None = None,
    ) -> AnswerStream:
        """Read the events of a run, from any of them on, while it runs and after."""
        path = f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}"

        def resume(last: int) -> HTTPResponse:
            after = max(last, starting_after)
            query = {"starting_after": after if after >= 0 else None}
            return self._transport.open("GET", f"{path}/events", query, None, options)

        return AnswerStream(message_id, lambda: resume(-1), resume)
`

const UPLOAD = `    def create(
        self,
        content: Content,
        *,
        name: str | None = None,
        virtual_user_email: str | None = None,
        on_progress: Progress | None = None,
        options: Options | None = None,
    ) -> t.ObjectId:
        """Upload a file of any size, read as it is sent; its id can be added to a folder or sent with a query."""
        form = form_of(content, name, virtual_user_email, on_progress)
        return self._transport.json("POST", "/uploaded-files", None, form, options)
`

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const snake = (name: string) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()

const PYTHON_WORDS = new Set(['from', 'import', 'in', 'is', 'class', 'global', 'pass', 'not', 'or', 'and', 'del'])

export const safe = (name: string) => {
  const plain = name.replaceAll(/\W/g, '_')
  return PYTHON_WORDS.has(plain) ? `${plain}_` : plain
}

const orNone = (type: string) => (/(^|\| )None$/.test(type) ? type : `${type} | None`)

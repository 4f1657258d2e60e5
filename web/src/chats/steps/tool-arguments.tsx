import { argumentName } from './argument-names.ts'
import { JsonTree } from './later-json-tree.ts'

interface ToolArgumentsProps {
  toolName: string
  given: Record<string, unknown>
  /** Leaves out long arguments and JSON: the preview of the tool's result shows more. */
  isShort?: boolean
}

/** Arguments of a tool call, as a person reads them. */
export const ToolArguments = ({ toolName, given, isShort = false }: ToolArgumentsProps) => {
  const isLong = (value: unknown) =>
    typeof value === 'string' && (value.length > 120 || value.includes('\n') || typeof fromJson(value) === 'object')
  const entries = Object.entries(given).filter(
    ([name, value]) =>
      value !== null && value !== '' && argumentName(toolName, name) !== undefined && !(isShort && isLong(value)),
  )
  if (entries.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 max-sm:grid-cols-1">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{argumentName(toolName, name)}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere text-ink">
            <Argument value={typeof value === 'string' ? fromJson(value) : value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Argument = ({ value }: { value: unknown }) =>
  typeof value === 'object' ? <JsonTree value={value} /> : String(value)

/** Object or list that a text holds as JSON; any other text as it is. */
function fromJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

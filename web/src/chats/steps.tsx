import type { ToolPreview } from '@docent/sdk'
import type { ReactNode } from 'react'
import { cx } from '../ui/class-names.ts'
import { Brain, ChevronRight, CircleAlert, FileText, type LucideIcon, Search, Wrench } from '../ui/icons.ts'
import type { Step } from './live-answer.ts'
import { RichText } from './rich-text.tsx'
import { ToolPicture } from './tool-picture.tsx'

/** Tools by their names, while they work. */
const TOOLS: Record<string, { doing: string; icon: LucideIcon }> = {
  search_knowledge: { doing: 'Searching the documents', icon: Search },
  read_file: { doing: 'Reading a file', icon: FileText },
  list_files: { doing: 'Looking through the files', icon: FileText },
}

/** What the agent did on the way, each step folded. */
export const Steps = ({ steps }: { steps: Step[] }) => (
  <ol aria-label="Steps" className="space-y-0.5">
    {steps.map((step, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added, and never change places.
      <li key={index}>{step.kind === 'tool' ? <ToolStep {...step} /> : <Reasoning {...step} />}</li>
    ))}
  </ol>
)

function ToolStep({ toolName, preview, isDone }: Extract<Step, { kind: 'tool' }>) {
  const tool = TOOLS[toolName] ?? { doing: toolName.replaceAll('_', ' '), icon: Wrench }
  const hasFailed = preview?.status === 'error'
  const title = preview?.title || tool.doing
  if (!preview)
    return (
      <StepLine icon={tool.icon} isRunning={!isDone}>
        {isDone ? title : `${title}…`}
      </StepLine>
    )
  return (
    <Folded icon={hasFailed ? CircleAlert : tool.icon} title={title} hasFailed={hasFailed}>
      <PreviewContent preview={preview} />
    </Folded>
  )
}

const Reasoning = ({ text, isDone }: Extract<Step, { kind: 'reasoning' }>) => (
  <Folded icon={Brain} title={isDone ? 'Thoughts' : 'Thinking…'} isRunning={!isDone}>
    <p className="whitespace-pre-wrap">{text}</p>
  </Folded>
)

interface StepLineProps {
  icon: LucideIcon
  isRunning?: boolean
  hasFailed?: boolean
  children: ReactNode
}

const StepLine = ({ icon: Icon, isRunning, hasFailed, children }: StepLineProps) => (
  <span className={cx('flex min-w-0 items-center gap-2 py-1 text-sm', hasFailed ? 'text-bad' : 'text-muted')}>
    <Icon size={15} className={cx('shrink-0', isRunning && 'animate-breathe')} aria-hidden />
    <span className="min-w-0 truncate">{children}</span>
  </span>
)

function Folded({
  title,
  children,
  ...line
}: Omit<StepLineProps, 'children'> & { title: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex max-w-max list-none items-center gap-1 rounded-control pr-2 hover:text-ink [&::-webkit-details-marker]:hidden">
        <StepLine {...line}>{title}</StepLine>
        <ChevronRight size={14} className="shrink-0 text-muted transition-transform group-open:rotate-90" aria-hidden />
      </summary>
      <div className="prose my-1.5 ml-1.75 max-h-80 overflow-y-auto scroll-quiet border-l-2 border-line py-0.5 pl-4 text-sm text-muted">
        {children}
      </div>
    </details>
  )
}

/** Only Markdown and pictures are rendered; HTML and whatever else a tool made is shown as the text that it is. */
function PreviewContent({ preview: { title, content, content_type } }: { preview: ToolPreview }) {
  if (content_type === 'markdown') return <RichText text={content} />
  if (content_type === 'image') return <ToolPicture data={content} title={title} />
  return (
    <pre>
      <code>{content_type === 'json' ? indented(content) : content}</code>
    </pre>
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

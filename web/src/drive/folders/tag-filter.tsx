import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'

interface TagFilterProps {
  folders: KnowledgeBase[]
  chosen: string | null
  onChoose: (tag: string | null) => void
}

/** Filter by tags of the listed folders. */
export function TagFilter({ folders, chosen, onChoose }: TagFilterProps) {
  const tags = [...new Set(folders.flatMap(({ user_defined_tags }) => user_defined_tags))].sort()
  if (tags.length === 0 && chosen === null) return null
  return (
    <fieldset aria-label={t`Tags`} className="flex min-w-0 items-center gap-1.5 overflow-x-auto scroll-quiet py-1">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-pressed={tag === chosen}
          onClick={() => onChoose(tag === chosen ? null : tag)}
          className="h-7 shrink-0 rounded-full border border-line px-2.5 text-sm whitespace-nowrap text-muted transition-colors hover:border-line-strong hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-9"
        >
          {tag}
        </button>
      ))}
    </fieldset>
  )
}

import { t } from '@lingui/core/macro'
import { use } from 'react'
import { formatLocation } from '../../platform/format-location.ts'
import { CitationsContext } from './citations-context.ts'

const chipClass =
  'mx-0.5 inline-flex h-[1.45em] min-w-[1.6em] items-center justify-center rounded-[0.4em] px-[0.4em] align-[0.12em] text-[0.74em] leading-none font-semibold tabular-nums no-underline'

/** Citation `[1]` in an answer: opens the passage. It is inactive until the passage is known. */
export function CitationChips({ numbers }: { numbers: number[] }) {
  const { all, isPending, open } = use(CitationsContext)
  return numbers.map((number) => {
    const citation = all.find(({ index }) => index === number)
    if (citation)
      return (
        <button
          key={number}
          type="button"
          aria-haspopup="dialog"
          aria-label={[t`Source`, number, citation.title, formatLocation(citation.location)].filter(Boolean).join(', ')}
          title={citation.title}
          onClick={() => open(number)}
          className={`${chipClass} bg-chip text-on-chip transition-shadow hover:shadow-[inset_0_0_0_1.5px_var(--on-chip)]`}
        >
          {number}
        </button>
      )
    if (isPending)
      return (
        <span key={number} className={`${chipClass} bg-chip text-on-chip opacity-60`}>
          {number}
        </span>
      )
    return <span key={number}>[{number}]</span>
  })
}

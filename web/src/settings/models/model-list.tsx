import type { ListedModel } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { priceInWords, useModels } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { formatNumber } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { SettingSection } from '../setting-section.tsx'

/** Rows at first: gateways list hundreds of models. */
const SHOWN_AT_FIRST = 50

/** Models that agents can be given, as their providers list them. */
export function ModelList() {
  const { data, error, isPending } = useModels()
  const [search, setSearch] = useState('')
  const [isWhole, setWhole] = useState(false)
  const words = search.toLowerCase().split(/\s+/)
  const found = data?.models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word))) ?? []
  const shown = isWhole ? found : found.slice(0, SHOWN_AT_FIRST)
  return (
    <SettingSection
      title={t`Models`}
      about={t`What each can do comes from its provider, or from what is generally known. The size of the context is assumed if neither says.`}
      actions={data && data.models.length > 5 && <SearchBox label={t`Search models`} onChange={setSearch} />}
    >
      {error && <Notice>{explain(error)}</Notice>}
      {isPending && (
        <p className="text-muted">
          <Trans>Asking the providers…</Trans>
        </p>
      )}
      {Object.entries(data?.list_problems ?? {}).map(([id, problem]) => (
        <p key={id} className="mb-2 text-sm text-bad wrap-anywhere">
          {id}: {problem}
        </p>
      ))}
      {found.length > 0 && <Table label={t`Models`} columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />}
      {data && found.length === 0 && (
        <p className="text-muted">
          <Trans>No model has this in its name.</Trans>
        </p>
      )}
      {shown.length < found.length && (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          <Trans>Show all {found.length}</Trans>
        </Button>
      )}
    </SettingSection>
  )
}

/** An ability of a model; null: nobody tells of it. */
const inWords = (can: boolean | null): string => (can === null ? t`Unknown` : can ? t`Yes` : t`No`)

const COLUMNS: Column<ListedModel>[] = [
  {
    key: 'id',
    header: t`Model`,
    className: 'min-w-52',
    cell: ({ id }) => <span className="font-mono text-sm wrap-anywhere">{id}</span>,
  },
  {
    key: 'context',
    header: t`Context`,
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ context_tokens, context_is_assumed }) => {
      if (context_tokens === null) return '–'
      const tokens = formatNumber(context_tokens)
      return context_is_assumed ? <span className="text-muted">{t`${tokens} assumed`}</span> : tokens
    },
  },
  { key: 'pictures', header: t`Pictures`, cell: ({ sees_pictures }) => inWords(sees_pictures) },
  { key: 'tools', header: t`Tools`, cell: ({ takes_tools }) => inWords(takes_tools) },
  {
    key: 'price',
    header: t`Price`,
    className: 'min-w-40 text-sm',
    cell: ({ price }) => (price ? priceInWords(price) : '–'),
  },
]

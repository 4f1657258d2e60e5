import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { cx } from '../../ui/class-names.ts'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { Page } from './page.ts'
import { type Place, usePlaces } from './places.ts'

interface PaletteProps {
  pages: Page[]
  /** Further pages, and dialogs, that are found by their names. */
  commands: Place[]
  /** Text that was typed before it had the focus. */
  typed: RefObject<string>
  onClose: () => void
}

/** Dialog that searches everything: pages, agents, chats, folders, files, and what files and messages say. */
export function Palette({ pages, commands, typed, onClose }: PaletteProps) {
  const [search, setSearch] = useState('')
  // The dialog has the focus from here on: its own effect has run before.
  useEffect(() => setSearch(typed.current), [typed])
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { groups, isSearching, error } = usePlaces(pages, commands, search.trim())
  const places = groups.flatMap((group) => group.places)
  // By its id: results of a slower search that come above it do not move the choice.
  const chosen = Math.max(
    0,
    places.findIndex(({ id }) => id === chosenId),
  )

  function go({ go: leave }: Place) {
    onClose()
    unawaited(Promise.resolve(leave()).then(focusPage))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && places.length > 0) setChosenId(places[(chosen + step + places.length) % places.length]!.id)
    else if (event.key === 'Enter' && places[chosen]) go(places[chosen])
    // Escape would only clear the box.
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  const elementOf = ({ id }: Place) => `palette-${id}`
  const marked = places[chosen] && elementOf(places[chosen])
  useEffect(() => {
    if (chosenId !== null) document.getElementById(`palette-${chosenId}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])
  return (
    <Dialog title={t`Search`} onClose={onClose} width="wide">
      <SearchBox
        label={t`Pages, agents, chats, files, and what they say`}
        autoFocus
        value={search}
        onChange={(text) => {
          setSearch(text)
          setChosenId(null)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="palette-places"
        aria-activedescendant={marked}
      />
      <div
        id="palette-places"
        role="listbox"
        aria-label={t`Places`}
        className="mt-3 max-h-[55dvh] overflow-y-auto scroll-quiet"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
          <div key={group.id} role="group" aria-labelledby={`palette-group-${group.id}`} className="pb-2">
            <p id={`palette-group-${group.id}`} className="px-3 pt-1 pb-1 text-sm font-medium text-muted">
              {group.name}
            </p>
            {group.places.map((place) => (
              <Option
                key={place.id}
                id={elementOf(place)}
                place={place}
                isChosen={elementOf(place) === marked}
                onChoose={() => go(place)}
              />
            ))}
          </div>
        ))}
      </div>
      {error && <Notice>{explain(error)}</Notice>}
      <p role="status" className={cx('px-3 text-muted', places.length === 0 ? 'py-2' : 'sr-only')}>
        {places.length > 0 ? (
          search.trim() !== '' && <Plural value={places.length} one="# result" other="# results" />
        ) : isSearching ? (
          <Trans>Searching…</Trans>
        ) : (
          <Trans>Nothing has this name, and none of your files or messages contains it.</Trans>
        )}
      </p>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  place: Place
  isChosen: boolean
  onChoose: () => void
}

const Option = ({ id, place: { icon: Icon, name, aside, says }, isChosen, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus.
  // biome-ignore lint/a11y/useFocusableInteractive: see above
  <div
    id={id}
    role="option"
    aria-selected={isChosen}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onChoose}
    className={cx(
      'flex cursor-pointer items-start gap-3 rounded-control px-3 py-2 hover:bg-hover',
      isChosen && 'bg-hover',
    )}
  >
    <Icon size={16} className="mt-1 shrink-0 text-muted" aria-hidden />
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline gap-3">
        <span dir="auto" className="min-w-0 flex-1 truncate text-start">
          {name}
        </span>
        {aside && <span className="shrink-0 text-sm text-muted">{aside}</span>}
      </span>
      {says && (
        <span dir="auto" className="line-clamp-2 text-start text-sm text-muted wrap-anywhere">
          {says}
        </span>
      )}
    </span>
  </div>
)

/** Focuses the page, unless something on it has taken the focus: keys would go on from where the palette was opened. */
function focusPage() {
  const page = document.getElementById('page')
  if (!page?.contains(document.activeElement)) page?.focus()
}

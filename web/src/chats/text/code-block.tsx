import { t } from '@lingui/core/macro'
import type { ElementContent, Root, RootContent } from 'hast'
import { Fragment, type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { IconButton } from '../../ui/controls/button.tsx'
import { useCopy } from '../../ui/controls/copy-text.ts'
import { Check, Copy } from '../../ui/icons.ts'
import { ScrollBox } from '../../ui/layout/scroll-box.tsx'

/** Longer code stays in one colour: highlighting it would block the page. */
const MOST_COLOURED = 20_000

type Colour = (language: string, code: string) => Root | null

let colour: Colour | null = null
const loadColours = async () => {
  colour ??= (await import('./code-colours.ts')).colourCode
  return colour
}

/** Code with its language, a copy button, and colours once the highlighter is loaded. */
export function CodeBlock({ code, language }: { code: string; language: string | null }) {
  const [paint, setPaint] = useState<Colour | null>(() => colour)
  const shown = useDeferredValue(code)
  useEffect(() => {
    if (language && !paint)
      loadColours().then(
        (loaded) => setPaint(() => loaded),
        () => {},
      )
  }, [language, paint])
  const tree = useMemo(
    () => (language && paint && shown.length <= MOST_COLOURED ? paint(language, shown) : null),
    [language, paint, shown],
  )
  const rest = code.startsWith(shown) ? code.slice(shown.length) : null
  return (
    <div className="code-frame">
      <div className="flex h-9 items-center justify-between pe-1 ps-4 text-xs text-muted">
        <span>{language ?? t`Text`}</span>
        <CopyCode code={code} />
      </div>
      <ScrollBox label={language ? t`Code: ${language}` : t`Code`}>
        <pre>
          <code>{tree && rest !== null ? [toReact(tree, 0), rest] : code}</code>
        </pre>
      </ScrollBox>
    </div>
  )
}

function CopyCode({ code }: { code: string }) {
  const { isCopied, copy } = useCopy(code)
  return (
    <IconButton
      label={isCopied ? t`The code was copied` : t`Copy the code`}
      icon={isCopied ? Check : Copy}
      onClick={copy}
    />
  )
}

function toReact(node: Root | RootContent | ElementContent, key: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type === 'root') return <Fragment key={key}>{node.children.map(toReact)}</Fragment>
  if (node.type !== 'element') return null
  return (
    <span key={key} className={(node.properties.className as string[] | undefined)?.join(' ')}>
      {node.children.map(toReact)}
    </span>
  )
}

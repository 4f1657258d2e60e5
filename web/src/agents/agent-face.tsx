import type { Agent } from '@docent/sdk'
import { cx } from '../ui/class-names.ts'

interface AgentFaceProps {
  agent: Pick<Agent, 'id' | 'name'>
  isLarge?: boolean
}

/** Face of an agent: the first letters of its name, in a colour that stays its own. */
export const AgentFace = ({ agent: { id, name }, isLarge = false }: AgentFaceProps) => (
  <span
    aria-hidden
    style={{ '--hue': hueOf(id) } as React.CSSProperties}
    className={cx(
      'face inline-flex shrink-0 items-center justify-center font-semibold select-none',
      isLarge ? 'size-10 rounded-[0.7rem] text-base' : 'size-6 rounded-[0.4rem] text-[0.68rem]',
    )}
  >
    {initials(name)}
  </span>
)

const initials = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('')
}

/** Hue in degrees, far from that of agents made just before or after. */
const hueOf = (id: string): number => (Number.parseInt(id.slice(-6), 16) * 137) % 360

import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

type Tone = 'good' | 'bad' | 'busy' | 'quiet'

const TONES: Record<Tone, string> = {
  good: 'text-good',
  bad: 'text-bad',
  busy: 'text-accent',
  quiet: 'text-muted',
}

/** State in a word, with a coloured dot. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={cx('inline-flex items-baseline gap-1.5 text-sm font-medium whitespace-nowrap', TONES[tone])}>
    <span
      aria-hidden
      className={cx('size-1.5 self-center rounded-full bg-current', tone === 'busy' && 'animate-breathe')}
    />
    {children}
  </span>
)

/** Label in a row of labels. */
export const Tag = ({ children, title }: { children: ReactNode; title?: string }) => (
  <span
    title={title}
    className="inline-block max-w-56 truncate rounded-[0.35rem] bg-hover px-1.5 py-0.5 align-bottom text-sm whitespace-nowrap"
  >
    <bdi>{children}</bdi>
  </span>
)

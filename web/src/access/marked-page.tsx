import { t } from '@lingui/core/macro'

/** Widths of the words of the drawn page, line by line; negative ones are marked. */
const LINES = [
  [62, 38, 84, 46, 70],
  [44, 96, 30, 58, 40, 24],
  [78, 36, 52, 88, 32],
  [30, 64, -70, -42, -90],
  [-56, -34, -82, -48, 46],
  [90, 28, 60, 40, 66],
  [40, 74, 52, 30, 48, 34],
  [66, 44, 88, 58],
]
const GAP = 9
const LINE_HEIGHT = 30
const LEFT = 56

/** Illustration: a page with a marked passage, and the answer that cites it. */
export function MarkedPage() {
  return (
    <div aria-hidden className="relative hidden place-items-center overflow-hidden bg-canvas lg:grid">
      <svg viewBox="0 0 520 560" className="w-[min(30rem,80%)]">
        <title>{t`A page with a marked passage`}</title>
        <rect x="34" y="22" width="440" height="520" rx="10" className="rotate-2 fill-hover" />
        <rect x="20" y="14" width="440" height="520" rx="10" className="fill-raised stroke-line" />
        <rect x={LEFT} y="56" width="190" height="15" rx="4" className="fill-ink" />
        <rect x={LEFT} y="86" width="112" height="8" rx="4" className="fill-line" />
        {LINES.map((words, line) => drawWords(words, 132 + line * LINE_HEIGHT))}
        <g transform="translate(150 396)">
          <rect width="346" height="132" rx="16" className="fill-paper stroke-line" />
          <rect x="24" y="26" width="150" height="13" rx="4" className="fill-ink" />
          <rect x="24" y="58" width="270" height="9" rx="4" className="fill-line" />
          <rect x="24" y="78" width="298" height="9" rx="4" className="fill-line" />
          <rect x="24" y="98" width="128" height="9" rx="4" className="fill-line" />
          <rect x="162" y="91" width="26" height="22" rx="6" className="fill-chip" />
          <text x="175" y="107" textAnchor="middle" className="fill-on-chip text-[14px] font-semibold">
            1
          </text>
        </g>
        <path
          d="M 325 487 C 500 470 512 300 392 258"
          className="fill-none stroke-mark-strong"
          strokeWidth="2"
          strokeDasharray="1 7"
          strokeLinecap="round"
        />
      </svg>
    </div>
  )
}

function drawWords(words: number[], y: number) {
  let x = LEFT
  return words.map((signed) => {
    const width = Math.abs(signed)
    const at = x
    x += width + GAP
    return (
      <g key={at}>
        {signed < 0 && <rect x={at - 5} y={y - 8} width={width + GAP + 1} height="25" className="fill-mark" />}
        <rect x={at} y={y} width={width} height="9" rx="4" className={signed < 0 ? 'fill-on-mark' : 'fill-line'} />
      </g>
    )
  })
}

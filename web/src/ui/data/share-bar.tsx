/** Share of the maximum, drawn behind a figure in a table. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1.5 block h-1.5 w-full" aria-hidden="true">
    <rect width="100" height="6" rx="1" className="fill-hover" />
    <rect width={100 * share} height="6" rx="1" className="fill-accent" />
  </svg>
)

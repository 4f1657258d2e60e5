/** Columns of the drive's table: on narrow screens the size disappears first, then everything but the name. */
export const gridClass =
  'grid items-center grid-cols-[2.75rem_minmax(0,1fr)_2.75rem] md:grid-cols-[2.75rem_minmax(0,1fr)_9.5rem_7.5rem_2.75rem] lg:grid-cols-[2.75rem_minmax(0,1fr)_9.5rem_5.5rem_8rem_2.75rem] pr-2 sm:pr-4'

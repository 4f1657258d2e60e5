/**
 * Stands in a part of a page that still waits for its content. Parts below it in an `in-order` column are not shown
 * until it is gone, so that nothing moves under a pointer.
 */
export const Waiting = () => <span hidden data-waiting />

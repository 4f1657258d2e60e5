import type { LineHead } from './code-lines.ts'

/**
 * Follows which list item a text is in: a fence that stands four columns or more to the right is one only there.
 * Says that there is no item where renderers may see it differently.
 */
export function createListTracker() {
  let itemIndent = 0
  let isAfterBlank = true
  const beginsItem = ({ itemIndent: own, markIndent = 0, isLaterItem }: LineHead): boolean =>
    own !== undefined && (!isLaterItem || isAfterBlank || itemIndent > 0) && isNear(markIndent)
  /** Three columns more, and it is code or the paragraph before. */
  const isNear = (indent: number): boolean =>
    indent <= 3 || (itemIndent > 0 && indent >= itemIndent && indent - itemIndent <= 3)
  return {
    /** Takes the head of each line that is not blank, once it is whole. */
    line(head: LineHead | undefined): void {
      if (head && beginsItem(head)) itemIndent = head.itemIndent!
      else if (!head || head.indent < itemIndent) itemIndent = 0
      isAfterBlank = false
    },
    blank(): void {
      isAfterBlank = true
    },
    /** Whether a fence with this head begins a code block for every renderer. */
    holdsFence: (head: LineHead): boolean => {
      if (head.itemIndent !== undefined && !beginsItem(head)) return false
      return head.itemIndent === undefined ? isNear(head.indent) : head.indent - head.itemIndent <= 3
    },
  }
}

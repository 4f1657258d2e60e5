import { Button } from '../../ui/controls/button.tsx'
import { ArrowDown } from '../../ui/icons.ts'

/** Floats above the bottom of a scrolled area. */
export const ToEndButton = ({ onClick }: { onClick: () => void }) => (
  <div className="relative">
    <Button icon={ArrowDown} onClick={onClick} className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised">
      To the end
    </Button>
  </div>
)
